//! `RateLimit` headers: what is left of the budget that a request was charged to
//! (draft-ietf-httpapi-ratelimit-headers).

use crate::quota::Balance;
use crate::quota::budget::BURST_SECONDS;
use axum::http::{HeaderMap, HeaderName, HeaderValue};
use std::fmt::Write;

const POLICY: HeaderName = HeaderName::from_static("ratelimit-policy");
const LEFT: HeaderName = HeaderName::from_static("ratelimit");

/// Both headers, for browsers to show to scripts.
pub const HEADERS: [HeaderName; 2] = [POLICY, LEFT];

/// Tells a client its balance; nothing where nothing is limited.
pub fn add(headers: &mut HeaderMap, balance: Option<Balance>) {
    let Some(Balance { policy, quota, remaining }) = balance else { return };
    headers.insert(POLICY, value(format_args!("\"{policy}\";q={quota};w={BURST_SECONDS}")));
    headers.insert(LEFT, value(format_args!("\"{policy}\";r={remaining};t=1")));
}

fn value(text: std::fmt::Arguments<'_>) -> HeaderValue {
    let mut written = String::with_capacity(32);
    // Writing to a text never fails.
    let _ = written.write_fmt(text);
    HeaderValue::try_from(written).expect("names and numbers fit a header")
}
