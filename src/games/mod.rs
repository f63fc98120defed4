//! The use cases of games: create, join, start, play, look, follow, replay. REST and GraphQL are two faces of these.
//!
//! [`game`] is what a game's steps add up to, [`apply`] what each action does to it, [`sequencer`] where steps queue up on
//! their way to the store. The remaining files are the use cases themselves, as methods of [`Games`].

mod apply;
mod caps;
mod deadline;
mod departure;
pub mod error;
pub mod event_stream;
pub mod fairness;
pub mod game;
mod game_slot;
mod hash_chain;
mod history;
mod housekeeping;
mod lobby;
mod my_games_feed;
pub mod options;
mod play;
pub mod ports;
pub mod queries;
mod rematch;
pub mod replay;
mod resume_replay;
pub mod schema;
pub mod sequencer;
mod snapshot;
mod start;
pub mod step;
mod step_pipeline;
mod step_view;
mod time_zones;

pub use caps::{Cap, Caps};
pub use deadline::LOBBY_PATIENCE;
pub use error::{GameError, RejectedStep};
pub use game::Game;
pub use hash_chain::Link;
pub use lobby::{Changes, NewGame};
pub use play::{Foresight, MoveInput, Obstacle, PREVIEW_LENGTH};
pub use step_view::{EventView, StepView, TableEventView};

use crate::ids::{GameId, PlayerId};
use crate::quota::{Client, FairQueue, QueueSize};
use crate::rules::Message;
use crate::rules::catalog::Offer;
use aws_lc_rs::digest::{SHA256, digest};
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

/// The use cases of games.
pub struct Games {
    store: Arc<dyn Store>,
    notifier: Arc<dyn Notifier>,
    clock: Arc<dyn Clock>,
    sequencer: Arc<Sequencer>,
    /// Those who follow all their games.
    feed_subscribers: Arc<my_games_feed::FeedSubscribers>,
    /// What one player may hold.
    caps: CapState,
    /// Starts that have to be prepared at length.
    preparations: FairQueue,
    /// Old positions and replays.
    history: FairQueue,
    /// What new games can be made of.
    pub offer: Offer,
}

/// What can be set about games.
#[derive(Clone, Default)]
pub struct Settings {
    /// What new games can be made of.
    pub offer: Offer,
    pub caps: Caps,
}

/// Without caps.
impl From<Offer> for Settings {
    fn from(offer: Offer) -> Self {
        Self { offer, ..Self::default() }
    }
}

/// One at a time: each takes a processor for up to seconds. What waits behind 16 others is out of time anyway.
const PREPARATIONS: QueueSize = QueueSize { running: 1, waiting_of_player: 2, waiting_of_address: 16, waiting: 64 };

/// Each takes a few milliseconds; half of the cores are left for everything else.
fn history_size() -> QueueSize {
    let cores = available_parallelism().map_or(1, NonZero::get);
    QueueSize { running: cores.div_ceil(2), waiting_of_player: 16, waiting_of_address: 128, waiting: 512 }
}

/// Who asks for a step, and under which idempotency key.
#[derive(Clone, Debug)]
pub struct Call {
    pub by: PlayerId,
    pub key: Option<String>,
    /// Where from, unless over no socket.
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
        let Settings { offer, caps } = settings.into();
        let sequencer = Sequencer::new(store.clone(), notifier.clone(), clock.clone(), offer.catalog);
        Arc::new(Self {
            store,
            notifier,
            clock,
            sequencer,
            feed_subscribers: Arc::default(),
            caps: caps.into(),
            preparations: FairQueue::new(PREPARATIONS),
            history: FairQueue::new(history_size()),
            offer,
        })
    }

    /// Waits until every step that was taken in has been answered.
    pub async fn drain(&self) {
        self.sequencer.drain().await;
    }

    /// Whether the store can be written to.
    pub async fn health(&self) -> Result<(), GameError> {
        Ok(self.store.health().await?)
    }

    /// How much room the games take and have.
    pub async fn usage(&self) -> Result<Usage, GameError> {
        Ok(self.store.usage().await?)
    }
}

/// Names the game in the span of the request that is being served, for logs and traces.
fn note(game: &Game) {
    Span::current().record("game", display(game.id)).record("kind", game.rules.info().kind);
}

/// The longest idempotency key; a UUID has 36.
const KEY_LENGTH: usize = 255;

/// Refuses an idempotency key that can't be kept.
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
    /// A player asks, under a key that can be kept, or none.
    pub fn new(by: PlayerId, key: Option<&str>, address: Option<IpAddr>) -> Result<Self, GameError> {
        Ok(Self { by, key: check_key(key)?.map(str::to_owned), address })
    }

    /// Whose work it is.
    fn client(&self) -> Client {
        Client { address: self.address, player: Some(self.by) }
    }

    /// The command behind the idempotency key: the same for the same request, whichever face it came through.
    fn command(&self, game: Option<GameId>, operation: &str, request: &impl Serialize) -> Option<Command> {
        let key = self.key.clone()?;
        let text = serde_json::to_vec(&(operation, request)).expect("requests are plain data");
        let digest = digest(&SHA256, &text).as_ref().try_into().expect("SHA-256 has 32 bytes");
        Some(Command { scope: Scope { player: self.by, game }, key, digest })
    }
}
