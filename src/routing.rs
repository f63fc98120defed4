//! The HTTP routers: all faces over one [`App`].

use crate::app::App;
use crate::{graphql, rest, web};
use axum::Router;
use std::sync::Arc;

/// What is served to everybody, and the operator's routes, unless those have an address of their own.
pub fn router(app: &Arc<App>) -> Router {
    // In this order: REST answers for paths that lead nowhere.
    graphql::router(app).merge(rest::router(app, web::router(app)))
}

/// What is served to the operator alone.
pub fn operator_router(app: &Arc<App>) -> Router {
    rest::operator_router(app)
}
