//! Access log: one line per request, and a span that adds the request to every other line logged within it.
//!
//! It logs the template of the route and never the URL, which may contain an invite code. It identifies the caller by
//! the player's id and never by a token.

use crate::ids::PlayerId;
use axum::extract::{MatchedPath, Request};
use axum::http::{HeaderName, HeaderValue, StatusCode};
use std::hash::{BuildHasher, RandomState};
use std::sync::LazyLock;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;
use tracing::{Span, field::Empty, info_span};
use uuid::{Uuid, Variant, Version};

/// Header with the id of a request, which is also in its log lines.
pub const REQUEST_ID: HeaderName = HeaderName::from_static("x-request-id");

/// The route of requests that match none.
pub const UNMATCHED: &str = "unmatched";

/// Target of the spans of requests, for filters.
pub const TARGET: &str = module_path!();

/// The longest request id that is accepted from a client; a UUID has 36 characters.
const MAX_ID_LENGTH: usize = 64;

/// The span of a request.
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

/// Logs that a request was answered.
pub fn answered(span: &Span, status: StatusCode, took: Duration) {
    span.record("status", status.as_u16());
    tracing::info!(parent: span, ms = took.as_secs_f64() * 1000.0, "answered");
}

/// The template of a request's route.
pub fn route(request: &Request) -> &str {
    request.extensions().get::<MatchedPath>().map_or(UNMATCHED, MatchedPath::as_str)
}

/// The id of a request: the one that the client sent if it is short and plain, otherwise a new one.
pub fn request_id(request: &Request) -> HeaderValue {
    let sane = |id: &&HeaderValue| {
        (1..=MAX_ID_LENGTH).contains(&id.len())
            && id.as_bytes().iter().all(|byte| byte.is_ascii_alphanumeric() || b"-_.".contains(byte))
    };
    request.headers().get(REQUEST_ID).filter(sane).cloned().unwrap_or_else(new_id)
}

/// A UUID, made by hashing a counter with a random key. Ids need to be unique but not secret, so a random number for
/// each would be wasted; the plain counter would reveal how many requests others send.
fn new_id() -> HeaderValue {
    static HASH_KEY: LazyLock<RandomState> = LazyLock::new(RandomState::new);
    static COUNTER: AtomicU64 = AtomicU64::new(0);
    let count = COUNTER.fetch_add(1, Ordering::Relaxed);
    let halves = [2 * count, 2 * count + 1].map(|half| HASH_KEY.hash_one(half));
    let id = uuid::Builder::from_u128(u128::from(halves[0]) << 64 | u128::from(halves[1]));
    let id = id.with_variant(Variant::RFC4122).with_version(Version::Random).into_uuid();
    let mut text = Uuid::encode_buffer();
    HeaderValue::from_str(id.hyphenated().encode_lower(&mut text)).expect("hex and hyphens fit a header")
}

/// Operation names are cut to this length; GraphQL allows only letters, digits and underscores in them.
const MAX_NAME_LENGTH: usize = 64;

/// The span of a GraphQL operation: a request may have several, and a socket very many.
pub fn operation(sort: &'static str, name: Option<&str>, player: Option<PlayerId>) -> Span {
    let operation: String = name.unwrap_or_default().chars().take(MAX_NAME_LENGTH).collect();
    let span = info_span!("operation", sort, operation, player = Empty, game = Empty, kind = Empty);
    if let Some(player) = player {
        span.record("player", tracing::field::display(player));
    }
    span
}

/// Records the caller in the current span.
pub fn note_player(player: PlayerId) {
    Span::current().record("player", tracing::field::display(player));
}
