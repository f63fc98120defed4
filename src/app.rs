//! Composition root: builds the services that all requests share. [`routing`](crate::routing) builds the HTTP routers.

use crate::auth::{self, Identity, Keys};
use crate::clock::{SystemClock, VirtualClock};
use crate::edge::{self, Edge};
use crate::games;
use crate::games::ports::{Clock, Notifier, Store, StoreError};
use crate::games::schema::describe;
use crate::games::{Accepted, Call, Caps, GameError, Games, MoveInput, NewGame, RejectedStep};
use crate::graphql::Settings as GraphqlSettings;
use crate::ids::{GameId, PlayerId};
use crate::live::LocalNotifier;
use crate::players::ports::PlayerStore;
use crate::players::{PlayerError, Players};
use crate::quota::Client;
use crate::rules::catalog::Offer;
use crate::texts::Texts;
use std::sync::Arc;
use std::time::Duration;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

/// State that all requests share.
pub struct App {
    pub games: Arc<Games>,
    pub players: Arc<Players>,
    pub identity: Arc<Identity>,
    pub texts: Texts,
    /// With `--dev`: the clock of games, which can be moved forward.
    pub dev: Option<Arc<VirtualClock>>,
    /// Cancelled when the server shuts down; ends streams.
    pub closing: CancellationToken,
    /// Tasks of open WebSockets, which outlive their requests; the server waits for them when it shuts down.
    pub sockets: TaskTracker,
    pub edge: Edge,
    pub graphql: GraphqlSettings,
    /// How long finished games are kept; for ever if not set.
    pub keep_finished: Option<Duration>,
    /// How long abandoned lobbies are kept; for ever if not set.
    pub keep_abandoned_lobbies: Option<Duration>,
    /// How long guests without games are kept; for ever if not set.
    pub keep_idle_guests: Option<Duration>,
}

/// Settings of the service.
#[derive(Clone, Default)]
pub struct Settings {
    pub tokens: auth::Settings,
    pub edge: edge::Settings,
    pub graphql: GraphqlSettings,
    /// Kinds of which new games may be created, and the catalogue of all kinds, which all apps of a process share.
    pub offer: Offer,
    /// Limits per player, and on new games per address.
    pub caps: Caps,
    /// Threads that compute moves of bots; 0: no bots.
    pub bot_threads: usize,
    /// Players that one address may create per hour; 0 disables the limit.
    pub registrations_per_hour: u32,
    /// How long finished games are kept; for ever if not set.
    pub keep_finished: Option<Duration>,
    /// How long abandoned lobbies are kept; for ever if not set.
    pub keep_abandoned_lobbies: Option<Duration>,
    /// How long guests without games are kept; for ever if not set.
    pub keep_idle_guests: Option<Duration>,
    /// Publishes steps, also to other nodes if the store is shared. In-process if not set.
    pub notifier: Option<Arc<dyn Notifier>>,
}

/// Defaults for everything else.
impl From<auth::Settings> for Settings {
    fn from(tokens: auth::Settings) -> Self {
        Self { tokens, ..Self::default() }
    }
}

impl App {
    /// Builds the service over a store.
    pub fn new(
        store: Arc<dyn Store>,
        players: Arc<dyn PlayerStore>,
        keys: Keys,
        settings: impl Into<Settings>,
    ) -> Arc<Self> {
        let settings = settings.into();
        let (keep_abandoned_lobbies, keep_idle_guests) = (settings.keep_abandoned_lobbies, settings.keep_idle_guests);
        let Settings {
            tokens,
            edge,
            graphql,
            offer,
            caps,
            bot_threads,
            registrations_per_hour,
            keep_finished,
            notifier,
            ..
        } = settings;
        let notifier = notifier.unwrap_or_else(|| Arc::new(LocalNotifier::default()));
        let catalog = offer.catalog;
        describe(catalog);
        let virtual_clock = tokens.dev.then(|| Arc::new(VirtualClock::default()));
        let clock: Arc<dyn Clock> = match &virtual_clock {
            Some(clock) => clock.clone(),
            None => Arc::new(SystemClock),
        };
        let identity = Arc::new(Identity::new(Arc::new(keys), players.clone(), tokens, Arc::new(auth::real_time)));
        Arc::new(Self {
            games: Games::new(store, notifier, clock, games::Settings { offer, caps, bot_threads }),
            players: Arc::new(
                Players::new(players, identity.clone()).with_registrations_per_hour(registrations_per_hour),
            ),
            identity,
            texts: Texts::new(catalog),
            dev: virtual_clock,
            closing: CancellationToken::new(),
            sockets: TaskTracker::new(),
            edge: edge.into(),
            graphql,
            keep_finished,
            keep_abandoned_lobbies,
            keep_idle_guests,
        })
    }
}

/// Why an account could not be deleted. Repeating the request continues where it stopped.
#[derive(Debug, thiserror::Error)]
pub enum DeletionError {
    #[error(transparent)]
    Games(#[from] GameError),
    #[error(transparent)]
    Players(#[from] PlayerError),
}

impl App {
    /// Creates a game. Only servers with `--dev` accept a seed, because it reveals every card.
    pub async fn create_game(&self, call: &Call, new: NewGame, client: &Client) -> Result<Accepted, GameError> {
        if new.seed.is_some() && self.dev.is_none() {
            return Err(GameError::seed_refused());
        }
        self.games.create(call, new, client).await
    }

    /// Plays a move, and counts it in the metrics.
    pub async fn play_move(
        &self,
        id: GameId,
        call: &Call,
        mv: &MoveInput,
        expected: Option<u64>,
    ) -> Result<Accepted, RejectedStep> {
        let played = self.games.play(id, call, mv, expected).await;
        let (game, refused) = match &played {
            Ok(accepted) => (Some(&accepted.game), None),
            Err(refused) => (refused.judged_on.as_ref(), Some(refused.error.code())),
        };
        self.edge.metrics.count_move(game.map(|game| game.rules.info().kind), refused);
        played
    }

    /// Joins a rematch, or creates it. Players whose accounts are deleted get no seat, even if deleted in the meantime.
    pub async fn rematch(&self, id: GameId, call: &Call, client: &Client) -> Result<Accepted, RejectedStep> {
        let existing = self.existing(&self.games.seated_players(id, call.by).await?).await?;
        let made = self.games.rematch(id, call, client, &existing).await?;
        let invited: Vec<_> = made.game.holds().map(|(_, player)| player).collect();
        let existing = self.existing(&invited).await?;
        for player in invited.into_iter().filter(|player| !existing.contains(player)) {
            self.games.depart_from(made.game.id, player).await?;
        }
        Ok(made)
    }

    async fn existing(&self, players: &[PlayerId]) -> Result<Vec<PlayerId>, GameError> {
        let existing = self.players.existing(players).await;
        existing.map_err(|error| StoreError::Unavailable(error.to_string()).into())
    }

    /// Deletes an account: leaves or resigns all its games, and ends all its sessions.
    pub async fn delete_player(&self, player: PlayerId) -> Result<(), DeletionError> {
        self.games.depart(player).await?;
        self.players.delete(player).await?;
        // Games joined between the two calls; after the deletion it can join no more.
        Ok(self.games.depart(player).await?)
    }
}
