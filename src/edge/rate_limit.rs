//! `RateLimit` headers: the rest of the token bucket that a request was charged to
//! (draft-ietf-httpapi-ratelimit-headers).

use crate::quota::Balance;
use crate::quota::budget::BURST_SECONDS;
use axum::http::{HeaderMap, HeaderName, HeaderValue};
use std::fmt::Write;

const POLICY: HeaderName = HeaderName::from_static("ratelimit-policy");
const REMAINING: HeaderName = HeaderName::from_static("ratelimit");

/// Both headers, to be exposed to scripts by CORS.
pub const HEADERS: [HeaderName; 2] = [POLICY, REMAINING];

/// Adds the headers; without a limit there is no balance and no header.
pub fn add(headers: &mut HeaderMap, balance: Option<Balance>) {
    let Some(Balance { policy, quota, remaining }) = balance else { return };
    headers.insert(POLICY, value(format_args!("\"{policy}\";q={quota};w={BURST_SECONDS}")));
    headers.insert(REMAINING, value(format_args!("\"{policy}\";r={remaining};t=1")));
}

fn value(text: std::fmt::Arguments<'_>) -> HeaderValue {
    let mut written = String::with_capacity(32);
    // Writing to a `String` never fails.
    let _ = written.write_fmt(text);
    HeaderValue::try_from(written).expect("names and numbers fit a header")
}
