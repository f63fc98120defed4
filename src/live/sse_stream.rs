//! Somebody who listens to server-sent events: told each of them, told now and then that we are still here, and looked at
//! now and then to see whether they are still signed in. One timer and one small struct for all of that: most who listen
//! hear nothing for a long time, and cost what is kept for them.

use super::session_lifetime::{next_look, still_in};
use crate::app::App;
use crate::auth::{Caller, Identity};
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

/// Often enough that no proxy takes a quiet stream for a dead one.
const KEEP_ALIVE: Duration = Duration::from_secs(15);
/// When to come back to a server that restarts.
const COME_BACK: Duration = Duration::from_secs(1);

/// Whether it is asked before each event if the caller may still hear it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tells {
    /// Nothing is told after a sign-out.
    IfStillIn,
    /// The answer to what was asked before it.
    Anyway,
}

/// What each event costs the client that listens, and who that is.
#[derive(Clone, Copy, Debug)]
pub struct Charge {
    pub client: Client,
    pub points: u32,
}

/// Serves events until they end, the caller's token or sign-in does, or the server shuts down.
/// A client whose budget is used up is sent the next event later, and misses none.
pub fn listen<S, E>(events: S, app: &App, caller: Option<Caller>, tells: Tells, charge: Option<Charge>) -> Response
where
    S: Stream<Item = Result<Event, E>> + Send + Unpin + 'static,
    E: Into<BoxError> + 'static,
{
    let identity = app.identity.clone();
    let quiet_at = Instant::now() + KEEP_ALIVE;
    let look_at = caller.map(|caller| next_look(&identity, &caller));
    let listening = SseStream {
        events,
        tells,
        charge: charge.map(|charge| (charge, app.edge.budgets.clone())),
        caller,
        identity,
        asked: None,
        asked_after: None,
        held: None,
        pause: None,
        paid_in_vain: 0,
        look_at,
        quiet_at,
        timer: Box::pin(sleep_until(soonest(quiet_at, look_at))),
        closing: app.closing.clone(),
        closed: Box::pin(app.closing.clone().cancelled_owned()),
        greeted: false,
        over: false,
        _counted: app.edge.metrics.count_stream(),
    };
    let mut response = Sse::new(listening).into_response();
    // A proxy such as nginx keeps answers back until they are large, or complete, unless it is told not to.
    response.headers_mut().insert("x-accel-buffering", HeaderValue::from_static("no"));
    response
}

struct SseStream<S, C> {
    events: S,
    tells: Tells,
    charge: Option<(Charge, Arc<Budgets>)>,
    caller: Option<Caller>,
    identity: Arc<Identity>,
    /// Whether the caller is still signed in, while that is being asked.
    asked: Option<BoxFuture<'static, bool>>,
    /// How much had been ended when that was asked last: while it is the same, so is the answer.
    asked_after: Option<u64>,
    /// What is told next.
    held: Option<Held>,
    /// What an event waits for that can't be paid yet, and how often it could not be.
    pause: Option<Pin<Box<Sleep>>>,
    paid_in_vain: u32,
    /// When that is asked next, even if there is nothing to tell; never of somebody without a token.
    look_at: Option<Instant>,
    /// When there has been nothing to tell for so long that we say so.
    quiet_at: Instant,
    /// Rings when one of the two is due, or earlier: telling something does not set it.
    timer: Pin<Box<Sleep>>,
    closing: CancellationToken,
    closed: Pin<Box<WaitForCancellationFutureOwned>>,
    /// Whether anything was sent yet. The first bytes tell proxies and clients that the stream is open.
    greeted: bool,
    over: bool,
    /// Counts it for as long as it is kept.
    _counted: C,
}

/// An event on its way: it is paid first, so that nothing has changed meanwhile when it is asked whether it may be told.
enum Held {
    Unpaid(Event),
    /// Told if the caller is still signed in.
    Asked(Event),
}

impl<S, E, C> SseStream<S, C>
where
    S: Stream<Item = Result<Event, E>> + Unpin,
{
    /// The next event that the caller may hear; nothing once there is none.
    fn poll_event(&mut self, context: &mut Context<'_>) -> Poll<Option<Result<Event, E>>> {
        loop {
            if self.closed.as_mut().poll(context).is_ready() {
                return Poll::Ready(None);
            }
            if let (Some(caller), Some(look_at)) = (&self.caller, self.look_at)
                && Instant::now() >= look_at
            {
                if self.identity.now() >= caller.expires_at {
                    return Poll::Ready(None);
                }
                self.look_at = Some(next_look(&self.identity, caller));
                if self.asked.is_none() && !self.knows() {
                    self.ask();
                }
            }
            if let Some(asked) = &mut self.asked {
                let still_in = ready!(asked.as_mut().poll(context));
                self.asked = None;
                if !still_in {
                    return Poll::Ready(None);
                }
            }
            if let Some(pause) = &mut self.pause {
                ready!(pause.as_mut().poll(context));
                self.pause = None;
            }
            let event = match self.held.take() {
                Some(Held::Asked(event)) => return Poll::Ready(Some(Ok(event))),
                Some(Held::Unpaid(event)) => event,
                None => match ready!(self.events.poll_next_unpin(context)) {
                    Some(Ok(event)) => event,
                    other => return Poll::Ready(other),
                },
            };
            if let Err(limited) = self.pay() {
                self.held = Some(Held::Unpaid(event));
                self.pause = Some(Box::pin(sleep(limited.pause(self.paid_in_vain))));
                self.paid_in_vain += 1;
                continue;
            }
            self.paid_in_vain = 0;
            if !self.must_ask() {
                return Poll::Ready(Some(Ok(event)));
            }
            self.held = Some(Held::Asked(event));
            self.ask();
        }
    }

    /// Charges the client for the next event.
    fn pay(&self) -> Result<(), Limited> {
        let Some((charge, budgets)) = &self.charge else { return Ok(()) };
        budgets.charge(&charge.client, charge.points).map(|_| ())
    }

    /// Whether the next event depends on an answer that may be another one by now.
    fn must_ask(&self) -> bool {
        self.tells == Tells::IfStillIn && self.caller.is_some() && !self.knows()
    }

    /// Whether the answer to what was asked last is still the same.
    fn knows(&self) -> bool {
        self.asked_after.is_some() && self.asked_after == self.identity.revocations()
    }

    fn ask(&mut self) {
        self.asked_after = self.identity.revocations();
        self.asked = Some(Box::pin(still_in(self.identity.clone(), self.caller)));
    }

    /// Tells whoever listens to come back soon, if it is because of us that the stream ends.
    fn farewell(&self) -> Option<Event> {
        self.closing.is_cancelled().then(|| Event::default().retry(COME_BACK))
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
        if this.over {
            return Poll::Ready(None);
        }
        if !this.greeted {
            this.greeted = true;
            return Poll::Ready(Some(Ok(Event::default().comment("here"))));
        }
        loop {
            if let Poll::Ready(told) = this.poll_event(context) {
                this.quiet_at = Instant::now() + KEEP_ALIVE;
                this.over = told.is_none();
                return Poll::Ready(told.or_else(|| this.farewell().map(Ok)));
            }
            ready!(this.timer.as_mut().poll(context));
            let now = Instant::now();
            let is_quiet = now >= this.quiet_at;
            if is_quiet {
                this.quiet_at = now + KEEP_ALIVE;
            }
            this.timer.as_mut().reset(soonest(this.quiet_at, this.look_at));
            if is_quiet {
                return Poll::Ready(Some(Ok(Event::default().comment("still here"))));
            }
        }
    }
}

fn soonest(quiet_at: Instant, look_at: Option<Instant>) -> Instant {
    look_at.map_or(quiet_at, |look_at| look_at.min(quiet_at))
}
