//! Transports of GraphQL, all at `/graphql`: HTTP ([`http`], as in the specification "GraphQL over HTTP"), server-sent
//! events ([`sse`], `graphql-sse` with distinct connections) and WebSocket ([`ws`], `graphql-transport-ws`).
//!
//! The library's own integrations answer parse errors with 200, run mutations over GET, and close sockets with the
//! wrong codes. So these are implemented here, on top of its `execute`. Every transport passes every document to
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

/// Settings of the GraphQL API.
#[derive(Clone, Debug)]
pub struct Settings {
    /// Whether introspection is allowed.
    pub introspection: bool,
    /// Whether an error about an unknown name suggests similar names.
    pub suggestions: bool,
    pub limits: DocumentLimits,
    /// The highest complexity of a document: its fields, times the lengths of the lists that contain them.
    pub complexity: usize,
    /// The largest number of requests in a batch. They share the limits of a single request.
    pub batch: usize,
    /// The largest number of concurrent operations on one WebSocket.
    pub operations: usize,
    /// If set, only these documents are executed.
    pub documents: Option<AllowList>,
    /// How long a client may take to send `connection_init`.
    pub init_deadline: Duration,
    /// The interval between pings on an idle WebSocket.
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

/// The transport of an operation, for metrics.
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

/// State that all requests to `/graphql` share.
pub struct Graphql {
    /// The schema that validates and executes nothing.
    validating: Schema,
    /// The schema that executes documents without validating them again.
    trusting: Schema,
    document_cache: DocumentCache,
    response_cache: ResponseCache,
    documents: Documents,
    settings: Settings,
}

impl Graphql {
    fn new(settings: &Settings) -> Self {
        let limited = || {
            // The guard lets no deeper document through.
            let builder = schema().limit_recursive_depth(settings.limits.depth);
            let builder = if settings.introspection { builder } else { builder.disable_introspection() };
            if settings.suggestions { builder } else { builder.disable_suggestions() }
        };
        Self {
            validating: limited().extension(StopAfterValidation).finish(),
            trusting: limited().validation_mode(ValidationMode::Fast).finish(),
            document_cache: DocumentCache::default(),
            response_cache: ResponseCache::default(),
            documents: Documents::new(settings.documents.clone()),
            settings: settings.clone(),
        }
    }
}

/// The route `/graphql`. Its errors are GraphQL errors and not REST's problems, so it must not be within the layer that
/// renders problems.
pub fn router(app: &Arc<App>) -> Router {
    let (app, graphql) = (app.clone(), Arc::new(Graphql::new(&app.graphql)));
    Router::new().route("/graphql", any(async move |request: Request| http::serve(app, graphql, request).await))
}
