//! WebSocket session: reads and handles the messages of one socket. One task reads, one writes, and every operation has
//! its own. Messages to the client wait in a bounded queue, so a slow reader gets back-pressure and costs no memory.

use super::operations::{NotBegun, Operations, Ticket};
use super::protocol::{Authorization, Close, Heard, Init, Said};
use super::writing::{Out, Outgoing, say, tell};
use crate::auth::{AuthError, Caller, token_of};
use crate::edge::unsent_bytes::UnsentBytes;
use crate::graphql::request_context::RequestContext;
use crate::graphql::transport::Transport;
use crate::graphql::transport::http::{BODY_LIMIT, Visit};
use crate::graphql::transport::operation::Operation;
use crate::graphql::transport::request_error::RequestError;
use crate::graphql::transport::response::Answer;
use crate::live;
use crate::quota::{Meter, prices};
use crate::texts::Language;
use async_graphql::Request;
use async_graphql::parser::types::OperationType;
use axum::body::Bytes;
use axum::extract::ws::{Message, Utf8Bytes, WebSocket};
use futures::future::BoxFuture;
use futures::stream::SplitStream;
use futures::{FutureExt, StreamExt, future};
use std::sync::Arc;
use std::time::Duration;
use tokio::task::JoinHandle;
use tokio::time::{MissedTickBehavior, interval, sleep, timeout};
use tokio_util::task::TaskTracker;

/// On shutdown, how long to wait for queries and mutations in progress.
const DRAIN_DEADLINE: Duration = Duration::from_secs(5);

/// How long to wait for the client to close its side.
const FAREWELL: Duration = Duration::from_secs(2);

/// The state of a socket.
pub struct SocketSession {
    visit: Visit,
    caller: Option<Caller>,
    acknowledged: bool,
    operations: Arc<Operations>,
    /// Tasks of queries and mutations, which end by themselves.
    brief: TaskTracker,
}

/// The effect of a message on the session.
enum SocketEvent {
    None,
    /// The client was acknowledged, with or without a token.
    Acknowledged,
}

impl SocketSession {
    pub fn new(visit: Visit, caller: Option<Caller>) -> Self {
        Self { visit, caller, acknowledged: false, operations: Arc::default(), brief: TaskTracker::new() }
    }

    /// Serves a socket to its end. `unsent` counts the bytes that wait for its address. Not an `async fn`: its future
    /// would hold the arguments twice.
    pub fn run(self, socket: WebSocket, unsent: UnsentBytes) -> impl Future<Output = ()> + Send + use<> {
        let mut this = Box::new(self);
        let (sink, mut stream) = socket.split();
        let (out, writing) = Out::new(sink, this.operations.clone(), unsent);
        async move {
            let close = this.hear(&mut stream, &out).await;
            // Boxed: see docs/performance.md.
            Box::pin(this.part(close, stream, out, writing)).await;
        }
    }

    /// Stops all operations and closes the socket with a reason.
    async fn part(
        self: Box<Self>,
        close: Option<Close>,
        mut stream: SplitStream<WebSocket>,
        out: Out,
        mut writing: JoinHandle<()>,
    ) {
        if close == Some(Close::GOING_AWAY) {
            self.brief.close();
            let _in_time = timeout(DRAIN_DEADLINE, self.brief.wait()).await;
        }
        self.operations.stop_all();
        if let Some(close) = close {
            out.say_in_time(Message::Close(Some(close.frame())), DRAIN_DEADLINE).await;
        }
        drop(out);
        if timeout(DRAIN_DEADLINE, &mut writing).await.is_err() {
            writing.abort();
        }
        // Unread input would reset the connection before the client has received the close frame.
        let _in_time = timeout(FAREWELL, async { while let Some(Ok(_)) = stream.next().await {} }).await;
    }

    /// Reads messages until the socket is to be closed. Returns the reason, or `None` if it is closed already.
    async fn hear(&mut self, stream: &mut SplitStream<WebSocket>, out: &Out) -> Option<Close> {
        let closing = self.visit.app.closing.clone();
        let settings = &self.visit.graphql.settings;
        // Boxed, so that a session holds only the timers that it still needs.
        let mut too_late: BoxFuture<'static, ()> = Box::pin(sleep(settings.init_deadline));
        let mut pulse = interval(settings.keep_alive);
        pulse.set_missed_tick_behavior(MissedTickBehavior::Delay);
        pulse.reset();
        let mut ended: BoxFuture<'static, ()> = Box::pin(live::ended(self.visit.app.identity.clone(), self.caller));
        let mut quiet = 0;
        loop {
            let message = tokio::select! {
                biased;
                () = closing.cancelled() => return Some(Close::GOING_AWAY),
                () = out.closed() => return None,
                () = &mut ended => return Some(Close::FORBIDDEN),
                () = &mut too_late => return Some(Close::INIT_TIMEOUT),
                _ = pulse.tick() => {
                    quiet += 1;
                    if quiet > 2 {
                        return Some(Close::QUIET);
                    }
                    // If the queue is full, other messages will be written anyway.
                    out.try_say(Message::Ping(Bytes::new()));
                    continue;
                }
                message = stream.next() => message?,
            };
            quiet = 0;
            let text = match message {
                Ok(Message::Text(text)) if text.len() > BODY_LIMIT => return Some(Close::TOO_LONG),
                Ok(Message::Text(text)) => text,
                Ok(Message::Binary(_)) => return Some(Close::bad_message("messages are texts")),
                // axum answers pings by itself.
                Ok(Message::Ping(_) | Message::Pong(_)) => {
                    let slow = Box::pin(self.slow_down(prices::CONTROL_FRAME));
                    if closing.run_until_cancelled(slow).await.is_none() {
                        return Some(Close::GOING_AWAY);
                    }
                    continue;
                }
                Ok(Message::Close(_)) => return None,
                Err(_) => return Some(Close::BROKEN),
            };
            // Handling a message can wait for a slow client; shutting down must not.
            let Some(taken) = closing.run_until_cancelled(Box::pin(self.take(text, out))).await else {
                return Some(Close::GOING_AWAY);
            };
            match taken {
                Ok(SocketEvent::None) => {}
                Ok(SocketEvent::Acknowledged) => {
                    too_late = Box::pin(future::pending());
                    ended = Box::pin(live::ended(self.visit.app.identity.clone(), self.caller));
                }
                Err(close) => return Some(close),
            }
        }
    }

    async fn take(&mut self, text: Utf8Bytes, out: &Out) -> Result<SocketEvent, Close> {
        let mut news = SocketEvent::None;
        let reply = match Heard::read(&text)? {
            Heard::Subscribe { id, request } => {
                self.subscribe(&id, *request, out).await?;
                return Ok(news);
            }
            Heard::ConnectionInit(init) => {
                self.slow_down(prices::DOCUMENT).await;
                self.acknowledge(init).await?;
                news = SocketEvent::Acknowledged;
                Said::ConnectionAck
            }
            Heard::Ping(payload) => {
                self.slow_down(prices::DOCUMENT).await;
                Said::Pong { payload }
            }
            Heard::Pong => {
                self.slow_down(prices::DOCUMENT).await;
                return Ok(news);
            }
            Heard::Complete { id } => {
                self.slow_down(prices::DOCUMENT).await;
                self.operations.stop(&id);
                return Ok(news);
            }
        };
        say(out, Outgoing::Plain(Message::Text(reply.text()))).await;
        Ok(news)
    }

    /// Charges for a message that is never refused: clients that send too many are read more slowly.
    async fn slow_down(&self, points: u32) {
        Meter::new(self.visit.meter.address()).pace(&self.visit.app.edge.budgets, None, points).await;
    }

    async fn acknowledge(&mut self, init: Init) -> Result<(), Close> {
        if self.acknowledged {
            return Err(Close::INIT_TWICE);
        }
        let token = match &init.authorization {
            None => None,
            Some(Authorization::Token(token)) => Some(token.as_str()),
            Some(Authorization::WithScheme(text)) => Some(token_of(text).map_err(|_| Close::FORBIDDEN)?),
        };
        if let Some(token) = token {
            self.caller = Some(self.visit.app.identity.authenticate_token(token).await.map_err(closes)?);
        }
        if let Some(wanted) = &init.accept_language {
            self.visit.language = Language::negotiate(wanted);
        }
        self.acknowledged = true;
        Ok(())
    }

    async fn subscribe(&mut self, id: &str, request: Request, out: &Out) -> Result<(), Close> {
        if !self.acknowledged {
            return Err(Close::NOT_ACKNOWLEDGED);
        }
        let signed_in = self.signed_in().await?;
        let most = self.visit.graphql.settings.operations;
        let refusal = match self.operations.begin(id, most) {
            Err(NotBegun::InUse) => return Err(Close::id_in_use(id)),
            Err(NotBegun::TooMany) => RequestError::exceeds("operations", most),
            Ok(ticket) => {
                let meter = Arc::new(Meter::new(self.visit.meter.address()));
                let let_in = match signed_in {
                    Ok(()) => self.let_in(&meter).await,
                    refused => refused,
                };
                let context = RequestContext::new(self.visit.app.clone(), self.caller, self.visit.language, meter);
                let graphql = &self.visit.graphql;
                match let_in.and_then(|()| graphql.prepare(request, &mut graphql.budget(), &context)) {
                    Ok(operation) => {
                        self.start(ticket, operation, out, context);
                        return Ok(());
                    }
                    Err(refusal) => {
                        self.operations.end(&ticket);
                        refusal
                    }
                }
            }
        };
        let errors = [refusal.render(&self.visit.app, self.visit.language)];
        let said = Said::Error { id, payload: &errors }.text();
        say(out, Outgoing::Plain(Message::Text(said))).await;
        Ok(())
    }

    /// Whether the caller's session is still valid. While this can't be checked, new operations are refused, but
    /// running subscriptions continue.
    async fn signed_in(&self) -> Result<Result<(), RequestError>, Close> {
        let Some(caller) = &self.caller else { return Ok(Ok(())) };
        match self.visit.app.identity.admit(caller).await {
            Ok(()) => Ok(Ok(())),
            Err(refused @ AuthError::Unavailable(_)) => Ok(Err(refused.into())),
            Err(refused) => Err(closes(refused)),
        }
    }

    /// Charges an operation like a request.
    async fn let_in(&self, meter: &Meter) -> Result<(), RequestError> {
        let budgets = &self.visit.app.edge.budgets;
        // A socket starts one operation at a time, so no queue of waiting requests can build up.
        meter.admit(budgets, prices::DOCUMENT, None).await?;
        Ok(self.caller.map_or(Ok(()), |caller| meter.identify(budgets, caller.player))?)
    }

    fn start(&self, ticket: Ticket, operation: Operation, out: &Out, context: Arc<RequestContext>) {
        let graphql = self.visit.graphql.clone();
        let (out, noted) = (out.clone(), ticket.clone());
        let task = if operation.sort == OperationType::Subscription {
            let counted = self.visit.app.edge.metrics.count_stream();
            let answers = graphql.subscribe(operation, &context, Transport::WebSocket);
            // Boxed: see docs/performance.md.
            let answers = answers.then(move |answer| Box::pin(if_signed_in(answer, context.clone())));
            tokio::spawn(tell(Box::pin(answers), ticket, out).map(move |()| drop(counted)))
        } else {
            self.brief.spawn(async move {
                let answer = graphql.execute(operation, &context, Transport::WebSocket);
                tell(Box::pin(futures::stream::once(answer)), ticket, out).await;
            })
        };
        self.operations.started(&noted, task.abort_handle());
    }
}

/// Returns an answer of a subscription if the caller is still signed in. Otherwise waits: the socket is about to be
/// closed.
async fn if_signed_in(answer: Answer, context: Arc<RequestContext>) -> Answer {
    if live::still_in(context.app().identity.clone(), context.caller).await { answer } else { future::pending().await }
}

/// The close code for a failed authentication. After 4403, clients can reconnect with a new token.
fn closes(refused: AuthError) -> Close {
    match refused {
        AuthError::NoToken | AuthError::BadToken => Close::FORBIDDEN,
        AuthError::Unavailable(error) => {
            tracing::error!(%error, "a token could not be checked");
            Close::INTERNAL
        }
    }
}
