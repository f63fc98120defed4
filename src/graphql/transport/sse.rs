//! Server-sent events as `graphql-sse` has them, with a connection for each operation: `next` for every answer, then
//! `complete`. A stream that ends without `complete` was cut short, by us or on the way: the client comes back.

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

/// The answers to an operation, until it ends, the caller's token or sign-in does, or the server shuts down.
pub fn stream(graphql: &Arc<Graphql>, operation: Operation, context: &Arc<RequestContext>) -> Response {
    if operation.sort == OperationType::Subscription {
        return serve(
            told(graphql.subscribe(operation, context, Transport::Sse)),
            context,
            SessionRecheck::BeforeEachEvent,
        );
    }
    let (graphql, asking_too) = (graphql.clone(), context.clone());
    let answer = async move { graphql.execute(operation, &asking_too, Transport::Sse).await };
    serve(told(stream::once(answer)), context, SessionRecheck::Periodic)
}

/// A document that can't be carried out is told in the stream, as the protocol has it.
pub fn refused(answer: Answer, context: &Arc<RequestContext>) -> Response {
    serve(told(stream::iter([answer])), context, SessionRecheck::Periodic)
}

/// The answers, and that they are complete.
fn told(answers: impl Stream<Item = Answer>) -> impl Stream<Item = Event> {
    answers.map(|answer| next(&answer)).chain(stream::once(future::lazy(|_| complete())))
}

fn serve(
    told: impl Stream<Item = Event> + Send + 'static,
    context: &Arc<RequestContext>,
    tells: SessionRecheck,
) -> Response {
    sse_response(Box::pin(told.map(Ok::<_, Infallible>)), context.app(), context.caller, tells, None)
}

fn next(answer: &Answer) -> Event {
    let text = serde_json::to_string(answer).expect("an answer is plain data");
    Event::default().event("next").data(text)
}

/// A browser passes an event over that has no field `data`, and axum leaves it out where it is empty: two lines of nothing
/// are there.
fn complete() -> Event {
    Event::default().event("complete").data("\n")
}
