//! The whole service within the test, on a port of its own, with a real store of its own.

use super::Door;
use crate::postgres::kept::Kept;
use ludotheque::app::{App, Settings};
use ludotheque::auth;
use ludotheque::graphql::{self, guard::DocumentLimits};
use ludotheque::server;
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
    door: Door,
    stop: CancellationToken,
    running: JoinHandle<()>,
    app: Arc<App>,
    store: Kept,
    data: TempDir,
}

impl Server {
    pub async fn start() -> Self {
        Self::on(empty()).await
    }

    /// With data that are there already.
    pub async fn on(data: TempDir) -> Self {
        Self::with(data, auth::Settings::default()).await
    }

    /// With access tokens that don't last.
    pub async fn with_tokens_for(lifetime: Duration) -> Self {
        Self::with(empty(), auth::Settings { lifetime, ..auth::Settings::default() }).await
    }

    /// With a clock that can be put forward, and seeds taken.
    pub async fn dev() -> Self {
        Self::with(empty(), auth::Settings { dev: true, ..auth::Settings::default() }).await
    }

    /// With tokens of other issuers, say.
    pub async fn with_tokens(tokens: auth::Settings) -> Self {
        Self::with(empty(), tokens).await
    }

    async fn with(data: TempDir, tokens: auth::Settings) -> Self {
        let settings = Settings { graphql: roomy(), ..tokens.into() };
        let (store, app) = Kept::open(data.path(), settings).await;
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a free port");
        let door = Door::new(format!("http://{}", listener.local_addr().expect("an address")));
        let stop = CancellationToken::new();
        let stopped = stop.clone().cancelled_owned();
        let serving = server::run(listener, app.clone(), stopped);
        let running = tokio::spawn(async move { serving.await.expect("it listens") });
        Self { door, stop, running, app, store, data }
    }

    /// Shuts down in order, and leaves the data.
    pub async fn stop(self) -> TempDir {
        let Self { door, stop, running, app, store, data } = self;
        // Connections kept for later would be waited for.
        drop(door);
        stop.cancel();
        running.await.expect("it ends");
        drop(app);
        store.close().await;
        data
    }

    /// What the server does by itself every now and then, now.
    pub async fn expires_lobbies(&self) {
        self.app.games.expire_lobbies().await.expect("the store works");
    }

    pub fn data(&self) -> &Path {
        self.data.path()
    }
}

impl Deref for Server {
    type Target = Door;

    fn deref(&self) -> &Door {
        &self.door
    }
}

/// Some of our questions ask for everything there is, each field under a name of its own. What a server takes by itself is
/// tested in tests/wire.
fn roomy() -> graphql::Settings {
    let limits = DocumentLimits { nodes: 10_000, aliases: 10_000, ..DocumentLimits::default() };
    graphql::Settings { limits, complexity: 1_000_000, ..graphql::Settings::default() }
}

fn empty() -> TempDir {
    tempfile::tempdir().expect("a folder")
}
