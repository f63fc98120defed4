//! What browsers are told about every answer: that it is data and not a page, for nobody else's frame or cache. An answer
//! that knows better, such as a page, says so itself.

use axum::http::{HeaderMap, HeaderName, HeaderValue, header};

const DEFAULTS: [(HeaderName, HeaderValue); 4] = [
    (header::X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff")),
    (header::REFERRER_POLICY, HeaderValue::from_static("no-referrer")),
    (header::CONTENT_SECURITY_POLICY, HeaderValue::from_static("default-src 'none'; frame-ancestors 'none'")),
    (header::CACHE_CONTROL, HeaderValue::from_static("no-store")),
];

/// Adds those that an answer does not have.
pub fn add(headers: &mut HeaderMap) {
    for (name, value) in DEFAULTS {
        headers.entry(name).or_insert(value);
    }
}
