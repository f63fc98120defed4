//! Moves: what a seat may do, doing it, trying it out, giving up.

use super::Rest;
use super::answer;
use super::error::ApiError;
use super::extract::{Asking, Body, IdempotencyKey, OfGame, SignedIn};
use super::language::Reads;
use super::openapi::{OwnProblems, StepProblems};
use super::pages::What;
use super::schema;
use super::shapes::{self, GameBody, LegalMoveBody};
use crate::app::App;
use crate::codes::Code;
use crate::games::{Accepted, Foresight, MoveInput, Obstacle, PREVIEW_LENGTH, Refused, Told};
use crate::ids::{GameId, PlayerId};
use crate::refusal::Refusal;
use crate::rules::any::AnyValue;
use crate::rules::{Eyes, Message, Seat};
use crate::texts::Language;
use axum::Json;
use axum::extract::State;
use axum::response::Response;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::sync::Arc;
use utoipa_axum::{router::OpenApiRouter, routes};

pub fn router() -> OpenApiRouter<Rest> {
    OpenApiRouter::new()
        .routes(routes!(list_legal_moves))
        .routes(routes!(play_move))
        .routes(routes!(preview_moves))
        .routes(routes!(resign_game))
        .routes(routes!(call_timeouts))
}

/// What the caller's seat may play now.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "LegalMoves")]
pub struct LegalMovesBody {
    version: u64,
    seat: Seat,
    moves: Vec<LegalMoveBody>,
}

/// A move: by its `id` in the list of legal moves, or spelled out as `move`.
#[derive(Deserialize, JsonSchema)]
#[schemars(rename = "Play", example = serde_json::json!({"id": "discard last-n none-p"}))]
#[schemars(transform = schema::exactly_one(&["id", "move"]))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct PlayBody {
    id: Option<String>,
    #[serde(default)]
    #[schemars(schema_with = "schema::any_move_or_none")]
    r#move: Option<Value>,
    /// Refuse the move with `VERSION_CONFLICT` if the game has another version when its turn comes.
    expected_version: Option<u64>,
}

/// An accepted step: the game's new version, what happened, and the game as the caller sees it.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "Played")]
pub struct PlayedBody {
    version: u64,
    #[schemars(schema_with = "schema::any_events")]
    events: Vec<Told>,
    game: GameBody,
}

/// One move, or a series of up to four.
#[derive(Deserialize, JsonSchema)]
#[schemars(rename = "Preview", example = serde_json::json!({"id": "discard last-n none-p"}))]
#[schemars(transform = schema::exactly_one(&["id", "move", "moves"]))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct PreviewBody {
    id: Option<String>,
    #[serde(default)]
    #[schemars(schema_with = "schema::any_move_or_none")]
    r#move: Option<Value>,
    #[schemars(length(min = 1, max = PREVIEW_LENGTH))]
    moves: Option<Vec<PreviewMoveBody>>,
}

/// A move in a series.
#[derive(Deserialize, JsonSchema)]
#[schemars(rename = "PreviewMove")]
#[schemars(transform = schema::exactly_one(&["id", "move"]))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct PreviewMoveBody {
    id: Option<String>,
    #[serde(default)]
    #[schemars(schema_with = "schema::any_move_or_none")]
    r#move: Option<Value>,
}

/// What the moves would do, as far as the caller can know.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "Previewed")]
pub struct PreviewedBody {
    /// Whether that is all of it; else it stops before the first draw, unsealing or newly seen card, or before a move
    /// that can't be played.
    complete: bool,
    /// The move of a series that can't be played, and why. If it is the first, the answer is a problem instead.
    obstacle: Option<ObstacleBody>,
    #[schemars(schema_with = "schema::any_events")]
    events: Vec<Told>,
    #[schemars(schema_with = "schema::any_view")]
    view: AnyValue,
}

/// Where a series of moves can't go on.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "Obstacle")]
#[serde(rename_all = "camelCase")]
pub struct ObstacleBody {
    /// Which move of the series it is, counted from 0.
    step: usize,
    code: Code,
    detail: String,
}

/// Lists the legal moves of the caller's seat
///
/// Each ready to be sent back. Empty when the seat has nothing to do.
#[utoipa::path(
    get, path = "/v1/games/{id}/legal-moves", operation_id = "list_legal_moves", tag = "play",
    security(("bearer" = [])),
    params(("id" = GameId, Path, description = "The game's id")),
    responses((status = 200, description = "The legal moves", body = LegalMovesBody), OwnProblems),
)]
async fn list_legal_moves(
    State(Rest { app, pages, .. }): State<Rest>,
    SignedIn(caller): SignedIn,
    OfGame(id): OfGame,
    Reads(language): Reads,
) -> Result<Response, ApiError> {
    let viewer = Some(caller.player);
    let game = app.games.visible(id, viewer).await?;
    let seat = game.seat_of(caller.player).ok_or_else(|| ApiError::new(Code::NotSeated))?;
    let moves = game.legal_moves(seat, app.games.now(&game));
    let listed = pages.moves(What::of(&game, viewer, Eyes::Seat(seat), language), &moves, || LegalMovesBody {
        version: game.version,
        seat,
        moves: shapes::legal_moves(&app, &game, seat, &moves, language),
    });
    Ok(answer::json(listed))
}

/// Plays a move
///
/// Durable once answered. It is judged on the state it meets; only `expectedVersion` pins it to one.
#[utoipa::path(
    post, path = "/v1/games/{id}/moves", operation_id = "play_move", tag = "play", security(("bearer" = [])),
    params(
        ("id" = GameId, Path, description = "The game's id"),
        IdempotencyKey,
    ),
    request_body = PlayBody,
    responses((status = 200, description = "Played", body = PlayedBody), StepProblems),
)]
async fn play_move(
    State(app): State<Arc<App>>,
    Asking(call): Asking,
    Reads(language): Reads,
    OfGame(id): OfGame,
    Body(body): Body<PlayBody>,
) -> Result<Response, ApiError> {
    let mv = MoveInput::one(body.id, body.r#move)?;
    let accepted = app.play_move(id, &call, &mv, body.expected_version).await;
    played(&app, accepted, call.by, language).await
}

/// Tries moves out
///
/// Tells what they would do, and does nothing.
#[utoipa::path(
    post, path = "/v1/games/{id}/preview", operation_id = "preview_moves", tag = "play", security(("bearer" = [])),
    params(("id" = GameId, Path, description = "The game's id")),
    request_body = PreviewBody,
    responses((status = 200, description = "What the moves would do", body = PreviewedBody), StepProblems),
)]
async fn preview_moves(
    State(app): State<Arc<App>>,
    Asking(call): Asking,
    Reads(language): Reads,
    OfGame(id): OfGame,
    Body(body): Body<PreviewBody>,
) -> Result<Json<PreviewedBody>, ApiError> {
    let moves = match (body.id, body.r#move, body.moves) {
        (None, None, Some(moves)) => {
            moves.into_iter().map(|mv| MoveInput::one(mv.id, mv.r#move)).collect::<Result<_, _>>()?
        }
        (id, mv, None) => vec![MoveInput::one(id, mv)?],
        _ => return Err(ApiError::malformed(Message::new("request-moves-or-one"))),
    };
    let foresight = app.games.preview(id, &call, &moves).await;
    let foresight = foresight.map_err(|refused| ApiError::step(refused, call.by))?;
    let Foresight { complete, obstacle, events, view, .. } = foresight;
    let obstacle = obstacle.map(|Obstacle { step, error }| {
        let refusal = Refusal::from(error);
        ObstacleBody { step, code: refusal.code, detail: refusal.detail(&app.texts, language) }
    });
    Ok(Json(PreviewedBody { complete, obstacle, events, view }))
}

/// Gives up
///
/// The seat stays, but acts no more and ranks last.
#[utoipa::path(
    post, path = "/v1/games/{id}/resignation", operation_id = "resign_game", tag = "play", security(("bearer" = [])),
    params(
        ("id" = GameId, Path, description = "The game's id"),
        IdempotencyKey,
    ),
    responses((status = 200, description = "Resigned", body = PlayedBody), StepProblems),
)]
async fn resign_game(
    State(app): State<Arc<App>>,
    Asking(call): Asking,
    Reads(language): Reads,
    OfGame(id): OfGame,
) -> Result<Response, ApiError> {
    let accepted = app.games.resign(id, &call).await;
    played(&app, accepted, call.by, language).await
}

/// Resigns those who are late
///
/// By any seated player, once the game's `deadline` has passed.
#[utoipa::path(
    post, path = "/v1/games/{id}/timeouts", operation_id = "call_timeouts", tag = "play", security(("bearer" = [])),
    params(
        ("id" = GameId, Path, description = "The game's id"),
        IdempotencyKey,
    ),
    responses((status = 200, description = "They are resigned", body = PlayedBody), StepProblems),
)]
async fn call_timeouts(
    State(app): State<Arc<App>>,
    Asking(call): Asking,
    Reads(language): Reads,
    OfGame(id): OfGame,
) -> Result<Response, ApiError> {
    let accepted = app.games.time_out(id, &call).await;
    played(&app, accepted, call.by, language).await
}

pub(super) async fn played(
    app: &App,
    step: Result<Accepted, Refused>,
    by: PlayerId,
    language: Language,
) -> Result<Response, ApiError> {
    let Accepted { game, step } = step.map_err(|refused| ApiError::step(refused, by))?;
    let eyes = game.eyes(Some(by));
    debug_assert!(matches!(eyes, Eyes::Seat(_)), "only seated players play");
    let events = game.tell(&step, eyes).map_err(crate::games::GameError::from)?.events;
    let game = shapes::game(app, &game, Some(by), language).await?;
    Ok(answer::json(answer::write(&PlayedBody { version: step.version, events, game })))
}
