//! How GraphQL travels, all on `/graphql`: HTTP ([`http`], to the letter of GraphQL over HTTP), server-sent events
//! ([`sse`], `graphql-sse` with distinct connections) and WebSocket ([`ws`], `graphql-transport-ws`).
//!
//! The library's own integrations answer parse errors with 200, run mutations over GET, and close sockets with the wrong
//! codes, so these are ours, over its `execute`. Whatever comes in, on whichever of them, goes through
//! [`Graphql::prepare`](operation), and so through the guard.

mod content_negotiation;
mod document_cache;
mod http;
mod operation;
mod operation_cost;
mod persisted;
mod request;
mod request_error;
mod response;
mod response_cache;
mod sse;
mod subscription;
mod validation;
mod ws;

pub use persisted::{AllowList, DocumentsError};
pub use request_error::RequestError;
pub use response::Cost;

use super::guard::DocumentLimits;
use super::{Schema, schema};
use crate::app::App;
use async_graphql::ValidationMode;
use axum::extract::Request;
use axum::{Router, routing::any};
use document_cache::DocumentCache;
use persisted::Documents;
use response_cache::ResponseCache;
use std::sync::Arc;
use std::time::Duration;
use validation::StopAfterValidation;

/// What can be set about GraphQL.
#[derive(Clone, Debug)]
pub struct Settings {
    /// Whether the schema may be asked for.
    pub introspection: bool,
    /// Whether a misspelt name is answered with those that there are.
    pub suggestions: bool,
    pub limits: DocumentLimits,
    /// Fields that a document may ask for, times the lengths of the lists they are in.
    pub complexity: usize,
    /// Requests in a batch; they share the limits of one.
    pub batch: usize,
    /// Operations that go on at a time on one socket.
    pub operations: usize,
    /// The only documents that are carried out; any, if not said.
    pub documents: Option<AllowList>,
    /// How long a socket may take to say who it is.
    pub init_deadline: Duration,
    /// How often a quiet socket is asked whether it is still there.
    pub keep_alive: Duration,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            introspection: true,
            suggestions: true,
            limits: DocumentLimits::default(),
            complexity: 5_000,
            batch: 10,
            operations: 100,
            documents: None,
            init_deadline: Duration::from_secs(10),
            keep_alive: Duration::from_secs(15),
        }
    }
}

/// How an operation came.
#[derive(Clone, Copy, Debug)]
pub enum Transport {
    Http,
    Sse,
    WebSocket,
}

impl Transport {
    fn name(self) -> &'static str {
        match self {
            Transport::Http => "http",
            Transport::Sse => "sse",
            Transport::WebSocket => "websocket",
        }
    }
}

/// What all requests to `/graphql` share.
pub struct Graphql {
    /// Validates, and executes nothing.
    validating: Schema,
    /// Executes what was found valid.
    trusting: Schema,
    document_cache: DocumentCache,
    kept: ResponseCache,
    documents: Documents,
    settings: Settings,
}

impl Graphql {
    fn new(settings: &Settings) -> Self {
        let limited = || {
            // What the guard has let through is never deeper.
            let builder = schema().limit_recursive_depth(settings.limits.depth);
            let builder = if settings.introspection { builder } else { builder.disable_introspection() };
            if settings.suggestions { builder } else { builder.disable_suggestions() }
        };
        Self {
            validating: limited().extension(StopAfterValidation).finish(),
            trusting: limited().validation_mode(ValidationMode::Fast).finish(),
            document_cache: DocumentCache::default(),
            kept: ResponseCache::default(),
            documents: Documents::new(settings.documents.clone()),
            settings: settings.clone(),
        }
    }
}

/// `/graphql`. Refusals are GraphQL errors here, never problems, so it stands beside what puts those around routes.
pub fn router(app: &Arc<App>) -> Router {
    let (app, graphql) = (app.clone(), Arc::new(Graphql::new(&app.graphql)));
    Router::new().route("/graphql", any(async move |request: Request| http::serve(app, graphql, request).await))
}
