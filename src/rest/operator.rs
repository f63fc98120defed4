//! Operator endpoints: `/metrics`. With `--admin-listen` they are served on that address only.

use super::Rest;
use crate::app::App;
use crate::edge::metrics;
use crate::games::ports::Usage;
use axum::Router;
use axum::extract::State;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use std::sync::Arc;

pub fn router() -> Router<Rest> {
    Router::new().route("/metrics", get(get_metrics))
}

/// All metrics in the Prometheus text format. If the store can't report its size, the others are served all the same.
async fn get_metrics(State(app): State<Arc<App>>) -> Response {
    let usage = app.games.usage().await.unwrap_or_else(|error| {
        tracing::warn!(%error, "the store can't report its size");
        Usage::default()
    });
    if let Some(ahead) = app.identity.clock_ahead() {
        app.edge.metrics.note_clock(ahead);
    }
    match app.edge.metrics.render(usage) {
        Ok(page) => ([(header::CONTENT_TYPE, metrics::CONTENT_TYPE)], page).into_response(),
        Err(_) => StatusCode::INTERNAL_SERVER_ERROR.into_response(),
    }
}
