//! The checks on a token of another issuer, and why one was refused: for the log and for `ludotheque issuers check`.
//! Callers learn only that their token is not valid.

use super::{Issuers, KeysUnknown, TrustedIssuer};
use crate::auth::{MAX_TOKEN_LENGTH, Now};
use jsonwebtoken::errors::ErrorKind;
use jsonwebtoken::{TokenData, dangerous::insecure_decode};
use serde::Deserialize;
use std::fmt;

/// Texts from a token are cut to this many characters in the log: enough to recognise an issuer or a key.
const LONGEST_IN_LOG: usize = 100;

/// The checks, in the order in which they are made. The first failure ends them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Check {
    Form,
    Issuer,
    Header,
    Algorithm,
    Key,
    Signature,
    Claims,
    Audience,
    Subject,
    Start,
    Lifetime,
    Expiry,
}

impl Check {
    pub const ALL: [Check; 12] = [
        Check::Form,
        Check::Issuer,
        Check::Header,
        Check::Algorithm,
        Check::Key,
        Check::Signature,
        Check::Claims,
        Check::Audience,
        Check::Subject,
        Check::Start,
        Check::Lifetime,
        Check::Expiry,
    ];

    /// The condition, as a sentence.
    pub fn sentence(self) -> &'static str {
        match self {
            Check::Form => "it is a JWT that names its issuer",
            Check::Issuer => "its issuer is listed in the file of issuers",
            Check::Header => "its header is an access token's, without an embedded key or an extension",
            Check::Algorithm => "its algorithm is one of the issuer's `algorithms`",
            Check::Key => "its `kid` names a usable key of the issuer",
            Check::Signature => "that key signed it",
            Check::Claims => "it has `iss`, `aud`, `sub`, `iat` and `exp`, with times in whole seconds",
            Check::Audience => "its `aud` is the issuer's `audience`, or contains it",
            Check::Subject => "its `sub` has 1 to 255 bytes",
            Check::Start => "its `iat` and `nbf` are not in the future",
            Check::Lifetime => "it lasts no longer than the issuer's `maxLifetimeSeconds`",
            Check::Expiry => "it has not expired",
        }
    }
}

/// Why a token is refused. It contains nothing that would help to forge one, and never the token's signature.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rejection {
    /// The first check that failed.
    pub check: Check,
    pub why: String,
}

impl Rejection {
    pub(super) fn new(check: Check, why: impl Into<String>) -> Self {
        Self { check, why: why.into() }
    }
}

/// Translates errors of the JWT library without quoting its texts or any claim.
impl From<jsonwebtoken::errors::Error> for Rejection {
    fn from(error: jsonwebtoken::errors::Error) -> Self {
        match error.kind() {
            ErrorKind::InvalidAudience => Self::new(Check::Audience, "it is for another audience"),
            ErrorKind::MissingRequiredClaim(claim) => Self::new(Check::Claims, format!("`{claim}` is missing")),
            ErrorKind::InvalidIssuer | ErrorKind::InvalidClaimFormat(_) | ErrorKind::Json(_) | ErrorKind::Utf8(_) => {
                Self::new(Check::Claims, "a claim is missing or of the wrong type")
            }
            ErrorKind::InvalidAlgorithm => Self::new(Check::Signature, "the key is not for this algorithm"),
            _ => Self::new(Check::Signature, "the signature is not this key's"),
        }
    }
}

impl fmt::Display for Rejection {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.why)
    }
}

/// Logs why a token was refused. The issuer and the key id are only what the token claims, so they are cut short and
/// quoted.
pub(in crate::auth) fn log_refusal(issuer: &str, kid: Option<&str>, reason: &dyn fmt::Display) {
    let short = |text: &str| text.chars().take(LONGEST_IN_LOG).collect::<String>();
    let (issuer, kid) = (short(issuer), kid.map(short).unwrap_or_default());
    tracing::info!(?issuer, ?kid, %reason, "a token of another issuer was refused");
}

/// The claimed issuer. It selects what to verify the token against, and is never a reason to trust it.
#[derive(Deserialize)]
pub(in crate::auth) struct Claimed {
    pub(in crate::auth) iss: String,
}

/// Verifies a token against trusted issuers as a server would, except for what only the store knows: whether the token
/// was revoked, or its account deleted. Fails if the issuer's keys can't be read.
pub async fn check_token(
    trusted: &[TrustedIssuer],
    token: &str,
    now: &Now,
) -> Result<Result<(), Rejection>, KeysUnknown> {
    if token.len() > MAX_TOKEN_LENGTH {
        let why = format!("it has {} bytes; the maximum is {MAX_TOKEN_LENGTH}", token.len());
        return Ok(Err(Rejection::new(Check::Form, why)));
    }
    let Ok(TokenData { header, claims: Claimed { iss } }) = insecure_decode(token) else {
        return Ok(Err(Rejection::new(Check::Form, "it can't be read, or has no `iss`")));
    };
    Ok(Issuers::new(trusted).verify(token, &header, &iss, now()).await?.map(drop))
}
