//! Access tokens: what they say, how they are signed, and everything that is checked before one is believed (RFC 8725).
//!
//! Two sorts are signed with our keys, told apart by their type: those of a sign-in, and those that
//! `ludotheque token` makes for test automation, which only a server with `--dev` believes.

use super::caller::{Proven, Who};
use super::keys::{ALGORITHM, Key};
use super::{AuthError, Keys, LEEWAY, Now, Secret, TrustedIssuer, after, moment};
use crate::ids::{FamilyId, PlayerId};
use crate::players::ports::Subject;
use crate::rules::Instant;
use jsonwebtoken::{Header, Validation, decode, encode};
use serde::{Deserialize, Serialize, de::DeserializeOwned};
use std::{sync::Arc, time::Duration};
use uuid::Uuid;

/// RFC 9068: says that a token is an access token, so that no other sort of JWT passes for one.
const ACCESS_TYPE: &str = "at+jwt";

/// The type of tokens for test automation.
const DEV_TYPE: &str = "dev+jwt";

/// No setting lets a token of a sign-in last longer.
const LONGEST_LIFETIME: Duration = Duration::from_hours(24);

/// Who our tokens are from, whom they are for, how long they last, and whose tokens are believed besides.
#[derive(Clone, Debug)]
pub struct Settings {
    pub issuer: String,
    pub audience: String,
    /// Of access tokens.
    pub lifetime: Duration,
    /// How long a refresh token may lie unused.
    pub refresh_lifetime: Duration,
    /// Whether tokens made for test automation are believed.
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

/// What a token for test automation says.
#[derive(Serialize, Deserialize)]
struct DevClaims {
    iss: String,
    aud: String,
    /// A player's id, or the name of somebody who becomes a player at first sight.
    sub: String,
    iat: u64,
    nbf: u64,
    exp: u64,
    jti: Uuid,
}

/// Signs and checks access tokens. Knows nothing of sign-outs: that is [`super::Identity`]'s part.
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
        // Both are checked below instead: against a clock that can be handed in, and `exp` again on every later use.
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

    /// A token for test automation: for a player's id, or for anybody by name. No store is asked, so it works beside a
    /// running server; only one with `--dev` believes it.
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
        let key = self.keys.newest();
        Secret::new(encode(&header(&key), claims, &key.encoding).expect("the key was tried when it was read"))
    }

    /// Everything a token of ours can prove by itself.
    pub(super) fn verify(&self, token: &str, header: &Header) -> Result<Proven, AuthError> {
        let now = (self.now)();
        let (who, kid, nbf, exp) = if self.settings.dev && header.typ.as_deref() == Some(DEV_TYPE) {
            let (DevClaims { sub, iat, nbf, exp, .. }, kid) = self.open(token, header, dev_header)?;
            (self.automated(sub, moment(iat)?), kid, nbf, exp)
        } else {
            let (Claims { sub, sid, nbf, exp, .. }, kid) = self.open(token, header, access_header)?;
            // One that we would not have written, however well it is signed.
            if moment(exp)? > after(now, LONGEST_LIFETIME + LEEWAY) {
                return Err(AuthError::BadToken);
            }
            (Who::SignedIn { player: sub, family: sid }, kid, nbf, exp)
        };
        if moment(nbf)? > after(now, LEEWAY) {
            return Err(AuthError::BadToken);
        }
        Ok(Proven { who, kid, expires_at: moment(exp)? })
    }

    /// Whom a token for test automation is about.
    fn automated(&self, sub: String, issued_at: Instant) -> Who {
        match sub.parse() {
            Ok(player) => Who::Player { player, issued_at },
            Err(_) => {
                let subject = Subject { issuer: self.settings.issuer.clone(), sub: sub.clone() };
                Who::Subject { subject, name: Some(sub), issued_at }
            }
        }
    }

    /// The claims and the key's id, if one of our keys signed them under the header it signs this sort of token with.
    fn open<T: DeserializeOwned>(
        &self,
        token: &str,
        header: &Header,
        expected: impl Fn(&Key) -> Header,
    ) -> Result<(T, String), AuthError> {
        let key = header.kid.as_deref().and_then(|kid| self.keys.find(kid)).ok_or(AuthError::BadToken)?;
        // The header chooses among our keys and nothing else: any algorithm, type, embedded key or extension that we
        // would not have written ourselves is refused before a signature is looked at.
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
