//! HTTP routers of an [`App`]: GraphQL, REST and the pages.

use crate::app::App;
use crate::{graphql, rest, web};
use axum::Router;
use std::sync::Arc;

/// The public routes, and the operator endpoints unless they have a separate address.
pub fn router(app: &Arc<App>) -> Router {
    // REST comes last, because it has the fallback for unknown paths.
    graphql::router(app).merge(rest::router(app, web::router(app)))
}

/// The operator endpoints.
pub fn operator_router(app: &Arc<App>) -> Router {
    rest::operator_router(app)
}
