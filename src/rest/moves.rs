//! Playing a game: legal moves, moves, previews, resignations and timeouts.

use super::Rest;
use super::bodies::{self, GameBody, LegalMoveBody};
use super::error::ApiError;
use super::extract::{AuthorizedCall, Body, GamePath, IdempotencyKey, SignedIn};
use super::json_response;
use super::language::PreferredLanguage;
use super::problems::{
    BodyProblems, LegalMovesProblems, MoveProblems, PreviewProblems, ResignProblems, StepProblems, TimeoutProblems,
};
use super::response_cache::ResponseKey;
use super::schema;
use crate::app::App;
use crate::codes::Code;
use crate::games::{Accepted, EventView, Foresight, MoveInput, Obstacle, PREVIEW_LENGTH, RejectedStep};
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

/// The legal moves of the caller's seat.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "LegalMoves")]
pub struct LegalMovesBody {
    /// The current version of the game.
    version: u64,
    /// Your seat.
    seat: Seat,
    /// The moves, always in the same order; empty while it is not the seat's turn.
    moves: Vec<LegalMoveBody>,
}

/// A move: by its `id` in the list of legal moves, or spelled out as `move`.
#[derive(Deserialize, JsonSchema)]
#[schemars(rename = "Play", example = serde_json::json!({"id": "discard last-n none-p"}))]
#[schemars(transform = schema::exactly_one(&["id", "move"]))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct PlayBody {
    /// The `id` of a legal move.
    id: Option<String>,
    /// The move as an object, like `move` in the list of legal moves.
    #[serde(default)]
    #[schemars(schema_with = "schema::any_move_or_none")]
    r#move: Option<Value>,
    /// Refuse the move with `VERSION_CONFLICT` unless the game still has this version when the move is checked.
    expected_version: Option<u64>,
}

/// An accepted step: its version, its events, and the game after it.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "Played")]
pub struct PlayedBody {
    /// The version of the game after the step.
    version: u64,
    /// The events of the step that you may see.
    #[schemars(schema_with = "schema::any_events")]
    events: Vec<EventView>,
    /// The game as you see it now.
    game: GameBody,
}

/// One move, or a series of up to four moves.
#[derive(Deserialize, JsonSchema)]
#[schemars(rename = "Preview", example = serde_json::json!({"id": "discard last-n none-p"}))]
#[schemars(transform = schema::exactly_one(&["id", "move", "moves"]))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct PreviewBody {
    /// The `id` of a legal move.
    id: Option<String>,
    /// The move as an object, like `move` in the list of legal moves.
    #[serde(default)]
    #[schemars(schema_with = "schema::any_move_or_none")]
    r#move: Option<Value>,
    /// Several moves of your seat, in the order in which to try them.
    #[schemars(length(min = 1, max = PREVIEW_LENGTH))]
    moves: Option<Vec<PreviewMoveBody>>,
}

/// A move in a series.
#[derive(Deserialize, JsonSchema)]
#[schemars(rename = "PreviewMove")]
#[schemars(transform = schema::exactly_one(&["id", "move"]))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct PreviewMoveBody {
    /// The `id` of a move, as in a list of legal moves.
    id: Option<String>,
    /// The move as an object, like `move` in the list of legal moves.
    #[serde(default)]
    #[schemars(schema_with = "schema::any_move_or_none")]
    r#move: Option<Value>,
}

/// What the moves would change, as far as the caller can know.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "Previewed")]
pub struct PreviewedBody {
    /// Whether the events are complete. If false, the preview stops before the first event that depends on chance or
    /// hidden information, or before a move that is not legal (`obstacle`).
    complete: bool,
    /// The move of the series that is not legal, and the reason; null if there is none. If the first move is not legal,
    /// the request fails instead.
    obstacle: Option<ObstacleBody>,
    /// The events that the moves would cause, as far as you can know.
    #[schemars(schema_with = "schema::any_events")]
    events: Vec<EventView>,
    /// The table after these events, as you would see it.
    #[schemars(schema_with = "schema::any_view")]
    view: AnyValue,
}

/// The move at which a series stops.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "Obstacle")]
#[serde(rename_all = "camelCase")]
pub struct ObstacleBody {
    /// The position of the move in the series, counted from 0.
    step: usize,
    /// The error code that playing the move would fail with.
    code: Code,
    /// Why the move is not legal, in the language of `Accept-Language`.
    detail: String,
}

/// List your legal moves
///
/// Returns the moves that your seat may play now; send the `id` of one to `POST /v1/games/{id}/moves`. The list is
/// empty while the game waits for others: follow `GET /v1/games/{id}/events` to see when that changes. Fails with
/// `NOT_SEATED` if you have no seat at the game.
#[utoipa::path(
    get, path = "/v1/games/{id}/legal-moves", operation_id = "list_legal_moves", tag = "play",
    security(("bearer" = [])),
    params(("id" = GameId, Path, description = "The game's id")),
    responses((status = 200, description = "The legal moves", body = LegalMovesBody), LegalMovesProblems),
)]
async fn list_legal_moves(
    State(Rest { app, responses, .. }): State<Rest>,
    SignedIn(caller): SignedIn,
    GamePath(id): GamePath,
    PreferredLanguage(language): PreferredLanguage,
) -> Result<Response, ApiError> {
    let viewer = Some(caller.player);
    let game = app.games.visible(id, viewer).await?;
    let seat = game.seat_of(caller.player).ok_or_else(|| ApiError::new(Code::NotSeated))?;
    let moves = game.legal_moves(seat, app.games.now(&game));
    let body = responses.moves(ResponseKey::of(&game, viewer, Eyes::Seat(seat), language), &moves, || LegalMovesBody {
        version: game.version,
        seat,
        moves: bodies::legal_moves(&app, &game, seat, &moves, language),
    });
    Ok(json_response::json(body))
}

/// Play a move
///
/// Send the `id` of a legal move, or the move itself as `move`. The move is checked against the current state and is on
/// disk before the response is sent. Returns the events that you may see and the game after the move. Fails with
/// `NOT_YOUR_TURN` or `ILLEGAL_MOVE` (the problem then lists your `legalMoves`), with `NOT_SEATED` if you have no seat,
/// and with `NOT_STARTED` or `GAME_OVER` if the game is not being played. Set `expectedVersion` to get
/// `VERSION_CONFLICT` if the game has moved on. Send an `Idempotency-Key` to repeat the request safely.
#[utoipa::path(
    post, path = "/v1/games/{id}/moves", operation_id = "play_move", tag = "play", security(("bearer" = [])),
    params(
        ("id" = GameId, Path, description = "The game's id"),
        IdempotencyKey,
    ),
    request_body = PlayBody,
    responses((status = 200, description = "The move was played: its events, and the game after it", body = PlayedBody), StepProblems, MoveProblems, BodyProblems),
)]
async fn play_move(
    State(app): State<Arc<App>>,
    AuthorizedCall(call): AuthorizedCall,
    PreferredLanguage(language): PreferredLanguage,
    GamePath(id): GamePath,
    Body(body): Body<PlayBody>,
) -> Result<Response, ApiError> {
    let mv = MoveInput::one(body.id, body.r#move)?;
    let accepted = app.play_move(id, &call, &mv, body.expected_version).await;
    played(&app, accepted, call.by, language).await
}

/// Preview moves
///
/// Try out one move, or up to four in a row, without playing them. Returns the events and the view that they would lead
/// to, as far as you can know: `complete` is false if the preview stops before an event that depends on chance or
/// hidden information, or before a move that is not legal, which `obstacle` describes. If the first move is not legal,
/// the request fails just as playing that move would, for example with `ILLEGAL_MOVE`.
#[utoipa::path(
    post, path = "/v1/games/{id}/preview", operation_id = "preview_moves", tag = "play", security(("bearer" = [])),
    params(("id" = GameId, Path, description = "The game's id")),
    request_body = PreviewBody,
    responses((status = 200, description = "What the moves would do", body = PreviewedBody), StepProblems, PreviewProblems, BodyProblems),
)]
async fn preview_moves(
    State(app): State<Arc<App>>,
    AuthorizedCall(call): AuthorizedCall,
    PreferredLanguage(language): PreferredLanguage,
    GamePath(id): GamePath,
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

/// Resign from a game
///
/// You keep your seat, but it makes no more moves and ranks last; the game continues if enough players are left.
/// Returns the events that you may see and the game. Fails with `NOT_STARTED` in the lobby (leave that with
/// `DELETE …/seats/me`), with `NOT_YOUR_TURN` if you have resigned before, and with `GAME_OVER` after the end.
#[utoipa::path(
    post, path = "/v1/games/{id}/resignation", operation_id = "resign_game", tag = "play", security(("bearer" = [])),
    params(
        ("id" = GameId, Path, description = "The game's id"),
        IdempotencyKey,
    ),
    responses((status = 200, description = "You resigned: the events, and the game after them", body = PlayedBody), StepProblems, ResignProblems),
)]
async fn resign_game(
    State(app): State<Arc<App>>,
    AuthorizedCall(call): AuthorizedCall,
    PreferredLanguage(language): PreferredLanguage,
    GamePath(id): GamePath,
) -> Result<Response, ApiError> {
    let accepted = app.games.resign(id, &call).await;
    played(&app, accepted, call.by, language).await
}

/// Make late players resign
///
/// Every seat that has run out of time resigns. Any seated player may request it once the game's `deadline` has passed.
/// Returns the events that you may see and the game. Fails with `NOT_LATE` before the `deadline`, or if the game has
/// none.
#[utoipa::path(
    post, path = "/v1/games/{id}/timeouts", operation_id = "call_timeouts", tag = "play", security(("bearer" = [])),
    params(
        ("id" = GameId, Path, description = "The game's id"),
        IdempotencyKey,
    ),
    responses((status = 200, description = "The late seats resigned: the events, and the game after them", body = PlayedBody), StepProblems, TimeoutProblems),
)]
async fn call_timeouts(
    State(app): State<Arc<App>>,
    AuthorizedCall(call): AuthorizedCall,
    PreferredLanguage(language): PreferredLanguage,
    GamePath(id): GamePath,
) -> Result<Response, ApiError> {
    let accepted = app.games.time_out(id, &call).await;
    played(&app, accepted, call.by, language).await
}

pub(super) async fn played(
    app: &App,
    step: Result<Accepted, RejectedStep>,
    by: PlayerId,
    language: Language,
) -> Result<Response, ApiError> {
    let Accepted { game, step } = step.map_err(|refused| ApiError::step(refused, by))?;
    let eyes = game.eyes(Some(by));
    debug_assert!(matches!(eyes, Eyes::Seat(_)), "only seated players play");
    let events = game.tell(&step, eyes).map_err(crate::games::GameError::from)?.events;
    let game = bodies::game(app, &game, Some(by), language).await?;
    Ok(json_response::json(json_response::write(&PlayedBody { version: step.version, events, game })))
}
