//! Games: creating, listing, reading and changing them, rematches and replays.

use super::Rest;
use super::bodies::{self, GameBody, Names, SummaryBody};
use super::error::ApiError;
use super::extract::{AuthorizedCall, Body, GamePath, IdempotencyKey, MaybeSignedIn, Metered, ValidQuery};
use super::json_response::{self, answer};
use super::language::PreferredLanguage;
use super::problems::{
    BodyProblems, CreateGameProblems, ListProblems, ReadProblems, RematchProblems, ReplayProblems, StepProblems,
    UpdateGameProblems,
};
use super::response_cache::IfNoneMatch;
use super::schema;
use crate::app::App;
use crate::codes::Code;
use crate::games::ports::{Status, Whose};
use crate::games::queries::{Filter, LONGEST_PAGE, PAGE};
use crate::games::replay::{Replay, ReplayReader, ReplayStep};
use crate::games::step::Visibility;
use crate::games::{Changes, Game, GameError, NewGame};
use crate::ids::{GameId, PlayerId};
use crate::quota::prices;
use crate::rules::{Fault, Seed};
use crate::texts::Language;
use axum::Json;
use axum::body::Bytes;
use axum::extract::State;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use futures::{Stream, StreamExt, stream};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use std::sync::Arc;
use utoipa_axum::{router::OpenApiRouter, routes};

pub fn router() -> OpenApiRouter<Rest> {
    OpenApiRouter::new()
        .routes(routes!(create_game, list_games))
        .routes(routes!(get_game, update_game))
        .routes(routes!(get_replay))
        .routes(routes!(create_rematch))
}

/// The game to create.
#[derive(Deserialize, JsonSchema)]
#[schemars(rename = "CreateGame", example = schema::example_game())]
#[schemars(transform = schema::no_default("options"))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct CreateBody {
    /// The id of the kind to play, from `GET /v1/kinds`.
    #[schemars(schema_with = "schema::any_kind")]
    kind: String,
    /// The options, described by the kind's schema `options`. Options that are left out take their default.
    #[serde(default = "no_options")]
    #[schemars(schema_with = "schema::any_options")]
    options: Value,
    /// The number of seats. Default: the fewest that the kind allows.
    seats: Option<u8>,
    /// Who can find the game.
    #[serde(default)]
    visibility: Visibility,
    /// Whether the host takes seat 0.
    #[serde(default = "yes")]
    sit: bool,
    /// The seed of all random numbers, 64 hexadecimal digits; only accepted by a server started with `--dev`.
    seed: Option<Seed>,
}

/// The fields to change; those that are left out stay as they are.
#[derive(Deserialize, JsonSchema)]
#[schemars(rename = "GameChanges", example = serde_json::json!({"seats": 3}))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ChangesBody {
    /// The new number of seats. If it shrinks, the seats with the highest numbers are removed, which must be free.
    seats: Option<u8>,
    /// All the options. Options that are left out take their default.
    #[serde(default)]
    #[schemars(schema_with = "schema::any_options_or_none")]
    options: Option<Value>,
}

/// A page of games, newest first.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "Games")]
#[serde(rename_all = "camelCase")]
pub struct GamesBody {
    /// The games, newest first.
    items: Vec<SummaryBody>,
    /// Send it as `cursor` to get the next page; null on the last one.
    next_cursor: Option<String>,
}

/// Which games to list.
#[derive(Deserialize, utoipa::IntoParams)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[into_params(parameter_in = Query)]
struct ListQuery {
    /// Only games of this kind.
    #[param(value_type = schema::KindName, inline, required = false)]
    kind: Option<String>,
    /// Only games in this status.
    status: Option<Status>,
    /// Only games of which you are a member: you host them, have a seat, have accepted the invite, or a seat is held
    /// for you. By default, the public games.
    #[serde(default)]
    mine: bool,
    /// Only games that wait for your move.
    #[serde(default)]
    waiting_for_me: bool,
    /// The size of the page, 1 to 100.
    #[param(minimum = 1, maximum = 100, default = 20)]
    limit: Option<usize>,
    /// The `nextCursor` of the previous page.
    cursor: Option<String>,
}

/// The version to get.
#[derive(Deserialize, utoipa::IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
struct AtQuery {
    /// An earlier version, as your current seat sees it. Default: the current version.
    #[param(minimum = 1)]
    at: Option<u64>,
}

/// Create a game
///
/// Opens the lobby of a new game with you as its host, on seat 0 unless `sit` is false. Returns the game; the other
/// requests take its `id`, and `Location` is its address. Others join with `POST /v1/games/{id}/seats`; once every seat
/// is taken, start it with `POST /v1/games/{id}/start`. Fails with `INVALID_OPTIONS` if the kind can't be played with
/// these options or this number of seats, with `NOT_FOUND` if the server does not offer the kind, and with
/// `LIMIT_REACHED` if you host too many lobbies or are in too many unfinished games. Send an `Idempotency-Key` to
/// repeat the request safely.
#[utoipa::path(
    post, path = "/v1/games", operation_id = "create_game", tag = "games", security(("bearer" = [])),
    params(IdempotencyKey),
    request_body = CreateBody,
    responses((status = 201, description = "The game, in its lobby", body = GameBody), StepProblems, CreateGameProblems, BodyProblems),
)]
async fn create_game(
    State(app): State<Arc<App>>,
    AuthorizedCall(call): AuthorizedCall,
    metered: Metered,
    PreferredLanguage(language): PreferredLanguage,
    Body(body): Body<CreateBody>,
) -> Result<impl IntoResponse, ApiError> {
    let CreateBody { kind, options, seats, visibility, sit, seed } = body;
    let new = NewGame { kind, options, seats, visibility, sit, seed };
    let made = app.create_game(&call, new, &metered.client(Some(call.by))).await?;
    created(&app, &made.game, call.by, language).await
}

/// Request a rematch
///
/// Opens the lobby of a new game with the same kind, options and seats. The first player to request it is the host; the
/// seats of the others are held for them (`seats[].invited`), and each takes theirs by sending the same request. All of
/// these requests return the same new game. Fails with `NOT_OVER` until the old game is over, with `NOT_SEATED` if you
/// had no seat in it, and with `ALREADY_STARTED` if the new game has started without you.
#[utoipa::path(
    post, path = "/v1/games/{id}/rematch", operation_id = "create_rematch", tag = "games", security(("bearer" = [])),
    params(
        ("id" = GameId, Path, description = "The id of the game that is over"),
        IdempotencyKey,
    ),
    responses((status = 201, description = "The new game, with you on a seat", body = GameBody), StepProblems, RematchProblems),
)]
async fn create_rematch(
    State(app): State<Arc<App>>,
    AuthorizedCall(call): AuthorizedCall,
    metered: Metered,
    PreferredLanguage(language): PreferredLanguage,
    GamePath(id): GamePath,
) -> Result<impl IntoResponse, ApiError> {
    let made = app.rematch(id, &call, &metered.client(Some(call.by))).await;
    let made = made.map_err(|refused| ApiError::step(refused, call.by))?;
    created(&app, &made.game, call.by, language).await
}

async fn created(
    app: &App,
    game: &Game,
    by: PlayerId,
    language: Language,
) -> Result<impl IntoResponse + use<>, ApiError> {
    let body = bodies::game(app, game, Some(by), language).await?;
    let location = format!("/v1/games/{}", game.id);
    Ok((StatusCode::CREATED, [(header::LOCATION, location)], Json(body)))
}

/// List games
///
/// Returns a page of games, newest first: the public ones, or with `mine` or `waitingForMe` your own. Send `nextCursor`
/// as `cursor` to get the next page. The games in a list have no `view`: get it with `GET /v1/games/{id}`. Fails with
/// `UNAUTHENTICATED` if you list your own games without a token, and with `BAD_CURSOR` for an unknown cursor.
#[utoipa::path(
    get, path = "/v1/games", operation_id = "list_games", tag = "games", security((), ("bearer" = [])),
    params(ListQuery),
    responses((status = 200, description = "A page of games", body = GamesBody), ListProblems),
)]
async fn list_games(
    State(app): State<Arc<App>>,
    caller: MaybeSignedIn,
    metered: Metered,
    PreferredLanguage(language): PreferredLanguage,
    ValidQuery(query): ValidQuery<ListQuery>,
) -> Result<Json<GamesBody>, ApiError> {
    let viewer = caller.player();
    let whose = Whose::asked(viewer, query.mine, query.waiting_for_me);
    let whose = whose.ok_or_else(|| ApiError::new(Code::Unauthenticated))?;
    let limit = query.limit.unwrap_or(PAGE);
    if !(1..=LONGEST_PAGE).contains(&limit) {
        return Err(Fault::out_of_range("limit", 1, LONGEST_PAGE).into());
    }
    let bad_cursor = |_| ApiError::new(Code::BadCursor);
    let before: Option<GameId> = query.cursor.as_deref().map(str::parse).transpose().map_err(bad_cursor)?;
    let filter = Filter { whose, kind: query.kind, status: query.status };
    metered.charge(&app, viewer, prices::of_items(limit, prices::LISTED_GAME))?;
    let page = app.games.list(filter, before, limit).await?;
    let names = Names::of(&app, page.games.iter().flat_map(|game| bodies::named_players(game)), language).await?;
    let items = page.games.iter().map(|game| bodies::summary(game, viewer, game.eyes(viewer), &names)).collect();
    Ok(Json(GamesBody { items, next_cursor: page.next.map(|id| id.to_string()) }))
}

/// Get a game
///
/// Returns the game. Its `view` shows what your seat sees if you send your token, else what a spectator sees; with
/// `at`, at an earlier version. Send the `ETag` back as `If-None-Match` to get 304 while nothing has changed. Fails
/// with `NOT_FOUND` if the game does not exist, or is unlisted and you are not a member, and with `BAD_CURSOR` if it
/// has no version `at`.
#[utoipa::path(
    get, path = "/v1/games/{id}", operation_id = "get_game", tag = "games", security((), ("bearer" = [])),
    params(
        ("id" = GameId, Path, description = "The game's id"), AtQuery,
        ("if-none-match" = Option<String>, Header, description = "The `ETag` of the response that you have"),
    ),
    responses(
        (status = 200, description = "The game", body = GameBody, headers(("etag" = String))),
        (status = 304, description = "Not modified: the response that you have is current"),
        ReadProblems,
    ),
)]
async fn get_game(
    State(Rest { app, responses, .. }): State<Rest>,
    caller: MaybeSignedIn,
    metered: Metered,
    GamePath(id): GamePath,
    ValidQuery(query): ValidQuery<AtQuery>,
    PreferredLanguage(language): PreferredLanguage,
    if_none_match: IfNoneMatch,
) -> Result<Response, ApiError> {
    let viewer = caller.player();
    let (game, eyes) = match query.at {
        Some(version) => {
            metered.charge(&app, viewer, prices::OLD_POSITION)?;
            Box::pin(app.games.visible_at(id, &metered.client(viewer), version)).await?
        }
        None => {
            let game = app.games.visible(id, viewer).await?;
            let eyes = game.eyes(viewer);
            (game, eyes)
        }
    };
    let cached = responses.game(&app, &game, viewer, eyes, language).await?;
    let headers = [
        (header::ETAG, cached.etag.clone()),
        (header::CACHE_CONTROL, HeaderValue::from_static("private, no-cache")),
        (header::VARY, HeaderValue::from_static("authorization")),
    ];
    if if_none_match.contains(&cached.etag) {
        return Ok(answer(StatusCode::NOT_MODIFIED, headers, Bytes::new()));
    }
    let mut response = json_response::json(cached.body.clone());
    response.headers_mut().extend(headers);
    Ok(response)
}

/// Change the lobby
///
/// Set the number of seats or the options, as the host, before the start. Choices of seats that no longer fit are
/// cleared. Returns the game as it is now. Fails with `NOT_HOST` if you are not the host, with `INVALID_OPTIONS` if the
/// kind can't be played with these options or this number of seats, with `SEAT_TAKEN` if a seat to remove is taken or
/// held, and with `ALREADY_STARTED` or `GAME_OVER` once the game has left its lobby.
#[utoipa::path(
    patch, path = "/v1/games/{id}", operation_id = "update_game", tag = "games", security(("bearer" = [])),
    params(
        ("id" = GameId, Path, description = "The game's id"),
        IdempotencyKey,
    ),
    request_body = ChangesBody,
    responses((status = 200, description = "The game as it is now", body = GameBody), StepProblems, UpdateGameProblems, BodyProblems),
)]
async fn update_game(
    State(app): State<Arc<App>>,
    AuthorizedCall(call): AuthorizedCall,
    PreferredLanguage(language): PreferredLanguage,
    GamePath(id): GamePath,
    Body(body): Body<ChangesBody>,
) -> Result<Json<GameBody>, ApiError> {
    let changes = Changes { seats: body.seats, options: body.options };
    let accepted = app.games.configure(id, &call, &changes).await;
    let accepted = accepted.map_err(|refused| ApiError::step(refused, call.by))?;
    Ok(Json(bodies::game(&app, &accepted.game, Some(call.by), language).await?))
}

/// Get the replay of a game
///
/// Returns the set-up, the seed, and all steps with their times and events, hidden ones included. The command
/// `ludotheque verify` plays the replay again and checks that the game followed the rules. Fails with `NOT_OVER` until
/// the game is over.
#[utoipa::path(
    get, path = "/v1/games/{id}/replay", operation_id = "get_replay", tag = "games", security((), ("bearer" = [])),
    params(("id" = GameId, Path, description = "The game's id")),
    responses(
        (status = 200, description = "The replay", body = Replay),
        ReplayProblems,
    ),
)]
async fn get_replay(
    State(app): State<Arc<App>>,
    caller: MaybeSignedIn,
    metered: Metered,
    GamePath(id): GamePath,
) -> Result<Response, ApiError> {
    let viewer = caller.player();
    let replay = app.games.replay(id, &metered.client(viewer)).await?;
    let steps = usize::try_from(replay.length()).unwrap_or(usize::MAX);
    metered.charge(&app, viewer, prices::of_items(steps, prices::LISTED_STEP))?;
    // Read the first steps before the response starts: a game that can't be read then gets a problem, not half a body.
    let first = replay.steps(0, CHUNK_STEPS).await?;
    let mut text = json_response::write(&replay.head());
    // The steps are the last field: cut off the end of their empty list and of the object.
    text.truncate(text.len() - REPLAY_END.len());
    Ok(match write_steps(&mut text, &first, &replay) {
        // Sent whole, because streams are not compressed.
        None => json_response::json(text),
        Some(last) => json_response::json(axum::body::Body::from_stream(replay_stream(replay, text, last))),
    })
}

/// Steps of a replay that are read and written per chunk.
const CHUNK_STEPS: usize = 64;

/// The end of a replay as JSON.
const REPLAY_END: &[u8] = b"]}";

/// A long replay as a stream of JSON, one chunk in memory at a time: `begun`, then the steps after `last`.
fn replay_stream(replay: ReplayReader, begun: Vec<u8>, last: u64) -> impl Stream<Item = Result<Vec<u8>, GameError>> {
    let rest = stream::try_unfold((replay, Some(last)), |(replay, last)| async move {
        let Some(last) = last else { return Ok(None) };
        let steps = replay.further_steps(last, CHUNK_STEPS).await?;
        let mut text = Vec::new();
        let last = write_steps(&mut text, &steps, &replay);
        Ok(Some((text, (replay, last))))
    });
    stream::iter([Ok(begun)]).chain(rest)
}

/// Appends steps, and the end of the JSON after the last one. Returns the version to continue after, if there are more.
fn write_steps(text: &mut Vec<u8>, steps: &[ReplayStep], replay: &ReplayReader) -> Option<u64> {
    for step in steps {
        if step.version > 1 {
            text.push(b',');
        }
        text.extend(json_response::write(step));
    }
    let last = steps.last().map(|step| step.version).filter(|last| *last < replay.length());
    if last.is_none() {
        text.extend(REPLAY_END);
    }
    last
}

fn no_options() -> Value {
    json!({})
}

fn yes() -> bool {
    true
}
