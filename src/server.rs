//! Listening: connections with deadlines, a bound on how many, and an orderly end.
//!
//! axum's own loop sets no timer, so a client that sends half a header would be waited for for ever; this one does.

use crate::app::{App, admin_router, router};
use crate::edge::address::{Peer, Proxies};
use crate::edge::places::{Places, Room};
use crate::sweep;
use axum::{Extension, Router};
use hyper::body::Incoming;
use hyper_util::rt::{TokioExecutor, TokioIo, TokioTimer};
use hyper_util::server::conn::auto::Builder;
use hyper_util::server::graceful::GracefulShutdown;
use hyper_util::service::TowerToHyperService;
use std::future;
use std::io;
use std::sync::Arc;
use std::time::Duration;
use tokio::net::TcpListener;
use tokio_util::sync::CancellationToken;
use tower::ServiceBuilder;

/// How long a request's header may take, and how long a connection may be idle between two requests.
const HEADER_DEADLINE: Duration = Duration::from_secs(30);
/// How long requests in flight are waited for when the server shuts down.
const DRAIN_DEADLINE: Duration = Duration::from_secs(20);
/// What a connection may hold back of a request's header, or of an answer that its reader does not take.
const BUFFER: usize = 64 * 1024;
/// After a failed accept (no more descriptors, say): time for some to come free.
const ACCEPT_PAUSE: Duration = Duration::from_millis(100);

/// Where the server listens.
pub struct Listeners {
    pub public: TcpListener,
    /// For what is the operator's, if that has an address of its own; then the app must know (`edge.admin_apart`).
    pub admin: Option<TcpListener>,
    /// How many connections there may be at a time on the public one.
    pub room: Room,
}

impl From<TcpListener> for Listeners {
    fn from(public: TcpListener) -> Self {
        Self { public, admin: None, room: Room::default() }
    }
}

/// Serves until `shutdown` resolves; then ends streams, answers what is in flight, and returns.
pub async fn run(listeners: impl Into<Listeners>, app: Arc<App>, shutdown: impl Future<Output = ()>) -> io::Result<()> {
    let Listeners { public, admin, room } = listeners.into();
    let sweeping = tokio::spawn(sweep::run(app.clone()));
    let tending = tokio::spawn(app.identity.clone().keep_tending(app.closing.clone()));
    let places = Places::new(room, &app.edge.proxies);
    let public = serve(public, router(app.clone()), places, app.closing.clone());
    let admin = async {
        if let Some(admin) = admin {
            let places = Places::new(Room::default(), &Proxies::default());
            serve(admin, admin_router(app.clone()), places, app.closing.clone()).await;
        }
    };
    let closing = async {
        shutdown.await;
        app.closing.cancel();
    };
    tokio::join!(public, admin, closing);
    app.sockets.close();
    if tokio::time::timeout(DRAIN_DEADLINE, app.sockets.wait()).await.is_err() {
        tracing::warn!("some sockets did not end in time");
    }
    sweeping.await?;
    tending.await?;
    app.games.drain().await;
    Ok(())
}

/// Accepts connections until told to close; then lets those there are come to their end.
async fn serve(listener: TcpListener, service: Router, places: Places, closing: CancellationToken) {
    let mut builder = Builder::new(TokioExecutor::new());
    builder.http1().timer(TokioTimer::new()).header_read_timeout(HEADER_DEADLINE).max_buf_size(BUFFER);
    builder.http2().timer(TokioTimer::new()).keep_alive_interval(Some(HEADER_DEADLINE));
    let open = GracefulShutdown::new();
    loop {
        let accepted = closing.run_until_cancelled(async {
            let place = places.wait().await;
            listener.accept().await.map(|(stream, address)| (stream, Peer::from(address), place))
        });
        let (stream, peer, place) = match accepted.await {
            None => break,
            Some(Ok(accepted)) => accepted,
            Some(Err(error)) => {
                tracing::warn!(%error, "a connection could not be accepted");
                tokio::time::sleep(ACCEPT_PAUSE).await;
                continue;
            }
        };
        let Some(place) = places.give(place, peer) else {
            tracing::debug!(address = %peer.0, "an address has connections enough");
            continue;
        };
        // Answers are small and wanted at once.
        if let Err(error) = stream.set_nodelay(true) {
            tracing::debug!(%error, "no delay could not be set");
        }
        let begun = CancellationToken::new();
        let asked = begun.clone();
        let layers = ServiceBuilder::new()
            .map_request(move |request: hyper::Request<Incoming>| {
                asked.cancel();
                request
            })
            .layer(Extension(peer))
            .layer(Extension(place.clone()));
        let service = TowerToHyperService::new(layers.service(service.clone()));
        let connection = builder.serve_connection_with_upgrades(TokioIo::new(stream), service).into_owned();
        let connection = open.watch(connection);
        tokio::spawn(async move {
            tokio::select! {
                ended = connection => {
                    if let Err(error) = ended {
                        tracing::debug!(error, "a connection broke off");
                    }
                }
                () = never_begins(begun) => tracing::debug!("a connection asked for nothing"),
            }
            drop(place);
        });
    }
    drop(listener);
    if tokio::time::timeout(DRAIN_DEADLINE, open.shutdown()).await.is_err() {
        tracing::warn!("some connections did not end in time");
    }
}

/// Resolves if nothing was asked for in time. hyper's own deadline only begins once it knows which HTTP is spoken, and a
/// client may leave it in the dark.
async fn never_begins(begun: CancellationToken) {
    if tokio::time::timeout(HEADER_DEADLINE, begun.cancelled()).await.is_ok() {
        future::pending::<()>().await;
    }
}
