//! Mutations during play: moves, asides, resigning and calling time.

use super::error::UserError;
use super::games::Game;
use super::kinds::{AsideInput, GameEvent, GameMoveInput};
use super::lobby::{of_a_game, step};
use super::moves::LegalMove;
use super::payload::{StepResult, payloads};
use super::request_context::RequestContext;
use super::scalars::version;
use crate::games::MoveInput;
use async_graphql::{Context, ID, InputObject, Object, Result, SimpleObject};

/// The move to play: either the `id` of a legal move, or `move` with all its fields.
#[derive(InputObject)]
pub struct PlayMoveInput {
    /// The game's id.
    game_id: ID,
    /// The `id` of a legal move.
    id: Option<String>,
    /// The move with all its fields.
    r#move: Option<GameMoveInput>,
    /// The version of the game that the move is meant for. If the game has moved on, the move is refused with
    /// `VERSION_CONFLICT`.
    expected_version: Option<i32>,
    /// Makes the mutation safe to repeat: for 24 hours, a repetition with the same key and input changes nothing and
    /// gets the same answer. A refused mutation does not use up its key. Fails with `IDEMPOTENCY_MISMATCH` if the
    /// caller used the key for another request to the same game. REST and GraphQL share the keys. Up to 255 visible
    /// ASCII characters, such as a UUID.
    idempotency_key: Option<String>,
}

of_a_game! {
    /// The game to resign from.
    ResignGameInput,
    /// The game in which time has run out.
    CallTimeoutsInput,
}

payloads! {
    /// The game after the aside.
    MakeAsidePayload,
    /// The game after the resignation.
    ResignGamePayload,
    /// The game after all late seats resigned.
    CallTimeoutsPayload,
}

/// The aside to make.
#[derive(InputObject)]
pub struct MakeAsideInput {
    /// The game's id.
    game_id: ID,
    /// The aside, in the field of the game's kind.
    aside: AsideInput,
    /// Makes the mutation safe to repeat: for 24 hours, a repetition with the same key and input changes nothing and
    /// gets the same answer. A refused mutation does not use up its key. Fails with `IDEMPOTENCY_MISMATCH` if the
    /// caller used the key for another request to the same game. REST and GraphQL share the keys. Up to 255 visible
    /// ASCII characters, such as a UUID.
    idempotency_key: Option<String>,
}

/// The result of a move.
#[derive(SimpleObject)]
pub struct PlayMovePayload {
    /// The game after the move, as the caller sees it. After a refusal, the game that the request was checked against,
    /// if the caller can see it.
    game: Option<Game>,
    /// The version of the game after the step. After a refusal, the current version of the game.
    version: Option<i32>,
    /// The events of the move, as far as the caller can see them; null after a refusal.
    #[graphql(complexity = "1 + 10 * child_complexity")]
    events: Option<Vec<GameEvent>>,
    /// The legal moves of the seat, after a refusal with `ILLEGAL_MOVE` or `NOT_YOUR_TURN`; otherwise null.
    #[graphql(complexity = "1 + 20 * child_complexity")]
    legal_moves: Option<Vec<LegalMove>>,
    /// Why the move was refused; empty if it was accepted.
    user_errors: Vec<UserError>,
}

impl From<StepResult> for PlayMovePayload {
    fn from(StepResult { game, version, events, legal_moves, user_errors }: StepResult) -> Self {
        Self { game, version, events, legal_moves, user_errors }
    }
}

#[derive(Default)]
pub struct PlayMutations;

#[Object]
impl PlayMutations {
    /// Play a move. It is checked against the current state, and is on disk before the answer is sent. Returns the
    /// events that the caller can see and the game after the move. Fails with `NOT_YOUR_TURN` or `ILLEGAL_MOVE`
    /// (`legalMoves` then lists the legal ones), with `NOT_SEATED` if the caller has no seat, and with `NOT_STARTED` or
    /// `GAME_OVER` if the game is not being played. Set `expectedVersion` to have the move refused with
    /// `VERSION_CONFLICT` if the game has moved on.
    async fn play_move(
        &self,
        ctx: &Context<'_>,
        #[graphql(desc = "The move to play.")] input: PlayMoveInput,
    ) -> Option<Result<PlayMovePayload>> {
        Some(play_move(ctx, input).await.map(Into::into))
    }

    /// Resign. The caller keeps the seat, but it makes no more moves and ranks last; the game continues if enough
    /// players are left. Fails with `NOT_STARTED` in the lobby (use `standUp` there), with `NOT_YOUR_TURN` if the
    /// caller has resigned before, and with `GAME_OVER` after the end.
    async fn resign_game(
        &self,
        ctx: &Context<'_>,
        #[graphql(desc = "The game to resign from.")] input: ResignGameInput,
    ) -> Option<Result<ResignGamePayload>> {
        let step = step(ctx, &input.game_id, input.idempotency_key.as_deref(), async |context, id, call| {
            context.app().games.resign(id, call).await
        });
        Some(step.await.map(Into::into))
    }

    /// Make the late seats resign: all that have run out of time. Any seated player can do so once the game's
    /// `deadline` has passed. Fails with `NOT_LATE` before that, or if the game has no time limit.
    async fn call_timeouts(
        &self,
        ctx: &Context<'_>,
        #[graphql(desc = "The game in which time has run out.")] input: CallTimeoutsInput,
    ) -> Option<Result<CallTimeoutsPayload>> {
        let step = step(ctx, &input.game_id, input.idempotency_key.as_deref(), async |context, id, call| {
            context.app().games.time_out(id, call).await
        });
        Some(step.await.map(Into::into))
    }

    /// Make an aside: do something besides the moves, such as leaving a note for your team. An aside is a step of the
    /// game with events of its own, but never a legal move; it changes neither whose turn it is nor the time that is
    /// left. Fails with `NOT_FOUND` in kinds without asides, and with `ILLEGAL_MOVE` if the rules do not allow it now.
    async fn make_aside(
        &self,
        ctx: &Context<'_>,
        #[graphql(desc = "The aside to make.")] input: MakeAsideInput,
    ) -> Option<Result<MakeAsidePayload>> {
        let step = step(ctx, &input.game_id, input.idempotency_key.as_deref(), async |context, id, call| {
            context.app().games.aside(id, call, &input.aside.json).await
        });
        Some(step.await.map(Into::into))
    }
}

async fn play_move(ctx: &Context<'_>, input: PlayMoveInput) -> Result<StepResult> {
    let mv = match MoveInput::one(input.id, input.r#move.map(|mv| mv.json)) {
        Ok(mv) => mv,
        Err(error) => return StepResult::refused_at_once(RequestContext::of(ctx)?, error),
    };
    step(ctx, &input.game_id, input.idempotency_key.as_deref(), async |context, id, call| {
        let expected = input.expected_version.map(|number| version(number, "expectedVersion")).transpose()?;
        context.app().play_move(id, call, &mv, expected).await
    })
    .await
}
