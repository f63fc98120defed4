//! The service, put together: what every request shares. The faces over it are put together in [`routing`](crate::routing).

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

/// What every request shares.
pub struct App {
    pub games: Arc<Games>,
    pub players: Arc<Players>,
    pub identity: Arc<Identity>,
    pub texts: Texts,
    /// With `--dev`: the clock of games, which can be put forward.
    pub dev: Option<Arc<VirtualClock>>,
    /// Cancelled when the server shuts down; streams end with it.
    pub closing: CancellationToken,
    /// The sockets that are open. They outlive the requests that they began as, so the server waits for them.
    pub sockets: TaskTracker,
    pub edge: Edge,
    pub graphql: GraphqlSettings,
    /// How long games are kept once they are over; for ever, if not said.
    pub keep_over: Option<Duration>,
    /// How long lobbies that came to nothing are kept; for ever, if not said.
    pub keep_abandoned_lobbies: Option<Duration>,
    /// How long guests who are members of no game are kept; for ever, if not said.
    pub keep_idle_guests: Option<Duration>,
}

/// What can be set about the service.
#[derive(Clone, Default)]
pub struct Settings {
    pub tokens: auth::Settings,
    pub edge: edge::Settings,
    pub graphql: GraphqlSettings,
    /// What new games can be made of, and the catalogue of all kinds. All apps of a process have the same catalogue.
    pub offer: Offer,
    /// What one player may hold.
    pub caps: Caps,
    /// Players that may be made from one address in an hour; 0 for no cap.
    pub registrations_per_hour: u32,
    /// How long games are kept once they are over; for ever, if not said.
    pub keep_over: Option<Duration>,
    /// How long lobbies that came to nothing are kept; for ever, if not said.
    pub keep_abandoned_lobbies: Option<Duration>,
    /// How long guests who are members of no game are kept; for ever, if not said.
    pub keep_idle_guests: Option<Duration>,
    /// How steps are announced: to other nodes too, where the store is shared with some.
    pub notifier: Option<Arc<dyn Notifier>>,
}

/// All but the tokens as it is by default.
impl From<auth::Settings> for Settings {
    fn from(tokens: auth::Settings) -> Self {
        Self { tokens, ..Self::default() }
    }
}

impl App {
    /// The service on a store.
    pub fn new(
        store: Arc<dyn Store>,
        players: Arc<dyn PlayerStore>,
        keys: Keys,
        settings: impl Into<Settings>,
    ) -> Arc<Self> {
        let settings = settings.into();
        let (keep_abandoned_lobbies, keep_idle_guests) = (settings.keep_abandoned_lobbies, settings.keep_idle_guests);
        let Settings { tokens, edge, graphql, offer, caps, registrations_per_hour, keep_over, notifier, .. } = settings;
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
            games: Games::new(store, notifier, clock, games::Settings { offer, caps }),
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
            keep_over,
            keep_abandoned_lobbies,
            keep_idle_guests,
        })
    }
}

/// Why an account could not be deleted; asking again goes on where it stopped.
#[derive(Debug, thiserror::Error)]
pub enum DeletionError {
    #[error(transparent)]
    Games(#[from] GameError),
    #[error(transparent)]
    Players(#[from] PlayerError),
}

impl App {
    /// Makes a game. Its seed is left to chance, unless the server is for test automation: whoever knows it knows every
    /// card.
    pub async fn create_game(&self, call: &Call, new: NewGame, client: &Client) -> Result<Accepted, GameError> {
        if new.seed.is_some() && self.dev.is_none() {
            return Err(GameError::seed_refused());
        }
        self.games.create(call, new, client).await
    }

    /// Plays a move, and counts it.
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

    /// Takes part in a rematch. A seat is held for nobody whose account was deleted, not even meanwhile.
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

    /// Deletes an account: stands up, or resigns, everywhere, and signs out everywhere.
    pub async fn delete_player(&self, player: PlayerId) -> Result<(), DeletionError> {
        self.games.depart(player).await?;
        self.players.delete(player).await?;
        // Whatever it sat down at between the two; from here on it can do nothing any more.
        Ok(self.games.depart(player).await?)
    }
}
