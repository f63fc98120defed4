//! For test automation, on a server started with `--dev`: the clock of games, and games taken up in the middle.
//!
//! Not part of the API's description, because no server that strangers use has it.

use super::Rest;
use super::error::ApiError;
use super::extract::{Body, SignedIn};
use super::language::Reads;
use super::shapes::{self, GameBody};
use crate::app::App;
use crate::codes::Code;
use crate::games::ports::Clock;
use crate::games::replay::Replay;
use crate::ids::PlayerId;
use crate::rules::Instant;
use axum::extract::State;
use axum::http::StatusCode;
use axum::routing::{get, post};
use axum::{Json, Router};
use serde::{Deserialize, Serialize};
use std::sync::Arc;
use std::time::Duration;

pub fn router() -> Router<Rest> {
    Router::new().route("/v1/dev/clock", get(get_clock).patch(advance_clock)).route("/v1/dev/games", post(restage_game))
}

/// How far to put the clock forward.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct AdvanceBody {
    advance_seconds: u32,
}

/// The time as games have it.
#[derive(Serialize)]
struct ClockBody {
    now: Instant,
}

/// What to take up, where, and with whom.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct RestageBody {
    replay: Replay,
    /// All of it, if left out.
    version: Option<u64>,
    /// Who takes the places of the replay's players, in the order in which they come up in it.
    players: Vec<PlayerId>,
}

async fn get_clock(State(app): State<Arc<App>>) -> Result<Json<ClockBody>, ApiError> {
    let clock = app.dev.as_ref().ok_or_else(|| ApiError::new(Code::NotFound))?;
    Ok(Json(ClockBody { now: clock.now() }))
}

async fn advance_clock(
    State(app): State<Arc<App>>,
    Body(body): Body<AdvanceBody>,
) -> Result<Json<ClockBody>, ApiError> {
    let clock = app.dev.as_ref().ok_or_else(|| ApiError::new(Code::NotFound))?;
    clock.advance(Duration::from_secs(body.advance_seconds.into()));
    Ok(Json(ClockBody { now: clock.now() }))
}

async fn restage_game(
    State(app): State<Arc<App>>,
    SignedIn(caller): SignedIn,
    Reads(language): Reads,
    Body(body): Body<RestageBody>,
) -> Result<(StatusCode, Json<GameBody>), ApiError> {
    let staged = app.games.restage(&body.replay, body.version, &body.players).await?;
    Ok((StatusCode::CREATED, Json(shapes::game(&app, &staged.game, Some(caller.player), language).await?)))
}
