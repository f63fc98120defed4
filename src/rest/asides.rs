//! Asides: what a seat may do besides its moves, in kinds that have any. The kind parses the body.

use super::Rest;
use super::error::ApiError;
use super::extract::{AuthorizedCall, Body, GamePath, IdempotencyKey};
use super::language::PreferredLanguage;
use super::moves::{PlayedBody, played};
use super::problems::{AsideProblems, BodyProblems, StepProblems};
use super::schema;
use crate::app::App;
use crate::ids::GameId;
use crate::rules::any::Part;
use axum::extract::State;
use axum::response::Response;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::Value;
use std::sync::Arc;
use utoipa_axum::{router::OpenApiRouter, routes};

pub fn router() -> OpenApiRouter<Rest> {
    OpenApiRouter::new().routes(routes!(make_aside))
}

/// An aside: an object with a `type`, described by the kind's schema `aside`.
#[derive(Deserialize, JsonSchema)]
#[schemars(rename = "Aside", transform = schema::examples_of_kinds(Part::Aside))]
#[serde(transparent)]
pub struct AsideBody(#[schemars(schema_with = "schema::any_aside")] Value);

/// Make an aside
///
/// Do something besides your moves, such as leaving a note for your team. An aside is a step of the game with its own
/// events, but it changes neither whose turn it is nor the time you have left. The kind's schema `aside` describes the
/// possible ones (`GET /v1/kinds/{kind}`). Returns the events that you may see and the game. Fails with `NOT_FOUND` in
/// kinds without asides, with `MALFORMED` if the kind has no such aside, and with `ILLEGAL_MOVE` if its rules do not
/// allow it now.
#[utoipa::path(
    post, path = "/v1/games/{id}/asides", operation_id = "make_aside", tag = "play", security(("bearer" = [])),
    params(
        ("id" = GameId, Path, description = "The game's id"),
        IdempotencyKey,
    ),
    request_body = AsideBody,
    responses((status = 200, description = "The aside was made: its events, and the game after it", body = PlayedBody), StepProblems, AsideProblems, BodyProblems),
)]
async fn make_aside(
    State(app): State<Arc<App>>,
    AuthorizedCall(call): AuthorizedCall,
    PreferredLanguage(language): PreferredLanguage,
    GamePath(id): GamePath,
    Body(AsideBody(aside)): Body<AsideBody>,
) -> Result<Response, ApiError> {
    let accepted = app.games.aside(id, &call, &aside).await;
    played(&app, accepted, call.by, language).await
}
