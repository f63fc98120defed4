//! Server-sent events: each step with its version as id, so that a client that was away goes on where it was.

use super::welcome::{over, still_in};
use crate::app::App;
use crate::auth::Caller;
use crate::games::{Entry, GameError};
use axum::response::sse::{Event, KeepAlive, Sse};
use axum::response::{IntoResponse, Response};
use futures::{FutureExt, Stream, StreamExt, TryStreamExt, future, stream};
use std::sync::Arc;
use std::time::Duration;
use tokio_util::sync::CancellationToken;
use tracing::Span;

/// Often enough that no proxy takes a quiet stream for a dead one.
const KEEP_ALIVE: Duration = Duration::from_secs(15);
/// When to come back to a server that restarts.
const COME_BACK: Duration = Duration::from_secs(1);

/// Serves steps until they end, the caller's token or sign-in does, or the server shuts down.
pub fn event_stream(
    steps: impl Stream<Item = Result<Arc<Entry>, GameError>> + Send + 'static,
    app: &App,
    caller: Option<Caller>,
) -> Response {
    let identity = app.identity.clone();
    // What goes wrong later still belongs to this request.
    let span = Span::current();
    let events = steps
        // Nothing is told after a sign-out.
        .try_take_while(move |_| still_in(identity.clone(), caller).map(Ok))
        .inspect_err(move |error| tracing::error!(parent: &span, %error, "a stream broke off"))
        .map_ok(|entry| event(&entry))
        .take_until(Box::pin(over(app, caller)));
    let events = events.chain(farewell(app.closing.clone()));
    Sse::new(events.map_err(Broken)).keep_alive(keep_alive()).into_response()
}

/// What a stream says when there is nothing to say.
pub fn keep_alive() -> KeepAlive {
    KeepAlive::new().interval(KEEP_ALIVE).text("still here")
}

/// Tells whoever listens to come back soon, if it is because of us that the stream ends.
pub fn farewell<E>(closing: CancellationToken) -> impl Stream<Item = Result<Event, E>> {
    let closing = stream::once(future::lazy(move |_| closing.is_cancelled()));
    closing.filter(|closing| future::ready(*closing)).map(|_| Ok(Event::default().retry(COME_BACK)))
}

fn event(entry: &Entry) -> Event {
    Event::default().id(entry.version.to_string()).data(entry.json())
}

/// A stream that ends early; the client comes back with the version it saw.
#[derive(Debug, thiserror::Error)]
#[error(transparent)]
struct Broken(GameError);
