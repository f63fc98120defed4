//! What operators and machines read: health, keys, documents.

use super::Rest;
use super::error::ApiError;
use super::openapi::ServiceProblems;
use crate::app::App;
use crate::edge::asset::Asset;
use axum::Json;
use axum::extract::State;
use axum::http::{HeaderMap, HeaderValue, header};
use axum::response::{IntoResponse, Response};
use serde_json::{Value, json};
use std::sync::{Arc, LazyLock};
use utoipa_axum::{router::OpenApiRouter, routes};

pub fn router() -> OpenApiRouter<Rest> {
    OpenApiRouter::new()
        .routes(routes!(get_livez))
        .routes(routes!(get_readyz))
        .routes(routes!(get_jwks))
        .routes(routes!(get_openapi))
}

/// The process runs
///
/// It looks at nothing else: `/readyz` does.
#[utoipa::path(
    get, path = "/livez", operation_id = "get_livez", tag = "service", security(()),
    responses((status = 200, description = "It does", body = Value), ServiceProblems),
)]
async fn get_livez() -> Json<Value> {
    Json(json!({"status": "ok"}))
}

/// Requests can be served
///
/// Tried with a real, durable write.
#[utoipa::path(
    get, path = "/readyz", operation_id = "get_readyz", tag = "service", security(()),
    responses((status = 200, description = "They can", body = Value), ServiceProblems),
)]
async fn get_readyz(State(app): State<Arc<App>>) -> Result<Json<Value>, ApiError> {
    app.games.health().await?;
    Ok(Json(json!({"status": "ok"})))
}

/// The public keys that access tokens are signed with
///
/// For services that verify the tokens of our players themselves.
#[utoipa::path(
    get, path = "/.well-known/jwks.json", operation_id = "get_jwks", tag = "service", security(()),
    responses((status = 200, description = "A JSON Web Key Set", body = Value, content_type = "application/jwk-set+json"), ServiceProblems),
)]
async fn get_jwks(State(app): State<Arc<App>>) -> Response {
    let mut response = Json(app.identity.jwks()).into_response();
    response.headers_mut().insert(header::CONTENT_TYPE, HeaderValue::from_static("application/jwk-set+json"));
    response
}

/// This document
///
/// All of the API, with examples that were captured from a server. `ETag` and `If-None-Match` save reading it again.
#[utoipa::path(
    get, path = "/openapi.json", operation_id = "get_openapi", tag = "service", security(()),
    params(("if-none-match" = Option<String>, Header, description = "The `ETag` of what the caller has")),
    responses(
        (status = 200, description = "OpenAPI 3.1", body = Value, headers(("etag" = String))),
        (status = 304, description = "The caller has it already"),
        ServiceProblems,
    ),
)]
async fn get_openapi(asked: HeaderMap) -> Response {
    static DOCUMENT: LazyLock<Asset> = LazyLock::new(|| Asset::json(super::document().to_string()));
    DOCUMENT.answer(&asked).await
}
