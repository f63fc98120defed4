//! What every request passes on its way in, and every answer on its way out: named, logged, counted, and told to browsers
//! as data. One function, because each layer around a router is one more box, and one more copy, for every request.

use super::headers;
use super::log::{self, REQUEST_ID};
use super::metrics::{Asked, Metrics};
use axum::extract::{Request, State};
use axum::middleware::Next;
use axum::response::Response;
use std::sync::Arc;
use std::time::Instant;
use tracing::Instrument;

pub async fn pass(State(metrics): State<Arc<Metrics>>, request: Request, next: Next) -> Response {
    let start = Instant::now();
    let id = log::request_id(&request);
    let span = log::request(&request, &id);
    let asked = Asked::of(&request);
    let mut response = next.run(request).instrument(span.clone()).await;
    let took = start.elapsed();
    metrics.count_request(asked, response.status(), took);
    log::answered(&span, response.status(), took);
    headers::add(response.headers_mut());
    response.headers_mut().insert(REQUEST_ID, id);
    response
}
