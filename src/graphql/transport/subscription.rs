//! Running subscription: opens the source of events, then resolves the selected fields for each event.

use super::Graphql;
use super::operation::{Operation, coded, panicked};
use super::operation_cost::Price;
use super::response::Answer;
use crate::graphql::request_context::RequestContext;
use crate::graphql::split_subscription::{SourceEvent, SplitPhase};
use futures::future::BoxFuture;
use futures::stream::BoxStream;
use futures::{FutureExt, Stream, StreamExt};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, ready};

type EventSource = BoxStream<'static, SourceEvent>;

/// Stream of a subscription's answers. Small, because most subscriptions are idle most of the time.
pub struct RunningSubscription {
    graphql: Arc<Graphql>,
    context: Arc<RequestContext>,
    operation: Arc<Operation>,
    /// The source and its price, once it is open.
    open: Option<(EventSource, Price)>,
    /// The execution in progress.
    busy: Busy,
}

enum Busy {
    Opening(BoxFuture<'static, Result<(EventSource, Price), Option<Answer>>>),
    Resolving(BoxFuture<'static, Option<Answer>>),
    Idle,
    Over,
}

impl RunningSubscription {
    pub fn new(graphql: Arc<Graphql>, context: Arc<RequestContext>, operation: Operation) -> Self {
        let operation = Arc::new(operation);
        let busy = Busy::Opening(open(graphql.clone(), context.clone(), operation.clone()).boxed());
        Self { graphql, context, operation, open: None, busy }
    }

    fn poll(&mut self, cx: &mut Context<'_>) -> Poll<Option<Answer>> {
        loop {
            match &mut self.busy {
                Busy::Opening(opening) => match ready!(opening.poll_unpin(cx)) {
                    Ok(open) => (self.open, self.busy) = (Some(open), Busy::Idle),
                    Err(answer) => {
                        self.busy = Busy::Over;
                        return Poll::Ready(answer);
                    }
                },
                Busy::Resolving(resolving) => {
                    let answer = ready!(resolving.poll_unpin(cx));
                    self.busy = if answer.is_some() { Busy::Idle } else { Busy::Over };
                    return Poll::Ready(answer);
                }
                Busy::Idle => {
                    let next = self.open.as_mut().map(|(source, price)| (source.poll_next_unpin(cx), *price));
                    let Some((event, price)) = next else {
                        self.busy = Busy::Over;
                        continue;
                    };
                    let Some(event) = ready!(event) else {
                        self.busy = Busy::Over;
                        continue;
                    };
                    let (graphql, context) = (self.graphql.clone(), self.context.clone());
                    self.busy =
                        Busy::Resolving(resolve(graphql, context, self.operation.clone(), price, event).boxed());
                }
                Busy::Over => return Poll::Ready(None),
            }
        }
    }
}

impl Stream for RunningSubscription {
    type Item = Answer;

    /// A panic ends the stream with an error.
    fn poll_next(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Answer>> {
        let this = &mut *self;
        catch_unwind(AssertUnwindSafe(|| this.poll(cx))).unwrap_or_else(|_| {
            this.busy = Busy::Over;
            Poll::Ready(Some(panicked(&this.context)))
        })
    }
}

/// Opens the source of events, or returns the answer to end with.
async fn open(
    graphql: Arc<Graphql>,
    context: Arc<RequestContext>,
    operation: Arc<Operation>,
) -> Result<(EventSource, Price), Option<Answer>> {
    let price = graphql.charge(&operation, &context).await.map_err(Some)?;
    let phase = Arc::new(SplitPhase::open());
    let request = operation.to_request(&context).data(phase.clone());
    match graphql.trusting.execute_stream(request).next().await {
        Some(response) => Err(Some(Answer::Executed(Box::new(coded(response, &context)), None))),
        None => phase.opened().map(|source| (source, price)).ok_or(None),
    }
}

/// Resolves the selected fields of one event.
async fn resolve(
    graphql: Arc<Graphql>,
    context: Arc<RequestContext>,
    operation: Arc<Operation>,
    price: Price,
    event: SourceEvent,
) -> Option<Answer> {
    // Slows the stream down if the client exceeds its budget.
    context.pace(price.of_event()).await;
    let request = operation.to_request(&context).data(Arc::new(SplitPhase::resolve(event)));
    // The document was validated when the subscription was opened.
    let response = graphql.trusting.execute_stream(request).next().await?;
    Some(Answer::Executed(Box::new(coded(response, &context)), None))
}
