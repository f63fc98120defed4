//! The request pipeline: request id, log line, metrics, CORS, compression and default headers of every request.
//!
//! A function that the outermost layer of each API calls, and not a tower layer: each layer around a router costs
//! another boxed future per request (docs/performance.md).

use super::arrival::Arrival;
use super::cors::Origins;
use super::log::{self, REQUEST_ID};
use super::metrics::{Metrics, RequestInfo};
use super::unsent_bytes::Shared;
use super::{headers, host};
use crate::quota::{Budgets, Limited, prices};
use axum::body::{Body, HttpBody, to_bytes};
use axum::extract::Request;
use axum::http::{HeaderValue, Method, StatusCode, header};
use axum::response::{IntoResponse, Response};
use futures::future::BoxFuture;
use std::convert::Infallible;
use std::sync::Arc;
use std::time::Instant;
use tower::{Layer, ServiceExt, service_fn};
use tower_http::compression::predicate::DefaultPredicate;
use tower_http::compression::{CompressionLayer, Predicate};
use tower_http::cors::CorsLayer;
use tracing::Instrument;

/// Every answer has texts in the reader's language, or may be a refusal that does.
const VARY: HeaderValue = HeaderValue::from_static("accept-language");
/// `Vary` of answers that skip the CORS and compression layers, with the names that those layers add to all others.
const VARY_PLAIN: HeaderValue = HeaderValue::from_static("accept-language, accept-encoding, origin");

/// State of the pipeline.
pub struct Pipeline {
    metrics: Arc<Metrics>,
    cors: CorsLayer,
    budgets: Arc<Budgets>,
}

impl Pipeline {
    pub fn new(metrics: Arc<Metrics>, origins: &Origins, budgets: Arc<Budgets>) -> Arc<Self> {
        Arc::new(Self { metrics, cors: origins.layer(), budgets })
    }

    /// Passes a request to `answer`, and the answer back.
    ///
    /// Not an `async fn`, which would hold the request beside the future that takes it, and copy both. That future is boxed,
    /// because every future around it is copied at least once.
    pub fn pass<'a>(
        self: Arc<Self>,
        request: Request,
        answer: impl FnOnce(Request) -> BoxFuture<'a, Response> + Send + 'a,
    ) -> impl Future<Output = Response> + Send + 'a {
        let start = Instant::now();
        let id = log::request_id(&request);
        let span = log::request(&request, &id);
        let info = RequestInfo::of(&request);
        let is_plain = is_plain(&request);
        let answering: BoxFuture<'a, Response> =
            if is_plain { answer(request) } else { Box::pin(self.clone().answer_browser(request, answer)) };
        async move {
            let mut response = answering.instrument(span.clone()).await;
            let took = start.elapsed();
            self.metrics.count_request(info, response.status(), took);
            log::answered(&span, response.status(), took);
            headers::vary(response.headers_mut(), if is_plain { VARY_PLAIN } else { VARY });
            headers::add(response.headers_mut());
            response.headers_mut().insert(REQUEST_ID, id);
            if response.body().size_hint().exact().is_none() {
                // hyper keeps the map as long as a stream lasts, and a clone has no spare capacity.
                *response.headers_mut() = response.headers().clone();
            }
            response
        }
    }

    /// Answers a request that needs CORS headers or compression.
    async fn answer_browser<'a>(
        self: Arc<Self>,
        mut request: Request,
        answer: impl FnOnce(Request) -> BoxFuture<'a, Response> + 'a,
    ) -> Response {
        if request.method() == Method::OPTIONS
            && let Err(refused) = self.admit_preflight(&mut request).await
        {
            return refused.into_response();
        }
        let mut answer = Some(answer);
        let once = service_fn(|request| {
            let answering = answer.take().expect("called once")(request);
            async { Ok::<_, Infallible>(answering.await) }
        });
        let compressed =
            CompressionLayer::new().compress_when(DefaultPredicate::new().and(BufferedAndUnshared)).layer(once);
        let answered = self.cors.layer(compressed).oneshot(request).await;
        let response = answered.map_or_else(|never| match never {}, IntoResponse::into_response);
        // Streams are not encoded, so this is an encoder that has not run yet.
        let is_to_be_encoded = response.headers().contains_key(header::CONTENT_ENCODING) && !is_in_memory(&response);
        if is_to_be_encoded { encode(response).await } else { response }
    }

    /// Charges for a preflight request and checks its host. The CORS layer answers it, so no handler does.
    fn admit_preflight(&self, request: &mut Request) -> impl Future<Output = Result<(), PreflightRefused>> + Send {
        let (arrival, host) = (Arrival::of(request), host::check(request));
        async move {
            let admitted = arrival.meter.admit(&self.budgets, prices::PREFLIGHT, arrival.refusals()).await;
            admitted.map_err(PreflightRefused::Limited)?;
            host.map_err(|_| PreflightRefused::Host)
        }
    }
}

/// Whether a request needs neither CORS headers nor compression, as from most clients that are not browsers. It then
/// skips both layers, which would examine every answer.
fn is_plain(request: &Request) -> bool {
    let headers = request.headers();
    !headers.contains_key(header::ORIGIN)
        && !headers.contains_key(header::ACCEPT_ENCODING)
        && request.method() != Method::OPTIONS
}

/// A refused preflight request. It has no body: browsers do not show it.
enum PreflightRefused {
    Limited(Limited),
    Host,
}

impl IntoResponse for PreflightRefused {
    fn into_response(self) -> Response {
        match self {
            Self::Limited(limited) => {
                let retry_after = [(header::RETRY_AFTER, limited.retry_after())];
                (StatusCode::TOO_MANY_REQUESTS, retry_after).into_response()
            }
            Self::Host => StatusCode::BAD_REQUEST.into_response(),
        }
    }
}

/// Compresses answers that are whole in memory and made for one client.
///
/// Not streams: their encoder would stay in memory while it waits for the reader (5 MB measured for brotli), and the
/// backlog of a connection counts bytes only. Not [`Shared`] answers: [`Asset`](super::asset::Asset) compresses them
/// once, and the backlog would count a copy made here as if it took no memory.
#[derive(Clone, Copy)]
struct BufferedAndUnshared;

impl Predicate for BufferedAndUnshared {
    fn should_compress<B: HttpBody>(&self, response: &Response<B>) -> bool {
        is_in_memory(response) && response.extensions().get::<Shared>().is_none()
    }
}

/// Whether a body is complete in memory.
fn is_in_memory(response: &Response<impl HttpBody>) -> bool {
    response.body().size_hint().exact().is_some()
}

/// Runs the encoder to its end, so that it does not stay in memory while it waits for a slow reader.
async fn encode(response: Response) -> Response {
    let (parts, body) = response.into_parts();
    let encoded = to_bytes(body, usize::MAX).await.expect("all of it is in memory");
    Response::from_parts(parts, Body::from(encoded))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::edge::asset::Asset;
    use axum::body::Bytes;
    use futures::stream;

    /// The encoding, tag and bytes of the answer to a client that accepts these encodings.
    async fn pass<'a, A: Future<Output = Response> + Send + 'a>(
        accepts: &'static str,
        answer: impl FnOnce(Request) -> A + Send + 'a,
    ) -> (String, String, Bytes) {
        let pipeline = Pipeline::new(Arc::default(), &Origins::Any, Arc::default());
        let mut request = Request::new(Body::empty());
        request.headers_mut().insert(header::ACCEPT_ENCODING, HeaderValue::from_static(accepts));
        let answered = pipeline.pass(request, |request| Box::pin(answer(request))).await;
        let text = |name| answered.headers().get(name).map_or("", |value| value.to_str().expect("a text")).to_owned();
        let (encoding, tag) = (text(header::CONTENT_ENCODING), text(header::ETAG));
        (encoding, tag, to_bytes(answered.into_body(), usize::MAX).await.expect("a body"))
    }

    #[tokio::test]
    async fn what_is_the_same_for_everybody_is_compressed_once_whatever_a_client_accepts() {
        let asset = Asset::json(format!("[{}1]", "1,".repeat(10_000)));
        for (accepts, encoding) in [
            ("gzip", "gzip"),
            ("x-gzip", "gzip"),
            ("identity, x-gzip", "gzip"),
            ("identity, x-gzip;q=0.5", ""),
            ("x-gzip, br", "br"),
            ("deflate", ""),
            ("zstd", ""),
            ("*", ""),
            ("br;q=0.1, *", "br"),
        ] {
            let ask = async || pass(accepts, async |request| asset.answer(request.headers()).await).await;
            let (first, again) = (ask().await, ask().await);
            assert_eq!((first.0.as_str(), &first), (encoding, &again), "{accepts}");
            // Not merely equal: the same bytes in memory.
            assert_eq!(first.2.as_ptr(), again.2.as_ptr(), "{accepts}");
        }
        let ask = async |accepts| pass(accepts, async |request: Request| asset.answer(request.headers()).await).await;
        assert_eq!(ask("x-gzip").await, ask("gzip").await, "two names of one encoding");
    }

    #[tokio::test]
    async fn what_is_made_for_one_client_is_compressed_if_it_is_whole_and_streams_are_not() {
        let text = "all the same ".repeat(1_000);
        for accepts in ["br", "gzip", "x-gzip"] {
            let whole = pass(accepts, async |_| text.clone().into_response()).await;
            assert!(!whole.0.is_empty() && whole.2.len() < text.len() / 10, "{accepts}: {}", whole.2.len());
            let pieces = stream::iter([Ok::<_, Infallible>(text.clone()), Ok(text.clone())]);
            let streamed = pass(accepts, async |_| Body::from_stream(pieces).into_response()).await;
            assert_eq!((streamed.0.as_str(), streamed.2.len()), ("", 2 * text.len()), "{accepts}");
        }
    }
}
