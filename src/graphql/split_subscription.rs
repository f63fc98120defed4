//! Two-phase execution of subscriptions, so that an idle one holds little memory.
//!
//! `async_graphql` would keep the parsed document, its context and three nested streams for each open subscription:
//! about 10 KB. So the same document is executed several times instead: once to open the source of events, which is
//! taken out of it and stored by the transport, and once for each event, to resolve the fields of that event.

use async_graphql::{Context, Result};
use futures::stream::{self, BoxStream};
use futures::{Stream, StreamExt};
use std::any::Any;
use std::option;
use std::sync::{Arc, Mutex, PoisonError};

/// An event from the source of a subscription, with its type erased.
pub type Happened = Box<dyn Any + Send>;

/// The phase of this execution; part of the request's data.
pub enum SplitPhase {
    /// Opens the source of events and leaves it here.
    Opens(Mutex<Option<BoxStream<'static, Happened>>>),
    /// Resolves the fields of this event.
    Tells(Mutex<Option<Happened>>),
}

impl SplitPhase {
    pub fn opens() -> Self {
        Self::Opens(Mutex::default())
    }

    pub fn tells(happened: Happened) -> Self {
        Self::Tells(Mutex::new(Some(happened)))
    }

    /// The source, once it is open.
    pub fn opened(&self) -> Option<BoxStream<'static, Happened>> {
        match self {
            Self::Opens(opened) => take(opened),
            Self::Tells(_) => None,
        }
    }
}

/// Executes the current phase of a field: opens the source and returns no event, or returns the event to resolve.
pub async fn in_turn<T, S>(
    ctx: &Context<'_>,
    open: impl Future<Output = Result<S>>,
) -> Result<stream::Iter<option::IntoIter<T>>>
where
    T: Send + 'static,
    S: Stream<Item = T> + Send + 'static,
{
    let told = match &**ctx.data::<Arc<SplitPhase>>()? {
        SplitPhase::Opens(opened) => {
            let happening = open.await?.map(|happened| Box::new(happened) as Happened);
            *opened.lock().unwrap_or_else(PoisonError::into_inner) = Some(happening.boxed());
            None
        }
        SplitPhase::Tells(happened) => {
            take(happened).and_then(|happened| happened.downcast().ok()).map(|happened| *happened)
        }
    };
    Ok(stream::iter(told))
}

fn take<T>(place: &Mutex<Option<T>>) -> Option<T> {
    place.lock().unwrap_or_else(PoisonError::into_inner).take()
}
