//! What every request passes on its way in, and every answer on its way out: named, logged, counted, and told to browsers
//! as data. A function that the outermost layer of each face calls, and no layer itself, because each layer around a
//! router is one more box, and one more copy, for every request.

use super::client_address::Proxies;
use super::cors::Origins;
use super::log::{self, REQUEST_ID};
use super::metrics::{Metrics, RequestInfo};
use super::unsent_bytes::Shared;
use super::{headers, host, refusals};
use crate::quota::{Budgets, Limited, Meter, prices};
use axum::body::{Body, HttpBody, to_bytes};
use axum::extract::Request;
use axum::http::{HeaderValue, Method, StatusCode, header};
use axum::response::{IntoResponse, Response};
use std::convert::Infallible;
use std::sync::Arc;
use std::time::Instant;
use tower::{Layer, ServiceExt, service_fn};
use tower_http::compression::predicate::DefaultPredicate;
use tower_http::compression::{CompressionLayer, Predicate};
use tower_http::cors::CorsLayer;
use tracing::Instrument;

/// What plain answers would depend on, had they been asked for by a browser or compressed.
const VARY: HeaderValue = HeaderValue::from_static("accept-encoding, origin");

/// Where all requests pass.
pub struct Pipeline {
    metrics: Arc<Metrics>,
    cors: CorsLayer,
    proxies: Proxies,
    budgets: Arc<Budgets>,
}

impl Pipeline {
    pub fn new(metrics: Arc<Metrics>, origins: &Origins, proxies: Proxies, budgets: Arc<Budgets>) -> Self {
        Self { metrics, cors: origins.layer(), proxies, budgets }
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
        let asked = RequestInfo::of(&request);
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
        let asked = request.headers();
        let is_plain = !asked.contains_key(header::ORIGIN)
            && !asked.contains_key(header::ACCEPT_ENCODING)
            && request.method() != Method::OPTIONS;
        if is_plain {
            let mut response = answer(request).await;
            headers::vary(response.headers_mut(), VARY);
            return response;
        }
        if request.method() == Method::OPTIONS
            && let Err(refused) = self.admit_preflight(&request).await
        {
            return refused.into_response();
        }
        let mut answer = Some(answer);
        let once = service_fn(|request| {
            let answering = answer.take().expect("a request is asked once")(request);
            async { Ok::<_, Infallible>(answering.await) }
        });
        let compressed = CompressionLayer::new().compress_when(DefaultPredicate::new().and(WholeAndOwn)).layer(once);
        // In a box, so that no plain request carries it along.
        let answered = Box::pin(self.cors.layer(compressed).oneshot(request)).await;
        let response = answered.map_or_else(|never| match never {}, IntoResponse::into_response);
        // Streams have no encoding, so this is an encoder that has yet to run.
        let is_to_be_encoded = response.headers().contains_key(header::CONTENT_ENCODING) && !is_in_memory(&response);
        if is_to_be_encoded { encode(response).await } else { response }
    }

    /// Charges for a preflight request, and checks its host: the layer that answers it stands before whatever else does.
    fn admit_preflight(&self, request: &Request) -> impl Future<Output = Result<(), PreflightRefused>> + Send {
        let meter = Meter::new(self.proxies.caller_of(request));
        let (host, connection) = (host::check(request), refusals(request));
        async move {
            let admitted = meter.admit(&self.budgets, prices::PREFLIGHT, connection).await;
            admitted.map_err(PreflightRefused::Limited)?;
            host.map_err(|_| PreflightRefused::Host)
        }
    }
}

/// A preflight request that is refused. Browsers show it to nobody, so there is no body.
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

/// Compresses answers that are whole, in memory, and made for one client.
///
/// Not streams: their encoder would wait for the reader, some 5 MB for brotli as measured, while the backlog of a
/// connection counts bytes only. Not what is [`Shared`]: that is compressed once for everybody, in every encoding that
/// there is; a copy made here would cost the work for each request, and be counted as if it took no memory.
#[derive(Clone, Copy)]
struct WholeAndOwn;

impl Predicate for WholeAndOwn {
    fn should_compress<B: HttpBody>(&self, response: &Response<B>) -> bool {
        is_in_memory(response) && response.extensions().get::<Shared>().is_none()
    }
}

/// Whether all of a body is there, and nothing has yet to be made.
fn is_in_memory(response: &Response<impl HttpBody>) -> bool {
    response.body().size_hint().exact().is_some()
}

/// Compresses all of a body that is in memory, so that its encoder does not wait for a slow reader.
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

    /// What somebody who accepts these encodings is answered: the encoding, the tag, the bytes.
    async fn pass(accepts: &'static str, answer: impl AsyncFnOnce(Request) -> Response) -> (String, String, Bytes) {
        let pipeline = Pipeline::new(Arc::default(), &Origins::Any, Proxies::default(), Arc::default());
        let mut request = Request::new(Body::empty());
        request.headers_mut().insert(header::ACCEPT_ENCODING, HeaderValue::from_static(accepts));
        let answered = pipeline.pass(request, |request| answer(request)).await;
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
            // Not merely equal: it is the one copy that there is.
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
