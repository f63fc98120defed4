//! Event log of a game, as pages of steps.

use super::error::{error_with_code, graphql_error};
use super::field_cost::work;
use super::game_queries::{items, page_size};
use super::kinds::GameEvent;
use super::node::game_id;
use super::request_context::RequestContext;
use super::scalars::{DateTime, int, seat};
use crate::codes::Code;
use crate::games::event_stream::{LONGEST_PAGE, PAGE};
use crate::games::{EventView, GameError, StepView};
use crate::quota::prices;
use crate::rules::any::AnyRules;
use async_graphql::connection::{Connection, DefaultConnectionName, DefaultEdgeName, Edge, EmptyFields};
use async_graphql::connection::{CursorType, EnableNodesField};
use async_graphql::{Context, ID, Object, Result, SimpleObject};
use std::num::ParseIntError;

/// One step of a game. Every viewer sees that the step took place, even if all its events are hidden.
#[derive(SimpleObject)]
pub struct Step {
    /// The version of the game after the step.
    version: i32,
    /// When the step was taken.
    at: DateTime,
    /// The seat that acted; null if none did.
    seat: Option<i32>,
    /// What the step changed, as far as the caller can see it; empty if all of it is hidden.
    #[graphql(complexity = "1 + 3 * child_complexity")]
    events: Vec<GameEvent>,
}

impl Step {
    pub fn of(rules: &dyn AnyRules, entry: &StepView) -> Self {
        Self {
            version: int(entry.version),
            at: DateTime(entry.at),
            seat: entry.seat.map(seat),
            events: game_events(rules, &entry.events),
        }
    }
}

/// Events as the types of their kind.
pub fn game_events(rules: &dyn AnyRules, events: &[EventView]) -> Vec<GameEvent> {
    events.iter().map(|event| GameEvent::of_view(rules, event)).collect()
}

/// Cursor of a step: its version.
pub struct VersionCursor(u32);

impl CursorType for VersionCursor {
    type Error = ParseIntError;

    fn decode_cursor(text: &str) -> Result<Self, ParseIntError> {
        text.parse().map(VersionCursor)
    }

    fn encode_cursor(&self) -> String {
        self.0.to_string()
    }
}

/// Fields that a page of steps has besides its edges.
#[derive(SimpleObject)]
pub struct StepsOf {
    /// The current version of the game.
    version: i32,
}

pub type Steps =
    Connection<VersionCursor, Step, StepsOf, EmptyFields, DefaultConnectionName, DefaultEdgeName, EnableNodesField>;

#[derive(Default)]
pub struct EventQueries;

#[Object]
impl EventQueries {
    /// List the steps of a game, oldest first, each with the events that the caller can see; null if there is no such
    /// game. The cursor of a step is its version. Fails with `BAD_CURSOR` if the game has not reached the version
    /// `after`.
    #[graphql(complexity = "1 + items(first, PAGE, LONGEST_PAGE) * (work(prices::LISTED_STEP) + child_complexity)")]
    async fn events(
        &self,
        ctx: &Context<'_>,
        #[graphql(desc = "The game's id.")] game_id: ID,
        #[graphql(desc = "The size of the page, 1 to 1000; 100 by default.")] first: Option<i32>,
        #[graphql(desc = "Only steps after this version; by default all steps.")] after: Option<String>,
    ) -> Option<Result<Steps>> {
        events(ctx, &game_id, first, after).await.transpose()
    }
}

async fn events(ctx: &Context<'_>, id: &ID, first: Option<i32>, after: Option<String>) -> Result<Option<Steps>> {
    let context = RequestContext::of(ctx)?;
    let limit = page_size(context, first, PAGE, LONGEST_PAGE)?;
    let after = after.as_deref().map_or(Ok(VersionCursor(0)), VersionCursor::decode_cursor);
    let VersionCursor(after) = after.map_err(|_| error_with_code(context, Code::BadCursor))?;
    let Some(id) = game_id(id) else { return Ok(None) };
    let Some(game) = context.game(id).await? else { return Ok(None) };
    let page = match context.app().games.events(id, context.viewer(), after.into(), limit).await {
        Ok(page) => page,
        Err(GameError::NotFound) => return Ok(None),
        Err(error) => return Err(graphql_error(context, error)),
    };
    let reached = page.entries.last().map_or(after.into(), |entry| entry.version);
    let about = StepsOf { version: int(page.version) };
    let mut steps = Steps::with_additional_fields(after > 0, reached < page.version, about);
    for entry in page.entries {
        let cursor = VersionCursor(int(entry.version).unsigned_abs());
        steps.edges.push(Edge::new(cursor, Step::of(game.rules, &entry)));
    }
    Ok(Some(steps))
}
