//! Outermost middleware of the API: applies rate limits, the `Host` check and body limits, and catches panics. It
//! answers every error with problem details in the caller's language. All this is one function, because each layer
//! costs every request another allocation and copy.

use super::error::ApiError;
use super::{body_limit, language};
use crate::app::App;
use crate::codes::Code;
use crate::edge::arrival::Arrival;
use crate::edge::host::{self, HostFault};
use crate::edge::layer::InnerRoute;
use crate::edge::{log, rate_limit};
use crate::quota::prices;
use axum::extract::Request;
use axum::http::header;
use axum::response::{IntoResponse, Response};
use futures::FutureExt;
use futures::future::BoxFuture;
use std::panic::AssertUnwindSafe;
use std::sync::Arc;

pub fn guard(app: Arc<App>, request: Request, next: InnerRoute) -> BoxFuture<'static, Response> {
    let pipeline = app.edge.pipeline.clone();
    Box::pin(pipeline.pass(request, |request| Box::pin(guarded(app, request, next))))
}

async fn guarded(app: Arc<App>, mut request: Request, next: InnerRoute) -> Response {
    let language = language::of(request.headers());
    let arrival = Arrival::of(&mut request);
    let length = request.headers().get(header::CONTENT_LENGTH);
    let length = length.and_then(|length| length.to_str().ok()?.parse::<usize>().ok());
    let price = prices::of_route(request.method().as_str(), log::route(&request));
    let host = host::check(&request);
    let response = match admit(&app, &arrival, price, host, length).await {
        // Unwind-safe: all that the panic may have left half done is dropped with the request.
        Ok(()) => AssertUnwindSafe(next.run(request)).catch_unwind().await.unwrap_or_else(|_| {
            tracing::error!("a request panicked");
            ApiError::new(Code::Unavailable).into_response()
        }),
        Err(error) => error.into_response(),
    };
    let mut response = language::answer(&app, language, response).await;
    rate_limit::add(response.headers_mut(), arrival.meter.balance());
    response
}

/// Checks the rate limit of the address, the `Host` header and the `Content-Length`.
async fn admit(
    app: &App,
    arrival: &Arrival,
    price: u32,
    host: Result<(), HostFault>,
    length: Option<usize>,
) -> Result<(), ApiError> {
    arrival.meter.admit(&app.edge.budgets, price, arrival.refusals()).await?;
    host?;
    if length.is_some_and(|length| length > body_limit(app)) {
        return Err(ApiError::new(Code::PayloadTooLarge));
    }
    Ok(())
}
