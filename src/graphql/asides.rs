//! What a seat may do beside its moves: drafts, names of elves, hints. The kind of the game decides; one that has nothing of
//! the sort answers `NOT_FOUND`.

use super::kinds::SantaRescueSymbol;
use super::lobby::{of_a_game, step};
use super::payload::{Stepped, payloads};
use async_graphql::{Context, ID, InputObject, Object, Result};
use serde_json::{Value, json};

/// What a draft column says from now on.
#[derive(InputObject)]
pub struct WriteDraftInput {
    /// In which game.
    game_id: ID,
    /// Which column, from 1.
    column: i32,
    /// At most four rows of symbols, each of the day's length; none wipes the column.
    rows: Vec<Vec<SantaRescueSymbol>>,
    /// The same key with the same request is carried out once, and answered the same as far as the caller may still see
    /// it; REST knows the same keys.
    idempotency_key: Option<String>,
}

/// What an elf is called from now on.
#[derive(InputObject)]
pub struct NameElfInput {
    /// In which game.
    game_id: ID,
    /// The elf's number.
    elf: i32,
    /// Its name.
    name: String,
    /// The same key with the same request is carried out once, and answered the same as far as the caller may still see
    /// it; REST knows the same keys.
    idempotency_key: Option<String>,
}

of_a_game! {
    /// Where to ask for a hint.
    AskHintInput,
}

payloads! {
    /// The draft as it is now.
    WriteDraftPayload,
    /// The elf with its name.
    NameElfPayload,
    /// The hint, as everybody sees it.
    AskHintPayload,
}

/// What can be done beside moves.
#[derive(Default)]
pub struct AsideMutations;

#[Object]
impl AsideMutations {
    /// Overwrites one of the columns that the team shares and nobody else sees. It never counts.
    async fn write_draft(
        &self,
        ctx: &Context<'_>,
        #[graphql(desc = "What it says.")] input: WriteDraftInput,
    ) -> Option<Result<WriteDraftPayload>> {
        let draft = json!({"type": "DRAFT", "column": input.column, "rows": input.rows});
        Some(aside(ctx, &input.game_id, input.idempotency_key.as_deref(), &draft).await.map(Into::into))
    }

    /// Names an elf: by its holder, at any time.
    async fn name_elf(
        &self,
        ctx: &Context<'_>,
        #[graphql(desc = "Which elf, and its name.")] input: NameElfInput,
    ) -> Option<Result<NameElfPayload>> {
        let name = json!({"type": "NAME", "elf": input.elf, "name": input.name});
        Some(aside(ctx, &input.game_id, input.idempotency_key.as_deref(), &name).await.map(Into::into))
    }

    /// Asks for a hint. Everybody sees it, and it has its price.
    async fn ask_hint(
        &self,
        ctx: &Context<'_>,
        #[graphql(desc = "Where to ask.")] input: AskHintInput,
    ) -> Option<Result<AskHintPayload>> {
        let hint = json!({"type": "HINT"});
        Some(aside(ctx, &input.game_id, input.idempotency_key.as_deref(), &hint).await.map(Into::into))
    }
}

async fn aside(ctx: &Context<'_>, id: &ID, key: Option<&str>, aside: &Value) -> Result<Stepped> {
    step(ctx, id, key, async |asking, id, call| asking.app().games.aside(id, call, aside).await).await
}
