//! What a seat may do beside its moves: drafts, names of elves, hints. Steps with events, never legal moves. The kind of the
//! game decides; one that has nothing of the sort answers `NOT_FOUND`.

use super::error::ApiError;
use super::extract::{Asking, Body, IdempotencyKey, OfGame, OfPart};
use super::language::Reads;
use super::moves::{PlayedBody, played};
use super::openapi::StepProblems;
use crate::app::App;
use crate::ids::GameId;
use axum::extract::State;
use axum::response::Response;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};
use std::sync::Arc;
use utoipa_axum::{router::OpenApiRouter, routes};

pub fn router() -> OpenApiRouter<Arc<App>> {
    OpenApiRouter::new().routes(routes!(write_draft)).routes(routes!(name_elf)).routes(routes!(ask_hint))
}

/// What a draft column says from now on.
#[derive(Deserialize, JsonSchema)]
#[schemars(rename = "Draft", example = json!({"rows": [["WHITE_BELL", "BLACK_STAR", "WHITE_MOON", "BLACK_GIFT", "WHITE_HEART"]]}))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct DraftBody {
    /// At most four rows of symbols, each of the day's length; none wipes the column.
    rows: Vec<Vec<String>>,
}

/// What an elf is called from now on.
#[derive(Deserialize, JsonSchema)]
#[schemars(rename = "ElfName", example = json!({"name": "Pip"}))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ElfNameBody {
    name: String,
}

/// Overwrites a draft
///
/// One of the columns that the team shares and nobody else sees. It never counts. `NOT_FOUND` in kinds without drafts.
#[utoipa::path(
    put, path = "/v1/games/{id}/drafts/{n}", operation_id = "write_draft", tag = "play", security(("bearer" = [])),
    params(("id" = GameId, Path, description = "The game's id"), ("n" = u8, Path, description = "Which column, from 1")),
    request_body = DraftBody,
    responses((status = 200, description = "Written", body = PlayedBody), StepProblems),
)]
async fn write_draft(
    State(app): State<Arc<App>>,
    asking: Asking,
    reads: Reads,
    OfPart(id, column): OfPart,
    Body(body): Body<DraftBody>,
) -> Result<Response, ApiError> {
    aside(&app, asking, reads, OfGame(id), json!({"type": "DRAFT", "column": column, "rows": body.rows})).await
}

/// Names an elf
///
/// By its holder, at any time. `NOT_FOUND` in kinds without elves.
#[utoipa::path(
    put, path = "/v1/games/{id}/elves/{n}/name", operation_id = "name_elf", tag = "play", security(("bearer" = [])),
    params(("id" = GameId, Path, description = "The game's id"), ("n" = u8, Path, description = "The elf's number")),
    request_body = ElfNameBody,
    responses((status = 200, description = "Named", body = PlayedBody), StepProblems),
)]
async fn name_elf(
    State(app): State<Arc<App>>,
    asking: Asking,
    reads: Reads,
    OfPart(id, elf): OfPart,
    Body(body): Body<ElfNameBody>,
) -> Result<Response, ApiError> {
    aside(&app, asking, reads, OfGame(id), json!({"type": "NAME", "elf": elf, "name": body.name})).await
}

/// Asks for a hint
///
/// Everybody sees it, and it has its price. `NOT_FOUND` in kinds without hints.
#[utoipa::path(
    post, path = "/v1/games/{id}/hint", operation_id = "ask_hint", tag = "play", security(("bearer" = [])),
    params(
        ("id" = GameId, Path, description = "The game's id"),
        IdempotencyKey,
    ),
    responses((status = 200, description = "Hinted", body = PlayedBody), StepProblems),
)]
async fn ask_hint(
    State(app): State<Arc<App>>,
    asking: Asking,
    reads: Reads,
    of_game: OfGame,
) -> Result<Response, ApiError> {
    aside(&app, asking, reads, of_game, json!({"type": "HINT"})).await
}

async fn aside(
    app: &App,
    Asking(call): Asking,
    Reads(language): Reads,
    OfGame(id): OfGame,
    aside: Value,
) -> Result<Response, ApiError> {
    let accepted = app.games.aside(id, &call, &aside).await;
    played(app, accepted, call.by, language).await
}
