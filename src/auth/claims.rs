//! Access tokens: what they say, how they are signed, and everything that is checked before one is believed (RFC 8725).

use super::{Caller, Keys, Now, Refused, Secret, after, keys::ALGORITHM};
use crate::ids::{FamilyId, PlayerId};
use crate::rules::Instant;
use jsonwebtoken::{Validation, decode, decode_header, encode};
use serde::{Deserialize, Serialize};
use std::{sync::Arc, time::Duration};
use uuid::Uuid;

/// How far the clocks of two nodes may be apart.
pub const LEEWAY: Duration = Duration::from_secs(5);

/// Ours have some 450 bytes; nothing longer than this is even looked at.
pub const MAX_TOKEN_LENGTH: usize = 4096;

/// Who our tokens are from, whom they are for, and how long they last.
#[derive(Clone, Debug)]
pub struct Settings {
    pub issuer: String,
    pub audience: String,
    pub lifetime: Duration,
}

impl Default for Settings {
    fn default() -> Self {
        Self { issuer: "ludotheque".into(), audience: "ludotheque".into(), lifetime: Duration::from_mins(15) }
    }
}

/// What a token says. All of it is required, and each in the one form that we write.
#[derive(Serialize, Deserialize)]
struct Claims {
    iss: String,
    aud: String,
    sub: PlayerId,
    /// The sign-in it was made from.
    sid: FamilyId,
    iat: u64,
    nbf: u64,
    exp: u64,
    jti: Uuid,
}

/// Signs and checks access tokens. Knows nothing of sign-outs: that is [`super::Identity`]'s part.
pub(super) struct AccessTokens {
    pub keys: Arc<Keys>,
    pub settings: Settings,
    pub now: Now,
    validation: Validation,
}

impl AccessTokens {
    pub(super) fn new(keys: Arc<Keys>, settings: Settings, now: Now) -> Self {
        let mut validation = Validation::new(ALGORITHM);
        validation.set_required_spec_claims(&["iss", "aud", "sub", "exp", "nbf"]);
        validation.set_issuer(&[&settings.issuer]);
        validation.set_audience(&[&settings.audience]);
        // Both are checked below instead: against a clock that can be handed in, and `exp` again on every later use.
        validation.validate_exp = false;
        validation.validate_nbf = false;
        Self { keys, settings, now, validation }
    }

    pub(super) fn issue(&self, player: PlayerId, family: FamilyId) -> Secret {
        let now = u64::try_from((self.now)().0 / 1000).expect("1970 is over");
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
        let key = self.keys.newest();
        Secret::new(encode(&key.header, &claims, &key.encoding).expect("the key was tried when it was read"))
    }

    /// Everything a token can prove by itself. Only for tokens of at most [`MAX_TOKEN_LENGTH`].
    pub(super) fn verify(&self, token: &str) -> Result<Caller, Refused> {
        let header = decode_header(token).map_err(|_| Refused::BadToken)?;
        let key = header.kid.as_deref().and_then(|kid| self.keys.find(kid)).ok_or(Refused::BadToken)?;
        // The header chooses among our keys and nothing else: any algorithm, type, embedded key or extension that we
        // would not have written ourselves is refused before a signature is looked at.
        if header != key.header {
            return Err(Refused::BadToken);
        }
        let claims: Claims = decode(token, &key.decoding, &self.validation).map_err(|_| Refused::BadToken)?.claims;
        let caller = Caller { player: claims.sub, family: claims.sid, expires_at: moment(claims.exp)? };
        if moment(claims.nbf)? > after((self.now)(), LEEWAY) {
            return Err(Refused::BadToken);
        }
        self.check_expiry(&caller)?;
        Ok(caller)
    }

    pub(super) fn check_expiry(&self, caller: &Caller) -> Result<(), Refused> {
        if (self.now)() < after(caller.expires_at, LEEWAY) { Ok(()) } else { Err(Refused::BadToken) }
    }
}

/// A claim's seconds as a moment, unless it is beyond all calendars.
fn moment(seconds: u64) -> Result<Instant, Refused> {
    let millis = i64::try_from(seconds).ok().and_then(|seconds| seconds.checked_mul(1000));
    millis.map(Instant).ok_or(Refused::BadToken)
}
