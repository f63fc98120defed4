//! Seats: sitting down and standing up, the host's rights over them, starting; and the door of an unlisted game.

use super::Rest;
use super::error::ApiError;
use super::extract::{Asking, Body, IdempotencyKey, MaybeBody, OfGame, OfSeat};
use super::language::Reads;
use super::openapi::StepProblems;
use super::schema;
use super::shapes::{self, GameBody};
use crate::app::App;
use crate::games::{Accepted, Refused};
use crate::ids::{GameId, PlayerId};
use crate::rules::Seat;
use crate::rules::any::Part;
use crate::texts::Language;
use axum::Json;
use axum::extract::{Path, State};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::Value;
use std::sync::Arc;
use utoipa_axum::{router::OpenApiRouter, routes};

pub fn router() -> OpenApiRouter<Rest> {
    OpenApiRouter::new()
        .routes(routes!(create_seat))
        .routes(routes!(leave_seat))
        .routes(routes!(choose_setup))
        .routes(routes!(delete_seat))
        .routes(routes!(start_game))
        .routes(routes!(accept_invite))
}

/// Where to sit.
#[derive(Default, Deserialize, JsonSchema)]
#[schemars(rename = "Sit", example = serde_json::json!({"seat": 1}))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct SitBody {
    /// If left out: the seat that is held for the caller, or else the lowest free one.
    seat: Option<Seat>,
}

/// What to choose in the lobby, as the kind's schema `choice` has it.
#[derive(Deserialize, JsonSchema)]
#[schemars(rename = "Setup", transform = schema::examples_of_kinds(Part::Choice))]
#[serde(transparent)]
pub struct SetupBody(#[schemars(schema_with = "schema::any_choice")] Value);

/// Sits down
///
/// In the lobby, on the seat that is named; else on the one that is held for the caller, or on the lowest free one.
/// `SEAT_TAKEN` if it is held for somebody else. One seat per player and game.
#[utoipa::path(
    post, path = "/v1/games/{id}/seats", operation_id = "create_seat", tag = "games", security(("bearer" = [])),
    params(
        ("id" = GameId, Path, description = "The game's id"),
        IdempotencyKey,
    ),
    request_body(content = Option<SitBody>, description = "Where to sit; nothing for the lowest free seat"),
    responses((status = 200, description = "The game as it is now", body = GameBody), StepProblems),
)]
async fn create_seat(
    State(app): State<Arc<App>>,
    Asking(call): Asking,
    Reads(language): Reads,
    OfGame(id): OfGame,
    MaybeBody(body): MaybeBody<SitBody>,
) -> Result<Json<GameBody>, ApiError> {
    let accepted = app.games.sit(id, &call, body.unwrap_or_default().seat).await;
    answer(&app, accepted, call.by, language).await
}

/// Stands up
///
/// In the lobby. A leaving host hands over to the lowest seat; a table that everybody left is abandoned. A player for whom
/// a seat is held declines it.
#[utoipa::path(
    delete, path = "/v1/games/{id}/seats/me", operation_id = "leave_seat", tag = "games", security(("bearer" = [])),
    params(("id" = GameId, Path, description = "The game's id")),
    responses((status = 200, description = "The game as it is now", body = GameBody), StepProblems),
)]
async fn leave_seat(
    State(app): State<Arc<App>>,
    Asking(call): Asking,
    Reads(language): Reads,
    OfGame(id): OfGame,
) -> Result<Json<GameBody>, ApiError> {
    let accepted = app.games.stand(id, &call).await;
    // Whoever leaves an unlisted game without an invitation may not look back at it; this last look is theirs.
    answer(&app, accepted, call.by, language).await
}

/// Chooses in the lobby
///
/// What the kind lets a seat choose, beside what the others chose; the last choice counts. `NOT_FOUND` in kinds where
/// there is nothing to choose.
#[utoipa::path(
    put, path = "/v1/games/{id}/seats/me/setup", operation_id = "choose_setup", tag = "games",
    security(("bearer" = [])),
    params(("id" = GameId, Path, description = "The game's id")),
    request_body = SetupBody,
    responses((status = 200, description = "The game as it is now", body = GameBody), StepProblems),
)]
async fn choose_setup(
    State(app): State<Arc<App>>,
    Asking(call): Asking,
    Reads(language): Reads,
    OfGame(id): OfGame,
    Body(SetupBody(choice)): Body<SetupBody>,
) -> Result<Json<GameBody>, ApiError> {
    let accepted = app.games.choose(id, &call, &choice).await;
    answer(&app, accepted, call.by, language).await
}

/// Removes a player
///
/// By the host, in the lobby. A seat that is held for somebody is released.
#[utoipa::path(
    delete, path = "/v1/games/{id}/seats/{seat}", operation_id = "delete_seat", tag = "games",
    security(("bearer" = [])),
    params(("id" = GameId, Path, description = "The game's id"), ("seat" = u8, Path, description = "The seat to free")),
    responses((status = 200, description = "The game as it is now", body = GameBody), StepProblems),
)]
async fn delete_seat(
    State(app): State<Arc<App>>,
    Asking(call): Asking,
    Reads(language): Reads,
    OfSeat(id, seat): OfSeat,
) -> Result<Json<GameBody>, ApiError> {
    let accepted = app.games.remove(id, &call, seat).await;
    answer(&app, accepted, call.by, language).await
}

/// Starts the game
///
/// By the host, once every seat is taken.
#[utoipa::path(
    post, path = "/v1/games/{id}/start", operation_id = "start_game", tag = "games", security(("bearer" = [])),
    params(
        ("id" = GameId, Path, description = "The game's id"),
        IdempotencyKey,
    ),
    responses((status = 200, description = "The game as it is now", body = GameBody), StepProblems),
)]
async fn start_game(
    State(app): State<Arc<App>>,
    Asking(call): Asking,
    Reads(language): Reads,
    OfGame(id): OfGame,
) -> Result<Json<GameBody>, ApiError> {
    let accepted = app.games.start(id, &call).await;
    answer(&app, accepted, call.by, language).await
}

/// Enters an unlisted game
///
/// By its invite code, for good: as a spectator until seated.
#[utoipa::path(
    post, path = "/v1/invites/{code}", operation_id = "accept_invite", tag = "games", security(("bearer" = [])),
    params(
        ("code" = String, Path, description = "The invite code, as members see it"),
        IdempotencyKey,
    ),
    responses((status = 200, description = "The game", body = GameBody), StepProblems),
)]
async fn accept_invite(
    State(app): State<Arc<App>>,
    Asking(call): Asking,
    Reads(language): Reads,
    Path(code): Path<String>,
) -> Result<Json<GameBody>, ApiError> {
    let accepted = app.games.enter(&code, &call).await;
    answer(&app, accepted, call.by, language).await
}

async fn answer(
    app: &App,
    step: Result<Accepted, Refused>,
    by: PlayerId,
    language: Language,
) -> Result<Json<GameBody>, ApiError> {
    let accepted = step.map_err(|refused| ApiError::step(refused, by))?;
    Ok(Json(shapes::game(app, &accepted.game, Some(by), language).await?))
}
