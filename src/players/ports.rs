//! What the use cases of players need from the outside: somewhere to keep accounts and sign-ins.

use crate::games::ports::StoreError;
use crate::ids::{FamilyId, PlayerId};
use crate::rules::Instant;
use async_trait::async_trait;
use serde::{Deserialize, Serialize};
use std::fmt;

/// Where players and their sign-ins are kept; every write is durable before it returns.
#[async_trait]
pub trait PlayerStore: Send + Sync + 'static {
    /// Adds a player with a first sign-in. Refused if the username is taken.
    async fn create_player(&self, player: Player, family: Family) -> Result<Written, StoreError>;

    /// Replaces a player whose revision is one less than the new one's. A username that is new or changed must be free;
    /// one that was given up is free again.
    async fn update_player(&self, player: Player) -> Result<Written, StoreError>;

    async fn player(&self, id: PlayerId) -> Result<Option<Player>, StoreError>;

    /// Those of the players that exist, in no particular order.
    async fn players(&self, ids: &[PlayerId]) -> Result<Vec<Player>, StoreError>;

    /// `username` as [`Player::username_key`] makes it.
    async fn player_by_username(&self, username: &str) -> Result<Option<Player>, StoreError>;

    async fn create_family(&self, family: Family) -> Result<(), StoreError>;

    async fn family(&self, id: FamilyId) -> Result<Option<Family>, StoreError>;

    /// Replaces a family if its generation is still one less than the new one's, and it was not revoked.
    async fn rotate_family(&self, family: Family) -> Result<Written, StoreError>;

    /// Ends a sign-in; ending it twice is fine.
    async fn revoke_family(&self, id: FamilyId) -> Result<(), StoreError>;
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
    pub created_at: Instant,
    /// Counts the changes, from 1.
    pub revision: u32,
    /// Whether the account was deleted; the id stays, so that old games still tell their seats apart.
    pub deleted: bool,
}

impl Player {
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
            .field("created_at", &self.created_at)
            .field("revision", &self.revision)
            .finish_non_exhaustive()
    }
}

/// One sign-in: a chain of refresh tokens, each good for one use.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Family {
    pub id: FamilyId,
    pub player: PlayerId,
    /// How many refresh tokens it has had, from 1.
    pub generation: u32,
    /// SHA-256 of the newest refresh token.
    pub token_hash: [u8; 32],
    pub expires_at: Instant,
    pub revoked: bool,
}
