//! What the use cases of players need from the outside: somewhere to keep accounts and sign-ins.

use crate::auth::sha256;
use crate::games::ports::{Cursor, StoreError, Swept};
use crate::ids::{FamilyId, PlayerId};
use crate::rules::Instant;
use async_trait::async_trait;
use serde::{Deserialize, Deserializer, Serialize};
use std::fmt;

/// Where players and their sign-ins are kept; every write is durable before it returns.
#[async_trait]
pub trait PlayerStore: Send + Sync + 'static {
    /// Adds a player with a first sign-in. Refused if the username is taken.
    async fn create_player(&self, player: Player, family: Family) -> Result<Written, StoreError>;

    /// Replaces a player whose revision is one less than the new one's. A username that is new or changed must be free;
    /// one that was given up is free again.
    async fn update_player(&self, player: Player) -> Result<Written, StoreError>;

    /// Replaces a player by what is left of it, as [`update_player`](Self::update_player) does, and in the same step ends
    /// the tokens that go with it.
    async fn delete_player(&self, gone: Player, ended: Option<Revocation>) -> Result<Written, StoreError>;

    /// The player with the newcomer's subject; that is the newcomer, from now on, if there was none.
    async fn admit_player(&self, newcomer: Player) -> Result<Player, StoreError>;

    async fn player(&self, id: PlayerId) -> Result<Option<Player>, StoreError>;

    /// Those of the players that exist, in no particular order.
    async fn players(&self, ids: &[PlayerId]) -> Result<Vec<Player>, StoreError>;

    /// `username` as [`Player::username_key`] makes it.
    async fn player_by_username(&self, username: &str) -> Result<Option<Player>, StoreError>;

    async fn player_by_subject(&self, subject: &Subject) -> Result<Option<Player>, StoreError>;

    async fn create_family(&self, family: Family) -> Result<(), StoreError>;

    async fn family(&self, id: FamilyId) -> Result<Option<Family>, StoreError>;

    /// A player and a sign-in, asked for at once.
    async fn session(
        &self,
        player: PlayerId,
        family: FamilyId,
    ) -> Result<(Option<Player>, Option<Family>), StoreError> {
        Ok((self.player(player).await?, self.family(family).await?))
    }

    /// Whether others write to it too, so that what was read before may be out of date.
    fn is_shared(&self) -> bool {
        false
    }

    /// The time by the store's own clock, where nodes share it.
    async fn time(&self) -> Result<Option<Instant>, StoreError> {
        Ok(None)
    }

    /// Replaces a family if its generation is still one less than the new one's, and it was not revoked.
    async fn rotate_family(&self, family: Family) -> Result<Written, StoreError>;

    /// Ends a sign-in; ending it twice is fine.
    async fn revoke_family(&self, id: FamilyId) -> Result<(), StoreError>;

    /// Ends tokens that no sign-in of ours stands behind. What was noted for the same mark before is replaced.
    async fn revoke_tokens(&self, revocation: Revocation) -> Result<(), StoreError>;

    /// Whether a token that was issued then and bears these marks was ended.
    async fn is_revoked(&self, marks: &[Sha256Digest], issued_at: Instant) -> Result<bool, StoreError>;

    /// Removes sign-ins that [have ended](Family::has_ended): looks at up to `limit` of them, from a cursor on.
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
    /// Their sign-ins are good for nothing then, and are removed once they have expired.
    async fn remove_idle_guests(
        &self,
        created_before: Instant,
        from: Option<Cursor>,
        limit: usize,
    ) -> Result<Swept, StoreError>;
}

/// Whether a conditional write was carried out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Written {
    Done,
    /// The username belongs to somebody else.
    UsernameTaken,
    /// Somebody else wrote first.
    Conflict,
}

/// A player's account.
#[derive(Clone, PartialEq, Serialize, Deserialize)]
pub struct Player {
    pub id: PlayerId,
    pub display_name: String,
    /// What an account signs in with, as its owner spells it; a guest has none.
    pub username: Option<String>,
    /// argon2id, in PHC form.
    pub password_hash: Option<String>,
    /// Whom it is to the issuer that vouches for it; nobody for players who registered here.
    pub subject: Option<Subject>,
    /// Which sign-ins stand.
    pub era: Era,
    pub created_at: Instant,
    /// Counts the changes, from 1.
    pub revision: u32,
    /// Whether the account was deleted; the id stays, so that old games still tell their seats apart.
    pub deleted: bool,
}

impl Player {
    /// A guest, so far.
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

    /// Whether a sign-in is one of this player's and still stands.
    pub fn stands_by(&self, family: &Family) -> bool {
        let of_this_era = family.era == self.era.number || self.era.begun_by == Some(family.id);
        family.player == self.id && !self.deleted && !family.revoked && of_this_era
    }

    /// Whether nothing but a game would keep this player: a guest who came before then, or what is left of an account
    /// that was deleted.
    pub fn can_go(&self, created_before: Instant) -> bool {
        self.username.is_none() && self.subject.is_none() && self.created_at < created_before
    }

    /// The form in which usernames are compared: two that differ only in case are one.
    pub fn username_key(username: &str) -> String {
        username.to_lowercase()
    }
}

/// All but the password's hash, which has no business in a log.
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
    /// What all tokens about this subject have in common.
    pub fn mark(&self) -> Sha256Digest {
        // The length tells where the issuer ends, so that no two subjects have one mark.
        let length = (self.issuer.len() as u64).to_be_bytes();
        sha256(&[&length, self.issuer.as_bytes(), self.sub.as_bytes()].concat())
    }
}

/// The time between two passwords. A new one ends every sign-in made before it, but for the one it was set from: both in
/// the one write that sets it, so that no crash and no sign-in at the same moment comes between.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Era {
    pub number: u32,
    /// The sign-in that stays.
    pub begun_by: Option<FamilyId>,
}

/// SHA-256 of what some tokens have in common: their text, or whom they are about.
pub type Sha256Digest = [u8; 32];

/// Says that tokens with a mark, issued up to a moment, are good no more.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Revocation {
    pub mark: Sha256Digest,
    pub issued_until: Instant,
    /// When the last such token has expired by itself, and this can be forgotten.
    pub needed_until: Instant,
}

impl Revocation {
    /// Whether every token that it ends has expired by now.
    pub fn has_expired(&self, now: Instant) -> bool {
        self.needed_until <= now
    }
}

/// How long a sign-in is kept after it has expired, in milliseconds: longer than its last access token is good.
const KEPT_AFTER_EXPIRY: i64 = 24 * 60 * 60 * 1000;

/// One sign-in: a chain of refresh tokens, each of which is exchanged for the next.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Family {
    pub id: FamilyId,
    pub player: PlayerId,
    /// The player's [`Era`] in which it was made.
    pub era: u32,
    /// How many refresh tokens it has had, from 1.
    pub generation: u32,
    /// SHA-256 of the newest refresh token.
    pub token_hash: [u8; 32],
    pub expires_at: Instant,
    pub revoked: bool,
    /// How the newest refresh token was made from the one before; nothing before the first refresh. Values that were
    /// written by older programs end before this field.
    #[serde(default, skip_serializing_if = "Option::is_none", deserialize_with = "last_field")]
    pub succession: Option<Succession>,
}

/// How a refresh token was made from its predecessor: with the predecessor at hand it can be made again, for a client that
/// never got the answer. The store keeps no predecessor, so reading the store is not enough.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Succession {
    /// When the predecessor was exchanged.
    pub at: Instant,
    /// Random, so that a predecessor is not enough either.
    pub salt: [u8; 32],
    /// A keyed hash of the idempotency key that it was exchanged under.
    pub key_tag: Option<[u8; 32]>,
}

/// The last field of a stored value, or nothing where the value ends before it. What is stored bears a checksum, so
/// nothing else can end a value early.
fn last_field<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Succession>, D::Error> {
    let is_text = deserializer.is_human_readable();
    let field = Option::deserialize(deserializer);
    if is_text { field } else { Ok(field.unwrap_or_default()) }
}

impl Family {
    /// Whether nobody needs it any more: signed out, or expired for a day. Tokens of a sign-in that is gone are refused
    /// like those of one that was signed out.
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
