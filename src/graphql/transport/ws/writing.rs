//! What is said on a socket: one queue of bounded length, and the one task that writes from it. Back-pressure: while too many
//! bytes wait on a socket, or for its address, its operations wait too.

use super::operations::{Operations, Ticket};
use super::protocol::Said;
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

/// Messages that wait to be written.
const QUEUE: usize = 32;

/// A client that takes nothing for so long is gone.
const WRITE_DEADLINE: Duration = Duration::from_secs(30);

/// Something to be written.
pub enum Outgoing {
    /// Whatever belongs to no operation.
    Plain(Message),
    /// An answer of an operation.
    Of(Ticket, Utf8Bytes),
    /// Its last word.
    Last(Ticket, Utf8Bytes),
}

/// What waits in the queue.
type Queued = (Outgoing, [CountedBytes; 2]);

/// The queue of a socket.
#[derive(Clone)]
pub struct Out {
    /// In boxes, because room for many is made at once.
    queue: mpsc::Sender<Box<Queued>>,
    /// What waits on this socket, and for its address.
    unsent: [UnsentBytes; 2],
}

impl Out {
    /// The queue of a socket, and the task that writes from it.
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
            // In a box, so that those who need not wait do without.
            Box::pin(unsent.has_room()).await;
        }
    }

    /// Resolves once nobody writes any more.
    pub async fn closed(&self) {
        self.queue.closed().await;
    }

    /// Says something, unless there is no place in the queue.
    pub fn try_say(&self, message: Message) {
        let _no_room = self.queue.try_send(Box::new(self.counted(Outgoing::Plain(message))));
    }

    /// Says a last thing, unless there is no place in the queue in time.
    pub async fn say_in_time(&self, message: Message, time: Duration) {
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

/// Waits for a place in the queue. If nobody writes any more, the socket is closed.
pub async fn say(out: &Out, outgoing: Outgoing) {
    let _closed = out.queue.send(Box::new(out.counted(outgoing))).await;
}

/// Tells the answers of an operation, then that it is complete. None is made before there is room for it.
pub async fn tell(mut answers: impl Stream<Item = Answer> + Unpin, ticket: Ticket, out: Out) {
    while let Some(answer) = {
        out.has_room().await;
        answers.next().await
    } {
        // In a box, so that those who wait for an answer do without.
        if Box::pin(tell_one(answer, &ticket, &out)).await.is_break() {
            return;
        }
    }
    let said = Said::Complete { id: &ticket.id }.text();
    Box::pin(say(&out, Outgoing::Last(ticket, said))).await;
}

/// Tells one. An operation that was not carried out is told as an error, and so is one that failed through our own
/// fault; nothing comes after that.
async fn tell_one(answer: Answer, ticket: &Ticket, out: &Out) -> ControlFlow<()> {
    let id = &ticket.id;
    let (outgoing, goes_on) = match &answer {
        Answer::Executed(..) | Answer::ResponseCache(..) => {
            let said = Said::Next { id, payload: &answer }.text();
            (Outgoing::Of(ticket.clone(), said), ControlFlow::Continue(()))
        }
        Answer::Refused { errors, .. } => {
            let said = Said::Error { id, payload: errors }.text();
            (Outgoing::Last(ticket.clone(), said), ControlFlow::Break(()))
        }
    };
    // It takes several times the room of its text, and a slow reader is waited for.
    drop(answer);
    say(out, outgoing).await;
    goes_on
}

/// Writes what is queued, but for what belongs to an operation that was stopped meanwhile.
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
        // In a box, so that a quiet socket does without.
        let written = Box::pin(timeout(WRITE_DEADLINE, sink.send(message))).await;
        if !matches!(written, Ok(Ok(()))) || last {
            return;
        }
    }
}
