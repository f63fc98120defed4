//! JWT access tokens: claims, signing and verification (RFC 8725).
//!
//! Our keys sign two types of token, told apart by the header's `typ`: access tokens of a session, and dev tokens,
//! which `ludotheque token` makes for test automation and only a server with `--dev` accepts.

use super::caller::{Proven, Who};
use super::keys::{ALGORITHM, Key};
use super::{AuthError, Keys, LEEWAY, Now, Secret, TrustedIssuer, after, numeric_date};
use crate::ids::{FamilyId, PlayerId};
use crate::players::ports::Subject;
use crate::rules::Instant;
use jsonwebtoken::{Header, Validation, decode, encode};
use serde::{Deserialize, Serialize, de::DeserializeOwned};
use std::{sync::Arc, time::Duration};
use uuid::Uuid;

/// RFC 9068: `typ` of access tokens, so that no other kind of JWT is accepted as one.
const ACCESS_TYPE: &str = "at+jwt";

/// `typ` of dev tokens.
const DEV_TYPE: &str = "dev+jwt";

/// Longest lifetime of an access token that a setting allows, and that verification accepts.
const LONGEST_LIFETIME: Duration = Duration::from_hours(24);

/// Issuer, audience and lifetimes of our tokens, and the other issuers to trust.
#[derive(Clone, Debug)]
pub struct Settings {
    pub issuer: String,
    pub audience: String,
    /// Lifetime of access tokens.
    pub lifetime: Duration,
    /// How long a refresh token stays valid if it is not used.
    pub refresh_lifetime: Duration,
    /// Whether dev tokens are accepted.
    pub dev: bool,
    pub issuers: Vec<TrustedIssuer>,
}

impl Default for Settings {
    fn default() -> Self {
        let ours = || "ludotheque".to_owned();
        Self {
            issuer: ours(),
            audience: ours(),
            lifetime: Duration::from_mins(15),
            refresh_lifetime: Duration::from_hours(30 * 24),
            dev: false,
            issuers: Vec::new(),
        }
    }
}

/// Claims of an access token. All are required, each in exactly the form that we write.
#[derive(Serialize, Deserialize)]
struct Claims {
    iss: String,
    aud: String,
    sub: PlayerId,
    /// The session: a family of refresh tokens.
    sid: FamilyId,
    iat: u64,
    nbf: u64,
    exp: u64,
    jti: Uuid,
}

#[derive(Serialize, Deserialize)]
struct DevClaims {
    iss: String,
    aud: String,
    /// A player's id, or a name, for which a player is created when it is first seen.
    sub: String,
    iat: u64,
    nbf: u64,
    exp: u64,
    jti: Uuid,
}

/// Signs and verifies access tokens. Revocation is checked by [`super::Identity`].
pub struct AccessTokens {
    pub(super) keys: Arc<Keys>,
    pub(super) settings: Settings,
    pub(super) now: Now,
    validation: Validation,
}

impl AccessTokens {
    pub fn new(keys: Arc<Keys>, settings: Settings, now: Now) -> Self {
        let mut validation = Validation::new(ALGORITHM);
        validation.set_required_spec_claims(&["iss", "aud", "sub", "exp", "nbf"]);
        validation.set_issuer(&[&settings.issuer]);
        validation.set_audience(&[&settings.audience]);
        // Our own code checks both, against an injectable clock, and `exp` again on every use of a cached token.
        validation.validate_exp = false;
        validation.validate_nbf = false;
        Self { keys, settings, now, validation }
    }

    pub(super) fn issue(&self, player: PlayerId, family: FamilyId) -> Secret {
        let now = self.seconds();
        let claims = Claims {
            iss: self.settings.issuer.clone(),
            aud: self.settings.audience.clone(),
            sub: player,
            sid: family,
            iat: now,
            nbf: now,
            exp: now + self.settings.lifetime.as_secs(),
            jti: Uuid::now_v7(),
        };
        self.sign(access_header, &claims)
    }

    /// Issues a dev token for a player's id or a name. It asks no store, so it works beside a running server.
    pub fn issue_dev(&self, sub: String, lifetime: Duration) -> Secret {
        let now = self.seconds();
        let claims = DevClaims {
            iss: self.settings.issuer.clone(),
            aud: self.settings.audience.clone(),
            sub,
            iat: now,
            nbf: now,
            exp: now + lifetime.as_secs(),
            jti: Uuid::now_v7(),
        };
        self.sign(dev_header, &claims)
    }

    fn sign(&self, header: impl Fn(&Key) -> Header, claims: &impl Serialize) -> Secret {
        let key = self.keys.signing_key();
        Secret::new(encode(&header(&key), claims, &key.encoding).expect("the key was tried when it was read"))
    }

    /// Makes all checks on a token of ours that need no store, except expiry: the caller checks that, and again on
    /// every later use.
    pub(super) fn verify(&self, token: &str, header: &Header) -> Result<Proven, AuthError> {
        let now = (self.now)();
        let (who, kid, nbf, exp) = if self.settings.dev && header.typ.as_deref() == Some(DEV_TYPE) {
            let (DevClaims { sub, iat, nbf, exp, .. }, kid) = self.decode_signed(token, header, dev_header)?;
            (self.dev_subject(sub, numeric_date(iat)?), kid, nbf, exp)
        } else {
            let (Claims { sub, sid, nbf, exp, .. }, kid) = self.decode_signed(token, header, access_header)?;
            // We never issue such a token, so refuse it even if its signature is valid.
            if numeric_date(exp)? > after(now, LONGEST_LIFETIME + LEEWAY) {
                return Err(AuthError::BadToken);
            }
            (Who::SignedIn { player: sub, family: sid }, kid, nbf, exp)
        };
        if numeric_date(nbf)? > after(now, LEEWAY) {
            return Err(AuthError::BadToken);
        }
        Ok(Proven { who, kid, expires_at: numeric_date(exp)? })
    }

    /// The player or the user that a dev token names.
    fn dev_subject(&self, sub: String, issued_at: Instant) -> Who {
        match sub.parse() {
            Ok(player) => Who::Player { player, issued_at },
            Err(_) => {
                let subject = Subject { issuer: self.settings.issuer.clone(), sub: sub.clone() };
                Who::Subject { subject, name: Some(sub), issued_at }
            }
        }
    }

    /// Decodes the claims if one of our keys signed them, and if the header is exactly the one that this key writes for
    /// this type of token. Returns the claims and the key's id.
    fn decode_signed<T: DeserializeOwned>(
        &self,
        token: &str,
        header: &Header,
        expected: impl Fn(&Key) -> Header,
    ) -> Result<(T, String), AuthError> {
        let key = header.kid.as_deref().and_then(|kid| self.keys.find(kid)).ok_or(AuthError::BadToken)?;
        // The header selects one of our keys and nothing else: any algorithm, type, embedded key or extension that we
        // would not have written ourselves is refused before the signature is verified.
        if *header != expected(&key) {
            return Err(AuthError::BadToken);
        }
        let claims = decode(token, &key.decoding, &self.validation).map_err(|_| AuthError::BadToken)?.claims;
        Ok((claims, key.kid.clone()))
    }

    fn seconds(&self) -> u64 {
        u64::try_from((self.now)().0 / 1000).expect("1970 is over")
    }
}

fn access_header(key: &Key) -> Header {
    key.header(ACCESS_TYPE)
}

fn dev_header(key: &Key) -> Header {
    key.header(DEV_TYPE)
}
