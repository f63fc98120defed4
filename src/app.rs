//! The service, put together: what everything shares, and the router over it.

use crate::auth::{self, Identity, Keys};
use crate::clock::{SystemClock, VirtualClock};
use crate::games::ports::{Clock, Store};
use crate::games::{GameError, Games};
use crate::ids::PlayerId;
use crate::live::LocalNotifier;
use crate::players::ports::PlayerStore;
use crate::players::{PlayerError, Players};
use crate::rest;
use crate::texts::Texts;
use axum::Router;
use axum::http::{HeaderName, Request};
use std::sync::Arc;
use std::time::Duration;
use tokio_util::sync::CancellationToken;
use tower::ServiceBuilder;
use tower_http::compression::{
    CompressionLayer, Predicate,
    predicate::{DefaultPredicate, NotForContentType},
};
use tower_http::request_id::{MakeRequestUuid, PropagateRequestIdLayer, SetRequestIdLayer};
use tower_http::timeout::RequestBodyTimeoutLayer;
use tower_http::trace::TraceLayer;

/// A body that arrives more slowly than this is not waited for.
const BODY_DEADLINE: Duration = Duration::from_secs(15);
const REQUEST_ID: HeaderName = HeaderName::from_static("x-request-id");

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
}

/// What a service is made of.
pub struct Parts {
    pub games: Arc<dyn Store>,
    pub players: Arc<dyn PlayerStore>,
    pub keys: Keys,
    pub tokens: auth::Settings,
    /// Whether the service helps test automation.
    pub dev: bool,
}

impl App {
    /// The service on a store of its own.
    pub fn new(parts: Parts) -> Arc<Self> {
        let Parts { games, players, keys, tokens, dev } = parts;
        let virtual_clock = dev.then(|| Arc::new(VirtualClock::default()));
        let clock: Arc<dyn Clock> = match &virtual_clock {
            Some(clock) => clock.clone(),
            None => Arc::new(SystemClock),
        };
        let identity = Arc::new(Identity::new(Arc::new(keys), players.clone(), tokens, Arc::new(auth::real_time)));
        Arc::new(Self {
            games: Games::new(games, Arc::new(LocalNotifier::default()), clock),
            players: Arc::new(Players::new(players, identity.clone())),
            identity,
            texts: Texts::new(),
            dev: virtual_clock,
            closing: CancellationToken::new(),
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
    /// Deletes an account: stands up, or resigns, everywhere, and signs out everywhere.
    pub async fn delete_player(&self, player: PlayerId) -> Result<(), DeletionError> {
        self.games.depart(player).await?;
        self.players.delete(player).await?;
        // Whatever it sat down at between the two; from here on it can do nothing any more.
        Ok(self.games.depart(player).await?)
    }
}

/// All that is served, with what every request passes through on its way in and out.
pub fn router(app: Arc<App>) -> Router {
    let streams_stay_plain = DefaultPredicate::new().and(NotForContentType::const_new("text/event-stream"));
    let span = |request: &Request<_>| {
        let id = request.headers().get(REQUEST_ID).and_then(|id| id.to_str().ok()).unwrap_or_default();
        tracing::info_span!("request", method = %request.method(), path = request.uri().path(), id)
    };
    rest::router(app).layer(
        ServiceBuilder::new()
            .layer(SetRequestIdLayer::new(REQUEST_ID, MakeRequestUuid))
            .layer(TraceLayer::new_for_http().make_span_with(span))
            .layer(PropagateRequestIdLayer::new(REQUEST_ID))
            .layer(CompressionLayer::new().compress_when(streams_stay_plain))
            .layer(RequestBodyTimeoutLayer::new(BODY_DEADLINE)),
    )
}
