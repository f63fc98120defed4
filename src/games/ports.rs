//! Ports of the use cases: store, notifier and clock.

use super::step::Step;
use crate::ids::{GameId, PlayerId};
use crate::rules::Instant;
use async_trait::async_trait;
use futures::future::BoxFuture;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use tokio::sync::{broadcast, watch};

/// Snapshots of versions that are multiples of this are kept permanently, beside the newest one, so that every old
/// position is at most this many steps away from a snapshot. Nearly all games are shorter and take no extra disk
/// space.
pub const KEPT_SNAPSHOT_EVERY: u64 = 128;

/// The most steps that one read of an old position returns.
pub const STEPS_PER_READ: usize = 256;

/// Storage of games. A completed write survives a power cut.
#[async_trait]
pub trait Store: Send + Sync + 'static {
    /// Appends one step atomically and durably: step, head, snapshot and command are stored together or not at all.
    ///
    /// The append is queued by the call itself, not by the first poll of the future, and appends of one game are
    /// applied in the order of the calls. A caller may therefore queue version 8 before 7 is durable; if 7 is
    /// refused, so is 8 and every later append of the same [`epoch`](Append::epoch).
    fn append(&self, append: Append) -> BoxFuture<'static, Result<Appended, StoreError>>;

    /// The newest snapshot and every step after it, in one consistent read.
    async fn load(&self, game: GameId) -> Result<Option<Stored>, StoreError>;

    /// The nearest snapshot at or before `version`, and the steps after it up to `version`, in one consistent read.
    /// Nothing if the game has no such version.
    ///
    /// Returns at most [`STEPS_PER_READ`] steps. That matters only for games that were played before snapshots were
    /// kept; their remaining steps are read with [`steps`](Self::steps).
    async fn load_at(&self, game: GameId, version: u64) -> Result<Option<Stored>, StoreError>;

    /// Up to `limit` steps after a version, in order.
    async fn steps(&self, game: GameId, after: u64, limit: usize) -> Result<Vec<Step>, StoreError>;

    /// The result of a command that was accepted less than 24 hours before `now`.
    async fn command(&self, scope: Scope, key: &str, now: Instant) -> Result<Option<Done>, StoreError>;

    /// The heads of matching games, newest first, created before `before`. Long scans are read in slices, so a page
    /// need not show one point in time; each head is consistent in itself.
    async fn list(&self, query: ListQuery) -> Result<Vec<(GameId, Head)>, StoreError>;

    /// The number of games with a status that the player is a member of, counted up to `most`.
    async fn count_games(&self, player: PlayerId, status: Status, most: usize) -> Result<usize, StoreError>;

    async fn head(&self, game: GameId) -> Result<Option<Head>, StoreError>;

    /// Lobbies without a step since `before`: up to `limit`, the longest idle first.
    async fn idle_lobbies(&self, before: Instant, limit: usize) -> Result<Vec<GameId>, StoreError>;

    /// Games that have been over since `before`: up to `limit`, the oldest first.
    async fn games_over(&self, before: Instant, limit: usize) -> Result<Vec<GameId>, StoreError>;

    /// [Abandoned](Status::Abandoned) games among those that have been over since `before`: examines up to `limit`
    /// rows from a cursor on, and returns the cursor behind the last row; nothing if there was none.
    async fn abandoned_games(
        &self,
        before: Instant,
        from: Option<Cursor>,
        limit: usize,
    ) -> Result<(Vec<GameId>, Option<Cursor>), StoreError>;

    /// Removes expired idempotency keys: examines up to `limit` of them from a cursor on.
    async fn remove_expired_commands(
        &self,
        now: Instant,
        from: Option<Cursor>,
        limit: usize,
    ) -> Result<Swept, StoreError>;

    /// Removes a game that has been over since `before`, with everything that belongs to it, atomically and durably.
    /// Returns whether it did; a game with a later step is kept.
    async fn remove(&self, game: GameId, before: Instant) -> Result<bool, StoreError>;

    async fn game_of_invite(&self, code: &str) -> Result<Option<GameId>, StoreError>;

    /// Whether other nodes write to this store. Cached data may then be stale and is compared with
    /// [`version`](Self::version) before it is shown.
    fn is_shared(&self) -> bool {
        false
    }

    /// The current version of a game; nothing if it does not exist.
    async fn version(&self, game: GameId) -> Result<Option<u64>, StoreError> {
        Ok(self.head(game).await?.map(|head| head.version))
    }

    /// Whether the store accepts writes, tested by a real write.
    async fn health(&self) -> Result<(), StoreError>;

    /// Disk usage of the store.
    async fn usage(&self) -> Result<Usage, StoreError>;
}

/// Position of a sweep. Opaque to everything but the store that returned it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cursor(pub Vec<u8>);

/// Rows that one slice of a sweep examines. Few, because writes to an embedded store wait for it.
pub const ROWS_PER_SLICE: usize = 128;

/// Result of one slice of a sweep.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Swept {
    pub removed: usize,
    /// Start of the next slice; nothing at the end.
    pub next: Option<Cursor>,
}

/// Disk usage and connections of a store; None where unknown.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Usage {
    /// Bytes on disk.
    pub bytes: Option<u64>,
    /// Share of those bytes that is live data, from 0 to 1. A compaction frees the rest.
    pub live: Option<f64>,
    /// Free bytes on that disk.
    pub free: Option<u64>,
    /// Connections to the database, and how many of them are idle.
    pub connections: Option<(u64, u64)>,
}

/// A step to append.
#[derive(Clone, Debug)]
pub struct Append {
    pub game: GameId,
    /// The version that the game must have: `step.version - 1`, 0 for a new game.
    pub expected: u64,
    pub step: Step,
    pub head: Head,
    /// A snapshot of the game after this step, if one is due. It replaces the newest one; at a multiple of
    /// [`KEPT_SNAPSHOT_EVERY`] it is also kept permanently.
    pub snapshot: Option<Vec<u8>>,
    pub command: Option<Command>,
    /// Groups appends of one caller that build on each other: once one is refused, the later ones of its epoch are
    /// too. The caller then starts a new epoch. Epochs of a game grow and are never reused.
    pub epoch: u64,
}

/// An idempotent request.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Command {
    pub scope: Scope,
    pub key: String,
    /// Digest of the request, which detects the use of one key for different requests.
    pub digest: [u8; 32],
}

/// Scope of an idempotency key: player and game, or player alone when creating a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Scope {
    pub player: PlayerId,
    pub game: Option<GameId>,
}

/// The step that resulted from a command.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Done {
    pub game: GameId,
    pub version: u64,
    pub digest: [u8; 32],
    pub at: Instant,
}

/// The store's answer to an [`Append`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Appended {
    /// Durable, with this version.
    Stored(u64),
    /// The game has another version than expected.
    Conflict,
    /// The command was applied earlier.
    Duplicate(Done),
}

/// Errors of a store.
#[derive(Clone, Debug, thiserror::Error)]
pub enum StoreError {
    /// Nothing was written; a retry may succeed.
    #[error("the store is not available: {0}")]
    Unavailable(String),
    /// The write may or may not have happened: look the command up instead of repeating it.
    #[error("the outcome of a write is unknown: {0}")]
    Unknown(String),
    /// The data read differs from the data written.
    #[error("the store is damaged: {0}")]
    Corrupt(String),
}

/// Summary of a game, for lists and indexes.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Head {
    pub version: u64,
    pub status: Status,
    pub kind: String,
    pub updated_at: Instant,
    /// Whether the public list contains it.
    pub listed: bool,
    pub invite: Option<String>,
    /// The members: seated, host or invited, each once, ordered by id.
    pub members: Vec<PlayerId>,
    /// The players that the game waits for.
    pub waiting: Vec<PlayerId>,
}

/// The phase that a game is in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum Status {
    /// Not started yet: players join and leave.
    Lobby,
    /// Being played.
    Active,
    /// Played to its end.
    Finished,
    /// All players left or resigned, or the lobby was idle for 24 hours.
    Abandoned,
}

impl Status {
    pub const ALL: [Status; 4] = [Status::Lobby, Status::Active, Status::Finished, Status::Abandoned];

    /// Whether the game accepts no more steps.
    pub fn is_over(self) -> bool {
        matches!(self, Status::Finished | Status::Abandoned)
    }
}

/// A game as stored.
#[derive(Clone, Debug)]
pub struct Stored {
    pub snapshot: Option<Vec<u8>>,
    /// The steps after the snapshot; all of them without one.
    pub steps: Vec<Step>,
}

/// A query for games.
#[derive(Clone, Debug, Default)]
pub struct ListQuery {
    pub whose: Whose,
    pub kind: Option<String>,
    pub status: Option<Status>,
    /// Only games older than this one.
    pub before: Option<GameId>,
    pub limit: usize,
}

/// Selects games by player.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Whose {
    /// The games in the public list.
    #[default]
    Listed,
    /// The games of a member.
    Of(PlayerId),
    /// The games that wait for the player.
    WaitingFor(PlayerId),
}

/// Announces new versions of games. Best effort: the store is the truth.
pub trait Notifier: Send + Sync + 'static {
    fn publish(&self, game: GameId, version: u64);

    /// The newest version announced since subscribing, 0 before the first.
    fn subscribe(&self, game: GameId) -> watch::Receiver<u64>;

    /// Every announcement from now on, for all games. A receiver that lags behind is notified that some were lost.
    fn subscribe_to_all(&self) -> broadcast::Receiver<Announcement>;
}

/// An announcement to subscribers of all games.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Announcement {
    /// A game has a new version.
    Of(GameId),
    /// Announcements of other nodes may have been lost: any game may have changed.
    Missed,
}

/// The clock of games. Tokens use real time instead.
pub trait Clock: Send + Sync + 'static {
    fn now(&self) -> Instant;
}
