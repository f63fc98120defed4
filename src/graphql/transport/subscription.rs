//! A subscription that is carried out: opened, then told each time something happens, until it ends.

use super::Graphql;
use super::operation::{Operation, coded, panicked};
use super::operation_cost::Price;
use super::response::Answer;
use crate::graphql::request_context::RequestContext;
use crate::graphql::split_subscription::{Happened, SplitPhase};
use futures::future::BoxFuture;
use futures::stream::BoxStream;
use futures::{FutureExt, Stream, StreamExt};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, ready};

/// What is listened to.
type Happening = BoxStream<'static, Happened>;

/// The answers of a subscription. Small, because most of them wait for most of the time.
pub struct RunningSubscription {
    graphql: Arc<Graphql>,
    context: Arc<RequestContext>,
    operation: Arc<Operation>,
    /// Nothing before it is open; then what is listened to, and its price.
    open: Option<(Happening, Price)>,
    /// What the library is busy with.
    busy: Busy,
}

enum Busy {
    Opening(BoxFuture<'static, Result<(Happening, Price), Option<Answer>>>),
    Telling(BoxFuture<'static, Option<Answer>>),
    No,
    /// Nor will it be.
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
                    Ok(open) => (self.open, self.busy) = (Some(open), Busy::No),
                    Err(answer) => {
                        self.busy = Busy::Over;
                        return Poll::Ready(answer);
                    }
                },
                Busy::Telling(telling) => {
                    let answer = ready!(telling.poll_unpin(cx));
                    self.busy = if answer.is_some() { Busy::No } else { Busy::Over };
                    return Poll::Ready(answer);
                }
                Busy::No => {
                    let next = self.open.as_mut().map(|(happening, price)| (happening.poll_next_unpin(cx), *price));
                    let Some((happened, price)) = next else {
                        self.busy = Busy::Over;
                        continue;
                    };
                    let Some(happened) = ready!(happened) else {
                        self.busy = Busy::Over;
                        continue;
                    };
                    let (graphql, context) = (self.graphql.clone(), self.context.clone());
                    self.busy = Busy::Telling(tell(graphql, context, self.operation.clone(), price, happened).boxed());
                }
                Busy::Over => return Poll::Ready(None),
            }
        }
    }
}

impl Stream for RunningSubscription {
    type Item = Answer;

    /// One that panics ends with an error.
    fn poll_next(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Answer>> {
        let this = &mut *self;
        catch_unwind(AssertUnwindSafe(|| this.poll(cx))).unwrap_or_else(|_| {
            this.busy = Busy::Over;
            Poll::Ready(Some(panicked(&this.context)))
        })
    }
}

/// Opens what is listened to; or tells why not.
async fn open(
    graphql: Arc<Graphql>,
    context: Arc<RequestContext>,
    operation: Arc<Operation>,
) -> Result<(Happening, Price), Option<Answer>> {
    let price = graphql.charge(&operation, &context).await.map_err(Some)?;
    let turn = Arc::new(SplitPhase::opens());
    let request = operation.to_request(&context).data(turn.clone());
    match graphql.trusting.execute_stream(request).next().await {
        Some(response) => Err(Some(Answer::Executed(coded(response, &context), None))),
        None => turn.opened().map(|happening| (happening, price)).ok_or(None),
    }
}

/// What has happened, as it was asked for.
async fn tell(
    graphql: Arc<Graphql>,
    context: Arc<RequestContext>,
    operation: Arc<Operation>,
    price: Price,
    happened: Happened,
) -> Option<Answer> {
    // A client that asks for too much is sent it more slowly.
    context.pace(price.of_event()).await;
    let request = operation.to_request(&context).data(Arc::new(SplitPhase::tells(happened)));
    // It was found valid when it was opened.
    let response = graphql.trusting.execute_stream(request).next().await?;
    Some(Answer::Executed(coded(response, &context), None))
}
