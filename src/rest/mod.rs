//! REST, `/v1`: one file per resource. Handlers read a request, call one use case and shape the answer; no rule and no
//! decision lives here.

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
use kinds::KindPages;
use response_cache::GameResponses;
use serde_json::Value;
use std::sync::Arc;
use utoipa_axum::router::OpenApiRouter;

/// No request of ours is longer than a few hundred bytes.
const BODY_LIMIT: usize = 64 * 1024;

/// But a replay, which only a server for test automation takes, is.
const REPLAY_LIMIT: usize = 8 * 1024 * 1024;

/// What the handlers share: the service, and what they rendered a moment ago.
#[derive(Clone)]
struct Rest {
    app: Arc<App>,
    pages: Arc<GameResponses>,
    kind_pages: Arc<KindPages>,
}

impl Rest {
    fn new(app: Arc<App>) -> Self {
        Self { app, pages: Arc::default(), kind_pages: Arc::default() }
    }
}

/// Most handlers need no more than this.
impl FromRef<Rest> for Arc<App> {
    fn from_ref(rest: &Rest) -> Self {
        rest.app.clone()
    }
}

/// All routes, with their descriptions; with those for test automation, or without.
fn described(dev: bool) -> OpenApiRouter<Rest> {
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

/// The REST face; with the operator's routes, unless those have an address of their own, and with the pages.
pub fn router(app: &Arc<App>, pages: Router) -> Router {
    let (routes, _) = described(app.dev.is_some()).split_for_parts();
    let routes = if app.edge.separate_admin { routes } else { routes.merge(operator::router()) };
    guarded(routes, pages, app)
}

/// The operator's routes alone. None of them is in the API's document: where they are served is the operator's choice.
pub fn operator_router(app: &Arc<App>) -> Router {
    guarded(operator::router(), Router::new(), app)
}

/// Puts around routes whatever may refuse a request: too many of them, bodies that are too large, panics.
///
/// A file of a page costs a fraction of a request: one page takes two dozen at once, all of which lie in memory.
fn guarded(routes: Router<Rest>, pages: Router, app: &Arc<App>) -> Router {
    let around = |around| AroundLayer { state: app.clone(), around };
    let guarded = routes.layer(around(outer_layer::guard)).with_state(Rest::new(app.clone()));
    // In this order, so that what is found nowhere is counted too.
    pages.layer(around(language::speak)).merge(guarded)
}

/// The longest body that is read.
fn body_limit(app: &App) -> usize {
    if app.dev.is_some() { REPLAY_LIMIT } else { BODY_LIMIT }
}

/// The OpenAPI document, as served at `/openapi.json` and committed in openapi/.
pub fn document() -> Value {
    document_of(DocumentProfile::Full, false)
}

/// The OpenAPI document in one of its profiles. That of a server started with `--dev` describes the operations for test
/// automation too.
pub fn document_of(profile: DocumentProfile, dev: bool) -> Value {
    openapi::document(described(dev).split_for_parts().1, profile)
}
