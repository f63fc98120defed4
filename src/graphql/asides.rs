//! Asides: what a seat may do beside its moves, in kinds that have any.

use super::kinds::AsideInput;
use super::lobby::step;
use super::payload::payloads;
use async_graphql::{Context, ID, InputObject, Object, Result};

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

payloads! {
    /// The game after the aside.
    MakeAsidePayload,
}

/// Mutations beside the moves.
#[derive(Default)]
pub struct AsideMutations;

#[Object]
impl AsideMutations {
    /// Do something beside your moves, such as leaving a note for your team: a step of the game with events of its own, but
    /// never a legal move. It changes neither whose turn it is nor the time you have left. Fails with `NOT_FOUND` in kinds
    /// without asides.
    async fn make_aside(
        &self,
        ctx: &Context<'_>,
        #[graphql(desc = "What to do, and in which game.")] input: MakeAsideInput,
    ) -> Option<Result<MakeAsidePayload>> {
        let step = step(ctx, &input.game_id, input.idempotency_key.as_deref(), async |asking, id, call| {
            asking.app().games.aside(id, call, &input.aside.json).await
        });
        Some(step.await.map(Into::into))
    }
}
