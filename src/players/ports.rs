//! Port: storage of players, sessions and revocations.

use crate::auth::sha256;
use crate::games::ports::{Cursor, StoreError, Swept};
use crate::ids::{FamilyId, PlayerId};
use crate::rules::Instant;
use async_trait::async_trait;
use serde::{Deserialize, Deserializer, Serialize};
use std::fmt;

/// Every write is durable before it returns.
#[async_trait]
pub trait PlayerStore: Send + Sync + 'static {
    /// Adds a player with a first session. Refused if the username is taken.
    async fn create_player(&self, player: Player, family: Family) -> Result<Written, StoreError>;

    /// Replaces a player if the stored revision is one less than the new one's (optimistic concurrency). A new or
    /// changed username must be free; the one given up becomes free.
    async fn update_player(&self, player: Player) -> Result<Written, StoreError>;

    /// Replaces a player by what remains of it, as [`update_player`](Self::update_player) does, and atomically revokes
    /// the tokens of its subject.
    async fn delete_player(&self, gone: Player, ended: Option<Revocation>) -> Result<Written, StoreError>;

    /// The player with the newcomer's subject; adds the newcomer if there is none.
    async fn admit_player(&self, newcomer: Player) -> Result<Player, StoreError>;

    async fn player(&self, id: PlayerId) -> Result<Option<Player>, StoreError>;

    /// The players that exist, in any order.
    async fn players(&self, ids: &[PlayerId]) -> Result<Vec<Player>, StoreError>;

    /// `username` as [`Player::username_key`] makes it.
    async fn player_by_username(&self, username: &str) -> Result<Option<Player>, StoreError>;

    async fn player_by_subject(&self, subject: &Subject) -> Result<Option<Player>, StoreError>;

    async fn create_family(&self, family: Family) -> Result<(), StoreError>;

    async fn family(&self, id: FamilyId) -> Result<Option<Family>, StoreError>;

    /// A player and a session, in one round trip where the store can.
    async fn session(
        &self,
        player: PlayerId,
        family: FamilyId,
    ) -> Result<(Option<Player>, Option<Family>), StoreError> {
        Ok((self.player(player).await?, self.family(family).await?))
    }

    /// Whether other nodes write to it too, so that cached answers may be out of date.
    fn is_shared(&self) -> bool {
        false
    }

    /// The time of the store's own clock; None unless nodes share the store.
    async fn time(&self) -> Result<Option<Instant>, StoreError> {
        Ok(None)
    }

    /// Replaces a family if the stored generation is one less than the new one's and it was not revoked.
    async fn rotate_family(&self, family: Family) -> Result<Written, StoreError>;

    /// Revokes a session. Idempotent.
    async fn revoke_family(&self, id: FamilyId) -> Result<(), StoreError>;

    /// Revokes tokens that belong to no session of ours. Replaces an earlier revocation of the same mark.
    async fn revoke_tokens(&self, revocation: Revocation) -> Result<(), StoreError>;

    /// Whether a token with these marks and this time of issue was revoked.
    async fn is_revoked(&self, marks: &[Sha256Digest], issued_at: Instant) -> Result<bool, StoreError>;

    /// Removes sessions that [have ended](Family::has_ended): examines up to `limit` rows, from a cursor on.
    async fn remove_ended_sign_ins(
        &self,
        now: Instant,
        from: Option<Cursor>,
        limit: usize,
    ) -> Result<Swept, StoreError>;

    /// Removes revocations that [have expired](Revocation::has_expired), in the same way.
    async fn remove_expired_revocations(
        &self,
        now: Instant,
        from: Option<Cursor>,
        limit: usize,
    ) -> Result<Swept, StoreError>;

    /// Removes guests and deleted accounts that [can go](Player::can_go) and are members of no game, in the same way.
    /// Their sessions become invalid, and are removed once they have expired.
    async fn remove_idle_guests(
        &self,
        created_before: Instant,
        from: Option<Cursor>,
        limit: usize,
    ) -> Result<Swept, StoreError>;
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Written {
    Done,
    /// Another player has the username.
    UsernameTaken,
    Conflict,
}

/// A player's account.
#[derive(Clone, PartialEq, Serialize, Deserialize)]
pub struct Player {
    pub id: PlayerId,
    pub display_name: String,
    /// The username as its owner spells it; a guest has none.
    pub username: Option<String>,
    /// argon2id, in PHC form.
    pub password_hash: Option<String>,
    /// The user's identity at another issuer; None for players who registered here.
    pub subject: Option<Subject>,
    /// Which sessions are valid.
    pub era: Era,
    pub created_at: Instant,
    /// Version for optimistic concurrency; counts the changes, from 1.
    pub revision: u32,
    /// Whether the account was deleted. The id stays, so that old games still distinguish their seats.
    pub deleted: bool,
}

impl Player {
    pub fn new(display_name: String, created_at: Instant) -> Self {
        Self {
            id: PlayerId::new(),
            display_name,
            username: None,
            password_hash: None,
            subject: None,
            era: Era::default(),
            created_at,
            revision: 1,
            deleted: false,
        }
    }

    /// Whether a session belongs to this player and is still valid.
    pub fn accepts_session(&self, family: &Family) -> bool {
        let of_this_era = family.era == self.era.number || self.era.begun_by == Some(family.id);
        family.player == self.id && !self.deleted && !family.revoked && of_this_era
    }

    /// A guest or the remains of a deleted account, from before `created_before`: only membership in a game keeps it.
    pub fn can_go(&self, created_before: Instant) -> bool {
        self.username.is_none() && self.subject.is_none() && self.created_at < created_before
    }

    /// Usernames are compared in this form: two that differ only in case are the same.
    pub fn username_key(username: &str) -> String {
        username.to_lowercase()
    }
}

/// Omits the password's hash, which must not reach a log.
impl fmt::Debug for Player {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Player")
            .field("id", &self.id)
            .field("display_name", &self.display_name)
            .field("username", &self.username)
            .field("subject", &self.subject)
            .field("era", &self.era)
            .field("created_at", &self.created_at)
            .field("revision", &self.revision)
            .finish_non_exhaustive()
    }
}

/// A user of another issuer.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Subject {
    pub issuer: String,
    pub sub: String,
}

impl Subject {
    /// The mark of all tokens about this subject, by which they are revoked.
    pub fn mark(&self) -> Sha256Digest {
        // The length delimits the issuer, so that no two subjects have the same mark.
        let length = (self.issuer.len() as u64).to_be_bytes();
        sha256(&[&length, self.issuer.as_bytes(), self.sub.as_bytes()].concat())
    }
}

/// The period between two password changes. A new password ends every session made before it, except the one that set
/// it, in the same write: neither a crash nor a concurrent sign-in can come between.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Era {
    pub number: u32,
    /// The session that set the password, which stays valid.
    pub begun_by: Option<FamilyId>,
}

/// SHA-256 that identifies one token by its text, or all tokens about one subject.
pub type Sha256Digest = [u8; 32];

/// Revokes the tokens with a mark that were issued up to a given time.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Revocation {
    pub mark: Sha256Digest,
    pub issued_until: Instant,
    /// When the last such token has expired, and this row can be removed.
    pub needed_until: Instant,
}

impl Revocation {
    /// Whether every token that it revokes has expired.
    pub fn has_expired(&self, now: Instant) -> bool {
        self.needed_until <= now
    }
}

/// How long an expired session is stored, in milliseconds: longer than its last access token is valid.
const KEPT_AFTER_EXPIRY: i64 = 24 * 60 * 60 * 1000;

/// A session: a family of refresh tokens, each of which is exchanged for the next.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Family {
    pub id: FamilyId,
    pub player: PlayerId,
    /// The player's [`Era`] when the session began.
    pub era: u32,
    /// Number of refresh tokens so far, from 1; also the version for optimistic concurrency.
    pub generation: u32,
    /// SHA-256 of the newest refresh token.
    pub token_hash: [u8; 32],
    pub expires_at: Instant,
    pub revoked: bool,
    /// How the newest refresh token was derived; None before the first refresh. Values that older versions of the
    /// program wrote end before this field.
    #[serde(default, skip_serializing_if = "Option::is_none", deserialize_with = "last_field")]
    pub succession: Option<Succession>,
}

/// How a refresh token was derived from its predecessor. With the predecessor it can be derived again, for a client
/// that never received the response. The store does not contain the predecessor, so reading the store is not enough.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Succession {
    /// When the predecessor was exchanged.
    pub at: Instant,
    /// Random, so that the predecessor alone is not enough either.
    pub salt: [u8; 32],
    /// HMAC of the idempotency key of the exchange.
    pub key_tag: Option<[u8; 32]>,
}

/// The last field of a stored value, or None if the value ends before it. Stored values have a checksum, so only an
/// older version of the program can have ended a value early.
fn last_field<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Succession>, D::Error> {
    let is_text = deserializer.is_human_readable();
    let field = Option::deserialize(deserializer);
    if is_text { field } else { Ok(field.unwrap_or_default()) }
}

impl Family {
    /// Whether it can be removed: revoked, or expired a day ago. Tokens of a removed session are refused like revoked
    /// ones.
    pub fn has_ended(&self, now: Instant) -> bool {
        self.revoked || self.expires_at.0.saturating_add(KEPT_AFTER_EXPIRY) <= now.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn family(succession: Option<Succession>) -> Family {
        let (id, player) = (FamilyId::new(), PlayerId::new());
        let (era, generation, token_hash, expires_at) = (1, 2, [3; 32], Instant(4));
        Family { id, player, era, generation, token_hash, expires_at, revoked: false, succession }
    }

    #[test]
    fn a_sign_in_that_an_older_program_wrote_is_read_and_one_that_was_never_refreshed_is_written_as_before() {
        let family = family(None);
        let Family { id, player, era, generation, token_hash, expires_at, revoked, .. } = family.clone();
        let before = postcard::to_stdvec(&(id, player, era, generation, token_hash, expires_at, revoked)).unwrap();
        assert_eq!(postcard::from_bytes::<Family>(&before).unwrap(), family);
        assert_eq!(postcard::to_stdvec(&family).unwrap(), before);
        let text = serde_json::to_string(&family).unwrap();
        assert!(!text.contains("succession"), "{text}");
        assert_eq!(serde_json::from_str::<Family>(&text).unwrap(), family);
    }

    #[test]
    fn a_sign_in_that_was_refreshed_is_read_back() {
        for key_tag in [None, Some([6; 32])] {
            let family = family(Some(Succession { at: Instant(5), salt: [7; 32], key_tag }));
            let bytes = postcard::to_stdvec(&family).unwrap();
            assert_eq!(postcard::from_bytes::<Family>(&bytes).unwrap(), family);
            let text = serde_json::to_string(&family).unwrap();
            assert_eq!(serde_json::from_str::<Family>(&text).unwrap(), family);
            let damaged = text.replace("\"salt\":[7,", "\"salt\":[\"7\",");
            assert!(serde_json::from_str::<Family>(&damaged).is_err());
        }
    }
}
