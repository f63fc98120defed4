//! The outermost layer of the API: whatever may refuse a request before a handler sees it, and every refusal a problem in
//! the caller's language. One function, because each layer is one more box, and one more copy, for every request.

use super::error::ApiError;
use super::{body_limit, language};
use crate::app::App;
use crate::codes::Code;
use crate::edge::host::{self, HostFault};
use crate::edge::{log, rate_limit, refusals};
use crate::quota::delayed_refusals::ConnectionRefusals;
use crate::quota::{Meter, prices};
use axum::extract::{Request, State};
use axum::http::header;
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use futures::FutureExt;
use std::panic::AssertUnwindSafe;
use std::sync::Arc;

/// Lets a request pass, and answers or refuses it.
pub async fn guard(State(app): State<Arc<App>>, request: Request, next: Next) -> Response {
    app.edge.pipeline.pass(request, |request| guarded(&app, request, next)).await
}

async fn guarded(app: &App, mut request: Request, next: Next) -> Response {
    let reads = language::of(request.headers());
    let meter = Arc::new(Meter::new(app.edge.client_address(&request)));
    let length = request.headers().get(header::CONTENT_LENGTH);
    let length = length.and_then(|length| length.to_str().ok()?.parse::<usize>().ok());
    let price = prices::of_route(request.method().as_str(), log::route(&request));
    let host = host::check(&request);
    let admitted = admit(app, &meter, price, refusals(&request), host, length).await;
    let response = match admitted {
        Ok(()) => {
            request.extensions_mut().insert(meter.clone());
            // What was half done when it panicked is given up with the request.
            AssertUnwindSafe(next.run(request)).catch_unwind().await.unwrap_or_else(|_| {
                tracing::error!("a request panicked");
                ApiError::new(Code::Unavailable).into_response()
            })
        }
        Err(error) => error.into_response(),
    };
    let mut response = language::answer(app, reads, response).await;
    rate_limit::add(response.headers_mut(), meter.balance());
    response
}

/// Lets a request in if its address can pay for it, if it names one host, and if it does not say itself that it is too
/// long.
async fn admit(
    app: &App,
    meter: &Meter,
    price: u32,
    connection: Option<&ConnectionRefusals>,
    host: Result<(), HostFault>,
    length: Option<usize>,
) -> Result<(), ApiError> {
    meter.admit(&app.edge.budgets, price, connection).await?;
    host?;
    if length.is_some_and(|length| length > body_limit(app)) {
        return Err(ApiError::new(Code::PayloadTooLarge));
    }
    Ok(())
}
