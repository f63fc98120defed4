//! One line per request, and a span around it that tells every other line which request it belongs to.
//!
//! A line names the route's template, never the address as it was sent: an invite code may be part of that. Who called is
//! told by the player's id, never by a token.

use crate::ids::PlayerId;
use axum::extract::{MatchedPath, Request};
use axum::http::{HeaderName, HeaderValue, StatusCode};
use std::hash::{BuildHasher, RandomState};
use std::sync::LazyLock;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;
use tracing::{Span, field::Empty, info_span};
use uuid::{Uuid, Variant, Version};

/// Names a request, in its answer and in every line of the log that belongs to it.
pub const REQUEST_ID: HeaderName = HeaderName::from_static("x-request-id");

/// What a route is called that there is none for.
pub const UNMATCHED: &str = "unmatched";

/// Where the spans of requests come from, for whoever looks for them.
pub const TARGET: &str = module_path!();

/// The longest request id that is taken over from a caller; a UUID has 36.
const ID_LENGTH: usize = 64;

/// A span around a request, which tells every line within it which request it belongs to.
pub fn request(request: &Request, id: &HeaderValue) -> Span {
    let id = id.to_str().unwrap_or_default();
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

/// The line that says how a request was answered.
pub fn answered(span: &Span, status: StatusCode, took: Duration) {
    span.record("status", status.as_u16());
    tracing::info!(parent: span, ms = took.as_secs_f64() * 1000.0, "answered");
}

/// The template of the route that a request took.
pub fn route(request: &Request) -> &str {
    request.extensions().get::<MatchedPath>().map_or(UNMATCHED, MatchedPath::as_str)
}

/// The id of a request: the one it came with, unless no well-meaning caller sends such a thing, or a new one.
pub fn request_id(request: &Request) -> HeaderValue {
    let sane = |id: &&HeaderValue| {
        (1..=ID_LENGTH).contains(&id.len())
            && id.as_bytes().iter().all(|byte| byte.is_ascii_alphanumeric() || b"-_.".contains(byte))
    };
    request.headers().get(REQUEST_ID).filter(sane).cloned().unwrap_or_else(new_id)
}

/// A UUID. It need be no secret, only another one for each request, so chance is asked for once: a count goes through a
/// hash whose key nobody knows, because the count itself would tell how much is asked by others.
fn new_id() -> HeaderValue {
    static CHANCE: LazyLock<RandomState> = LazyLock::new(RandomState::new);
    static COUNT: AtomicU64 = AtomicU64::new(0);
    let count = COUNT.fetch_add(1, Ordering::Relaxed);
    let halves = [2 * count, 2 * count + 1].map(|half| CHANCE.hash_one(half));
    let id = uuid::Builder::from_u128(u128::from(halves[0]) << 64 | u128::from(halves[1]));
    let id = id.with_variant(Variant::RFC4122).with_version(Version::Random).into_uuid();
    let mut text = Uuid::encode_buffer();
    HeaderValue::from_str(id.hyphenated().encode_lower(&mut text)).expect("hex and hyphens fit a header")
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
