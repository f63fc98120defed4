//! Asides: what a seat may do beside its moves, in kinds that have such a thing. Steps with events, never legal moves. The
//! body is the kind's own; the kind reads it.

use super::Rest;
use super::error::ApiError;
use super::extract::{AuthorizedCall, Body, GamePath, IdempotencyKey};
use super::language::PreferredLanguage;
use super::moves::{PlayedBody, played};
use super::openapi::StepProblems;
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

/// What to do beside the moves: an object with a `type`, as the kind's schema `aside` has it.
#[derive(Deserialize, JsonSchema)]
#[schemars(rename = "Aside", transform = schema::examples_of_kinds(Part::Aside))]
#[serde(transparent)]
pub struct AsideBody(#[schemars(schema_with = "schema::any_aside")] Value);

/// Make an aside
///
/// Do something beside your moves, such as leaving a note for your team. An aside is a step of the game with events of its
/// own, but never a legal move: it changes neither whose turn it is nor the time you have left. What a kind offers is in its
/// schema `aside` (`GET /v1/kinds/{kind}`). Fails with `NOT_FOUND` in kinds without asides, with `MALFORMED` if the kind does
/// not know such an aside, and with `ILLEGAL_MOVE` if its rules do not allow it now.
#[utoipa::path(
    post, path = "/v1/games/{id}/asides", operation_id = "make_aside", tag = "play", security(("bearer" = [])),
    params(
        ("id" = GameId, Path, description = "The game's id"),
        IdempotencyKey,
    ),
    request_body = AsideBody,
    responses((status = 200, description = "The aside was made", body = PlayedBody), StepProblems),
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
