//! Server-sent events: keep-alives, rate limit and session checks of one stream. One timer and one small struct serve
//! all of these: most streams are quiet for a long time, and cost the memory that they hold.

use super::session_lifetime::SessionWatch;
use crate::app::App;
use crate::auth::Caller;
use crate::quota::{Budgets, Client, Limited};
use axum::BoxError;
use axum::http::HeaderValue;
use axum::response::sse::{Event, Sse};
use axum::response::{IntoResponse, Response};
use futures::future::BoxFuture;
use futures::{Stream, StreamExt};
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, ready};
use std::time::Duration;
use tokio::time::{Instant, Sleep, sleep, sleep_until};
use tokio_util::sync::{CancellationToken, WaitForCancellationFutureOwned};

/// Short enough that no proxy closes a quiet stream as dead.
const KEEP_ALIVE: Duration = Duration::from_secs(15);
/// The `retry` time for clients of a server that shuts down.
const RECONNECT_DELAY: Duration = Duration::from_secs(1);

/// When the caller's session is checked, besides periodically.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SessionRecheck {
    /// Before each event too: a sign-out stops events at once, and within seconds if it was on another node.
    BeforeEachEvent,
    /// At no other time: for the answer to a request that was admitted before.
    Periodic,
}

/// What each event costs, and the client that is charged.
#[derive(Clone, Copy, Debug)]
pub struct Charge {
    pub client: Client,
    pub points: u32,
}

/// Serves events until they end, the caller's token expires, its session is revoked, or the server shuts down. A client
/// whose budget is used up gets the next event later, and misses none.
pub fn sse_response<S, E>(
    events: S,
    app: &App,
    caller: Option<Caller>,
    recheck: SessionRecheck,
    charge: Option<Charge>,
) -> Response
where
    S: Stream<Item = Result<Event, E>> + Send + Unpin + 'static,
    E: Into<BoxError> + 'static,
{
    let quiet_at = Instant::now() + KEEP_ALIVE;
    let watch = caller.map(|caller| SessionWatch::new(app.identity.clone(), caller));
    let timer = Box::pin(sleep_until(earliest(quiet_at, watch.as_ref())));
    let stream = SseStream {
        events,
        recheck,
        charge: charge.map(|charge| (charge, app.edge.budgets.clone())),
        watch,
        check: None,
        held: None,
        pause: None,
        failed_payments: 0,
        quiet_at,
        timer,
        closing: app.closing.clone(),
        closed: Box::pin(app.closing.clone().cancelled_owned()),
        opened: false,
        has_ended: false,
        _counted: app.edge.metrics.count_stream(),
    };
    let mut response = Sse::new(stream).into_response();
    // Without this header, a proxy such as nginx buffers responses until they are large, or complete.
    response.headers_mut().insert("x-accel-buffering", HeaderValue::from_static("no"));
    response
}

struct SseStream<S, C> {
    events: S,
    recheck: SessionRecheck,
    charge: Option<(Charge, Arc<Budgets>)>,
    /// None without a caller.
    watch: Option<SessionWatch>,
    /// The session check that is running.
    check: Option<BoxFuture<'static, bool>>,
    held: Option<Held>,
    /// Delay until the next attempt to pay for an event.
    pause: Option<Pin<Box<Sleep>>>,
    failed_payments: u32,
    /// When the next keep-alive is due.
    quiet_at: Instant,
    /// Fires when a keep-alive or a check is due, or earlier: sending an event does not reset it.
    timer: Pin<Box<Sleep>>,
    closing: CancellationToken,
    closed: Pin<Box<WaitForCancellationFutureOwned>>,
    /// Whether the first comment was sent. Its bytes show proxies and clients that the stream is open.
    opened: bool,
    has_ended: bool,
    /// Counts the stream in the metrics until it is dropped.
    _counted: C,
}

/// A waiting event. It is paid for before its session check, so that nothing delays it after that check.
enum Held {
    Unpaid(Event),
    /// Sent if the session check that is running succeeds.
    Unchecked(Event),
}

impl<S, E, C> SseStream<S, C>
where
    S: Stream<Item = Result<Event, E>> + Unpin,
{
    /// The next event that may be sent; None once the stream ends.
    fn poll_event(&mut self, context: &mut Context<'_>) -> Poll<Option<Result<Event, E>>> {
        loop {
            if self.closed.as_mut().poll(context).is_ready() {
                return Poll::Ready(None);
            }
            if let Some(watch) = &mut self.watch
                && Instant::now() >= watch.next_check()
            {
                if watch.has_expired() {
                    return Poll::Ready(None);
                }
                watch.schedule();
                if self.check.is_none() && watch.needs_check() {
                    self.check = Some(watch.check());
                }
            }
            if let Some(check) = &mut self.check {
                let is_still_signed_in = ready!(check.as_mut().poll(context));
                self.check = None;
                if !is_still_signed_in {
                    return Poll::Ready(None);
                }
            }
            if let Some(pause) = &mut self.pause {
                ready!(pause.as_mut().poll(context));
                self.pause = None;
            }
            let event = match self.held.take() {
                Some(Held::Unchecked(event)) => return Poll::Ready(Some(Ok(event))),
                Some(Held::Unpaid(event)) => event,
                None => match ready!(self.events.poll_next_unpin(context)) {
                    Some(Ok(event)) => event,
                    other => return Poll::Ready(other),
                },
            };
            if let Err(limited) = self.pay() {
                self.held = Some(Held::Unpaid(event));
                self.pause = Some(Box::pin(sleep(limited.pause(self.failed_payments))));
                self.failed_payments += 1;
                continue;
            }
            self.failed_payments = 0;
            match &mut self.watch {
                Some(watch) if self.recheck == SessionRecheck::BeforeEachEvent && watch.needs_check() => {
                    self.held = Some(Held::Unchecked(event));
                    self.check = Some(watch.check());
                }
                _ => return Poll::Ready(Some(Ok(event))),
            }
        }
    }

    fn pay(&self) -> Result<(), Limited> {
        let Some((charge, budgets)) = &self.charge else { return Ok(()) };
        budgets.charge(&charge.client, charge.points).map(|_| ())
    }

    /// Asks the client to reconnect soon, if the stream ends because the server shuts down.
    fn reconnect_event(&self) -> Option<Event> {
        self.closing.is_cancelled().then(|| Event::default().retry(RECONNECT_DELAY))
    }
}

impl<S, E, C> Stream for SseStream<S, C>
where
    S: Stream<Item = Result<Event, E>> + Unpin,
    C: Unpin,
{
    type Item = Result<Event, E>;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        let this = &mut *self;
        if this.has_ended {
            return Poll::Ready(None);
        }
        if !this.opened {
            this.opened = true;
            return Poll::Ready(Some(Ok(Event::default().comment("here"))));
        }
        loop {
            if let Poll::Ready(event) = this.poll_event(context) {
                this.quiet_at = Instant::now() + KEEP_ALIVE;
                this.has_ended = event.is_none();
                return Poll::Ready(event.or_else(|| this.reconnect_event().map(Ok)));
            }
            ready!(this.timer.as_mut().poll(context));
            let now = Instant::now();
            let is_quiet = now >= this.quiet_at;
            if is_quiet {
                this.quiet_at = now + KEEP_ALIVE;
            }
            this.timer.as_mut().reset(earliest(this.quiet_at, this.watch.as_ref()));
            if is_quiet {
                return Poll::Ready(Some(Ok(Event::default().comment("still here"))));
            }
        }
    }
}

fn earliest(quiet_at: Instant, watch: Option<&SessionWatch>) -> Instant {
    watch.map_or(quiet_at, |watch| watch.next_check().min(quiet_at))
}
