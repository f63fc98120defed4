//! JSON responses.

use axum::body::Body;
use axum::http::{HeaderMap, HeaderName, HeaderValue, StatusCode, header};
use axum::response::Response;
use serde::Serialize;

/// Initial capacity of a body in bytes: most bodies fit, so that writing them seldom reallocates.
const BODY_CAPACITY: usize = 4 << 10;
/// The number of headers that a response has once all middleware has run, so that the map is allocated once.
const HEADER_CAPACITY: usize = 12;

pub fn write(body: &impl Serialize) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(BODY_CAPACITY);
    serde_json::to_writer(&mut bytes, body).expect("bodies are plain data");
    bytes
}

pub fn json(body: impl Into<Body>) -> Response {
    let is_json = (header::CONTENT_TYPE, HeaderValue::from_static("application/json"));
    answer(StatusCode::OK, [is_json], body)
}

/// A response with these headers, and capacity for those that the middleware adds.
pub fn answer(
    status: StatusCode,
    with: impl IntoIterator<Item = (HeaderName, HeaderValue)>,
    body: impl Into<Body>,
) -> Response {
    let mut response = Response::new(body.into());
    let mut headers = HeaderMap::with_capacity(HEADER_CAPACITY);
    headers.extend(with);
    (*response.status_mut(), *response.headers_mut()) = (status, headers);
    response
}
