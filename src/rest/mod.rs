//! REST, `/v1`: one file per resource. Handlers read a request, call one use case and shape the answer; no rule and no
//! decision lives here.

mod asides;
mod dev;
mod error;
mod events;
mod extract;
mod games;
mod kinds;
mod language;
mod limit;
mod links;
mod moves;
mod openapi;
mod operator;
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
fn described() -> (Router<Arc<App>>, Value) {
    let (router, paths) = OpenApiRouter::new()
        .merge(players::router())
        .merge(tokens::router())
        .merge(kinds::router())
        .merge(games::router())
        .merge(seats::router())
        .merge(moves::router())
        .merge(asides::router())
        .merge(events::router())
        .merge(service::router())
        .split_for_parts();
    (router, openapi::document(paths))
}

/// The routes of the REST face.
pub fn routes(app: &App) -> Router<Arc<App>> {
    let (routes, _) = described();
    if app.dev.is_some() { routes.merge(dev::router()) } else { routes }
}

/// The routes of the operator. None of them is in the API's document: where they are served is the operator's choice.
pub fn operator_routes() -> Router<Arc<App>> {
    operator::router()
}

/// Puts around routes whatever may refuse a request, so that every refusal is a problem in the caller's language:
/// outermost the layer that writes it, then too many requests, bodies that are too large, and panics.
///
/// Pages are counted against nobody's rate: one of them takes a dozen files at once, all of which lie in memory.
pub fn refusing(routes: Router<Arc<App>>, pages: Router<Arc<App>>, app: &Arc<App>) -> Router<Arc<App>> {
    let body_limit = if app.dev.is_some() { REPLAY_LIMIT } else { BODY_LIMIT };
    let guarded = routes.layer(DefaultBodyLimit::disable()).layer(
        ServiceBuilder::new()
            .layer(from_fn_with_state(app.clone(), limit::limit))
            .layer(CatchPanicLayer::new())
            .layer(RequestBodyLimitLayer::new(body_limit)),
    );
    // In this order, so that what is found nowhere is counted too.
    pages.merge(guarded).layer(from_fn_with_state(app.clone(), language::speak))
}

/// The OpenAPI document, as served at `/openapi.json` and committed in openapi/.
pub fn document() -> Value {
    described().1
}
