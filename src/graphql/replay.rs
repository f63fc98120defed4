//! Replay of a game that is over.

use super::error::{error_with_code, graphql_error};
use super::field_cost::work;
use super::game_queries::{items, page_size};
use super::games::GameStatus;
use super::kinds::{GameEvent, KindId, Outcome, ReplayAction};
use super::node::game_id;
use super::request_context::RequestContext;
use super::scalars::{DateTime, int, seat};
use crate::codes::Code;
use crate::games::GameError;
use crate::games::options::with_kind;
use crate::games::replay::{ReplayAction as WholeAction, ReplayReader, ReplayStep as WholeStep};
use crate::quota::prices;
use crate::rules::any::AnyRules;
use crate::rules::dice::Hex;
use async_graphql::{ComplexObject, Context, ID, Object, Result, SimpleObject};

/// A whole game: set-up, seed, every step with its time, and every event with nothing hidden.
#[derive(SimpleObject)]
#[graphql(complex)]
pub struct Replay {
    /// The game's id.
    game_id: ID,
    /// The kind of the game.
    kind: KindId,
    /// The version of the rules that the game was played by.
    rules_version: u32,
    /// Whether the game was finished or abandoned.
    status: GameStatus,
    /// The seed of all random numbers of the game, in hex.
    seed: String,
    /// Hash of the seed, as published when the game was created.
    commitment: String,
    /// Hash chain over all steps, each with its version, time, player, seat and action: hex HMAC-SHA-256;
    /// docs/fairness.md in the server's repository describes how to compute it.
    chain: String,
    /// How the game ended; null if it was abandoned.
    outcome: Option<Outcome>,
    #[graphql(skip)]
    reader: ReplayReader,
}

/// The default and the largest size of a page of steps.
const STEPS: usize = 100;
const MOST_STEPS: usize = 1000;

#[ComplexObject]
impl Replay {
    /// List the steps after a version, in order. For the next page, set `after` to the version of the last step of this
    /// one. Fails with `BAD_CURSOR` if the game has no version `after`.
    #[graphql(complexity = "1 + items(first, STEPS, MOST_STEPS) * (work(prices::LISTED_STEP) + child_complexity)")]
    async fn steps(
        &self,
        ctx: &Context<'_>,
        #[graphql(desc = "The size of the page, 1 to 1000; 100 by default.")] first: Option<i32>,
        #[graphql(desc = "Only steps after this version; by default all steps.")] after: Option<String>,
    ) -> Result<Vec<ReplayStep>> {
        let context = RequestContext::of(ctx)?;
        let limit = page_size(context, first, STEPS, MOST_STEPS)?;
        let after =
            after.as_deref().map_or(Ok(0), str::parse).map_err(|_| error_with_code(context, Code::BadCursor))?;
        let steps = self.reader.steps(after, limit).await.map_err(|error| graphql_error(context, error))?;
        Ok(steps.into_iter().map(|step| ReplayStep::of(self.reader.rules(), step)).collect())
    }
}

/// One step of a replay.
#[derive(SimpleObject)]
pub struct ReplayStep {
    /// The version of the game after the step.
    version: i32,
    /// When the step was taken.
    at: DateTime,
    /// The player who took the step; null if the server did, which abandons idle lobbies (`EXPIRE`).
    player_id: Option<ID>,
    /// The seat of that player; null if they were not seated.
    seat: Option<i32>,
    /// What the player did.
    action: ReplayAction,
    /// What the step changed.
    #[graphql(complexity = "1 + 3 * child_complexity")]
    events: Vec<GameEvent>,
}

impl Replay {
    fn of(reader: ReplayReader) -> Self {
        let (whole, rules) = (reader.head(), reader.rules());
        Self {
            game_id: whole.id.into(),
            kind: KindId::of(rules),
            rules_version: whole.rules_version,
            status: whole.status.into(),
            seed: Hex(&whole.seed.0).to_string(),
            commitment: whole.commitment,
            chain: whole.chain,
            outcome: whole.outcome.map(|outcome| Outcome::of_service(rules, outcome)),
            reader,
        }
    }
}

impl ReplayStep {
    fn of(rules: &dyn AnyRules, step: WholeStep) -> Self {
        Self {
            version: int(step.version),
            at: DateTime(step.at),
            player_id: step.player_id.map(Into::into),
            seat: step.seat.map(seat),
            action: ReplayAction::of_service(rules, with_all_options(rules, &step)),
            events: step.events.into_iter().map(|event| GameEvent::replayed(rules, event)).collect(),
        }
    }
}

/// The action with all options. A host may have set only some of them; the event has them all.
fn with_all_options(rules: &dyn AnyRules, step: &WholeStep) -> WholeAction {
    let mut action = step.action.clone();
    if let WholeAction::Create { options, .. } | WholeAction::Configure { options, .. } = &mut action {
        let whole = step.events.iter().find_map(|event| event.get("options"));
        *options = whole.cloned().unwrap_or_else(|| with_kind(options.take(), rules));
    }
    action
}

#[derive(Default)]
pub struct ReplayQueries;

#[Object]
impl ReplayQueries {
    /// Get the replay of a game that is over; null if there is no such game. Fails with `NOT_OVER` until the game is
    /// over.
    async fn replay(
        &self,
        ctx: &Context<'_>,
        #[graphql(desc = "The game's id.")] game_id: ID,
    ) -> Option<Result<Replay>> {
        replay(ctx, &game_id).await.transpose()
    }
}

async fn replay(ctx: &Context<'_>, id: &ID) -> Result<Option<Replay>> {
    let context = RequestContext::of(ctx)?;
    let Some(id) = game_id(id) else { return Ok(None) };
    match context.app().games.replay(id, &context.client()).await {
        Ok(reader) => Ok(Some(Replay::of(reader))),
        Err(GameError::NotFound) => Ok(None),
        Err(error) => Err(graphql_error(context, error)),
    }
}
