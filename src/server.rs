//! Listening: connections with deadlines, a bound on how many, and an orderly end.
//!
//! axum's own loop sets no timer, so a client that sends half a header would be waited for for ever; this one does.

use crate::app::{App, admin_router, router};
use crate::edge::address::{Peer, Proxies};
use crate::edge::places::{Place, Places, Room};
use crate::sweep;
use axum::response::Response;
use axum::{BoxError, Router};
use futures::future::BoxFuture;
use hyper::Request;
use hyper::body::Incoming;
use hyper::server::conn::{http1, http2};
use hyper::service::Service;
use hyper_util::rt::{TokioExecutor, TokioIo, TokioTimer};
use std::convert::Infallible;
use std::future;
use std::io;
use std::pin::Pin;
use std::sync::Arc;
use std::time::Duration;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::Notify;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;
use tower::Service as _;

/// How long a request's header may take, and how long a connection may be idle between two requests.
const HEADER_DEADLINE: Duration = Duration::from_secs(30);
/// How long requests in flight are waited for when the server shuts down.
const DRAIN_DEADLINE: Duration = Duration::from_secs(20);
/// What a connection may hold back of a request's header, or of an answer that its reader does not take.
const BUFFER: usize = 64 * 1024;
/// After a failed accept (no more descriptors, say): time for some to come free.
const ACCEPT_PAUSE: Duration = Duration::from_millis(100);

/// What a connection that speaks HTTP/2 begins with (RFC 9113, section 3.4).
const PREFACE: &[u8] = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";
/// How long to wait for the rest, if only a part of that is there; longer each time, as nobody in earnest sends it so.
const PREFACE_PAUSE: Duration = Duration::from_millis(10);

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
    let protocols = Arc::new(Protocols::new());
    let open = TaskTracker::new();
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
        let entrance = Arc::new(Entrance { router: service.clone(), peer, place, begun: Notify::new() });
        open.spawn(protocols.clone().serve(stream, entrance, closing.clone()));
    }
    drop(listener);
    open.close();
    if tokio::time::timeout(DRAIN_DEADLINE, open.wait()).await.is_err() {
        tracing::warn!("some connections did not end in time");
    }
}

/// How connections are served, whichever HTTP they speak.
struct Protocols {
    http1: http1::Builder,
    http2: http2::Builder<TokioExecutor>,
}

impl Protocols {
    fn new() -> Self {
        let mut http1 = http1::Builder::new();
        http1
            .timer(TokioTimer::new())
            .header_read_timeout(HEADER_DEADLINE)
            .max_header_size(BUFFER)
            .max_buf_size(BUFFER);
        let mut http2 = http2::Builder::new(TokioExecutor::new());
        http2.timer(TokioTimer::new()).keep_alive_interval(Some(HEADER_DEADLINE));
        Self { http1, http2 }
    }

    /// Serves a connection to its end. Once told to close, it answers what it was asked, and no more.
    #[expect(clippy::manual_async_fn, reason = "an async fn would hold what it is given twice, and there are many")]
    fn serve(
        self: Arc<Self>,
        stream: TcpStream,
        entrance: Arc<Entrance>,
        closing: CancellationToken,
    ) -> impl Future<Output = ()> + Send {
        async move {
            let served = self.speak(stream, &entrance, &closing);
            tokio::select! {
                biased;
                ended = served => {
                    if let Err(error) = ended {
                        tracing::debug!(error, "a connection broke off");
                    }
                }
                () = never_begins(&entrance.begun) => tracing::debug!("a connection asked for nothing"),
            }
        }
    }

    /// In boxes whatever not every connection needs for as long as it is open.
    async fn speak(
        &self,
        stream: TcpStream,
        entrance: &Arc<Entrance>,
        closing: &CancellationToken,
    ) -> Result<(), BoxError> {
        // Who has not said what it speaks by then has not asked for anything either.
        let known = Box::pin(closing.run_until_cancelled(speaks_http2(&stream))).await;
        let Some(speaks_http2) = known else { return Ok(()) };
        let (stream, entrance) = (TokioIo::new(stream), entrance.clone());
        if speaks_http2? {
            let mut connection = Box::pin(self.http2.serve_connection(stream, entrance));
            return Ok(to_its_end(&mut connection, closing, http2::Connection::graceful_shutdown).await?);
        }
        let mut connection = Box::pin(self.http1.serve_connection(stream, entrance).with_upgrades());
        Ok(to_its_end(&mut connection, closing, http1::UpgradeableConnection::graceful_shutdown).await?)
    }
}

/// Where the requests of one connection come in.
struct Entrance {
    router: Router,
    peer: Peer,
    place: Place,
    /// Told of every request; the first is waited for.
    begun: Notify,
}

impl Service<Request<Incoming>> for Entrance {
    type Response = Response;
    type Error = Infallible;
    /// In a box: hyper keeps room for it for as long as the connection is open, even if all it does is stream an answer.
    type Future = BoxFuture<'static, Result<Response, Infallible>>;

    fn call(&self, mut request: Request<Incoming>) -> Self::Future {
        self.begun.notify_one();
        request.extensions_mut().insert(self.peer);
        request.extensions_mut().insert(self.place.clone());
        Box::pin(self.router.clone().call(request))
    }
}

/// Whether a client begins as HTTP/2 does. It looks without taking anything away: what hyper-util takes, to find out the
/// same, it has to put back, and then the buffer of every connection grows to twice its size.
async fn speaks_http2(stream: &TcpStream) -> io::Result<bool> {
    let mut begins = [0; PREFACE.len()];
    let mut pause = PREFACE_PAUSE;
    loop {
        let seen = stream.peek(&mut begins).await?;
        if seen == 0 || begins[..seen] != PREFACE[..seen] {
            return Ok(false);
        }
        if seen == PREFACE.len() {
            return Ok(true);
        }
        tokio::time::sleep(pause).await;
        pause *= 2;
    }
}

async fn to_its_end<C: Future>(
    connection: &mut Pin<Box<C>>,
    closing: &CancellationToken,
    wind_up: fn(Pin<&mut C>),
) -> C::Output {
    tokio::select! {
        biased;
        ended = connection.as_mut() => return ended,
        () = closing.cancelled() => wind_up(connection.as_mut()),
    }
    connection.await
}

/// Resolves if nothing was asked for in time. hyper's own deadline only begins once it is known which HTTP is spoken, and
/// a client may leave us in the dark. In a box, so that who has asked does without.
async fn never_begins(begun: &Notify) {
    if Box::pin(tokio::time::timeout(HEADER_DEADLINE, begun.notified())).await.is_ok() {
        future::pending::<()>().await;
    }
}
