//! REST API under `/v1`: one file per resource. A handler parses the request, calls one use case and serialises the
//! result; rules and decisions belong to the use cases.

mod asides;
mod bodies;
mod dev;
mod error;
mod events;
mod extract;
mod games;
mod json_response;
mod kinds;
mod language;
mod links;
mod moves;
mod openapi;
mod operator;
mod outer_layer;
mod players;
mod problems;
mod response_cache;
mod schema;
mod seats;
mod service;
mod tokens;
mod unions;

pub use openapi::DocumentProfile;

use crate::app::App;
use crate::edge::layer::AroundLayer;
use axum::Router;
use axum::extract::FromRef;
use kinds::KindResponses;
use response_cache::GameResponses;
use serde_json::Value;
use std::sync::Arc;
use utoipa_axum::router::OpenApiRouter;

/// Longest request body, in bytes; real ones have a few hundred.
const BODY_LIMIT: usize = 64 * 1024;

/// Longest request body of a server started with `--dev`, which takes replays.
const REPLAY_LIMIT: usize = 8 * 1024 * 1024;

/// State of the handlers: the service, and caches of rendered responses.
#[derive(Clone)]
struct Rest {
    app: Arc<App>,
    responses: Arc<GameResponses>,
    kinds: Arc<KindResponses>,
}

impl Rest {
    fn new(app: Arc<App>) -> Self {
        Self { app, responses: Arc::default(), kinds: Arc::default() }
    }
}

/// Lets a handler extract the service alone.
impl FromRef<Rest> for Arc<App> {
    fn from_ref(rest: &Rest) -> Self {
        rest.app.clone()
    }
}

/// All routes with their OpenAPI descriptions; `dev` adds those for test automation.
fn api_routes(dev: bool) -> OpenApiRouter<Rest> {
    let routes = OpenApiRouter::new()
        .merge(players::router())
        .merge(tokens::router())
        .merge(kinds::router())
        .merge(games::router())
        .merge(seats::router())
        .merge(moves::router())
        .merge(asides::router())
        .merge(events::router())
        .merge(service::router());
    if dev { routes.merge(dev::router()) } else { routes }
}

/// The router of the public address: the API, the pages, and the operator's routes unless `--admin-listen` moves them.
pub fn router(app: &Arc<App>, pages: Router) -> Router {
    let (routes, _) = api_routes(app.dev.is_some()).split_for_parts();
    let routes = if app.edge.separate_admin { routes } else { routes.merge(operator::router()) };
    with_middleware(routes, pages, app)
}

/// The router of `--admin-listen`. The OpenAPI document omits these routes, because their address is configurable.
pub fn operator_router(app: &Arc<App>) -> Router {
    with_middleware(operator::router(), Router::new(), app)
}

/// Adds the middleware: rate limits, body limits, the `Host` check, caught panics and problem details.
///
/// Pages have their own layer, because their files are cheap: one page loads two dozen at once, all from memory.
fn with_middleware(routes: Router<Rest>, pages: Router, app: &Arc<App>) -> Router {
    let around = |around| AroundLayer { state: app.clone(), around };
    let api = routes.layer(around(outer_layer::guard)).with_state(Rest::new(app.clone()));
    // The order matters: with it, requests for unknown addresses are counted too.
    pages.layer(around(language::page_layer)).merge(api)
}

/// The longest request body that this server reads.
fn body_limit(app: &App) -> usize {
    if app.dev.is_some() { REPLAY_LIMIT } else { BODY_LIMIT }
}

/// The OpenAPI document as committed in openapi/.
pub fn document() -> Value {
    document_of(DocumentProfile::Full, false)
}

/// The OpenAPI document in one of its profiles; `dev` adds the operations for test automation.
pub fn document_of(profile: DocumentProfile, dev: bool) -> Value {
    openapi::document(api_routes(dev).split_for_parts().1, profile)
}
