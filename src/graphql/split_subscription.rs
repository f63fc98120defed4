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
pub type SourceEvent = Box<dyn Any + Send>;

/// The phase of this execution; part of the request's data.
pub enum SplitPhase {
    /// Opens the source of events and leaves it here.
    Open(Mutex<Option<BoxStream<'static, SourceEvent>>>),
    /// Resolves the fields of this event.
    Resolve(Mutex<Option<SourceEvent>>),
}

impl SplitPhase {
    pub fn open() -> Self {
        Self::Open(Mutex::default())
    }

    pub fn resolve(event: SourceEvent) -> Self {
        Self::Resolve(Mutex::new(Some(event)))
    }

    /// The source, once it is open.
    pub fn opened(&self) -> Option<BoxStream<'static, SourceEvent>> {
        match self {
            Self::Open(opened) => take(opened),
            Self::Resolve(_) => None,
        }
    }
}

/// Executes the current phase of a field: opens the source and returns no event, or returns the event to resolve.
pub async fn run_phase<T, S>(
    ctx: &Context<'_>,
    open: impl Future<Output = Result<S>>,
) -> Result<stream::Iter<option::IntoIter<T>>>
where
    T: Send + 'static,
    S: Stream<Item = T> + Send + 'static,
{
    let resolved = match &**ctx.data::<Arc<SplitPhase>>()? {
        SplitPhase::Open(opened) => {
            let source = open.await?.map(|event| Box::new(event) as SourceEvent);
            *opened.lock().unwrap_or_else(PoisonError::into_inner) = Some(source.boxed());
            None
        }
        SplitPhase::Resolve(event) => take(event).and_then(|event| event.downcast().ok()).map(|event| *event),
    };
    Ok(stream::iter(resolved))
}

fn take<T>(slot: &Mutex<Option<T>>) -> Option<T> {
    slot.lock().unwrap_or_else(PoisonError::into_inner).take()
}
