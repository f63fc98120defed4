//! Events of a game: pages of its steps, and a live stream of them as server-sent events.

use super::Rest;
use super::bodies::StepBody;
use super::error::ApiError;
use super::extract::{GamePath, MaybeSignedIn, Metered, ValidQuery};
use super::problems::ReadProblems;
use crate::app::App;
use crate::games::StepView;
use crate::games::event_stream::{LONGEST_PAGE, PAGE};
use crate::ids::GameId;
use crate::live;
use crate::quota::prices;
use crate::rules::Fault;
use axum::Json;
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::sync::Arc;
use utoipa_axum::{router::OpenApiRouter, routes};

pub fn router() -> OpenApiRouter<Rest> {
    OpenApiRouter::new().routes(routes!(list_events))
}

/// A page of steps.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "Events")]
#[serde(rename_all = "camelCase")]
pub struct PageBody {
    /// The current version of the game.
    version: u64,
    /// The steps, oldest first.
    items: Vec<StepBody>,
    /// Send it as `after` to get the next page; null if this page reaches `version`.
    next_after: Option<u64>,
}

/// The part of the history to list.
#[derive(Deserialize, utoipa::IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
struct EventsQuery {
    /// Only steps after this version.
    #[param(default = 0)]
    after: Option<u64>,
    /// The size of the page, 1 to 1000. A stream ignores it.
    #[param(minimum = 1, maximum = 1000, default = 100)]
    limit: Option<usize>,
}

impl From<&StepView> for StepBody {
    fn from(step: &StepView) -> Self {
        Self { version: step.version, at: step.at, seat: step.seat, events: step.events.clone() }
    }
}

/// List or follow the events of a game
///
/// Returns a page of the steps after the version `after`, each with the events that you may see. Send `nextAfter` as
/// `after` to get the next page.
///
/// With `Accept: text/event-stream` the response is a stream of server-sent events instead: all steps after `after`,
/// then each new one as soon as it is on disk. The `data` of an event is one `Step`, its `id` the version. A client
/// that reconnects sends that `id` as `Last-Event-ID`, as browsers do by themselves, and gets the steps after it. The
/// stream ends after the last step of the game (reconnecting then gives 204), and when your access token expires or is
/// revoked: reconnect with a new one.
///
/// Fails with `BAD_CURSOR` if the game does not have the version yet: start again from 0.
#[utoipa::path(
    get, path = "/v1/games/{id}/events", operation_id = "list_events", tag = "play", security((), ("bearer" = [])),
    params(
        ("id" = GameId, Path, description = "The game's id"), EventsQuery,
        ("last-event-id" = Option<String>, Header, description = "The last version that a stream received; replaces `after`"),
    ),
    responses(
        (status = 200, description = "A page of steps, or the stream of them", content(
            (PageBody = "application/json"),
            (StepBody = "text/event-stream"),
        )),
        (status = 204, description = "The game is over and its last step was sent: do not reconnect"),
        ReadProblems,
    ),
)]
async fn list_events(
    State(app): State<Arc<App>>,
    caller: MaybeSignedIn,
    metered: Metered,
    GamePath(id): GamePath,
    ValidQuery(query): ValidQuery<EventsQuery>,
    headers: HeaderMap,
) -> Result<Response, ApiError> {
    let viewer = caller.player();
    let after = query.after.unwrap_or(0);
    if !wants_stream(&headers) {
        let limit = query.limit.unwrap_or(PAGE);
        if !(1..=LONGEST_PAGE).contains(&limit) {
            return Err(Fault::out_of_range("limit", 1, LONGEST_PAGE).into());
        }
        metered.charge(&app, viewer, prices::of_items(limit, prices::LISTED_STEP))?;
        let page = app.games.events(id, viewer, after, limit).await?;
        let reached = page.entries.last().map_or(after, |step| step.version);
        let items = page.entries.iter().map(|step| StepBody::from(&**step)).collect();
        let next_after = (reached < page.version).then_some(reached);
        return Ok(Json(PageBody { version: page.version, items, next_after }).into_response());
    }
    let after = match headers.get("last-event-id").map(|value| value.to_str().map(str::parse)) {
        None => after,
        Some(Ok(Ok(seen))) => seen,
        Some(_) => return Err(ApiError::new(crate::codes::Code::BadCursor)),
    };
    let game = app.games.visible(id, viewer).await?;
    if game.status.is_over() && after == game.version {
        return Ok(StatusCode::NO_CONTENT.into_response());
    }
    let steps = app.games.follow(id, viewer, after).await?;
    Ok(live::event_stream(steps, &app, caller.0, metered.client(viewer)))
}

fn wants_stream(headers: &HeaderMap) -> bool {
    let accepted = headers.get_all(header::ACCEPT).iter().filter_map(|value| value.to_str().ok());
    accepted.flat_map(|value| value.split(',')).any(|range| {
        range.split(';').next().is_some_and(|range| range.trim().eq_ignore_ascii_case("text/event-stream"))
    })
}
