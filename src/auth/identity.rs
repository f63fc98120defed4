//! Turns a token into the player who calls, quickly and without believing it longer than it deserves.
//!
//! Two caches stand before the costly questions. A signature is verified once per token and remembered under the
//! token's hash; expiry is looked at on every use. Whether the sign-in still stands is asked of the store at most every
//! few seconds; a sign-out on this node is seen at once, one on another node when the answer has grown old.

use super::claims::{AccessTokens, MAX_TOKEN_LENGTH, Settings};
use super::{Keys, Now, Refused, Secret, sha256};
use crate::games::ports::StoreError;
use crate::ids::{FamilyId, PlayerId};
use crate::players::ports::{Family, PlayerStore};
use crate::rules::Instant;
use jsonwebtoken::jwk::JwkSet;
use moka::sync::Cache;
use std::{sync::Arc, time::Duration};

/// How long a sign-out on another node may stay unnoticed.
const SIGN_OUT_NOTICED_AFTER: Duration = Duration::from_secs(5);

/// How many tokens and sign-ins are remembered: some 10 MB of each at most.
const REMEMBERED: u64 = 50_000;

/// A player who proved it with a valid access token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Caller {
    pub player: PlayerId,
    pub family: FamilyId,
    /// When the token ends, and with it everything that goes on in its name.
    pub expires_at: Instant,
}

/// An access token, fresh from the press.
#[derive(Clone, Debug)]
pub struct AccessToken {
    pub token: Secret,
    pub expires_in: Duration,
}

/// Issues access tokens and tells whose they are.
pub struct Identity {
    tokens: AccessTokens,
    store: Arc<dyn PlayerStore>,
    /// What a token proved when it was first seen, by its SHA-256. Only tokens that passed are here, so that a flood of
    /// forged ones displaces nothing.
    verified: Cache<[u8; 32], Caller>,
    /// Whose sign-in it is; nobody's once it has ended.
    owners: Cache<FamilyId, Option<PlayerId>>,
}

impl Identity {
    pub fn new(keys: Arc<Keys>, store: Arc<dyn PlayerStore>, settings: Settings, now: Now) -> Self {
        let verified = Cache::builder().max_capacity(REMEMBERED).time_to_live(settings.lifetime).build();
        let owners = Cache::builder().max_capacity(REMEMBERED).time_to_live(SIGN_OUT_NOTICED_AFTER).build();
        Self { tokens: AccessTokens::new(keys, settings, now), store, verified, owners }
    }

    pub fn issue(&self, player: PlayerId, family: FamilyId) -> AccessToken {
        AccessToken { token: self.tokens.issue(player, family), expires_in: self.tokens.settings.lifetime }
    }

    /// Whose token it is, if it is good and its sign-in still stands.
    pub async fn authenticate_token(&self, token: &str) -> Result<Caller, Refused> {
        let caller = self.verify(token)?;
        self.check(&caller).await?;
        Ok(caller)
    }

    /// Whether a caller who was let in may stay: not expired, not signed out. Streams ask now and then.
    pub async fn check(&self, caller: &Caller) -> Result<(), Refused> {
        self.tokens.check_expiry(caller)?;
        let owner = self.owner(caller.family).await?;
        if owner == Some(caller.player) { Ok(()) } else { Err(Refused::BadToken) }
    }

    /// Ends a sign-in: its refresh token and all its access tokens, at once on this node.
    pub async fn revoke(&self, family: FamilyId) -> Result<(), StoreError> {
        self.store.revoke_family(family).await?;
        self.owners.insert(family, None);
        Ok(())
    }

    /// Makes sure that a deleted account is noticed at once on this node; its sign-ins end with it.
    pub fn notice_deletion(&self) {
        self.owners.invalidate_all();
    }

    /// The public keys, for whoever wants to check our tokens.
    pub fn jwks(&self) -> JwkSet {
        self.tokens.keys.jwks()
    }

    /// The real time, as tokens count it.
    pub fn now(&self) -> Instant {
        (self.tokens.now)()
    }

    fn verify(&self, token: &str) -> Result<Caller, Refused> {
        // Before it is hashed, so that a long text costs nothing.
        if token.len() > MAX_TOKEN_LENGTH {
            return Err(Refused::BadToken);
        }
        let hash = sha256(token.as_bytes());
        if let Some(caller) = self.verified.get(&hash) {
            return Ok(caller);
        }
        let caller = self.tokens.verify(token)?;
        self.verified.insert(hash, caller);
        Ok(caller)
    }

    async fn owner(&self, family: FamilyId) -> Result<Option<PlayerId>, StoreError> {
        if let Some(owner) = self.owners.get(&family) {
            return Ok(owner);
        }
        let owner = match self.store.family(family).await? {
            Some(Family { player, revoked: false, .. }) => self.store.player(player).await?,
            _ => None,
        };
        let owner = owner.filter(|player| !player.deleted).map(|player| player.id);
        // A sign-out may have come in since the store answered: what it left in the cache is newer than `owner`.
        Ok(self.owners.entry(family).or_insert(owner).into_value())
    }
}
