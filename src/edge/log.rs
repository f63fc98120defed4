//! One line per request, and a span around it that tells every other line which request it belongs to.
//!
//! A line names the route's template, never the address as it was sent: an invite code may be part of that. Who called is
//! told by the player's id, never by a token.

use crate::ids::PlayerId;
use axum::extract::{MatchedPath, Request};
use axum::http::{HeaderName, HeaderValue};
use std::time::Duration;
use tower_http::classify::{ServerErrorsAsFailures, SharedClassifier};
use tower_http::trace::{MakeSpan, OnResponse, TraceLayer};
use tracing::{Span, field::Empty, info_span};

/// Names a request, in its answer and in every line of the log that belongs to it.
pub const REQUEST_ID: HeaderName = HeaderName::from_static("x-request-id");

/// What a route is called that there is none for.
pub const UNMATCHED: &str = "unmatched";

/// Where the spans of requests come from, for whoever looks for them.
pub const TARGET: &str = module_path!();

/// The longest request id that is taken over from a caller; a UUID has 36.
const ID_LENGTH: usize = 64;

/// The layer that writes the log.
pub fn layer() -> TraceLayer<SharedClassifier<ServerErrorsAsFailures>, Requests, (), Requests, (), (), ()> {
    TraceLayer::new_for_http()
        .make_span_with(Requests)
        .on_request(())
        .on_response(Requests)
        .on_body_chunk(())
        .on_eos(())
        .on_failure(())
}

/// How a request is told of.
#[derive(Clone, Copy)]
pub struct Requests;

impl<B> MakeSpan<B> for Requests {
    fn make_span(&mut self, request: &axum::http::Request<B>) -> Span {
        let id = request.headers().get(REQUEST_ID).and_then(|id| id.to_str().ok()).unwrap_or_default();
        info_span!(
            "request",
            method = %request.method(),
            route = route(request),
            id,
            player = Empty,
            game = Empty,
            kind = Empty,
            status = Empty,
        )
    }
}

impl<B> OnResponse<B> for Requests {
    fn on_response(self, response: &axum::http::Response<B>, latency: Duration, span: &Span) {
        let status = response.status().as_u16();
        span.record("status", status);
        tracing::info!(parent: span, ms = latency.as_secs_f64() * 1000.0, "answered");
    }
}

/// The template of the route that a request took.
pub fn route<B>(request: &axum::http::Request<B>) -> &str {
    request.extensions().get::<MatchedPath>().map_or(UNMATCHED, MatchedPath::as_str)
}

/// Drops a request id that no well-meaning caller sends, so that a new one is given.
pub async fn believe_request_id(mut request: Request) -> Request {
    let sane = |id: &HeaderValue| {
        (1..=ID_LENGTH).contains(&id.len())
            && id.as_bytes().iter().all(|byte| byte.is_ascii_alphanumeric() || b"-_.".contains(byte))
    };
    if !request.headers().get(REQUEST_ID).is_some_and(sane) {
        request.headers_mut().remove(REQUEST_ID);
    }
    request
}

/// The longest name of an operation that is told; GraphQL has them made of letters, digits and underscores.
const NAME_LENGTH: usize = 64;

/// A span around a GraphQL operation: a request may have several, and a socket very many.
pub fn operation(sort: &'static str, name: Option<&str>, player: Option<PlayerId>) -> Span {
    let operation: String = name.unwrap_or_default().chars().take(NAME_LENGTH).collect();
    let span = info_span!("operation", sort, operation, player = Empty, game = Empty, kind = Empty);
    if let Some(player) = player {
        span.record("player", tracing::field::display(player));
    }
    span
}

/// Says in a span who called.
pub fn note_player(player: PlayerId) {
    Span::current().record("player", tracing::field::display(player));
}
