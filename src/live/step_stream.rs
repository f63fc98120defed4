//! Server-sent events of a game: one event for each step, with the version as its id, so that a client that reconnects
//! resumes after the last event it received (`Last-Event-ID`).

use super::sse_stream::{Charge, SessionRecheck, sse_response};
use crate::app::App;
use crate::auth::Caller;
use crate::games::{GameError, StepView};
use crate::quota::{Client, prices};
use axum::response::Response;
use axum::response::sse::Event;
use futures::{Stream, TryStreamExt};
use std::sync::Arc;
use tracing::Span;

/// Serves steps until they end, the caller's token expires, its session is revoked, or the server shuts down.
pub fn event_stream(
    steps: impl Stream<Item = Result<Arc<StepView>, GameError>> + Send + 'static,
    app: &App,
    caller: Option<Caller>,
    client: Client,
) -> Response {
    // Later errors are logged in the span of this request.
    let span = Span::current();
    let events = steps
        .inspect_err(move |error| tracing::error!(parent: &span, %error, "a stream of steps failed"))
        .map_ok(|entry| event(&entry))
        .map_err(Broken);
    sse_response(
        Box::pin(events),
        app,
        caller,
        SessionRecheck::BeforeEachEvent,
        Some(Charge { client, points: prices::STREAMED_EVENT }),
    )
}

fn event(entry: &StepView) -> Event {
    Event::default().id(entry.version.to_string()).data(entry.json())
}

/// The stream ends early; the client reconnects with the last version it received.
#[derive(Debug, thiserror::Error)]
#[error(transparent)]
struct Broken(GameError);
