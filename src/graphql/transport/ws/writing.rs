//! What is said on a socket: one queue of bounded length, and the one task that writes from it.

use super::operations::{Operations, Ticket};
use super::protocol::Said;
use crate::graphql::transport::answer::Answer;
use axum::extract::ws::{Message, Utf8Bytes, WebSocket};
use futures::stream::SplitSink;
use futures::{SinkExt, Stream, StreamExt};
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

/// Waits for a place in the queue. If nobody writes any more, the socket is closed.
pub async fn say(out: &mpsc::Sender<Outgoing>, outgoing: Outgoing) {
    let _closed = out.send(outgoing).await;
}

/// Tells the answers of an operation, then that it is complete. One that was not carried out is told as an error, and so
/// is one that failed through our own fault.
pub async fn tell(mut answers: impl Stream<Item = Answer> + Unpin, ticket: Ticket, out: &mpsc::Sender<Outgoing>) {
    let id = ticket.id.clone();
    while let Some(answer) = answers.next().await {
        match &answer {
            Answer::Executed(_) | Answer::Kept(_) => {
                let said = Said::Next { id: &id, payload: &answer }.text();
                say(out, Outgoing::Of(ticket.clone(), said)).await;
            }
            Answer::Refused { errors, .. } => {
                let said = Said::Error { id: &id, payload: errors }.text();
                return say(out, Outgoing::Last(ticket, said)).await;
            }
        }
    }
    say(out, Outgoing::Last(ticket, Said::Complete { id: &id }.text())).await;
}

/// Writes what is queued, but for what belongs to an operation that was stopped meanwhile.
pub async fn write(
    mut sink: SplitSink<WebSocket, Message>,
    mut queue: mpsc::Receiver<Outgoing>,
    operations: Arc<Operations>,
) {
    while let Some(outgoing) = queue.recv().await {
        let message = match outgoing {
            Outgoing::Plain(message) => message,
            Outgoing::Of(ticket, text) if operations.has(&ticket) => Message::Text(text),
            Outgoing::Last(ticket, text) if operations.end(&ticket) => Message::Text(text),
            Outgoing::Of(..) | Outgoing::Last(..) => continue,
        };
        let last = matches!(message, Message::Close(_));
        if !matches!(timeout(WRITE_DEADLINE, sink.send(message)).await, Ok(Ok(()))) || last {
            return;
        }
    }
}
