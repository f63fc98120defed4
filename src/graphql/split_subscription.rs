//! A subscription in two parts, so that one which waits keeps no more than it waits for.
//!
//! The library would keep a parsed document, its context and three streams within each other for each that is open: some
//! 10 KB. So it is asked twice, in the same way, by the same document: once to open what is listened to, which is then
//! taken away from it, and once for each thing that happens, to tell that one.

use async_graphql::{Context, Result};
use futures::stream::{self, BoxStream};
use futures::{Stream, StreamExt};
use std::any::Any;
use std::option;
use std::sync::{Arc, Mutex, PoisonError};

/// Something that has happened, as the field of the subscription has it.
pub type Happened = Box<dyn Any + Send>;

/// What the library is asked for this time; part of a request's data.
pub enum SplitPhase {
    /// What is listened to, once it is open.
    Opens(Mutex<Option<BoxStream<'static, Happened>>>),
    /// What is to be told.
    Tells(Mutex<Option<Happened>>),
}

impl SplitPhase {
    pub fn opens() -> Self {
        Self::Opens(Mutex::default())
    }

    pub fn tells(happened: Happened) -> Self {
        Self::Tells(Mutex::new(Some(happened)))
    }

    /// What was opened, if it was.
    pub fn opened(&self) -> Option<BoxStream<'static, Happened>> {
        match self {
            Self::Opens(opened) => take(opened),
            Self::Tells(_) => None,
        }
    }
}

/// The part of a field that it is the turn of: opens what is listened to, and tells nothing; or tells what has happened.
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
