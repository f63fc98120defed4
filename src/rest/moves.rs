//! Moves: what a seat may do, doing it, trying it out, giving up.

use super::Rest;
use super::bodies::{self, GameBody, LegalMoveBody};
use super::error::ApiError;
use super::extract::{AuthorizedCall, Body, GamePath, IdempotencyKey, SignedIn};
use super::json_response;
use super::language::PreferredLanguage;
use super::openapi::{OwnProblems, StepProblems};
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

/// What the caller's seat may play now.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "LegalMoves")]
pub struct LegalMovesBody {
    /// The version of the game that the moves are legal at.
    version: u64,
    /// Your seat.
    seat: Seat,
    /// The moves, in the order of their notation.
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
    /// The move, spelled out.
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
    /// The version that the step made.
    version: u64,
    /// What the step changed, as far as you may see it.
    #[schemars(schema_with = "schema::any_events")]
    events: Vec<EventView>,
    /// The game as you see it now.
    game: GameBody,
}

/// One move, or a series of up to four.
#[derive(Deserialize, JsonSchema)]
#[schemars(rename = "Preview", example = serde_json::json!({"id": "discard last-n none-p"}))]
#[schemars(transform = schema::exactly_one(&["id", "move", "moves"]))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct PreviewBody {
    /// The `id` of a legal move.
    id: Option<String>,
    /// The move, spelled out.
    #[serde(default)]
    #[schemars(schema_with = "schema::any_move_or_none")]
    r#move: Option<Value>,
    /// Several moves of your seat, one after the other.
    #[schemars(length(min = 1, max = PREVIEW_LENGTH))]
    moves: Option<Vec<PreviewMoveBody>>,
}

/// A move in a series.
#[derive(Deserialize, JsonSchema)]
#[schemars(rename = "PreviewMove")]
#[schemars(transform = schema::exactly_one(&["id", "move"]))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct PreviewMoveBody {
    /// The notation of a move, as legal moves have it in `id`.
    id: Option<String>,
    /// The move, spelled out.
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
    /// What the moves would change, as far as you can know.
    #[schemars(schema_with = "schema::any_events")]
    events: Vec<EventView>,
    /// The table after them.
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
    /// Why, for programs.
    code: Code,
    /// Why, for people, in the caller's language.
    detail: String,
}

/// List your legal moves
///
/// What your seat may play now: send the `id` of one to `POST /v1/games/{id}/moves`. The list is empty when your seat has
/// nothing to do; the events tell when that changes. Fails with `NOT_SEATED` if you are not seated at the game.
#[utoipa::path(
    get, path = "/v1/games/{id}/legal-moves", operation_id = "list_legal_moves", tag = "play",
    security(("bearer" = [])),
    params(("id" = GameId, Path, description = "The game's id")),
    responses((status = 200, description = "The legal moves", body = LegalMovesBody), OwnProblems),
)]
async fn list_legal_moves(
    State(Rest { app, pages, .. }): State<Rest>,
    SignedIn(caller): SignedIn,
    GamePath(id): GamePath,
    PreferredLanguage(language): PreferredLanguage,
) -> Result<Response, ApiError> {
    let viewer = Some(caller.player);
    let game = app.games.visible(id, viewer).await?;
    let seat = game.seat_of(caller.player).ok_or_else(|| ApiError::new(Code::NotSeated))?;
    let moves = game.legal_moves(seat, app.games.now(&game));
    let listed = pages.moves(ResponseKey::of(&game, viewer, Eyes::Seat(seat), language), &moves, || LegalMovesBody {
        version: game.version,
        seat,
        moves: bodies::legal_moves(&app, &game, seat, &moves, language),
    });
    Ok(json_response::json(listed))
}

/// Play a move
///
/// Send a legal move by its `id`, or spelled out as `move`. The move is checked against the current state and is on disk
/// before the response is sent. Comes back with the events that you may see and the game after the move. Fails with
/// `NOT_YOUR_TURN` or `ILLEGAL_MOVE`; the problem then lists your `legalMoves`. Set `expectedVersion` to have the move
/// refused with `VERSION_CONFLICT` if the game has moved on. Send an `Idempotency-Key` to be able to repeat the request
/// without a second move.
#[utoipa::path(
    post, path = "/v1/games/{id}/moves", operation_id = "play_move", tag = "play", security(("bearer" = [])),
    params(
        ("id" = GameId, Path, description = "The game's id"),
        IdempotencyKey,
    ),
    request_body = PlayBody,
    responses((status = 200, description = "The move was played: what happened, and the game after it", body = PlayedBody), StepProblems),
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
/// Try out one move, or up to four in a row, without playing them. Comes back with the events and the view that they would
/// lead to, as far as you can know: `complete` is false where it stops before something hidden or drawn. `obstacle` is the
/// first of several moves that can't be played; if the first move can't be played, the request fails as playing it would.
#[utoipa::path(
    post, path = "/v1/games/{id}/preview", operation_id = "preview_moves", tag = "play", security(("bearer" = [])),
    params(("id" = GameId, Path, description = "The game's id")),
    request_body = PreviewBody,
    responses((status = 200, description = "What the moves would do", body = PreviewedBody), StepProblems),
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

/// Resign
///
/// Give up. Your seat stays yours, but acts no more and ranks last; the game goes on if enough others are left. Fails with
/// `NOT_STARTED` in the lobby, where you leave instead, and with `GAME_OVER` afterwards.
#[utoipa::path(
    post, path = "/v1/games/{id}/resignation", operation_id = "resign_game", tag = "play", security(("bearer" = [])),
    params(
        ("id" = GameId, Path, description = "The game's id"),
        IdempotencyKey,
    ),
    responses((status = 200, description = "You resigned: what happened, and the game after it", body = PlayedBody), StepProblems),
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

/// Call time
///
/// Have everybody resigned whose time to move has passed. Any seated player may ask, once the game's `deadline` has passed.
/// Fails with `NOT_LATE` before: `deadline` tells when to ask again.
#[utoipa::path(
    post, path = "/v1/games/{id}/timeouts", operation_id = "call_timeouts", tag = "play", security(("bearer" = [])),
    params(
        ("id" = GameId, Path, description = "The game's id"),
        IdempotencyKey,
    ),
    responses((status = 200, description = "The late seats resigned: what happened, and the game after it", body = PlayedBody), StepProblems),
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
