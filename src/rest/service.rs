//! Service endpoints: health checks, public keys (JWKS) and the OpenAPI document.

use super::Rest;
use super::error::ApiError;
use super::extract::ValidQuery;
use super::openapi::DocumentProfile;
use super::problems::ServiceProblems;
use crate::app::App;
use crate::edge::asset::Asset;
use axum::Json;
use axum::extract::State;
use axum::http::{HeaderMap, HeaderValue, header};
use axum::response::{IntoResponse, Response};
use serde::Deserialize;
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

/// Check that the process runs
///
/// Returns 200 as long as the process runs. It checks nothing else: `/readyz` does.
#[utoipa::path(
    get, path = "/livez", operation_id = "get_livez", tag = "service", security(()),
    responses((status = 200, description = "The process runs", body = Value), ServiceProblems),
)]
async fn get_livez() -> Json<Value> {
    Json(json!({"status": "ok"}))
}

/// Check that requests can be served
///
/// Makes a durable write to the store. Returns 200 if the write succeeds, and 503 `UNAVAILABLE` if not: send this
/// server no requests until it returns 200 again.
#[utoipa::path(
    get, path = "/readyz", operation_id = "get_readyz", tag = "service", security(()),
    responses((status = 200, description = "Requests can be served", body = Value), ServiceProblems),
)]
async fn get_readyz(State(app): State<Arc<App>>) -> Result<Json<Value>, ApiError> {
    app.games.health().await?;
    Ok(Json(json!({"status": "ok"})))
}

/// Get the public keys for access tokens
///
/// Returns a JSON Web Key Set, for services that verify the players' access tokens themselves. A new key is listed
/// before the first token is signed with it.
#[utoipa::path(
    get, path = "/.well-known/jwks.json", operation_id = "get_jwks", tag = "service", security(()),
    responses((status = 200, description = "A JSON Web Key Set", body = Value, content_type = "application/jwk-set+json"), ServiceProblems),
)]
async fn get_jwks(State(app): State<Arc<App>>) -> Response {
    let mut response = Json(app.identity.jwks()).into_response();
    response.headers_mut().insert(header::CONTENT_TYPE, HeaderValue::from_static("application/jwk-set+json"));
    response
}

/// The profile of the document.
#[derive(Deserialize, utoipa::IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
struct DocumentQuery {
    /// `full`, the default, describes all data of all kinds, as unions. `plain` describes views, moves, events and
    /// options as objects with any fields, for client generators that do not support unions, such as OpenAPI Generator.
    #[serde(default)]
    #[param(inline)]
    profile: DocumentProfile,
}

/// Get the OpenAPI document
///
/// Returns the OpenAPI 3.1 document of the whole API, with examples captured from a real server. A server started with
/// `--dev` also describes the operations for test automation. Send the `ETag` back as `If-None-Match` to get 304 while
/// nothing has changed.
#[utoipa::path(
    get, path = "/openapi.json", operation_id = "get_openapi", tag = "service", security(()),
    params(
        DocumentQuery,
        ("if-none-match" = Option<String>, Header, description = "The `ETag` of the response that you have"),
    ),
    responses(
        (status = 200, description = "OpenAPI 3.1", body = Value, headers(("etag" = String))),
        (status = 304, description = "Not modified: the response that you have is current"),
        ServiceProblems,
    ),
)]
async fn get_openapi(
    State(app): State<Arc<App>>,
    ValidQuery(DocumentQuery { profile }): ValidQuery<DocumentQuery>,
    headers: HeaderMap,
) -> Response {
    static DOCUMENTS: [LazyLock<Asset>; 4] = [
        LazyLock::new(|| asset(DocumentProfile::Full, false)),
        LazyLock::new(|| asset(DocumentProfile::Full, true)),
        LazyLock::new(|| asset(DocumentProfile::Plain, false)),
        LazyLock::new(|| asset(DocumentProfile::Plain, true)),
    ];
    let index = 2 * usize::from(profile == DocumentProfile::Plain) + usize::from(app.dev.is_some());
    DOCUMENTS[index].answer(&headers).await
}

fn asset(profile: DocumentProfile, dev: bool) -> Asset {
    Asset::json(super::document_of(profile, dev).to_string())
}
