//! What is checked before a token of another issuer is believed (RFC 8725).
//!
//! Stricter than JWT itself: `iss`, `aud`, `sub`, `exp` and `iat` must be there, times are whole seconds, and no token
//! may last longer than its issuer's tokens are said to.

use super::issuer::Issuer;
use crate::auth::caller::{Proven, Who};
use crate::auth::{LEEWAY, Refused, after, moment};
use crate::players::ports::Subject;
use crate::rules::Instant;
use jsonwebtoken::{Header, Validation, decode};
use serde::Deserialize;
use serde_json::Value;

/// OpenID Connect: a `sub` has at most so many bytes.
const LONGEST_SUB: usize = 255;

/// How an access token may call itself, if it says it at all; so that no other sort of JWT passes for one.
const TYPES: [&str; 2] = ["jwt", "at+jwt"];

/// What a token says; `aud` is checked before, since it may be one or several.
#[derive(Deserialize)]
struct Claims {
    iss: String,
    sub: String,
    iat: u64,
    exp: u64,
    nbf: Option<u64>,
    /// What to call the player, if it is a text.
    name: Option<Value>,
}

impl Issuer {
    /// Everything a token that names this issuer can prove by itself.
    pub(in crate::auth) async fn verify(&self, token: &str, header: &Header, now: Instant) -> Result<Proven, Refused> {
        let settings = &self.settings;
        // Before a key is looked for, since that may mean to ask the issuer.
        if !settings.algorithms.contains(&header.alg) || !is_plain(header) {
            return Err(Refused::BadToken);
        }
        let kid = header.kid.as_deref().ok_or(Refused::BadToken)?;
        let key = self.key(kid, now).await?;
        let mut validation = Validation::new(header.alg);
        validation.algorithms.clone_from(&key.algorithms);
        validation.set_required_spec_claims(&["iss", "aud", "sub", "exp"]);
        validation.set_issuer(&[&settings.issuer]);
        validation.set_audience(&[&settings.audience]);
        // Checked below instead: against a clock that can be handed in.
        validation.validate_exp = false;
        validation.validate_nbf = false;
        let claims: Claims = decode(token, &key.decoding, &validation).map_err(|_| Refused::BadToken)?.claims;
        let Claims { iss, sub, iat, exp, nbf, name } = claims;
        let (issued_at, expires_at) = (moment(iat)?, moment(exp)?);
        let begun = moment(nbf.unwrap_or(iat))?.max(issued_at) <= after(now, LEEWAY);
        let short = expires_at <= after(issued_at, settings.max_lifetime);
        if iss != settings.issuer || sub.is_empty() || sub.len() > LONGEST_SUB || !begun || !short {
            return Err(Refused::BadToken);
        }
        let name = name.and_then(|name| name.as_str().map(str::to_owned));
        let who = Who::Subject { subject: Subject { issuer: iss, sub }, name, issued_at };
        Ok(Proven { who, kid: key.kid.clone(), expires_at })
    }
}

/// Whether a header is an access token's and nothing more: no key or certificate to be trusted on the token's own word,
/// nothing nested, compressed or encrypted, no extension that must be understood.
fn is_plain(header: &Header) -> bool {
    let Header { typ, cty, jku, jwk, x5u, x5c, crit, enc, zip, .. } = header;
    let typed = typ.as_deref().is_none_or(|typ| {
        let typ = typ.to_ascii_lowercase();
        TYPES.contains(&typ.strip_prefix("application/").unwrap_or(&typ))
    });
    let keyless = jku.is_none() && jwk.is_none() && x5u.is_none() && x5c.is_none();
    typed && keyless && cty.is_none() && crit.is_none() && enc.is_none() && zip.is_none()
}
