//! A server of its own for a test, on a port of its own, with a real store of its own.

use super::{Player, Socket};
use crate::postgres::kept::Kept;
use ludotheque::app::{self, App};
use ludotheque::auth;
use ludotheque::edge::connection_limits::ConnectionLimits;
use ludotheque::edge::metrics::Metrics;
use ludotheque::games::ports::Usage;
use ludotheque::graphql;
use ludotheque::{edge, server};
use serde_json::json;
use std::sync::Arc;
use std::time::Duration;
use tempfile::TempDir;
use tokio::net::TcpListener;
use tokio::task::JoinHandle;
use tokio_util::sync::CancellationToken;

/// A server that runs until it is stopped or dropped.
pub struct Server {
    /// `127.0.0.1:1234`
    pub address: String,
    pub app: Arc<App>,
    #[allow(dead_code, reason = "for tests/identity, which looks at what was written")]
    pub kept: Kept,
    metrics: Arc<Metrics>,
    stop: CancellationToken,
    running: JoinHandle<()>,
    #[allow(dead_code, reason = "held; tests/identity reads the keys in it")]
    pub data: TempDir,
}

impl Server {
    pub async fn start() -> Self {
        Self::with(app::Settings::default()).await
    }

    pub async fn with_graphql(graphql: graphql::Settings) -> Self {
        Self::with(app::Settings { graphql, ..app::Settings::default() }).await
    }

    /// With so many requests a second for each player and each address.
    pub async fn with_rates(player_rate: u32, address_rate: u32) -> Self {
        let edge = edge::Settings { player_rate, address_rate, ..edge::Settings::default() };
        Self::with(app::Settings { edge, ..app::Settings::default() }).await
    }

    /// With access tokens that don't last.
    pub async fn with_tokens_for(lifetime: Duration) -> Self {
        Self::with(auth::Settings { lifetime, ..auth::Settings::default() }.into()).await
    }

    /// With so many connections at a time.
    pub async fn with_connections(connections: usize) -> Self {
        Self::listening(app::Settings::default(), ConnectionLimits { connections, ..ConnectionLimits::default() }).await
    }

    pub async fn with(settings: app::Settings) -> Self {
        Self::listening(settings, ConnectionLimits::default()).await
    }

    async fn listening(settings: app::Settings, room: ConnectionLimits) -> Self {
        let data = tempfile::tempdir().unwrap();
        let metrics = settings.edge.metrics.clone();
        let (kept, app) = Kept::open(data.path(), settings).await;
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap().to_string();
        let stop = CancellationToken::new();
        let listeners = server::Listeners { public: listener, admin: None, room };
        let serving = server::run(listeners, app.clone(), stop.clone().cancelled_owned());
        let running = tokio::spawn(async move { serving.await.unwrap() });
        Self { address, app, kept, metrics, stop, running, data }
    }

    /// Tells it to end.
    pub fn stop(&self) {
        self.stop.cancel();
    }

    /// Waits until it has ended in order.
    pub async fn ended(self) {
        self.running.await.unwrap();
    }

    /// What `/metrics` says.
    pub fn metrics(&self) -> String {
        self.metrics.render(Usage::default()).unwrap()
    }

    /// Somebody without a token.
    pub fn anybody(&self) -> Player {
        Player::new(&self.address)
    }

    pub async fn guest(&self, name: &str) -> Player {
        let tokens = self.anybody().rest("/v1/players", &json!({"displayName": name})).await;
        let text = |value: &serde_json::Value| value.as_str().unwrap().to_owned();
        Player { id: text(&tokens["player"]["id"]), token: Some(text(&tokens["accessToken"])), ..self.anybody() }
    }

    /// A game of Chips that has started, and its two players.
    pub async fn table(&self) -> (String, Player, Player) {
        let (ada, bob) = (self.guest("Ada").await, self.guest("Bob").await);
        let game =
            ada.rest("/v1/games", &json!({"kind": "CHIPS", "seats": 2})).await["id"].as_str().unwrap().to_owned();
        bob.rest(&format!("/v1/games/{game}/seats"), &json!({})).await;
        ada.rest(&format!("/v1/games/{game}/start"), &json!({})).await;
        (game, ada, bob)
    }

    /// A socket of somebody who was acknowledged.
    pub async fn socket(&self, player: &Player) -> Socket {
        let mut socket = Socket::open(&self.address).await;
        socket.says(json!({"type": "connection_init", "payload": player.init()})).await;
        assert_eq!(socket.hears().await, json!({"type": "connection_ack"}));
        socket
    }
}
