//! Test automation: the clock of games, and new games from the middle of a replay. Only a server started with `--dev`
//! has these operations, and only its OpenAPI document describes them.

use super::Rest;
use super::bodies::{self, GameBody};
use super::error::ApiError;
use super::extract::{Body, SignedIn};
use super::language::PreferredLanguage;
use super::problems::{BodyProblems, RestageProblems, ServiceProblems, StepProblems};
use super::unions;
use crate::app::App;
use crate::codes::Code;
use crate::games::ports::Clock;
use crate::games::replay::Replay;
use crate::ids::PlayerId;
use crate::rules::Instant;
use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::{Deserialize, Serialize};
use std::sync::Arc;
use std::time::Duration;
use utoipa_axum::{router::OpenApiRouter, routes};

pub fn router() -> OpenApiRouter<Rest> {
    OpenApiRouter::new().routes(routes!(get_clock, advance_clock)).routes(routes!(restage_game))
}

/// How far to advance the clock of games.
#[derive(Deserialize, JsonSchema)]
#[schemars(rename = "AdvanceClock", example = serde_json::json!({"advanceSeconds": 3600}))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct AdvanceBody {
    /// Seconds to add to the clock.
    advance_seconds: u32,
}

/// The clock of games.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "Clock")]
pub struct ClockBody {
    /// The current time of games. Tokens expire by real time.
    now: Instant,
}

/// The replay to resume, from which version, and the players who continue it.
#[derive(Deserialize, JsonSchema)]
#[schemars(rename = "RestageGame")]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct RestageBody {
    /// A replay, as `GET /v1/games/{id}/replay` returns it.
    #[schemars(schema_with = "any_replay")]
    replay: Replay,
    /// The version to resume at. Default: the last one.
    version: Option<u64>,
    /// The players who replace those of the replay, in the order in which the replay first names them.
    players: Vec<PlayerId>,
}

/// Refers to the schema of the response: the client sends that back.
fn any_replay(_: &mut SchemaGenerator) -> Schema {
    unions::reference("Replay").try_into().expect("an object is a schema")
}

/// Get the clock of games
///
/// Returns the current time of games, which `PATCH /v1/dev/clock` can advance.
#[utoipa::path(
    get, path = "/v1/dev/clock", operation_id = "get_clock", tag = "dev", security(()),
    responses((status = 200, description = "The clock of games", body = ClockBody), ServiceProblems),
)]
async fn get_clock(State(app): State<Arc<App>>) -> Result<Json<ClockBody>, ApiError> {
    let clock = app.dev.as_ref().ok_or_else(|| ApiError::new(Code::NotFound))?;
    Ok(Json(ClockBody { now: clock.now() }))
}

/// Advance the clock of games
///
/// Deadlines pass and calendars open as if the time had really gone by. Returns the new time. The clock never goes
/// back.
#[utoipa::path(
    patch, path = "/v1/dev/clock", operation_id = "advance_clock", tag = "dev", security(()),
    request_body = AdvanceBody,
    responses((status = 200, description = "The new time of games", body = ClockBody), ServiceProblems, BodyProblems),
)]
async fn advance_clock(
    State(app): State<Arc<App>>,
    Body(body): Body<AdvanceBody>,
) -> Result<Json<ClockBody>, ApiError> {
    let clock = app.dev.as_ref().ok_or_else(|| ApiError::new(Code::NotFound))?;
    clock.advance(Duration::from_secs(body.advance_seconds.into()));
    Ok(Json(ClockBody { now: clock.now() }))
}

/// Resume a game from a replay
///
/// Creates a new game in the state that the replay had at `version`, with other players on its seats. Returns the game,
/// which can be played from there. Fails with `MALFORMED` if the replay can't be played again, has no such version, or
/// has more players than `players`; `detail` says which.
#[utoipa::path(
    post, path = "/v1/dev/games", operation_id = "restage_game", tag = "dev", security(("bearer" = [])),
    request_body = RestageBody,
    responses((status = 201, description = "The new game", body = GameBody), StepProblems, RestageProblems, BodyProblems),
)]
async fn restage_game(
    State(app): State<Arc<App>>,
    SignedIn(caller): SignedIn,
    PreferredLanguage(language): PreferredLanguage,
    Body(body): Body<RestageBody>,
) -> Result<(StatusCode, Json<GameBody>), ApiError> {
    let staged = app.games.restage(&body.replay, body.version, &body.players).await?;
    Ok((StatusCode::CREATED, Json(bodies::game(&app, &staged.game, Some(caller.player), language).await?)))
}
