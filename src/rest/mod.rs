//! REST, `/v1`: one file per resource. Handlers read a request, call one use case and shape the answer; no rule and no
//! decision lives here.

mod dev;
mod error;
mod events;
mod extract;
mod games;
mod kinds;
mod language;
mod moves;
mod openapi;
mod players;
mod schema;
mod seats;
mod service;
mod shapes;
mod tokens;

use crate::app::App;
use axum::Router;
use axum::extract::DefaultBodyLimit;
use axum::middleware::from_fn_with_state;
use serde_json::Value;
use std::sync::Arc;
use tower::ServiceBuilder;
use tower_http::catch_panic::CatchPanicLayer;
use tower_http::limit::RequestBodyLimitLayer;
use utoipa_axum::router::OpenApiRouter;

/// No request of ours is longer than a few hundred bytes.
const BODY_LIMIT: usize = 64 * 1024;

/// But a replay, which only a server for test automation takes, is.
const REPLAY_LIMIT: usize = 8 * 1024 * 1024;

/// All routes, and the document that describes them.
fn routes() -> (Router<Arc<App>>, Value) {
    let (router, paths) = OpenApiRouter::new()
        .merge(players::router())
        .merge(tokens::router())
        .merge(kinds::router())
        .merge(games::router())
        .merge(seats::router())
        .merge(moves::router())
        .merge(events::router())
        .merge(service::router())
        .split_for_parts();
    (router, openapi::document(paths))
}

/// The REST face of the service.
pub fn router(app: Arc<App>) -> Router {
    let (router, _) = routes();
    let router = if app.dev.is_some() { router.merge(dev::router()) } else { router };
    let body_limit = if app.dev.is_some() { REPLAY_LIMIT } else { BODY_LIMIT };
    // Whatever these refuse by themselves passes `speak` on its way out, and becomes a problem like any other.
    let layers = ServiceBuilder::new()
        .layer(from_fn_with_state(app.clone(), language::speak))
        .layer(CatchPanicLayer::new())
        .layer(RequestBodyLimitLayer::new(body_limit));
    router.layer(DefaultBodyLimit::disable()).layer(layers).with_state(app)
}

/// The OpenAPI document, as served at `/openapi.json` and committed in openapi/.
pub fn document() -> Value {
    routes().1
}
