//! WebSocket session: reads and handles the messages of one socket. One task reads, one writes, and every operation has
//! its own. Messages to the client wait in a bounded queue, so a slow reader gets back-pressure and costs no memory.

use super::operations::{NotBegun, Operations, Ticket};
use super::protocol::{Authorization, ClientMessage, Close, Init, ServerMessage};
use super::writing::{Outgoing, SocketQueue, send, send_answers};
use crate::auth::{AuthError, Caller, token_of};
use crate::edge::unsent_bytes::UnsentBytes;
use crate::graphql::request_context::RequestContext;
use crate::graphql::transport::Transport;
use crate::graphql::transport::http::{BODY_LIMIT, RequestScope};
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
const CLOSE_DEADLINE: Duration = Duration::from_secs(2);

pub struct SocketSession {
    scope: RequestScope,
    caller: Option<Caller>,
    acknowledged: bool,
    operations: Arc<Operations>,
    /// Tasks of queries and mutations, which end by themselves.
    short_operations: TaskTracker,
}

/// The effect of a message on the session.
enum SocketEvent {
    None,
    /// The client was acknowledged, with or without a token.
    Acknowledged,
}

impl SocketSession {
    pub fn new(scope: RequestScope, caller: Option<Caller>) -> Self {
        Self { scope, caller, acknowledged: false, operations: Arc::default(), short_operations: TaskTracker::new() }
    }

    /// Serves a socket to its end. `unsent` counts the bytes that wait for its address. Not an `async fn`: its future
    /// would hold the arguments twice.
    pub fn run(self, socket: WebSocket, unsent: UnsentBytes) -> impl Future<Output = ()> + Send + use<> {
        let mut this = Box::new(self);
        let (sink, mut stream) = socket.split();
        let (out, writing) = SocketQueue::new(sink, this.operations.clone(), unsent);
        async move {
            let close = this.read(&mut stream, &out).await;
            // Boxed: see docs/performance.md.
            Box::pin(this.close(close, stream, out, writing)).await;
        }
    }

    /// Stops all operations and closes the socket with a reason.
    async fn close(
        self: Box<Self>,
        close: Option<Close>,
        mut stream: SplitStream<WebSocket>,
        out: SocketQueue,
        mut writing: JoinHandle<()>,
    ) {
        if close == Some(Close::GOING_AWAY) {
            self.short_operations.close();
            let _in_time = timeout(DRAIN_DEADLINE, self.short_operations.wait()).await;
        }
        self.operations.stop_all();
        if let Some(close) = close {
            out.send_within(Message::Close(Some(close.frame())), DRAIN_DEADLINE).await;
        }
        drop(out);
        if timeout(DRAIN_DEADLINE, &mut writing).await.is_err() {
            writing.abort();
        }
        // Unread input would reset the connection before the client has received the close frame.
        let _in_time = timeout(CLOSE_DEADLINE, async { while let Some(Ok(_)) = stream.next().await {} }).await;
    }

    /// Reads messages until the socket is to be closed. Returns the reason, or `None` if it is closed already.
    async fn read(&mut self, stream: &mut SplitStream<WebSocket>, out: &SocketQueue) -> Option<Close> {
        let shutdown = self.scope.app.closing.clone();
        let settings = &self.scope.graphql.settings;
        // Boxed, so that a session holds only the timers that it still needs.
        let mut too_late: BoxFuture<'static, ()> = Box::pin(sleep(settings.init_deadline));
        let mut pulse = interval(settings.keep_alive);
        pulse.set_missed_tick_behavior(MissedTickBehavior::Delay);
        pulse.reset();
        let mut ended: BoxFuture<'static, ()> = Box::pin(live::ended(self.scope.app.identity.clone(), self.caller));
        let mut quiet = 0;
        loop {
            let message = tokio::select! {
                biased;
                () = shutdown.cancelled() => return Some(Close::GOING_AWAY),
                () = out.closed() => return None,
                () = &mut ended => return Some(Close::FORBIDDEN),
                () = &mut too_late => return Some(Close::INIT_TIMEOUT),
                _ = pulse.tick() => {
                    quiet += 1;
                    if quiet > 2 {
                        return Some(Close::QUIET);
                    }
                    // If the queue is full, other messages will be written anyway.
                    out.try_send(Message::Ping(Bytes::new()));
                    continue;
                }
                message = stream.next() => message?,
            };
            quiet = 0;
            let text = match message {
                Ok(Message::Text(text)) if text.len() > BODY_LIMIT => return Some(Close::TOO_LONG),
                Ok(Message::Text(text)) => text,
                Ok(Message::Binary(_)) => return Some(Close::bad_message("messages must be text")),
                // axum answers pings by itself.
                Ok(Message::Ping(_) | Message::Pong(_)) => {
                    let slow = Box::pin(self.slow_down(prices::CONTROL_FRAME));
                    if shutdown.run_until_cancelled(slow).await.is_none() {
                        return Some(Close::GOING_AWAY);
                    }
                    continue;
                }
                Ok(Message::Close(_)) => return None,
                Err(_) => return Some(Close::BROKEN),
            };
            // Handling a message can wait for a slow client; shutting down must not.
            let Some(taken) = shutdown.run_until_cancelled(Box::pin(self.handle(text, out))).await else {
                return Some(Close::GOING_AWAY);
            };
            match taken {
                Ok(SocketEvent::None) => {}
                Ok(SocketEvent::Acknowledged) => {
                    too_late = Box::pin(future::pending());
                    ended = Box::pin(live::ended(self.scope.app.identity.clone(), self.caller));
                }
                Err(close) => return Some(close),
            }
        }
    }

    async fn handle(&mut self, text: Utf8Bytes, out: &SocketQueue) -> Result<SocketEvent, Close> {
        let mut event = SocketEvent::None;
        let reply = match ClientMessage::read(&text)? {
            ClientMessage::Subscribe { id, request } => {
                self.subscribe(&id, *request, out).await?;
                return Ok(event);
            }
            ClientMessage::ConnectionInit(init) => {
                self.slow_down(prices::DOCUMENT).await;
                self.acknowledge(init).await?;
                event = SocketEvent::Acknowledged;
                ServerMessage::ConnectionAck
            }
            ClientMessage::Ping(payload) => {
                self.slow_down(prices::DOCUMENT).await;
                ServerMessage::Pong { payload }
            }
            ClientMessage::Pong => {
                self.slow_down(prices::DOCUMENT).await;
                return Ok(event);
            }
            ClientMessage::Complete { id } => {
                self.slow_down(prices::DOCUMENT).await;
                self.operations.stop(&id);
                return Ok(event);
            }
        };
        send(out, Outgoing::Plain(Message::Text(reply.text()))).await;
        Ok(event)
    }

    /// Charges for a message that is never refused: clients that send too many are read more slowly.
    async fn slow_down(&self, points: u32) {
        Meter::new(self.scope.meter.address()).pace(&self.scope.app.edge.budgets, None, points).await;
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
            self.caller = Some(self.scope.app.identity.authenticate_token(token).await.map_err(closes)?);
        }
        if let Some(wanted) = &init.accept_language {
            self.scope.language = Language::negotiate(wanted);
        }
        self.acknowledged = true;
        Ok(())
    }

    async fn subscribe(&mut self, id: &str, request: Request, out: &SocketQueue) -> Result<(), Close> {
        if !self.acknowledged {
            return Err(Close::NOT_ACKNOWLEDGED);
        }
        let signed_in = self.signed_in().await?;
        let most = self.scope.graphql.settings.operations;
        let refusal = match self.operations.begin(id, most) {
            Err(NotBegun::InUse) => return Err(Close::id_in_use(id)),
            Err(NotBegun::TooMany) => RequestError::exceeds("operations", most),
            Ok(ticket) => {
                let meter = Arc::new(Meter::new(self.scope.meter.address()));
                let admitted = match signed_in {
                    Ok(()) => self.admit(&meter).await,
                    refused => refused,
                };
                let context = RequestContext::new(self.scope.app.clone(), self.caller, self.scope.language, meter);
                let graphql = &self.scope.graphql;
                match admitted.and_then(|()| graphql.prepare(request, &mut graphql.budget(), &context)) {
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
        let errors = [refusal.render(&self.scope.app, self.scope.language)];
        let message = ServerMessage::Error { id, payload: &errors }.text();
        send(out, Outgoing::Plain(Message::Text(message))).await;
        Ok(())
    }

    /// Whether the caller's session is still valid. While this can't be checked, new operations are refused, but
    /// running subscriptions continue.
    async fn signed_in(&self) -> Result<Result<(), RequestError>, Close> {
        let Some(caller) = &self.caller else { return Ok(Ok(())) };
        match self.scope.app.identity.admit(caller).await {
            Ok(()) => Ok(Ok(())),
            Err(refused @ AuthError::Unavailable(_)) => Ok(Err(refused.into())),
            Err(refused) => Err(closes(refused)),
        }
    }

    /// Charges an operation like a request.
    async fn admit(&self, meter: &Meter) -> Result<(), RequestError> {
        let budgets = &self.scope.app.edge.budgets;
        // A socket starts one operation at a time, so no queue of waiting requests can build up.
        meter.admit(budgets, prices::DOCUMENT, None).await?;
        Ok(self.caller.map_or(Ok(()), |caller| meter.identify(budgets, caller.player))?)
    }

    fn start(&self, ticket: Ticket, operation: Operation, out: &SocketQueue, context: Arc<RequestContext>) {
        let graphql = self.scope.graphql.clone();
        let (out, noted) = (out.clone(), ticket.clone());
        let task = if operation.ty == OperationType::Subscription {
            let counted = self.scope.app.edge.metrics.count_stream();
            let answers = graphql.subscribe(operation, &context, Transport::WebSocket);
            // Boxed: see docs/performance.md.
            let answers = answers.then(move |answer| Box::pin(if_signed_in(answer, context.clone())));
            tokio::spawn(send_answers(Box::pin(answers), ticket, out).map(move |()| drop(counted)))
        } else {
            self.short_operations.spawn(async move {
                let answer = graphql.execute(operation, &context, Transport::WebSocket);
                send_answers(Box::pin(futures::stream::once(answer)), ticket, out).await;
            })
        };
        self.operations.started(&noted, task.abort_handle());
    }
}

/// Returns an answer of a subscription if the caller is still signed in. Otherwise waits: the socket is about to be
/// closed.
async fn if_signed_in(answer: Answer, context: Arc<RequestContext>) -> Answer {
    if live::is_still_signed_in(context.app().identity.clone(), context.caller).await {
        answer
    } else {
        future::pending().await
    }
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
