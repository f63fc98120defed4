//! What every request passes on its way in, and every answer on its way out: named, logged, counted, and told to browsers
//! as data. A function that the outermost layer of each face calls, and no layer itself, because each layer around a
//! router is one more box, and one more copy, for every request.

use super::cors::Origins;
use super::headers;
use super::log::{self, REQUEST_ID};
use super::metrics::{Asked, Metrics};
use axum::body::{Body, HttpBody, to_bytes};
use axum::extract::Request;
use axum::http::{HeaderValue, Method, header};
use axum::response::{IntoResponse, Response};
use std::convert::Infallible;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;
use tower::{Layer, ServiceExt, service_fn};
use tower_http::compression::predicate::{DefaultPredicate, NotForContentType};
use tower_http::compression::{CompressionLayer, Predicate};
use tower_http::cors::CorsLayer;
use tracing::Instrument;

/// What plain answers would depend on, had they been asked for by a browser or compressed.
const VARY: HeaderValue = HeaderValue::from_static("accept-encoding, origin");

/// Where all requests pass.
pub struct Passage {
    metrics: Arc<Metrics>,
    cors: CorsLayer,
}

impl Passage {
    pub fn new(metrics: Arc<Metrics>, origins: &Origins) -> Self {
        Self { metrics, cors: origins.layer() }
    }

    /// Lets a request pass to whatever answers it, and the answer back.
    pub async fn pass<A: Future<Output = Response>>(
        &self,
        request: Request,
        answer: impl FnOnce(Request) -> A,
    ) -> Response {
        let start = Instant::now();
        let id = log::request_id(&request);
        let span = log::request(&request, &id);
        let asked = Asked::of(&request);
        let mut response = self.answer(request, answer).instrument(span.clone()).await;
        let took = start.elapsed();
        self.metrics.count_request(asked, response.status(), took);
        log::answered(&span, response.status(), took);
        headers::add(response.headers_mut());
        response.headers_mut().insert(REQUEST_ID, id);
        if response.body().size_hint().exact().is_none() {
            // A stream: hyper keeps the map for as long as it lasts, and a copy has no room to spare.
            *response.headers_mut() = response.headers().clone();
        }
        response
    }

    /// What was asked for, as it was asked for: by a page of somebody's, compressed, or plain. Layers look at every answer,
    /// so those who need none have none: most programs that are no browsers.
    async fn answer<A: Future<Output = Response>>(
        &self,
        request: Request,
        answer: impl FnOnce(Request) -> A,
    ) -> Response {
        let headers = request.headers();
        let is_plain = !headers.contains_key(header::ORIGIN)
            && !headers.contains_key(header::ACCEPT_ENCODING)
            && request.method() != Method::OPTIONS;
        if is_plain {
            let mut response = answer(request).await;
            response.headers_mut().append(header::VARY, VARY);
            return response;
        }
        let mut answer = Some(answer);
        let in_memory = AtomicBool::new(false);
        let once = service_fn(|request| {
            let answering = answer.take().expect("a request is asked once")(request);
            async {
                let response = answering.await;
                in_memory.store(is_in_memory(&response), Ordering::Relaxed);
                Ok::<_, Infallible>(response)
            }
        });
        let streams_stay_plain = DefaultPredicate::new().and(NotForContentType::const_new("text/event-stream"));
        let compressed = CompressionLayer::new().compress_when(streams_stay_plain).layer(once);
        // In a box, so that no plain request carries it along.
        let answered = Box::pin(self.cors.layer(compressed).oneshot(request)).await;
        let response = answered.map_or_else(|never| match never {}, IntoResponse::into_response);
        if in_memory.into_inner() && !is_in_memory(&response) { encode(response).await } else { response }
    }
}

/// Whether all of a body is there, and nothing has yet to be made.
fn is_in_memory(response: &Response<impl HttpBody>) -> bool {
    response.body().size_hint().exact().is_some()
}

/// Compresses all of a body that is in memory. An encoder for brotli takes some 5 MB, as measured; it must not wait for a
/// slow reader.
async fn encode(response: Response) -> Response {
    let (parts, body) = response.into_parts();
    let encoded = to_bytes(body, usize::MAX).await.expect("all of it is in memory");
    Response::from_parts(parts, Body::from(encoded))
}
