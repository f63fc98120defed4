//! In-process server: the whole service within the test, on a free port, with a real store.

use crate::{Endpoint, TestedStore, folder};
use ludotheque::app::{self, App};
use ludotheque::auth;
use ludotheque::edge::{self, connection_limits::ConnectionLimits, metrics::Metrics};
use ludotheque::games::ports::Usage;
use ludotheque::graphql::{self, guard::DocumentLimits};
use ludotheque::server::{self, Listeners};
use std::ops::Deref;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;
use tempfile::TempDir;
use tokio::net::TcpListener;
use tokio::task::JoinHandle;
use tokio_util::sync::CancellationToken;

/// A server that runs until it is stopped or dropped.
pub struct Server {
    endpoint: Endpoint,
    pub app: Arc<App>,
    pub store: TestedStore,
    metrics: Arc<Metrics>,
    stop: CancellationToken,
    running: JoinHandle<()>,
    data: TempDir,
}

impl Server {
    /// With settings as shipped, but for the limits of GraphQL documents: a test may send large ones.
    pub async fn start() -> Self {
        Self::with_tokens(auth::Settings::default()).await
    }

    /// With the limits that it ships with.
    pub async fn as_shipped() -> Self {
        Self::with(app::Settings::default()).await
    }

    /// With data that are there already.
    pub async fn on(data: TempDir) -> Self {
        Self::open(data, roomy(auth::Settings::default()), ConnectionLimits::default()).await
    }

    /// With access tokens that don't last.
    pub async fn with_tokens_for(lifetime: Duration) -> Self {
        Self::with_tokens(auth::Settings { lifetime, ..auth::Settings::default() }).await
    }

    /// With a clock that can be put forward, and seeds taken.
    pub async fn dev() -> Self {
        Self::with_tokens(auth::Settings { dev: true, ..auth::Settings::default() }).await
    }

    /// With tokens of other issuers, say.
    pub async fn with_tokens(tokens: auth::Settings) -> Self {
        Self::with(roomy(tokens)).await
    }

    pub async fn with_graphql(graphql: graphql::Settings) -> Self {
        Self::with(app::Settings { graphql, ..app::Settings::default() }).await
    }

    /// With these rate limits, in requests a second: for each player, and for each address.
    pub async fn with_rates(player_rate: u32, address_rate: u32) -> Self {
        let edge = edge::Settings { player_rate, address_rate, ..edge::Settings::default() };
        Self::with(app::Settings { edge, ..app::Settings::default() }).await
    }

    /// With a limit of open connections.
    pub async fn with_connections(connections: usize) -> Self {
        Self::open(folder(), app::Settings::default(), ConnectionLimits { connections, ..ConnectionLimits::default() })
            .await
    }

    pub async fn with(settings: app::Settings) -> Self {
        Self::open(folder(), settings, ConnectionLimits::default()).await
    }

    async fn open(data: TempDir, settings: app::Settings, limits: ConnectionLimits) -> Self {
        let metrics = settings.edge.metrics.clone();
        let (store, app) = TestedStore::serve(data.path(), settings).await;
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a free port");
        let endpoint = Endpoint::new(format!("http://{}", listener.local_addr().expect("an address")));
        let stop = CancellationToken::new();
        let listeners = Listeners { public: listener, admin: None, limits };
        let serving = server::run(listeners, app.clone(), stop.clone().cancelled_owned());
        let running = tokio::spawn(async move { serving.await.expect("it listens") });
        Self { endpoint, app, store, metrics, stop, running, data }
    }

    /// Tells it to end, and goes on at once.
    pub fn terminate(&self) {
        self.stop.cancel();
    }

    /// Shuts down in order, and leaves the data.
    pub async fn stop(self) -> TempDir {
        let Self { endpoint, app, store, stop, running, data, .. } = self;
        // Connections kept for later would be waited for.
        drop(endpoint);
        stop.cancel();
        running.await.expect("it ends");
        drop(app);
        store.close().await;
        data
    }

    /// Runs the sweep of expired lobbies now, which the server otherwise does by itself from time to time.
    pub async fn expires_lobbies(&self) {
        self.app.games.expire_lobbies().await.expect("the store works");
    }

    /// What `/metrics` says.
    pub fn metrics(&self) -> String {
        self.metrics.render(Usage::default()).unwrap()
    }

    pub fn data(&self) -> &Path {
        self.data.path()
    }
}

impl Deref for Server {
    type Target = Endpoint;

    fn deref(&self) -> &Endpoint {
        &self.endpoint
    }
}

/// Limits for documents that select every field there is, each with an alias. The limits as shipped are tested in
/// tests/service/wire.
fn roomy(tokens: auth::Settings) -> app::Settings {
    let limits = DocumentLimits { nodes: 10_000, aliases: 10_000, ..DocumentLimits::default() };
    let graphql = graphql::Settings { limits, complexity: 1_000_000, ..graphql::Settings::default() };
    app::Settings { graphql, bot_threads: 1, ..tokens.into() }
}
