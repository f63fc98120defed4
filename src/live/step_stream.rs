//! Server-sent events: each step with its version as id, so that a client that was away goes on where it was.

use super::sse_stream::{Charge, Tells, listen};
use crate::app::App;
use crate::auth::Caller;
use crate::games::{GameError, StepView};
use crate::quota::{Client, prices};
use axum::response::Response;
use axum::response::sse::Event;
use futures::{Stream, TryStreamExt};
use std::sync::Arc;
use tracing::Span;

/// Serves steps until they end, the caller's token or sign-in does, or the server shuts down.
pub fn event_stream(
    steps: impl Stream<Item = Result<Arc<StepView>, GameError>> + Send + 'static,
    app: &App,
    caller: Option<Caller>,
    client: Client,
) -> Response {
    // What goes wrong later still belongs to this request.
    let span = Span::current();
    let events = steps
        .inspect_err(move |error| tracing::error!(parent: &span, %error, "a stream broke off"))
        .map_ok(|entry| event(&entry))
        .map_err(Broken);
    listen(Box::pin(events), app, caller, Tells::IfStillIn, Some(Charge { client, points: prices::STREAMED_EVENT }))
}

fn event(entry: &StepView) -> Event {
    Event::default().id(entry.version.to_string()).data(entry.json())
}

/// A stream that ends early; the client comes back with the version it saw.
#[derive(Debug, thiserror::Error)]
#[error(transparent)]
struct Broken(GameError);
