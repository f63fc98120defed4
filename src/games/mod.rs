//! Use cases of games: create, join, start, play, query, stream, replay. REST and GraphQL are two faces of them.
//!
//! [`model`] is the event-sourced game: its steps, and the aggregate that results from them. [`sequencer`] queues steps on
//! their way to the store. The other files are the use cases, as methods of [`Games`].

mod bots;
mod caps;
mod departure;
pub mod error;
pub mod event_stream;
mod housekeeping;
mod lobby;
mod model;
mod my_games_feed;
mod play;
pub mod ports;
pub mod queries;
mod rematch;
pub mod replay;
mod resume_replay;
pub mod schema;
pub mod sequencer;
mod start;
mod time_zones;

pub use caps::{Cap, Caps};
pub use error::{GameError, RejectedStep};
pub use lobby::{Changes, NewGame};
pub use model::deadline::LOBBY_PATIENCE;
pub use model::game::Game;
pub use model::hash_chain::Link;
pub use model::step_view::{EventView, StepView, TableEventView};
pub use play::{Foresight, MoveInput, Obstacle, PREVIEW_LENGTH};

pub use model::{fairness, game, options, step};

use crate::ids::{GameId, PlayerId};
use crate::quota::{Client, FairQueue, QueueSize};
use crate::rules::Message;
use crate::rules::catalog::Offer;
use aws_lc_rs::digest::{SHA256, digest};
use bots::BotPool;
use caps::CapState;
use ports::{Clock, Command, Notifier, Scope, Store, Usage};
use sequencer::Sequencer;
use serde::Serialize;
use std::net::IpAddr;
use std::num::NonZero;
use std::sync::Arc;
use std::thread::available_parallelism;
use step::Step;
use tracing::{Span, field::display};

pub struct Games {
    store: Arc<dyn Store>,
    notifier: Arc<dyn Notifier>,
    clock: Arc<dyn Clock>,
    sequencer: Arc<Sequencer>,
    /// Open feeds of players' games.
    feed_subscribers: Arc<my_games_feed::FeedSubscribers>,
    /// Caps per player and address.
    caps: CapState,
    /// Queue for starts with a long preparation.
    preparations: FairQueue,
    /// Queue for old positions and replays.
    history: FairQueue,
    bots: Arc<BotPool>,
    /// The kinds that new games can be created of.
    pub offer: Offer,
}

/// Settings of the use cases.
#[derive(Clone, Default)]
pub struct Settings {
    /// The kinds that new games can be created of.
    pub offer: Offer,
    pub caps: Caps,
    /// Threads that compute moves of bots; 0: no bots.
    pub bot_threads: usize,
}

/// No caps and no bots.
impl From<Offer> for Settings {
    fn from(offer: Offer) -> Self {
        Self { offer, ..Self::default() }
    }
}

/// One at a time, because each takes a processor for up to seconds. A request behind 16 others would time out anyway.
const PREPARATIONS: QueueSize = QueueSize { running: 1, waiting_of_player: 2, waiting_of_address: 16, waiting: 64 };

/// Each takes a few milliseconds. Half of the cores stay free for other requests.
fn history_size() -> QueueSize {
    let cores = available_parallelism().map_or(1, NonZero::get);
    QueueSize { running: cores.div_ceil(2), waiting_of_player: 16, waiting_of_address: 128, waiting: 512 }
}

/// The player who asks for a step, with an optional idempotency key.
#[derive(Clone, Debug)]
pub struct Call {
    pub by: PlayerId,
    pub key: Option<String>,
    /// The client's address; none without a socket.
    pub address: Option<IpAddr>,
}

/// An accepted step, and the game right after it.
pub struct Accepted {
    pub game: Arc<Game>,
    pub step: Arc<Step>,
}

impl Games {
    pub fn new(
        store: Arc<dyn Store>,
        notifier: Arc<dyn Notifier>,
        clock: Arc<dyn Clock>,
        settings: impl Into<Settings>,
    ) -> Arc<Self> {
        let Settings { offer, caps, bot_threads } = settings.into();
        let bots = Arc::new(BotPool::new(bot_threads));
        let sequencer = Sequencer::new(store.clone(), notifier.clone(), clock.clone(), offer.catalog, bots.clone());
        Arc::new(Self {
            store,
            notifier,
            clock,
            sequencer,
            feed_subscribers: Arc::default(),
            caps: caps.into(),
            preparations: FairQueue::new(PREPARATIONS),
            history: FairQueue::new(history_size()),
            bots,
            offer,
        })
    }

    /// Waits until every queued step has been answered.
    pub async fn drain(&self) {
        self.sequencer.drain().await;
    }

    /// Whether the store accepts writes.
    pub async fn health(&self) -> Result<(), GameError> {
        Ok(self.store.health().await?)
    }

    /// Disk usage of the games.
    pub async fn usage(&self) -> Result<Usage, GameError> {
        Ok(self.store.usage().await?)
    }
}

/// Records the game's id in the current request span, for logs and traces.
fn note(game: &Game) {
    Span::current().record("game", display(game.id)).record("kind", game.rules.info().kind);
}

/// Maximum length of an idempotency key; a UUID has 36 characters.
const KEY_LENGTH: usize = 255;

/// Refuses an idempotency key that cannot be stored.
pub fn check_key(key: Option<&str>) -> Result<Option<&str>, GameError> {
    let visible = |key: &str| key.bytes().all(|byte| (b' '..=b'~').contains(&byte));
    match key {
        Some(key) if !(1..=KEY_LENGTH).contains(&key.len()) || !visible(key) => {
            let most = i64::try_from(KEY_LENGTH).unwrap_or(i64::MAX);
            Err(GameError::malformed(Message::new("request-idempotency-key").with("most", most)))
        }
        key => Ok(key),
    }
}

impl Call {
    /// Creates a call; refuses an invalid key.
    pub fn new(by: PlayerId, key: Option<&str>, address: Option<IpAddr>) -> Result<Self, GameError> {
        Ok(Self { by, key: check_key(key)?.map(str::to_owned), address })
    }

    /// The client that the work is charged to.
    fn client(&self) -> Client {
        Client { address: self.address, player: Some(self.by) }
    }

    /// The command for this idempotency key. Equal requests give equal commands on both faces.
    fn command(&self, game: Option<GameId>, operation: &str, request: &impl Serialize) -> Option<Command> {
        let key = self.key.clone()?;
        let text = serde_json::to_vec(&(operation, request)).expect("requests are plain data");
        let digest = digest(&SHA256, &text).as_ref().try_into().expect("SHA-256 has 32 bytes");
        Some(Command { scope: Scope { player: self.by, game }, key, digest })
    }
}
