//! Asides: what a seat may do beside its moves, in kinds that have such a thing. A kind without them answers `NOT_FOUND`.

use super::kinds::{self, Chosen, SantaRescueSymbol};
use super::lobby::step;
use super::payload::payloads;
use async_graphql::{Context, ID, InputObject, Object, OneofObject, Result};
use serde::Serialize;

/// What to do beside the moves, and in which game.
#[derive(InputObject)]
pub struct MakeAsideInput {
    /// The game.
    game_id: ID,
    /// What to do, in the field of the game's kind.
    aside: AsideInput,
    /// The same key with the same request is carried out once, and answered the same as far as the caller may still see
    /// it; REST knows the same keys.
    idempotency_key: Option<String>,
}

// The next four types repeat the schema of the kind's asides, as `kinds/` repeats its moves. They go when inputs are made
// from the kinds' own schemas.

/// Something to do beside the moves, by kind.
#[derive(OneofObject, Serialize)]
#[serde(untagged)]
pub enum AsideInput {
    /// For the kind `SANTA_RESCUE`.
    SantaRescue(SantaRescueAsideInput),
}

/// What to do beside the moves in À la rescousse du Père Noël.
#[derive(OneofObject, Serialize)]
#[serde(tag = "type", rename_all = "SCREAMING_SNAKE_CASE")]
pub enum SantaRescueAsideInput {
    /// Overwrites one of the two draft columns that the team shares.
    Draft(SantaRescueDraftInput),
    /// Names an elf that the seat holds.
    Name(SantaRescueNameInput),
    /// Asks for the next play of a winning line. Refused unless the option `hints` is on; each hint takes a boot off the
    /// day's reward.
    Hint(Chosen),
}

/// What a draft column says from now on.
#[derive(InputObject, Serialize)]
pub struct SantaRescueDraftInput {
    /// The column: 1 or 2.
    column: i32,
    /// The rows, at most four, each as long as the day's row. An empty list wipes the column.
    rows: Vec<Vec<SantaRescueSymbol>>,
}

/// What an elf is called from now on.
#[derive(InputObject, Serialize)]
pub struct SantaRescueNameInput {
    /// The elf, 1 to 4.
    elf: i32,
    /// Its new name: 1 to 30 characters, at least one of them visible. Spaces at both ends are cut off.
    name: String,
}

payloads! {
    /// The game after the aside.
    MakeAsidePayload,
}

/// What can be done beside moves.
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
        Some(make_aside(ctx, input).await)
    }
}

async fn make_aside(ctx: &Context<'_>, input: MakeAsideInput) -> Result<MakeAsidePayload> {
    let MakeAsideInput { game_id, aside, idempotency_key } = input;
    let aside = kinds::json(&aside);
    let stepped = step(ctx, &game_id, idempotency_key.as_deref(), async |asking, id, call| {
        asking.app().games.aside(id, call, &aside).await
    });
    stepped.await.map(Into::into)
}
