//! Listening: connections with deadlines, a bound on how many, and an orderly end.
//!
//! axum's own loop sets no timer, so a client that sends half a header would be waited for for ever; this one does.
//! [`backlog`] counts what a connection has not read yet and finds those that do not read, [`answer_body`] and [`wire`]
//! tell it, [`frame_meter`] finds floods of HTTP/2 frames, [`unread_body`] drops what a refused request still sends.

mod answer_body;
mod backlog;
mod frame_meter;
mod metered_io;
mod unread_body;

use crate::app::App;
use crate::edge::arrival::Arrival;
use crate::edge::client_address::{Payer, Peer, Proxies, caller};
use crate::edge::connection_limits::{ConnectionLimiter, ConnectionLimits, ConnectionPermit};
use crate::routing::{operator_router, router};
use crate::signal::Signal;
use crate::sweep;
use answer_body::AnswerBody;
use axum::http::{HeaderValue, StatusCode, Version, header};
use axum::response::Response;
use axum::{BoxError, Router};
use backlog::{Backlog, Backlogs};
use futures::future::BoxFuture;
use hyper::Request;
use hyper::body::{Body as _, Incoming};
use hyper::server::conn::{http1, http2};
use hyper::service::Service;
use hyper_util::rt::{TokioExecutor, TokioIo, TokioTimer};
use metered_io::MeteredIo;
use std::convert::Infallible;
use std::io;
use std::pin::Pin;
use std::sync::Arc;
use std::time::Duration;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::Notify;
use tokio_util::task::TaskTracker;
use tower::Service as _;
use unread_body::{RequestBody, drop_rest};

/// How long a request's header may take, and how long a connection may be idle between two requests.
const HEADER_DEADLINE: Duration = Duration::from_secs(30);
/// How long requests in flight are waited for when the server shuts down.
const DRAIN_DEADLINE: Duration = Duration::from_secs(20);
/// What a connection may hold back of a request's header, or of an answer that its reader does not take.
const BUFFER: usize = 64 * 1024;
/// Streams that an HTTP/2 connection may have at a time: what RFC 9113 (section 6.5.2) recommends at least.
const STREAMS: u32 = 100;
/// What an HTTP/2 connection may send ahead of what is read, on one stream and on all: hardly a request has a longer body.
const STREAM_WINDOW: u32 = 64 * 1024;
const CONNECTION_WINDOW: u32 = 64 * 1024;
/// The longest header of an HTTP/2 request, as its fields count once decompressed.
const HEADER_LIST: u32 = 16 * 1024;
/// HTTP/2 streams that a client may give up before we have looked at them.
const EARLY_RESETS: usize = 20;
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
    pub room: ConnectionLimits,
}

impl From<TcpListener> for Listeners {
    fn from(public: TcpListener) -> Self {
        Self { public, admin: None, room: ConnectionLimits::default() }
    }
}

/// Serves until `shutdown` resolves; then ends streams, answers what is in flight, and returns.
pub async fn run(listeners: impl Into<Listeners>, app: Arc<App>, shutdown: impl Future<Output = ()>) -> io::Result<()> {
    let Listeners { public, admin, room } = listeners.into();
    let sweeping = tokio::spawn(sweep::run(app.clone()));
    let tending = tokio::spawn(app.identity.clone().keep_refreshing(app.closing.clone()));
    let places = ConnectionLimiter::new(room, &app.edge.proxies);
    let public = serve(public, router(&app), places, app.clone());
    let admin = async {
        if let Some(admin) = admin {
            let places = ConnectionLimiter::new(ConnectionLimits::default(), &Proxies::default());
            serve(admin, operator_router(&app), places, app.clone()).await;
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

/// Serves connections, and looks now and then for those that do not read.
async fn serve(listener: TcpListener, service: Router, places: ConnectionLimiter, app: Arc<App>) {
    let backlogs = Arc::new(Backlogs::default());
    tokio::select! {
        () = accept(listener, service, places, app, &backlogs) => {}
        () = backlogs.watch() => {}
    }
}

/// Accepts connections until told to close; then lets those there are come to their end.
async fn accept(
    listener: TcpListener,
    service: Router,
    places: ConnectionLimiter,
    app: Arc<App>,
    backlogs: &Arc<Backlogs>,
) {
    let protocols = Arc::new(Protocols::new(app.clone()));
    let open = TaskTracker::new();
    loop {
        let accepted = app.closing.run_until_cancelled(async {
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
        let backlog = backlogs.open(place.unsent().clone());
        let (app, router, begun) = (app.clone(), service.clone(), Notify::new());
        let entrance = Arc::new(Entrance { app, router, peer, place, backlog, begun });
        open.spawn(protocols.clone().serve(stream, entrance));
    }
    drop(listener);
    backlogs.close();
    open.close();
    if tokio::time::timeout(DRAIN_DEADLINE, open.wait()).await.is_err() {
        tracing::warn!("some connections did not end in time");
    }
}

/// How connections are served, whichever HTTP they speak.
struct Protocols {
    app: Arc<App>,
    http1: http1::Builder,
    http2: http2::Builder<TokioExecutor>,
}

impl Protocols {
    fn new(app: Arc<App>) -> Self {
        let mut http1 = http1::Builder::new();
        http1
            .timer(TokioTimer::new())
            .header_read_timeout(HEADER_DEADLINE)
            .max_header_size(BUFFER)
            .max_buf_size(BUFFER);
        let mut http2 = http2::Builder::new(TokioExecutor::new());
        http2
            .timer(TokioTimer::new())
            .keep_alive_interval(Some(HEADER_DEADLINE))
            .max_concurrent_streams(STREAMS)
            .max_pending_accept_reset_streams(EARLY_RESETS)
            .max_header_list_size(HEADER_LIST)
            .max_send_buf_size(BUFFER)
            .initial_stream_window_size(STREAM_WINDOW)
            .initial_connection_window_size(CONNECTION_WINDOW);
        Self { app, http1, http2 }
    }

    /// Serves a connection to its end. Once told to close, it answers what it was asked, and no more.
    #[expect(clippy::manual_async_fn, reason = "an async fn would hold what it is given twice, and there are many")]
    fn serve(self: Arc<Self>, stream: TcpStream, entrance: Arc<Entrance>) -> impl Future<Output = ()> + Send {
        async move {
            let served = self.speak(stream, &entrance);
            tokio::select! {
                biased;
                ended = served => {
                    if let Err(error) = ended {
                        tracing::debug!(error, "a connection broke off");
                    }
                }
                why = cut_off(&entrance) => tracing::debug!(address = %entrance.peer.0, "{why}"),
            }
        }
    }

    /// In boxes whatever not every connection needs for as long as it is open.
    async fn speak(&self, stream: TcpStream, entrance: &Arc<Entrance>) -> Result<(), BoxError> {
        // Who has not said what it speaks by then has not asked for anything either.
        let known = Box::pin(self.app.closing.run_until_cancelled(speaks_http2(&stream))).await;
        let Some(speaks_http2) = known else { return Ok(()) };
        let (backlog, closing, entrance) = (entrance.backlog.clone(), entrance.backlog.closing(), entrance.clone());
        if speaks_http2? {
            let address = Some(entrance.peer.0).filter(|address| !self.app.edge.proxies.trusts(*address)).map(caller);
            let wire = TokioIo::new(MeteredIo::http2(stream, backlog, self.app.clone(), address));
            let mut connection = Box::pin(self.http2.serve_connection(wire, Door(entrance)));
            return Ok(to_its_end(&mut connection, closing, http2::Connection::graceful_shutdown).await?);
        }
        let wire = TokioIo::new(MeteredIo::http1(stream, backlog, self.app.clone()));
        let mut connection = Box::pin(self.http1.serve_connection(wire, Door(entrance)).with_upgrades());
        Ok(to_its_end(&mut connection, closing, http1::UpgradeableConnection::graceful_shutdown).await?)
    }
}

/// Where the requests of one connection come in.
struct Entrance {
    app: Arc<App>,
    router: Router,
    peer: Peer,
    place: ConnectionPermit,
    backlog: Arc<Backlog>,
    /// Told of every request; the first is waited for.
    begun: Notify,
}

/// The entrance as hyper has it: each request takes it along.
struct Door(Arc<Entrance>);

impl Service<Request<Incoming>> for Door {
    type Response = Response<AnswerBody>;
    type Error = Infallible;
    /// In a box: hyper keeps room for it for as long as the connection is open, even if all it does is stream an answer.
    type Future = BoxFuture<'static, Result<Self::Response, Infallible>>;

    fn call(&self, mut request: Request<Incoming>) -> Self::Future {
        let entrance = self.0.clone();
        entrance.begun.notify_one();
        let mut unfinished = None;
        if request.version() == Version::HTTP_2 {
            entrance.backlog.came_in();
            if !request.body().is_end_stream() {
                unfinished = entrance.backlog.begin_body();
                if unfinished.is_none() {
                    return Box::pin(async move { Ok(entrance.refuse().await) });
                }
            }
        }
        let arrival = Arrival::over(entrance.place.clone(), &entrance.app.edge.proxies, request.headers());
        request.extensions_mut().insert(arrival);
        let (request, rest) = RequestBody::of(request, unfinished);
        let answering = entrance.router.clone().call(request);
        Box::pin(async move {
            let backlog = &entrance.backlog;
            backlog.has_room().await;
            // Nothing is worked out that could not be sent: a request is only routed so far.
            if backlog.is_exceeded_by(1) {
                drop(answering);
                return Ok(Box::pin(entrance.refuse()).await);
            }
            let Ok(answer) = answering.await;
            if answer.status() == StatusCode::SWITCHING_PROTOCOLS {
                backlog.expect_switch(answer.extensions().get::<Payer>().copied());
            }
            // Before the rest of the request is read, which may take a while: the answer waits in memory meanwhile.
            let answer = AnswerBody::count(answer, backlog).unwrap_or_else(unread);
            if let Some(rest) = rest.and_then(|rest| rest.before(answer.status())) {
                Box::pin(drop_rest(rest)).await;
            }
            Ok(answer)
        })
    }
}

impl Entrance {
    /// Refuses a request of an address that has too much waiting. It was not charged for, so it is held like any other
    /// refusal.
    async fn refuse(&self) -> Response<AnswerBody> {
        let connection = self.place.refusals();
        // Those who call through a proxy do not wait for each other.
        let address = connection.map(|_| caller(self.peer.0));
        self.app.edge.budgets.refusals.hold(address, connection).await;
        unread()
    }
}

/// What is answered while an address leaves too much unread. It has no body, so it takes no room itself.
fn unread() -> Response<AnswerBody> {
    let mut response = Response::new(AnswerBody::empty());
    *response.status_mut() = StatusCode::SERVICE_UNAVAILABLE;
    response.headers_mut().insert(header::RETRY_AFTER, HeaderValue::from_static("1"));
    response
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

async fn to_its_end<C: Future>(connection: &mut Pin<Box<C>>, closing: &Signal, wind_up: fn(Pin<&mut C>)) -> C::Output {
    tokio::select! {
        biased;
        ended = connection.as_mut() => return ended,
        () = closing.raised() => wind_up(connection.as_mut()),
    }
    connection.await
}

/// Resolves with the reason if a connection is to be closed: nothing was asked for in time, what was answered is not read,
/// or it asks for so much more than it can pay that refusing it is work. hyper's own deadline only begins once it is known
/// which HTTP is spoken, and a client may leave us in the dark. Boxed, so that connections that have asked do without.
async fn cut_off(entrance: &Entrance) -> &'static str {
    if Box::pin(tokio::time::timeout(HEADER_DEADLINE, entrance.begun.notified())).await.is_err() {
        return "a connection asked for nothing";
    }
    tokio::select! {
        biased;
        () = entrance.backlog.stalled().raised() => "a connection does not read its answers",
        () = entrance.place.flooded().raised() => "a connection has too many refusals in flight",
    }
}
