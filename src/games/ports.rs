//! What the use cases need from the outside: somewhere to keep games, a way to tell that one changed, and the time.

use super::step::Step;
use crate::ids::{GameId, PlayerId};
use crate::rules::Instant;
use async_trait::async_trait;
use futures::future::BoxFuture;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use tokio::sync::{broadcast, watch};

/// Every snapshot of a version that is a multiple of this is kept for good, beside the newest one. So any old position is
/// at most this many steps away from a snapshot. Nearly all games are shorter, and take no more disk for it.
pub const KEPT_SNAPSHOT_EVERY: u64 = 128;

/// The most steps that one read of an old position returns.
pub const STEPS_PER_READ: usize = 256;

/// Where games are kept. Nothing is acknowledged before it would survive a power cut.
#[async_trait]
pub trait Store: Send + Sync + 'static {
    /// Adds one step to a game, atomically and durably: step, head, snapshot and command all become true or none does.
    ///
    /// The append is queued when this is called, not when the future is first polled, and appends of one game are
    /// carried out in the order of the calls. So a caller may queue version 8 before 7 is durable; if 7 is refused,
    /// 8 is too, and so is every further one of the same [`epoch`](Append::epoch).
    fn append(&self, append: Append) -> BoxFuture<'static, Result<Appended, StoreError>>;

    /// The newest snapshot and every step after it, as of one moment.
    async fn load(&self, game: GameId) -> Result<Option<Stored>, StoreError>;

    /// The nearest snapshot that is not newer than `version`, and the steps after it up to `version`, as of one moment.
    /// Nothing if the game has no such version.
    ///
    /// The steps end early, after [`STEPS_PER_READ`], where no snapshot is near: in games played before snapshots were
    /// kept. The others are read with [`steps`](Self::steps).
    async fn load_at(&self, game: GameId, version: u64) -> Result<Option<Stored>, StoreError>;

    /// Up to `limit` steps after a version, in order.
    async fn steps(&self, game: GameId, after: u64, limit: usize) -> Result<Vec<Step>, StoreError>;

    /// What became of a command, if it was accepted less than 24 hours before `now`.
    async fn command(&self, scope: Scope, key: &str, now: Instant) -> Result<Option<Done>, StoreError>;

    /// The heads of games that fit, newest first, those created before `before` only. Read a slice at a time where many
    /// have to be looked at, so the page need not be a picture of one moment; each head is what its game had then.
    async fn list(&self, query: ListQuery) -> Result<Vec<(GameId, Head)>, StoreError>;

    /// How many games with a status the player is a member of, counting no further than `most`.
    async fn count_games(&self, player: PlayerId, status: Status, most: usize) -> Result<usize, StoreError>;

    async fn head(&self, game: GameId) -> Result<Option<Head>, StoreError>;

    /// Lobbies, listed or not, where nothing happened since `before`: up to `limit`, the longest idle first.
    async fn idle_lobbies(&self, before: Instant, limit: usize) -> Result<Vec<GameId>, StoreError>;

    /// Games that have been over, without a further step, since `before`: up to `limit`, the longest over first.
    async fn games_over(&self, before: Instant, limit: usize) -> Result<Vec<GameId>, StoreError>;

    /// Those of the games over since `before` that are [abandoned](Status::Abandoned): looks at up to `limit` of all that
    /// are over, the longest over first, from a cursor on. Returns the cursor behind the last one looked at; nothing if
    /// there was none.
    async fn abandoned_games(
        &self,
        before: Instant,
        from: Option<Cursor>,
        limit: usize,
    ) -> Result<(Vec<GameId>, Option<Cursor>), StoreError>;

    /// Removes idempotency keys that count no more `now`: looks at up to `limit` of them, from a cursor on.
    async fn remove_expired_commands(
        &self,
        now: Instant,
        from: Option<Cursor>,
        limit: usize,
    ) -> Result<Swept, StoreError>;

    /// Removes a game that has been over since `before` with everything that belongs to it, atomically and durably.
    /// Says whether it did; a game that has had a step since, or is gone, is left alone.
    async fn remove(&self, game: GameId, before: Instant) -> Result<bool, StoreError>;

    async fn game_of_invite(&self, code: &str) -> Result<Option<GameId>, StoreError>;

    /// Whether others write to it too. What was read before may be out of date then, and is compared with
    /// [`version`](Self::version) before it is shown.
    fn is_shared(&self) -> bool {
        false
    }

    /// The version a game stands at; nothing if it is not there.
    async fn version(&self, game: GameId) -> Result<Option<u64>, StoreError> {
        Ok(self.head(game).await?.map(|head| head.version))
    }

    /// Whether the store can be written to, tried with a real write.
    async fn health(&self) -> Result<(), StoreError>;

    /// How much room the store takes and has.
    async fn usage(&self) -> Result<Usage, StoreError>;
}

/// Where a sweep over many rows goes on. Only the store that made it can read it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cursor(pub Vec<u8>);

/// How many rows one slice of a sweep looks at: few, because writes to an embedded store wait for it.
pub const ROWS_PER_SLICE: usize = 128;

/// What one slice of a sweep did.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Swept {
    pub removed: usize,
    /// Where the next slice goes on; nothing once all rows were looked at.
    pub next: Option<Cursor>,
}

/// How much room a store takes and has; what it can't tell is left out.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Usage {
    /// Bytes on disk.
    pub bytes: Option<u64>,
    /// How much of that is needed, from 0 to 1; the rest comes back with a compaction.
    pub live: Option<f64>,
    /// Bytes that are free on that disk.
    pub free: Option<u64>,
    /// Connections to the database, and how many of them have nothing to do.
    pub connections: Option<(u64, u64)>,
}

/// One step to be added.
#[derive(Clone, Debug)]
pub struct Append {
    pub game: GameId,
    /// The version the game must have for the step to fit: `step.version - 1`, 0 for a new game.
    pub expected: u64,
    pub step: Step,
    pub head: Head,
    /// The whole game after this step, if this is a good moment to keep it. It replaces the newest snapshot; at a
    /// multiple of [`KEPT_SNAPSHOT_EVERY`] it is also kept for good.
    pub snapshot: Option<Vec<u8>>,
    pub command: Option<Command>,
    /// Which of the caller's appends to this game stand or fall together. Each was made on top of those before it, so
    /// once one is refused, the others of its epoch are. Whoever has heard of the refusal begins a new one: epochs of a
    /// game grow, and are never used again.
    pub epoch: u64,
}

/// A request with an idempotency key.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Command {
    pub scope: Scope,
    pub key: String,
    /// A digest of what was asked, so that the same key with another request is noticed.
    pub digest: [u8; 32],
}

/// Where an idempotency key holds: a player's keys are counted per game, and apart from those when creating one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Scope {
    pub player: PlayerId,
    pub game: Option<GameId>,
}

/// What became of a command: the step it led to.
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
    /// The game stands at another version than expected.
    Conflict,
    /// The command was carried out before.
    Duplicate(Done),
}

/// The store did not do what it was asked.
#[derive(Clone, Debug, thiserror::Error)]
pub enum StoreError {
    /// Nothing was written; trying later may help.
    #[error("the store is not available: {0}")]
    Unavailable(String),
    /// Perhaps written, perhaps not: look the command up, never repeat blindly.
    #[error("the outcome of a write is unknown: {0}")]
    Unknown(String),
    /// What was read is not what was written.
    #[error("the store is damaged: {0}")]
    Corrupt(String),
}

/// What the lists and indexes need to know of a game.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Head {
    pub version: u64,
    pub status: Status,
    pub kind: String,
    pub updated_at: Instant,
    /// Whether it stands in the public list.
    pub listed: bool,
    pub invite: Option<String>,
    /// Everybody who may call it theirs: seated, host or invited, each once, in the order of ids.
    pub members: Vec<PlayerId>,
    /// The players it waits for.
    pub waiting: Vec<PlayerId>,
}

/// Where a game is in its life.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum Status {
    Lobby,
    Active,
    Finished,
    Abandoned,
}

impl Status {
    pub const ALL: [Status; 4] = [Status::Lobby, Status::Active, Status::Finished, Status::Abandoned];

    /// Whether nothing more can happen.
    pub fn is_over(self) -> bool {
        matches!(self, Status::Finished | Status::Abandoned)
    }
}

/// A game as the store keeps it.
#[derive(Clone, Debug)]
pub struct Stored {
    pub snapshot: Option<Vec<u8>>,
    /// The steps after the snapshot; all of them if there is none.
    pub steps: Vec<Step>,
}

/// Which games to list.
#[derive(Clone, Debug, Default)]
pub struct ListQuery {
    pub whose: Whose,
    pub kind: Option<String>,
    pub status: Option<Status>,
    /// Only games older than this one.
    pub before: Option<GameId>,
    pub limit: usize,
}

/// Whose games to list.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Whose {
    /// All in the public list.
    #[default]
    Listed,
    /// Those the player is a member of.
    Of(PlayerId),
    /// Those that wait for the player.
    WaitingFor(PlayerId),
}

/// Tells whoever watches that a game has a new version. Best effort: the store is the truth.
pub trait Notifier: Send + Sync + 'static {
    fn publish(&self, game: GameId, version: u64);

    /// The newest version announced since subscribing, 0 before the first.
    fn subscribe(&self, game: GameId) -> watch::Receiver<u64>;

    /// Every announcement from now on, of whichever game. Whoever is too slow is told that some were missed.
    fn subscribe_to_all(&self) -> broadcast::Receiver<Announcement>;
}

/// What whoever follows all games is told.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Announcement {
    /// A game has a new version.
    Of(GameId),
    /// Something may have been announced elsewhere that was not heard here: any game may have changed.
    Missed,
}

/// The time of day, for games. Never for tokens.
pub trait Clock: Send + Sync + 'static {
    fn now(&self) -> Instant;
}
