//! A subscription that is carried out: opened, then told each time something happens, until it ends.

use super::Graphql;
use super::answer::Answer;
use super::appraisal::Price;
use super::operation::{Operation, coded, panicked};
use crate::graphql::asking::Asking;
use crate::graphql::turn::{Happened, Turn};
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
pub struct Subscription {
    graphql: Arc<Graphql>,
    asking: Arc<Asking>,
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

impl Subscription {
    pub fn new(graphql: Arc<Graphql>, asking: Arc<Asking>, operation: Operation) -> Self {
        let operation = Arc::new(operation);
        let busy = Busy::Opening(open(graphql.clone(), asking.clone(), operation.clone()).boxed());
        Self { graphql, asking, operation, open: None, busy }
    }

    fn poll(&mut self, context: &mut Context<'_>) -> Poll<Option<Answer>> {
        loop {
            match &mut self.busy {
                Busy::Opening(opening) => match ready!(opening.poll_unpin(context)) {
                    Ok(open) => (self.open, self.busy) = (Some(open), Busy::No),
                    Err(answer) => {
                        self.busy = Busy::Over;
                        return Poll::Ready(answer);
                    }
                },
                Busy::Telling(telling) => {
                    let answer = ready!(telling.poll_unpin(context));
                    self.busy = if answer.is_some() { Busy::No } else { Busy::Over };
                    return Poll::Ready(answer);
                }
                Busy::No => {
                    let next =
                        self.open.as_mut().map(|(happening, price)| (happening.poll_next_unpin(context), *price));
                    let Some((happened, price)) = next else {
                        self.busy = Busy::Over;
                        continue;
                    };
                    let Some(happened) = ready!(happened) else {
                        self.busy = Busy::Over;
                        continue;
                    };
                    let (graphql, asking) = (self.graphql.clone(), self.asking.clone());
                    self.busy = Busy::Telling(tell(graphql, asking, self.operation.clone(), price, happened).boxed());
                }
                Busy::Over => return Poll::Ready(None),
            }
        }
    }
}

impl Stream for Subscription {
    type Item = Answer;

    /// One that panics ends with an error.
    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Answer>> {
        let this = &mut *self;
        catch_unwind(AssertUnwindSafe(|| this.poll(context))).unwrap_or_else(|_| {
            this.busy = Busy::Over;
            Poll::Ready(Some(panicked(&this.asking)))
        })
    }
}

/// Opens what is listened to; or tells why not.
async fn open(
    graphql: Arc<Graphql>,
    asking: Arc<Asking>,
    operation: Arc<Operation>,
) -> Result<(Happening, Price), Option<Answer>> {
    let price = graphql.charge(&operation, &asking).await.map_err(Some)?;
    let turn = Arc::new(Turn::opens());
    let request = operation.to_request(&asking).data(turn.clone());
    match graphql.trusting.execute_stream(request).next().await {
        Some(response) => Err(Some(Answer::Executed(coded(response, &asking), None))),
        None => turn.opened().map(|happening| (happening, price)).ok_or(None),
    }
}

/// What has happened, as it was asked for.
async fn tell(
    graphql: Arc<Graphql>,
    asking: Arc<Asking>,
    operation: Arc<Operation>,
    price: Price,
    happened: Happened,
) -> Option<Answer> {
    // A client that asks for too much is sent it more slowly.
    asking.pace(price.of_event()).await;
    let request = operation.to_request(&asking).data(Arc::new(Turn::tells(happened)));
    // It was found valid when it was opened.
    let response = graphql.trusting.execute_stream(request).next().await?;
    Some(Answer::Executed(coded(response, &asking), None))
}
