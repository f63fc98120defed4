//! Verification of a JWT from a trusted issuer (RFC 8725).
//!
//! Stricter than JWT itself: `iss`, `aud`, `sub`, `exp` and `iat` are required, times are whole seconds, and no token
//! may last longer than its issuer's `maxLifetimeSeconds`.

use super::check::{Check, Rejection};
use super::issuer::{Issuer, KeysUnknown};
use super::jwks::TrustedKey;
use crate::auth::caller::{Proven, Who};
use crate::auth::{LEEWAY, after, numeric_date};
use crate::players::ports::Subject;
use crate::rules::Instant;
use jsonwebtoken::{Header, Validation, decode};
use serde::Deserialize;
use serde_json::Value;

/// OpenID Connect: longest `sub`, in bytes.
const LONGEST_SUB: usize = 255;

/// Accepted values of the optional `typ`, so that no other kind of JWT is accepted as an access token.
const TYPES: [&str; 2] = ["jwt", "at+jwt"];

/// Claims of a token. `aud` may be a text or a list; the library checks it.
#[derive(Deserialize)]
struct Claims {
    iss: String,
    sub: String,
    iat: u64,
    exp: u64,
    nbf: Option<u64>,
    /// The player's name; ignored unless it is a text.
    name: Option<Value>,
}

impl Issuer {
    /// Makes all checks on a token of this issuer that need no store. Fails if the issuer's keys are not known.
    pub(in crate::auth) async fn verify(
        &self,
        token: &str,
        header: &Header,
        now: Instant,
    ) -> Result<Result<Proven, Rejection>, KeysUnknown> {
        // Before the key is looked up, since that may send a request to the issuer.
        if let Err(rejection) = self.check_header(header) {
            return Ok(Err(rejection));
        }
        let Some(kid) = header.kid.as_deref() else {
            return Ok(Err(Rejection::new(Check::Key, "the header has no `kid`")));
        };
        let Some(key) = self.key(kid, now).await? else {
            let why = format!("there is no such key among those of the issuer: {}", self.kids());
            return Ok(Err(Rejection::new(Check::Key, why)));
        };
        Ok(self.check_claims(token, header, &key, now))
    }

    fn check_header(&self, header: &Header) -> Result<(), Rejection> {
        if !is_plain(header) {
            return Err(Rejection::new(Check::Header, "it has another `typ`, or a field that is not accepted"));
        }
        let algorithms = &self.settings.algorithms;
        if !algorithms.contains(&header.alg) {
            let why = format!("it is signed with {:?}; the issuer has {algorithms:?}", header.alg);
            return Err(Rejection::new(Check::Algorithm, why));
        }
        Ok(())
    }

    fn check_claims(&self, token: &str, header: &Header, key: &TrustedKey, now: Instant) -> Result<Proven, Rejection> {
        let settings = &self.settings;
        let mut validation = Validation::new(header.alg);
        validation.algorithms.clone_from(&key.algorithms);
        validation.set_required_spec_claims(&["iss", "aud", "sub", "exp"]);
        validation.set_issuer(&[&settings.issuer]);
        validation.set_audience(&[&settings.audience]);
        // Our own code checks both below, against an injectable clock.
        validation.validate_exp = false;
        validation.validate_nbf = false;
        let claims: Claims = decode(token, &key.decoding, &validation)?.claims;
        let Claims { iss, sub, iat, exp, nbf, name } = claims;
        if iss != settings.issuer {
            return Err(Rejection::new(Check::Claims, "`iss` is not this issuer"));
        }
        if sub.is_empty() || sub.len() > LONGEST_SUB {
            return Err(Rejection::new(Check::Subject, format!("it has {} bytes", sub.len())));
        }
        let time = |seconds| numeric_date(seconds).map_err(|_| Rejection::new(Check::Claims, "a time is out of range"));
        let (issued_at, expires_at) = (time(iat)?, time(exp)?);
        let begins_at = time(nbf.unwrap_or(iat))?.max(issued_at);
        if begins_at > after(now, LEEWAY) {
            return Err(Rejection::new(Check::Start, format!("it begins in {} s", seconds(now, begins_at))));
        }
        if expires_at > after(issued_at, settings.max_lifetime) {
            let (lasts, most) = (seconds(issued_at, expires_at), settings.max_lifetime.as_secs());
            return Err(Rejection::new(Check::Lifetime, format!("it lasts for {lasts} s; the maximum is {most} s")));
        }
        if now >= after(expires_at, LEEWAY) {
            return Err(Rejection::new(Check::Expiry, format!("it expired {} s ago", seconds(expires_at, now))));
        }
        let name = name.and_then(|name| name.as_str().map(str::to_owned));
        let who = Who::Subject { subject: Subject { issuer: iss, sub }, name, issued_at };
        Ok(Proven { who, kid: key.kid.clone(), expires_at })
    }
}

fn seconds(from: Instant, to: Instant) -> i64 {
    to.0.saturating_sub(from.0) / 1000
}

/// Whether a header is an access token's and nothing more: no embedded key or certificate, since a token must not vouch
/// for its own key; nothing nested, compressed or encrypted; no critical extension.
fn is_plain(header: &Header) -> bool {
    let Header { typ, cty, jku, jwk, x5u, x5c, crit, enc, zip, .. } = header;
    let typed = typ.as_deref().is_none_or(|typ| {
        let typ = typ.to_ascii_lowercase();
        TYPES.contains(&typ.strip_prefix("application/").unwrap_or(&typ))
    });
    let keyless = jku.is_none() && jwk.is_none() && x5u.is_none() && x5c.is_none();
    typed && keyless && cty.is_none() && crit.is_none() && enc.is_none() && zip.is_none()
}
