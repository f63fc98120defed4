//! Answers as JSON.

use axum::body::Body;
use axum::http::{HeaderMap, HeaderName, HeaderValue, StatusCode, header};
use axum::response::Response;
use serde::Serialize;

/// As long as most bodies are, so that writing one seldom has to make room.
const USUAL: usize = 4 << 10;
/// As many headers as an answer has by the time it leaves, so that they are put in place once.
const HEADERS: usize = 12;

/// A body as JSON.
pub fn write(body: &impl Serialize) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(USUAL);
    serde_json::to_writer(&mut bytes, body).expect("what is shown is plain data");
    bytes
}

/// An answer with such a body.
pub fn json(body: impl Into<Body>) -> Response {
    let is_json = (header::CONTENT_TYPE, HeaderValue::from_static("application/json"));
    answer(StatusCode::OK, [is_json], body)
}

/// An answer with these headers, and room for those that every answer is given on its way out.
pub fn answer(
    status: StatusCode,
    with: impl IntoIterator<Item = (HeaderName, HeaderValue)>,
    body: impl Into<Body>,
) -> Response {
    let mut response = Response::new(body.into());
    let mut headers = HeaderMap::with_capacity(HEADERS);
    headers.extend(with);
    (*response.status_mut(), *response.headers_mut()) = (status, headers);
    response
}
