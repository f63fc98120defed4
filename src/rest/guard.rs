//! The outermost layer of the API: whatever may refuse a request before a handler sees it, and every refusal a problem in
//! the caller's language. One function, because each layer is one more box, and one more copy, for every request.

use super::error::ApiError;
use super::{body_limit, language};
use crate::app::App;
use crate::codes::Code;
use crate::edge::address::Peer;
use axum::extract::{Request, State};
use axum::http::header;
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use futures::FutureExt;
use std::panic::AssertUnwindSafe;
use std::sync::Arc;

/// Lets a request pass, and answers or refuses it.
pub async fn guard(State(app): State<Arc<App>>, request: Request, next: Next) -> Response {
    app.edge.passage.pass(request, |request| guarded(&app, request, next)).await
}

async fn guarded(app: &App, request: Request, next: Next) -> Response {
    let reads = language::of(request.headers());
    let admitted = admit(app, &request);
    let response = match admitted.await {
        // What was half done when it panicked is given up with the request.
        Ok(()) => AssertUnwindSafe(next.run(request)).catch_unwind().await.unwrap_or_else(|_| {
            tracing::error!("a request panicked");
            ApiError::new(Code::Unavailable).into_response()
        }),
        Err(error) => error.into_response(),
    };
    language::answer(app, reads, response).await
}

/// Lets a request in if its address has not used up its share, and if it does not say itself that it is too long. One that
/// came over no socket has no address.
fn admit<'a>(app: &'a App, request: &Request) -> impl Future<Output = Result<(), ApiError>> + use<'a> {
    let headers = request.headers();
    let address = request.extensions().get::<Peer>().map(|peer| app.edge.proxies.client(*peer, headers));
    let length = headers.get(header::CONTENT_LENGTH).and_then(|length| length.to_str().ok()?.parse::<usize>().ok());
    async move {
        if let Some(address) = address {
            app.edge.limits.admit(address).await?;
        }
        if length.is_some_and(|length| length > body_limit(app)) {
            return Err(ApiError::new(Code::PayloadTooLarge));
        }
        Ok(())
    }
}
