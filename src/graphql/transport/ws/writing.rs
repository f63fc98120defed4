//! Writing to a WebSocket: a bounded queue, and the task that writes from it. Back-pressure: while too many bytes wait
//! on a socket, or for its address, its operations wait too.

use super::operations::{Operations, Ticket};
use super::protocol::ServerMessage;
use crate::edge::unsent_bytes::{CONNECTION_LIMIT, CountedBytes, UnsentBytes};
use crate::graphql::transport::response::Answer;
use axum::extract::ws::{Message, Utf8Bytes, WebSocket};
use futures::stream::SplitSink;
use futures::{SinkExt, Stream, StreamExt};
use std::ops::ControlFlow;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::mpsc;
use tokio::task::JoinHandle;
use tokio::time::timeout;

/// The length of the queue, in messages.
const QUEUE: usize = 32;

/// A client that accepts nothing for this long is disconnected.
const WRITE_DEADLINE: Duration = Duration::from_secs(30);

pub enum Outgoing {
    /// A message that belongs to no operation.
    Plain(Message),
    Of(Ticket, Utf8Bytes),
    /// The last message of an operation.
    Last(Ticket, Utf8Bytes),
}

/// A message in the queue, with its counted bytes.
type Queued = (Outgoing, [CountedBytes; 2]);

#[derive(Clone)]
pub struct SocketQueue {
    /// Boxed, because the channel allocates room for many entries at once.
    queue: mpsc::Sender<Box<Queued>>,
    /// Bytes that wait on this socket, and for its address.
    unsent: [UnsentBytes; 2],
}

impl SocketQueue {
    /// Creates the queue of a socket and spawns the task that writes from it.
    pub fn new(
        sink: SplitSink<WebSocket, Message>,
        operations: Arc<Operations>,
        address: UnsentBytes,
    ) -> (Self, JoinHandle<()>) {
        let (queue, queued) = mpsc::channel(QUEUE);
        let writing = tokio::spawn(write(sink, queued, operations));
        (Self { queue, unsent: [UnsentBytes::new(CONNECTION_LIMIT), address] }, writing)
    }

    /// Resolves once there is room for another answer.
    pub async fn has_room(&self) {
        for unsent in self.unsent.iter().filter(|unsent| unsent.is_full()) {
            // Boxed: see docs/performance.md.
            Box::pin(unsent.has_room()).await;
        }
    }

    /// Resolves once the writing task has ended.
    pub async fn closed(&self) {
        self.queue.closed().await;
    }

    /// Queues a message, unless the queue is full.
    pub fn try_send(&self, message: Message) {
        let _no_room = self.queue.try_send(Box::new(self.counted(Outgoing::Plain(message))));
    }

    /// Queues a message, unless the queue stays full for this long.
    pub async fn send_within(&self, message: Message, time: Duration) {
        let last = Box::new(self.counted(Outgoing::Plain(message)));
        let _in_time = self.queue.send_timeout(last, time).await;
    }

    fn counted(&self, outgoing: Outgoing) -> Queued {
        let bytes = outgoing.bytes();
        (outgoing, self.unsent.each_ref().map(|unsent| unsent.count(bytes)))
    }
}

impl Outgoing {
    fn bytes(&self) -> usize {
        match self {
            Outgoing::Plain(Message::Text(text)) | Outgoing::Of(_, text) | Outgoing::Last(_, text) => text.len(),
            Outgoing::Plain(_) => 0,
        }
    }
}

/// Queues a message, waiting for room. If the writing task has ended, the message is dropped.
pub async fn send(out: &SocketQueue, outgoing: Outgoing) {
    let _closed = out.queue.send(Box::new(out.counted(outgoing))).await;
}

/// Sends the answers of an operation, then `complete`. Polls for the next answer only when there is room for it.
pub async fn send_answers(mut answers: impl Stream<Item = Answer> + Unpin, ticket: Ticket, out: SocketQueue) {
    while let Some(answer) = {
        out.has_room().await;
        answers.next().await
    } {
        // Boxed: see docs/performance.md.
        if Box::pin(send_answer(answer, &ticket, &out)).await.is_break() {
            return;
        }
    }
    let text = ServerMessage::Complete { id: &ticket.id }.text();
    Box::pin(send(&out, Outgoing::Last(ticket, text))).await;
}

/// Sends one answer. A refused or failed operation ends with `error`, and nothing follows it.
async fn send_answer(answer: Answer, ticket: &Ticket, out: &SocketQueue) -> ControlFlow<()> {
    let id = &ticket.id;
    let (outgoing, control_flow) = match &answer {
        Answer::Executed(..) | Answer::Cached(..) => {
            let text = ServerMessage::Next { id, payload: &answer }.text();
            (Outgoing::Of(ticket.clone(), text), ControlFlow::Continue(()))
        }
        Answer::Refused { errors, .. } => {
            let text = ServerMessage::Error { id, payload: errors }.text();
            (Outgoing::Last(ticket.clone(), text), ControlFlow::Break(()))
        }
    };
    // An answer is several times larger than its text, and sending may wait for a slow reader.
    drop(answer);
    send(out, outgoing).await;
    control_flow
}

/// Writes the queue to the socket, without the messages of operations that were stopped.
async fn write(
    mut sink: SplitSink<WebSocket, Message>,
    mut queue: mpsc::Receiver<Box<Queued>>,
    operations: Arc<Operations>,
) {
    while let Some(queued) = queue.recv().await {
        let (outgoing, _counted) = *queued;
        let message = match outgoing {
            Outgoing::Plain(message) => message,
            Outgoing::Of(ticket, text) if operations.has(&ticket) => Message::Text(text),
            Outgoing::Last(ticket, text) if operations.end(&ticket) => Message::Text(text),
            Outgoing::Of(..) | Outgoing::Last(..) => continue,
        };
        let last = matches!(message, Message::Close(_));
        // Boxed: see docs/performance.md.
        let written = Box::pin(timeout(WRITE_DEADLINE, sink.send(message))).await;
        if !matches!(written, Ok(Ok(()))) || last {
            return;
        }
    }
}
