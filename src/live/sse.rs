//! Server-sent events: each step with its version as id, so that a client that was away goes on where it was.

use crate::app::App;
use crate::auth::{Caller, Identity, Refused};
use crate::games::{Entry, GameError};
use axum::response::sse::{Event, KeepAlive, Sse};
use axum::response::{IntoResponse, Response};
use futures::{FutureExt, Stream, StreamExt, TryStreamExt, future, stream};
use std::sync::Arc;
use std::time::Duration;
use tokio_util::sync::CancellationToken;

/// Often enough that no proxy takes a quiet stream for a dead one.
const KEEP_ALIVE: Duration = Duration::from_secs(15);
/// How long a quiet stream may outlive the sign-in it belongs to.
const SIGN_OUT_NOTICED_AFTER: Duration = Duration::from_secs(5);
/// When it is asked again whether a sign-in stands, after the store could not answer.
const ASK_AGAIN: Duration = Duration::from_millis(500);
/// When to come back to a server that restarts.
const COME_BACK: Duration = Duration::from_secs(1);

/// Serves steps until they end, the caller's token or sign-in does, or the server shuts down.
pub fn event_stream(
    steps: impl Stream<Item = Result<Entry, GameError>> + Send + 'static,
    app: &App,
    caller: Option<Caller>,
) -> Response {
    let (closing, identity) = (app.closing.clone(), app.identity.clone());
    let counted = app.edge.metrics.count_stream();
    let over = async move {
        // Held, and so counted, for as long as the stream is.
        let _counted = counted;
        tokio::select! {
            () = closing.cancelled_owned() => {}
            () = ended(identity, caller) => {}
        }
    };
    let identity = app.identity.clone();
    let events = steps
        .try_take_while(move |_| still_in(identity.clone(), caller).map(Ok))
        .inspect_err(|error| tracing::error!(%error, "a stream broke off"))
        .and_then(|entry| future::ready(Ok(event(&entry))))
        .take_until(Box::pin(over));
    let events = events.chain(farewell(app.closing.clone()));
    let keep_alive = KeepAlive::new().interval(KEEP_ALIVE).text("still here");
    Sse::new(events.map_err(Broken)).keep_alive(keep_alive).into_response()
}

/// Whether the caller may be told one more step: nothing is told after a sign-out. Waits for a store that can't say.
async fn still_in(identity: Arc<Identity>, caller: Option<Caller>) -> bool {
    let Some(caller) = caller else { return true };
    loop {
        match identity.check(&caller).await {
            Ok(()) => return true,
            Err(Refused::NoToken | Refused::BadToken) => return false,
            Err(Refused::Unavailable(_)) => tokio::time::sleep(ASK_AGAIN).await,
        }
    }
}

/// Resolves once the caller's token has expired or was signed out; never for somebody without one.
async fn ended(identity: Arc<Identity>, caller: Option<Caller>) {
    let Some(Caller { expires_at, .. }) = caller else { return future::pending().await };
    loop {
        let left = u64::try_from(expires_at.0.saturating_sub(identity.now().0)).unwrap_or(0);
        tokio::time::sleep(Duration::from_millis(left).min(SIGN_OUT_NOTICED_AFTER)).await;
        if identity.now() >= expires_at || !still_in(identity.clone(), caller).await {
            return;
        }
    }
}

/// Tells whoever listens to come back soon, if it is because of us that the stream ends.
fn farewell<E>(closing: CancellationToken) -> impl Stream<Item = Result<Event, E>> {
    let closing = stream::once(future::lazy(move |_| closing.is_cancelled()));
    closing.filter(|closing| future::ready(*closing)).map(|_| Ok(Event::default().retry(COME_BACK)))
}

fn event(entry: &Entry) -> Event {
    let text = serde_json::to_string(entry).expect("a step is plain data");
    Event::default().id(entry.version.to_string()).data(text)
}

/// A stream that ends early; the client comes back with the version it saw.
#[derive(Debug, thiserror::Error)]
#[error(transparent)]
struct Broken(GameError);
