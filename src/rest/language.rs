//! Content negotiation: writes errors as problem details in the caller's language, and sets `Content-Language`.

use super::error::ApiError;
use crate::app::App;
use crate::codes::Code;
use crate::edge::arrival::Arrival;
use crate::edge::host;
use crate::edge::layer::InnerRoute;
use crate::quota::prices;
use crate::texts::Language;
use axum::extract::{FromRequestParts, Request};
use axum::http::request::Parts;
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use futures::future::BoxFuture;
use std::convert::Infallible;
use std::sync::Arc;

/// Extracts the caller's language from `Accept-Language`.
pub struct PreferredLanguage(pub Language);

impl<S: Sync> FromRequestParts<S> for PreferredLanguage {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Infallible> {
        Ok(Self(of(&parts.headers)))
    }
}

/// Middleware of the pages, which the API's outer layer does not cover.
pub fn page_layer(app: Arc<App>, request: Request, next: InnerRoute) -> BoxFuture<'static, Response> {
    let (pipeline, language) = (app.edge.pipeline.clone(), of(request.headers()));
    Box::pin(pipeline.pass(request, move |request| {
        Box::pin(async move { answer(&app, language, page(&app, request, next).await).await })
    }))
}

/// Serves a file of a page, if the rate limit of the client's address allows it.
async fn page(app: &App, mut request: Request, next: InnerRoute) -> Response {
    let arrival = Arrival::of(&mut request);
    let admitted = arrival.meter.admit(&app.edge.budgets, prices::PAGE_FILE, arrival.refusals()).await;
    match admitted.map_err(ApiError::from).and_then(|()| Ok(host::check(&request)?)) {
        Ok(()) => next.run(request).await,
        Err(error) => error.into_response(),
    }
}

/// The caller's language.
pub fn of(headers: &HeaderMap) -> Language {
    let wanted = headers.get(header::ACCEPT_LANGUAGE).and_then(|value| value.to_str().ok());
    wanted.map_or_else(Language::default, Language::negotiate)
}

/// Replaces a refusal by its problem details, and sets `Content-Language`.
pub async fn answer(app: &App, language: Language, mut response: Response) -> Response {
    if let Some(error) = refusal(&mut response) {
        let headers = std::mem::take(response.headers_mut());
        // Boxed, because few responses are refusals.
        response = Box::pin(error.render(app, language)).await;
        // A 405 must list the allowed methods.
        if let Some(allow) = headers.get(header::ALLOW) {
            response.headers_mut().insert(header::ALLOW, allow.clone());
        }
    }
    response.headers_mut().insert(header::CONTENT_LANGUAGE, HeaderValue::from_static(language.tag()));
    response
}

/// The error behind a response: from a handler, or made from the status of a rejection by axum.
fn refusal(response: &mut Response) -> Option<ApiError> {
    if let Some(error) = response.extensions_mut().remove::<ApiError>() {
        return Some(error);
    }
    let code = match response.status() {
        StatusCode::NOT_FOUND => Code::NotFound,
        StatusCode::METHOD_NOT_ALLOWED => Code::MethodNotAllowed,
        StatusCode::PAYLOAD_TOO_LARGE => Code::PayloadTooLarge,
        StatusCode::UNSUPPORTED_MEDIA_TYPE => Code::UnsupportedMediaType,
        StatusCode::INTERNAL_SERVER_ERROR => Code::Unavailable,
        status if status.is_client_error() => Code::Malformed,
        _ => return None,
    };
    Some(ApiError::new(code))
}
