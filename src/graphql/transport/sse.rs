//! Server-sent events: `graphql-sse` with distinct connections. Each answer is an event `next`; `complete` follows the
//! last. A stream that ends without `complete` was interrupted, and clients reconnect.

use super::operation::Operation;
use super::response::Answer;
use super::{Graphql, Transport};
use crate::graphql::request_context::RequestContext;
use crate::live::{SessionRecheck, sse_response};
use async_graphql::parser::types::OperationType;
use axum::response::Response;
use axum::response::sse::Event;
use futures::{Stream, StreamExt, future, stream};
use std::convert::Infallible;
use std::sync::Arc;

/// Streams the answers to an operation, until it ends, the caller's token or sign-in ends, or the server shuts down.
pub fn stream(graphql: &Arc<Graphql>, operation: Operation, context: &Arc<RequestContext>) -> Response {
    if operation.ty == OperationType::Subscription {
        return serve(
            events(graphql.subscribe(operation, context, Transport::Sse)),
            context,
            SessionRecheck::BeforeEachEvent,
        );
    }
    let (graphql, context_of_answer) = (graphql.clone(), context.clone());
    let answer = async move { graphql.execute(operation, &context_of_answer, Transport::Sse).await };
    serve(events(stream::once(answer)), context, SessionRecheck::Periodic)
}

/// Streams the answer to a refused document, as the protocol requires.
pub fn refused(answer: Answer, context: &Arc<RequestContext>) -> Response {
    serve(events(stream::iter([answer])), context, SessionRecheck::Periodic)
}

/// Converts answers to events, and adds `complete`.
fn events(answers: impl Stream<Item = Answer>) -> impl Stream<Item = Event> {
    answers.map(|answer| next(&answer)).chain(stream::once(future::lazy(|_| complete())))
}

fn serve(
    events: impl Stream<Item = Event> + Send + 'static,
    context: &Arc<RequestContext>,
    recheck: SessionRecheck,
) -> Response {
    sse_response(Box::pin(events.map(Ok::<_, Infallible>)), context.app(), context.caller, recheck, None)
}

fn next(answer: &Answer) -> Event {
    let text = serde_json::to_string(answer).expect("an answer is plain data");
    Event::default().event("next").data(text)
}

/// Browsers ignore an event without a `data` field, and axum omits an empty one. So the data is a line break, which
/// axum writes as two empty lines.
fn complete() -> Event {
    Event::default().event("complete").data("\n")
}
