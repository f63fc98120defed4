//! What is said on a socket: one queue of bounded length, and the one task that writes from it.

use super::operations::{Operations, Ticket};
use super::protocol::Said;
use crate::graphql::transport::answer::Answer;
use axum::extract::ws::{Message, Utf8Bytes, WebSocket};
use futures::stream::SplitSink;
use futures::{SinkExt, Stream, StreamExt};
use std::ops::ControlFlow;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::mpsc;
use tokio::time::timeout;

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

/// The queue of a socket. In boxes, because room for many is made at once.
pub type Out = mpsc::Sender<Box<Outgoing>>;

/// Waits for a place in the queue. If nobody writes any more, the socket is closed.
pub async fn say(out: &Out, outgoing: Outgoing) {
    let _closed = out.send(Box::new(outgoing)).await;
}

/// Tells the answers of an operation, then that it is complete.
pub async fn tell(mut answers: impl Stream<Item = Answer> + Unpin, ticket: Ticket, out: Out) {
    while let Some(answer) = answers.next().await {
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
    match &answer {
        Answer::Executed(_) | Answer::Kept(_) => {
            let said = Said::Next { id, payload: &answer }.text();
            say(out, Outgoing::Of(ticket.clone(), said)).await;
            ControlFlow::Continue(())
        }
        Answer::Refused { errors, .. } => {
            let said = Said::Error { id, payload: errors }.text();
            say(out, Outgoing::Last(ticket.clone(), said)).await;
            ControlFlow::Break(())
        }
    }
}

/// Writes what is queued, but for what belongs to an operation that was stopped meanwhile.
pub async fn write(
    mut sink: SplitSink<WebSocket, Message>,
    mut queue: mpsc::Receiver<Box<Outgoing>>,
    operations: Arc<Operations>,
) {
    while let Some(outgoing) = queue.recv().await {
        let message = match *outgoing {
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
