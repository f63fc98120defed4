//! For test automation, on a server started with `--dev`: the clock of games, and games taken up in the middle.
//!
//! Only such a server describes these operations, in the document that it serves.

use super::Rest;
use super::bodies::{self, GameBody};
use super::error::ApiError;
use super::extract::{Body, SignedIn};
use super::language::PreferredLanguage;
use super::openapi::{OwnProblems, ReadProblems, StepProblems};
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

/// How far to put the clock forward.
#[derive(Deserialize, JsonSchema)]
#[schemars(rename = "AdvanceClock", example = serde_json::json!({"advanceSeconds": 3600}))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct AdvanceBody {
    /// Seconds to add to the clock of games.
    advance_seconds: u32,
}

/// The time as games have it.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "Clock")]
pub struct ClockBody {
    /// The present time of games; tokens go by the real time.
    now: Instant,
}

/// What to take up, where, and with whom.
#[derive(Deserialize, JsonSchema)]
#[schemars(rename = "RestageGame")]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct RestageBody {
    /// A replay, as `GET /v1/games/{id}/replay` answers it.
    #[schemars(schema_with = "any_replay")]
    replay: Replay,
    /// The version to take it up at; all of it, if left out.
    version: Option<u64>,
    /// The players who take the places of the replay's players, in the order in which they come up in it.
    players: Vec<PlayerId>,
}

/// The component is that of the answer, which is what is sent back here.
fn any_replay(_: &mut SchemaGenerator) -> Schema {
    unions::reference("Replay").try_into().expect("an object is a schema")
}

/// Get the time of games
///
/// Games go by a clock that can be put forward.
#[utoipa::path(
    get, path = "/v1/dev/clock", operation_id = "get_clock", tag = "dev", security(()),
    responses((status = 200, description = "The time of games", body = ClockBody), ReadProblems),
)]
async fn get_clock(State(app): State<Arc<App>>) -> Result<Json<ClockBody>, ApiError> {
    let clock = app.dev.as_ref().ok_or_else(|| ApiError::new(Code::NotFound))?;
    Ok(Json(ClockBody { now: clock.now() }))
}

/// Put the clock of games forward
///
/// Deadlines pass and calendars open as if the time had really gone by. The clock never goes back.
#[utoipa::path(
    patch, path = "/v1/dev/clock", operation_id = "advance_clock", tag = "dev", security(()),
    request_body = AdvanceBody,
    responses((status = 200, description = "The new time of games", body = ClockBody), OwnProblems),
)]
async fn advance_clock(
    State(app): State<Arc<App>>,
    Body(body): Body<AdvanceBody>,
) -> Result<Json<ClockBody>, ApiError> {
    let clock = app.dev.as_ref().ok_or_else(|| ApiError::new(Code::NotFound))?;
    clock.advance(Duration::from_secs(body.advance_seconds.into()));
    Ok(Json(ClockBody { now: clock.now() }))
}

/// Take up a game from a replay
///
/// Makes a new game that stands where the replay stood at `version`, with other players on its seats. The game goes on from
/// there. Fails with `MALFORMED` if the replay can't be played again.
#[utoipa::path(
    post, path = "/v1/dev/games", operation_id = "restage_game", tag = "dev", security(("bearer" = [])),
    request_body = RestageBody,
    responses((status = 201, description = "The new game", body = GameBody), StepProblems),
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
