//! Lobby: taking, leaving and freeing seats, setups, starting a game, and invite codes.

use super::Rest;
use super::bodies::{self, GameBody};
use super::error::ApiError;
use super::extract::{AuthorizedCall, Body, GamePath, IdempotencyKey, MaybeBody, SeatPath};
use super::language::PreferredLanguage;
use super::problems::{
    BodyProblems, ChooseProblems, InviteProblems, LeaveProblems, RemoveProblems, SitProblems, StartProblems,
    StepProblems,
};
use super::schema;
use crate::app::App;
use crate::games::{Accepted, RejectedStep};
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

/// The seat to take.
#[derive(Default, Deserialize, JsonSchema)]
#[schemars(rename = "Sit", example = serde_json::json!({"seat": 1}))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct SitBody {
    /// The seat's number. Default: the seat that is held for you, else the lowest free one.
    seat: Option<Seat>,
    /// Give the seat to a bot instead of taking it yourself. Only the host can.
    bot: Option<BotBody>,
}

/// A bot to play with.
#[derive(Deserialize, JsonSchema)]
#[schemars(rename = "Bot")]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct BotBody {
    /// How strong it plays: from 1, which a child can beat, to the number of `botLevels` of the kind.
    level: u8,
}

/// How to start.
#[derive(Default, Deserialize, JsonSchema)]
#[schemars(rename = "Start", example = serde_json::json!({"bots": {"level": 2}}))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct StartBody {
    /// Give all free seats to bots first. Seats that are held for players stay free.
    bots: Option<BotBody>,
}

/// A choice for the seat, described by the kind's schema `choice`.
#[derive(Deserialize, JsonSchema)]
#[schemars(rename = "Setup", transform = schema::examples_of_kinds(Part::Choice))]
#[serde(transparent)]
pub struct SetupBody(#[schemars(schema_with = "schema::any_choice")] Value);

/// Join a game
///
/// Take a seat in the lobby: the one you name, else the one that is held for you, else the lowest free one. The body is
/// optional. Returns the game, where `you` is your seat. Fails with `SEAT_TAKEN` if the seat, or every seat, is taken
/// or held for another player, with `ALREADY_SEATED` if you are seated already, with `LIMIT_REACHED` if you are in too
/// many unfinished games, and with `ALREADY_STARTED` or `GAME_OVER` once the game has left its lobby.
///
/// As the host you can also give a free seat to a bot, with `bot`. It plays by itself as soon as the game has started,
/// and `DELETE /v1/games/{id}/seats/{seat}` removes it from the lobby. Fails with `NOT_HOST` if you are not the host,
/// with `INVALID_OPTIONS` if the kind has no bot of this level, and with `NOT_FOUND` if the server plays no bots.
#[utoipa::path(
    post, path = "/v1/games/{id}/seats", operation_id = "create_seat", tag = "games", security(("bearer" = [])),
    params(
        ("id" = GameId, Path, description = "The game's id"),
        IdempotencyKey,
    ),
    request_body(content = Option<SitBody>, description = "The seat to take. Default: the seat that is held for you, else the lowest free one"),
    responses((status = 200, description = "The game as it is now", body = GameBody), StepProblems, SitProblems, BodyProblems),
)]
async fn create_seat(
    State(app): State<Arc<App>>,
    AuthorizedCall(call): AuthorizedCall,
    PreferredLanguage(language): PreferredLanguage,
    GamePath(id): GamePath,
    MaybeBody(body): MaybeBody<SitBody>,
) -> Result<Json<GameBody>, ApiError> {
    let accepted = match body.unwrap_or_default() {
        SitBody { seat, bot: None } => app.games.sit(id, &call, seat).await,
        SitBody { seat, bot: Some(bot) } => app.games.add_bot(id, &call, bot.level, seat).await,
    };
    answer(&app, accepted, call.by, language).await
}

/// Leave the lobby
///
/// Give up your seat before the start, or decline the one that is held for you. If you are the host, the player on the
/// lowest seat becomes the host; when the last player leaves, the game is abandoned. Returns the game as it is now.
/// Fails with `NOT_SEATED` if you have neither a seat nor one that is held for you, with `ALREADY_STARTED` while the
/// game is being played (use `POST /v1/games/{id}/resignation`), and with `GAME_OVER` after its end.
#[utoipa::path(
    delete, path = "/v1/games/{id}/seats/me", operation_id = "leave_seat", tag = "games", security(("bearer" = [])),
    params(
        ("id" = GameId, Path, description = "The game's id"),
        IdempotencyKey,
    ),
    responses((status = 200, description = "The game as it is now", body = GameBody), StepProblems, LeaveProblems),
)]
async fn leave_seat(
    State(app): State<Arc<App>>,
    AuthorizedCall(call): AuthorizedCall,
    PreferredLanguage(language): PreferredLanguage,
    GamePath(id): GamePath,
) -> Result<Json<GameBody>, ApiError> {
    let accepted = app.games.stand(id, &call).await;
    // Leaving an unlisted game ends the right to read it; this response is the last view of it.
    answer(&app, accepted, call.by, language).await
}

/// Choose your setup
///
/// Set what your seat chooses before the start, in kinds with such a choice: for example which elves to hold. A new
/// choice replaces the old one. The kind's schema `choice` describes the body (`GET /v1/kinds/{kind}`). Returns the
/// game as it is now. Fails with `NOT_FOUND` in kinds without choices, and with `ILLEGAL_MOVE` if the choice conflicts
/// with those of the other seats.
#[utoipa::path(
    put, path = "/v1/games/{id}/seats/me/setup", operation_id = "choose_setup", tag = "games",
    security(("bearer" = [])),
    params(
        ("id" = GameId, Path, description = "The game's id"),
        IdempotencyKey,
    ),
    request_body = SetupBody,
    responses((status = 200, description = "The game as it is now", body = GameBody), StepProblems, ChooseProblems, BodyProblems),
)]
async fn choose_setup(
    State(app): State<Arc<App>>,
    AuthorizedCall(call): AuthorizedCall,
    PreferredLanguage(language): PreferredLanguage,
    GamePath(id): GamePath,
    Body(SetupBody(choice)): Body<SetupBody>,
) -> Result<Json<GameBody>, ApiError> {
    let accepted = app.games.choose(id, &call, &choice).await;
    answer(&app, accepted, call.by, language).await
}

/// Remove a player
///
/// Free a seat in the lobby, as the host: remove the player who sits there, or release the seat if it is held for one.
/// Returns the game as it is now. Fails with `NOT_HOST` if you are not the host, with `NOT_FOUND` if the seat is free
/// already, and with `ALREADY_STARTED` or `GAME_OVER` once the game has left its lobby.
#[utoipa::path(
    delete, path = "/v1/games/{id}/seats/{seat}", operation_id = "delete_seat", tag = "games",
    security(("bearer" = [])),
    params(
        ("id" = GameId, Path, description = "The game's id"),
        ("seat" = u8, Path, description = "The seat to free"),
        IdempotencyKey,
    ),
    responses((status = 200, description = "The game as it is now", body = GameBody), StepProblems, RemoveProblems),
)]
async fn delete_seat(
    State(app): State<Arc<App>>,
    AuthorizedCall(call): AuthorizedCall,
    PreferredLanguage(language): PreferredLanguage,
    SeatPath(id, seat): SeatPath,
) -> Result<Json<GameBody>, ApiError> {
    let accepted = app.games.remove(id, &call, seat).await;
    answer(&app, accepted, call.by, language).await
}

/// Start the game
///
/// Start playing, as the host, once every seat is taken. The body is optional: with `bots`, bots take the free seats
/// first. Returns the game with its `view`; `waitingFor` lists the seats that move first. Fails with `SEATS_FREE` while
/// a seat is free, with `NOT_HOST` if you are not the host, and with `ALREADY_STARTED` or `GAME_OVER` once the game has
/// left its lobby.
#[utoipa::path(
    post, path = "/v1/games/{id}/start", operation_id = "start_game", tag = "games", security(("bearer" = [])),
    params(
        ("id" = GameId, Path, description = "The game's id"),
        IdempotencyKey,
    ),
    request_body(content = Option<StartBody>, description = "Whether bots take the free seats. Default: they don't"),
    responses((status = 200, description = "The game as it is now", body = GameBody), StepProblems, StartProblems, BodyProblems),
)]
async fn start_game(
    State(app): State<Arc<App>>,
    AuthorizedCall(call): AuthorizedCall,
    PreferredLanguage(language): PreferredLanguage,
    GamePath(id): GamePath,
    MaybeBody(body): MaybeBody<StartBody>,
) -> Result<Json<GameBody>, ApiError> {
    let bots = body.unwrap_or_default().bots.map(|bots| bots.level);
    let accepted = app.games.start(id, &call, bots).await;
    answer(&app, accepted, call.by, language).await
}

/// Accept an invite
///
/// Enter an unlisted game with its invite code. Returns the game. From then on you can read it, and take a seat while
/// it is in its lobby. Fails with `NOT_FOUND` if no game has this code, with `GAME_OVER` if the game is over, and with
/// `LIMIT_REACHED` if you are in too many unfinished games or too many players have used the code.
#[utoipa::path(
    post, path = "/v1/invites/{code}", operation_id = "accept_invite", tag = "games", security(("bearer" = [])),
    params(
        ("code" = String, Path, description = "The game's invite code, which its members see as `inviteCode`"),
        IdempotencyKey,
    ),
    responses((status = 200, description = "The game", body = GameBody), StepProblems, InviteProblems),
)]
async fn accept_invite(
    State(app): State<Arc<App>>,
    AuthorizedCall(call): AuthorizedCall,
    PreferredLanguage(language): PreferredLanguage,
    Path(code): Path<String>,
) -> Result<Json<GameBody>, ApiError> {
    let accepted = app.games.enter(&code, &call).await;
    answer(&app, accepted, call.by, language).await
}

async fn answer(
    app: &App,
    step: Result<Accepted, RejectedStep>,
    by: PlayerId,
    language: Language,
) -> Result<Json<GameBody>, ApiError> {
    let accepted = step.map_err(|refused| ApiError::step(refused, by))?;
    Ok(Json(bodies::game(app, &accepted.game, Some(by), language).await?))
}
