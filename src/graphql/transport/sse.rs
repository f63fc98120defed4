//! Server-sent events as `graphql-sse` has them, with a connection for each operation: `next` for every answer, then
//! `complete`. A stream that ends without `complete` was cut short, by us or on the way: the client comes back.

use super::answer::Answer;
use super::operation::Operation;
use super::{Graphql, Transport};
use crate::graphql::asking::Asking;
use crate::live::{Tells, listen};
use async_graphql::parser::types::OperationType;
use axum::response::Response;
use axum::response::sse::Event;
use futures::{Stream, StreamExt, future, stream};
use std::convert::Infallible;
use std::sync::Arc;

/// The answers to an operation, until it ends, the caller's token or sign-in does, or the server shuts down.
pub fn stream(graphql: &Arc<Graphql>, operation: Operation, asking: &Arc<Asking>) -> Response {
    if operation.sort == OperationType::Subscription {
        return serve(told(graphql.subscribe(operation, asking, Transport::Sse)), asking, Tells::IfStillIn);
    }
    let (graphql, asking_too) = (graphql.clone(), asking.clone());
    let answer = async move { graphql.execute(operation, &asking_too, Transport::Sse).await };
    serve(told(stream::once(answer)), asking, Tells::Anyway)
}

/// A document that can't be carried out is told in the stream, as the protocol has it.
pub fn refused(answer: Answer, asking: &Arc<Asking>) -> Response {
    serve(told(stream::iter([answer])), asking, Tells::Anyway)
}

/// The answers, and that they are complete.
fn told(answers: impl Stream<Item = Answer>) -> impl Stream<Item = Event> {
    answers.map(|answer| next(&answer)).chain(stream::once(future::lazy(|_| complete())))
}

fn serve(told: impl Stream<Item = Event> + Send + 'static, asking: &Arc<Asking>, tells: Tells) -> Response {
    listen(Box::pin(told.map(Ok::<_, Infallible>)), asking.app(), asking.caller, tells, None)
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
