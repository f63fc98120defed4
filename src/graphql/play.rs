//! Play: a move, giving up, and giving up for those who are late.

use super::error::UserError;
use super::games::Game;
use super::kinds::{AsideInput, GameEvent, GameMoveInput};
use super::lobby::{of_a_game, step};
use super::moves::LegalMove;
use super::payload::{Stepped, payloads};
use super::request_context::RequestContext;
use super::scalars::version;
use crate::games::MoveInput;
use async_graphql::{Context, ID, InputObject, Object, Result, SimpleObject};

/// A move: by its `id` in the list of legal moves, or spelled out as `move`, one of the two.
#[derive(InputObject)]
pub struct PlayMoveInput {
    /// In which game.
    game_id: ID,
    /// The id of a legal move.
    id: Option<String>,
    /// The move itself.
    r#move: Option<GameMoveInput>,
    /// Refuse the move with `VERSION_CONFLICT` if the game has another version when its turn comes.
    expected_version: Option<i32>,
    /// The same key with the same move plays once, and is answered the same as far as the caller may still see it; REST
    /// knows the same keys.
    idempotency_key: Option<String>,
}

of_a_game! {
    /// Where to give up.
    ResignGameInput,
    /// Where somebody is late.
    CallTimeoutsInput,
}

payloads! {
    /// The game after the aside.
    MakeAsidePayload,
    /// The seat that gave up.
    ResignGamePayload,
    /// The seats that were late.
    CallTimeoutsPayload,
}

/// What to do beside the moves.
#[derive(InputObject)]
pub struct MakeAsideInput {
    /// In which game.
    game_id: ID,
    /// The aside, for the kind of the game.
    aside: AsideInput,
    /// The same key with the same request is carried out once, and answered the same as far as the caller may still see
    /// it; REST knows the same keys.
    idempotency_key: Option<String>,
}

/// The move that was played.
#[derive(SimpleObject)]
pub struct PlayMovePayload {
    /// The game as the caller sees it now; after a refusal, the game that it was judged on, if the caller may know of it.
    game: Option<Game>,
    /// The version of the step; after a refusal, the one that the game stands at.
    version: Option<i32>,
    /// What happened, as the caller is told of it; null after a refusal.
    #[graphql(complexity = "1 + 10 * child_complexity")]
    events: Option<Vec<GameEvent>>,
    /// What the seat may play instead; with `ILLEGAL_MOVE` and `NOT_YOUR_TURN`.
    #[graphql(complexity = "1 + 20 * child_complexity")]
    legal_moves: Option<Vec<LegalMove>>,
    /// Why nothing was played; empty if it was.
    user_errors: Vec<UserError>,
}

impl From<Stepped> for PlayMovePayload {
    fn from(Stepped { game, version, events, legal_moves, user_errors }: Stepped) -> Self {
        Self { game, version, events, legal_moves, user_errors }
    }
}

/// What can be done in play.
#[derive(Default)]
pub struct PlayMutations;

#[Object]
impl PlayMutations {
    /// Plays a move. Durable once answered. It is judged on the state it meets; only `expectedVersion` pins it to one.
    async fn play_move(
        &self,
        ctx: &Context<'_>,
        #[graphql(desc = "Which move.")] input: PlayMoveInput,
    ) -> Option<Result<PlayMovePayload>> {
        Some(play_move(ctx, input).await.map(Into::into))
    }

    /// Gives up: the seat stays, but acts no more and ranks last.
    async fn resign_game(
        &self,
        ctx: &Context<'_>,
        #[graphql(desc = "Where to give up.")] input: ResignGameInput,
    ) -> Option<Result<ResignGamePayload>> {
        let step = step(ctx, &input.game_id, input.idempotency_key.as_deref(), async |context, id, call| {
            context.app().games.resign(id, call).await
        });
        Some(step.await.map(Into::into))
    }

    /// Resigns those who are late: by any seated player, once the game's `deadline` has passed.
    async fn call_timeouts(
        &self,
        ctx: &Context<'_>,
        #[graphql(desc = "Where somebody is late.")] input: CallTimeoutsInput,
    ) -> Option<Result<CallTimeoutsPayload>> {
        let step = step(ctx, &input.game_id, input.idempotency_key.as_deref(), async |context, id, call| {
            context.app().games.time_out(id, call).await
        });
        Some(step.await.map(Into::into))
    }

    /// Do something beside your moves, such as leaving a note for your team: a step of the game with events of its own, but
    /// never a legal move. It changes neither whose turn it is nor the time you have left. Fails with `NOT_FOUND` in kinds
    /// without asides.
    async fn make_aside(
        &self,
        ctx: &Context<'_>,
        #[graphql(desc = "What to do, and in which game.")] input: MakeAsideInput,
    ) -> Option<Result<MakeAsidePayload>> {
        let step = step(ctx, &input.game_id, input.idempotency_key.as_deref(), async |context, id, call| {
            context.app().games.aside(id, call, &input.aside.json).await
        });
        Some(step.await.map(Into::into))
    }
}

async fn play_move(ctx: &Context<'_>, input: PlayMoveInput) -> Result<Stepped> {
    let mv = match MoveInput::one(input.id, input.r#move.map(|mv| mv.json)) {
        Ok(mv) => mv,
        Err(error) => return Stepped::refused_at_once(RequestContext::of(ctx)?, error),
    };
    step(ctx, &input.game_id, input.idempotency_key.as_deref(), async |context, id, call| {
        let expected = input.expected_version.map(|number| version(number, "expectedVersion")).transpose()?;
        context.app().play_move(id, call, &mv, expected).await
    })
    .await
}
