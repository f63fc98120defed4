//! HTTP server: accept loop with connection limits, timeouts and graceful shutdown.
//!
//! It replaces axum's loop, which sets no timer and would wait for ever for a client that sends half a header.
//! [`backlog`] counts unread answers and detects stalled readers, [`answer_body`] and [`metered_io`] report to it,
//! [`frame_meter`] detects floods of HTTP/2 frames, [`unread_body`] drains the bodies of refused requests.

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
use unread_body::{RequestBody, drain};

/// How long a request's header may take, and a connection may be idle between requests.
const HEADER_DEADLINE: Duration = Duration::from_secs(30);
/// How long a shutdown waits for requests in flight.
const DRAIN_DEADLINE: Duration = Duration::from_secs(20);
/// Buffer of a connection: the longest request header, and the bytes of an answer that hyper buffers.
const BUFFER_BYTES: usize = 64 * 1024;
/// Concurrent streams of an HTTP/2 connection: the minimum that RFC 9113 (section 6.5.2) recommends.
const STREAMS: u32 = 100;
/// HTTP/2 flow-control windows, per stream and connection: hardly any request has a longer body.
const STREAM_WINDOW: u32 = 64 * 1024;
const CONNECTION_WINDOW: u32 = 64 * 1024;
/// The longest decompressed header of an HTTP/2 request.
const HEADER_LIST: u32 = 16 * 1024;
/// HTTP/2 streams that a client may reset before they are accepted.
const EARLY_RESETS: usize = 20;
/// Pause after a failed accept, for example when there are no free file descriptors.
const ACCEPT_PAUSE: Duration = Duration::from_millis(100);

/// Preface of an HTTP/2 connection (RFC 9113, section 3.4).
const PREFACE: &[u8] = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";
/// First pause while only a part of the preface has arrived. The pause doubles each time, because ordinary clients send
/// the preface as a whole.
const PREFACE_PAUSE: Duration = Duration::from_millis(10);

/// The listening sockets, and their limits.
pub struct Listeners {
    pub public: TcpListener,
    /// For operator endpoints, if they have a separate address; then `edge.separate_admin` must be set.
    pub admin: Option<TcpListener>,
    /// Connection limits of the public listener.
    pub limits: ConnectionLimits,
}

impl From<TcpListener> for Listeners {
    fn from(public: TcpListener) -> Self {
        Self { public, admin: None, limits: ConnectionLimits::default() }
    }
}

/// Serves until `shutdown` resolves; then ends streams, finishes the requests in flight, and returns.
pub async fn run(listeners: impl Into<Listeners>, app: Arc<App>, shutdown: impl Future<Output = ()>) -> io::Result<()> {
    let Listeners { public, admin, limits } = listeners.into();
    let sweeping = tokio::spawn(sweep::run(app.clone()));
    let playing = tokio::spawn(app.games.clone().run_bots(app.closing.clone()));
    let tending = tokio::spawn(app.identity.clone().keep_refreshing(app.closing.clone()));
    let limiter = ConnectionLimiter::new(limits, &app.edge.proxies);
    let public = serve(public, router(&app), limiter, app.clone());
    let admin = async {
        if let Some(admin) = admin {
            let limiter = ConnectionLimiter::new(ConnectionLimits::default(), &Proxies::default());
            serve(admin, operator_router(&app), limiter, app.clone()).await;
        }
    };
    let closing = async {
        shutdown.await;
        app.closing.cancel();
    };
    tokio::join!(public, admin, closing);
    app.sockets.close();
    if tokio::time::timeout(DRAIN_DEADLINE, app.sockets.wait()).await.is_err() {
        tracing::warn!("some WebSockets did not close in time");
    }
    sweeping.await?;
    playing.await?;
    tending.await?;
    app.games.drain().await;
    Ok(())
}

/// Serves the connections of a listener, and watches for stalled readers.
async fn serve(listener: TcpListener, service: Router, limiter: ConnectionLimiter, app: Arc<App>) {
    let backlogs = Arc::new(Backlogs::default());
    tokio::select! {
        () = accept(listener, service, limiter, app, &backlogs) => {}
        () = backlogs.watch() => {}
    }
}

/// Accepts connections until shutdown, then waits for the open ones to finish.
async fn accept(
    listener: TcpListener,
    service: Router,
    limiter: ConnectionLimiter,
    app: Arc<App>,
    backlogs: &Arc<Backlogs>,
) {
    let protocols = Arc::new(Protocols::new(app.clone()));
    let open = TaskTracker::new();
    loop {
        let accepted = app.closing.run_until_cancelled(async {
            let permit = limiter.acquire().await;
            listener.accept().await.map(|(stream, address)| (stream, Peer::from(address), permit))
        });
        let (stream, peer, permit) = match accepted.await {
            None => break,
            Some(Ok(accepted)) => accepted,
            Some(Err(error)) => {
                tracing::warn!(%error, "could not accept a connection");
                tokio::time::sleep(ACCEPT_PAUSE).await;
                continue;
            }
        };
        let Some(permit) = limiter.admit(permit, peer) else {
            tracing::debug!(address = %peer.0, "closed a connection: its address has too many");
            continue;
        };
        // Answers are small and should leave at once.
        if let Err(error) = stream.set_nodelay(true) {
            tracing::debug!(%error, "could not set TCP_NODELAY");
        }
        let backlog = backlogs.open(permit.unsent().clone());
        let (app, router, begun) = (app.clone(), service.clone(), Notify::new());
        let context = Arc::new(ConnectionContext { app, router, peer, permit, backlog, begun });
        open.spawn(protocols.clone().serve(stream, context));
    }
    drop(listener);
    backlogs.close();
    open.close();
    if tokio::time::timeout(DRAIN_DEADLINE, open.wait()).await.is_err() {
        tracing::warn!("some connections did not close in time");
    }
}

/// Serves connections over HTTP/1.1 or HTTP/2.
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
            .max_header_size(BUFFER_BYTES)
            .max_buf_size(BUFFER_BYTES);
        let mut http2 = http2::Builder::new(TokioExecutor::new());
        http2
            .timer(TokioTimer::new())
            .keep_alive_interval(Some(HEADER_DEADLINE))
            .max_concurrent_streams(STREAMS)
            .max_pending_accept_reset_streams(EARLY_RESETS)
            .max_header_list_size(HEADER_LIST)
            .max_send_buf_size(BUFFER_BYTES)
            .initial_stream_window_size(STREAM_WINDOW)
            .initial_connection_window_size(CONNECTION_WINDOW);
        Self { app, http1, http2 }
    }

    /// Serves a connection until it ends. After shutdown it finishes the requests in flight and takes no more.
    #[expect(
        clippy::manual_async_fn,
        reason = "an async fn would store its arguments twice, in each of many connections"
    )]
    fn serve(self: Arc<Self>, stream: TcpStream, context: Arc<ConnectionContext>) -> impl Future<Output = ()> + Send {
        async move {
            let served = self.serve_http(stream, &context);
            tokio::select! {
                biased;
                ended = served => {
                    if let Err(error) = ended {
                        tracing::debug!(error, "a connection failed");
                    }
                }
                why = close_reason(&context) => tracing::debug!(address = %context.peer.0, "{why}"),
            }
        }
    }

    /// Detects the protocol and serves the connection. Futures that are needed only for a while are boxed, so that open
    /// connections stay small.
    async fn serve_http(&self, stream: TcpStream, context: &Arc<ConnectionContext>) -> Result<(), BoxError> {
        // If the server closes before the protocol is known, there is no request to answer.
        let known = Box::pin(self.app.closing.run_until_cancelled(speaks_http2(&stream))).await;
        let Some(speaks_http2) = known else { return Ok(()) };
        let (backlog, closing, context) = (context.backlog.clone(), context.backlog.closing(), context.clone());
        if speaks_http2? {
            let address = Some(context.peer.0).filter(|address| !self.app.edge.proxies.trusts(*address)).map(caller);
            let io = TokioIo::new(MeteredIo::http2(stream, backlog, self.app.clone(), address));
            let mut connection = Box::pin(self.http2.serve_connection(io, ConnectionService(context)));
            return Ok(run_until_closed(&mut connection, closing, http2::Connection::graceful_shutdown).await?);
        }
        let io = TokioIo::new(MeteredIo::http1(stream, backlog, self.app.clone()));
        let mut connection = Box::pin(self.http1.serve_connection(io, ConnectionService(context)).with_upgrades());
        Ok(run_until_closed(&mut connection, closing, http1::UpgradeableConnection::graceful_shutdown).await?)
    }
}

/// What the requests of one connection share.
struct ConnectionContext {
    app: Arc<App>,
    router: Router,
    peer: Peer,
    permit: ConnectionPermit,
    backlog: Arc<Backlog>,
    /// Notified of every request; [`close_reason`] waits for the first.
    begun: Notify,
}

/// The hyper service of one connection.
struct ConnectionService(Arc<ConnectionContext>);

impl Service<Request<Incoming>> for ConnectionService {
    type Response = Response<AnswerBody>;
    type Error = Infallible;
    /// Boxed: hyper reserves space for it as long as the connection is open, even while it only streams an answer.
    type Future = BoxFuture<'static, Result<Self::Response, Infallible>>;

    fn call(&self, mut request: Request<Incoming>) -> Self::Future {
        let context = self.0.clone();
        context.begun.notify_one();
        let mut unfinished = None;
        if request.version() == Version::HTTP_2 {
            context.backlog.count_request();
            if !request.body().is_end_stream() {
                unfinished = context.backlog.begin_body();
                if unfinished.is_none() {
                    return Box::pin(async move { Ok(context.refuse().await) });
                }
            }
        }
        let arrival = Arrival::over(context.permit.clone(), &context.app.edge.proxies, request.headers());
        request.extensions_mut().insert(arrival);
        let (request, rest) = RequestBody::of(request, unfinished);
        let answering = context.router.clone().call(request);
        Box::pin(async move {
            let backlog = &context.backlog;
            backlog.has_room().await;
            // Checked before the request does any work; it is only routed so far.
            if backlog.is_exceeded_by(1) {
                drop(answering);
                return Ok(Box::pin(context.refuse()).await);
            }
            let Ok(answer) = answering.await;
            if answer.status() == StatusCode::SWITCHING_PROTOCOLS {
                backlog.expect_switch(answer.extensions().get::<Payer>().copied());
            }
            // Counted before draining the request, because the answer waits in memory meanwhile.
            let answer = AnswerBody::count(answer, backlog).unwrap_or_else(overloaded);
            if let Some(rest) = rest.and_then(|rest| rest.before(answer.status())) {
                Box::pin(drain(rest)).await;
            }
            Ok(answer)
        })
    }
}

impl ConnectionContext {
    /// Refuses a request of an address with too many unread bytes. The request was not charged for, so its refusal is
    /// delayed, as all refusals are.
    async fn refuse(&self) -> Response<AnswerBody> {
        let connection = self.permit.refusals();
        // Clients behind a trusted proxy do not delay each other.
        let address = connection.map(|_| caller(self.peer.0));
        self.app.edge.budgets.refusals.hold(address, connection).await;
        overloaded()
    }
}

/// The refusal while an address has too many unread bytes. It has no body, so it adds no unread bytes.
fn overloaded() -> Response<AnswerBody> {
    let mut response = Response::new(AnswerBody::empty());
    *response.status_mut() = StatusCode::SERVICE_UNAVAILABLE;
    response.headers_mut().insert(header::RETRY_AFTER, HeaderValue::from_static("1"));
    response
}

/// Whether a client sends the HTTP/2 preface. It peeks at the socket: hyper-util's detection reads the bytes and puts
/// them back, which doubles the buffer of every connection.
async fn speaks_http2(stream: &TcpStream) -> io::Result<bool> {
    let mut received = [0; PREFACE.len()];
    let mut pause = PREFACE_PAUSE;
    loop {
        let seen = stream.peek(&mut received).await?;
        if seen == 0 || received[..seen] != PREFACE[..seen] {
            return Ok(false);
        }
        if seen == PREFACE.len() {
            return Ok(true);
        }
        tokio::time::sleep(pause).await;
        pause *= 2;
    }
}

async fn run_until_closed<C: Future>(
    connection: &mut Pin<Box<C>>,
    closing: &Signal,
    shut_down: fn(Pin<&mut C>),
) -> C::Output {
    tokio::select! {
        biased;
        ended = connection.as_mut() => return ended,
        () = closing.raised() => shut_down(connection.as_mut()),
    }
    connection.await
}

/// Resolves with the reason if a connection is to be closed: no request in time, unread answers, or too many delayed
/// refusals. The timeout for the first request is needed because hyper's begins only once the protocol is known. It is
/// boxed so that it is freed after the first request.
async fn close_reason(context: &ConnectionContext) -> &'static str {
    if Box::pin(tokio::time::timeout(HEADER_DEADLINE, context.begun.notified())).await.is_err() {
        return "closed a connection without a request";
    }
    tokio::select! {
        biased;
        () = context.backlog.stalled().raised() => "closed a connection that does not read its answers",
        () = context.permit.flooded().raised() => "closed a connection with too many refusals in flight",
    }
}
