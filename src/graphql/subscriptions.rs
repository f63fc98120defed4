//! Subscriptions: steps of one game, and changes of the caller's games.

use super::error::graphql_error;
use super::events::Step;
use super::games::Game;
use super::node::game_id;
use super::request_context::RequestContext;
use super::scalars::version;
use super::split_subscription::run_phase;
use crate::games::GameError;
use async_graphql::{Context, ID, Result, SimpleObject};
use futures::{Stream, StreamExt};
use std::sync::Arc;

/// A game of the caller that has changed.
#[derive(SimpleObject)]
pub struct MyGame {
    /// The game as the caller sees it now.
    game: Game,
    /// Whether it is the caller's turn.
    waiting_for_me: bool,
}

/// Root of subscriptions. The transport decides when one ends: with the caller's token, or when the server shuts down.
/// It then ends without completing, so that clients reconnect.
#[derive(Default)]
pub struct Subscription;

/// Subscriptions. A stream ends when the caller's access token expires or is revoked: reconnect with a new one.
#[async_graphql::Subscription]
impl Subscription {
    /// Follow a game: all steps after a version, then each new one as soon as it is on disk, without gaps or
    /// duplicates. To resume, give the last version that was received. The stream ends after the game's last step, or
    /// when the caller can no longer see the game. Fails with `NOT_FOUND` if there is no such game, and with
    /// `BAD_CURSOR` if the game has not reached that version.
    async fn game_events(
        &self,
        ctx: &Context<'_>,
        #[graphql(desc = "The game's id.")] game_id: ID,
        #[graphql(desc = "Only steps after this version; 0 for all steps.", default_with = "Some(0)")] after: Option<
            i32,
        >,
    ) -> Result<impl Stream<Item = Result<Step>> + use<>> {
        let context = RequestContext::of(ctx)?.clone();
        run_phase(ctx, follow_steps(context, &game_id, after.unwrap_or(0))).await
    }

    /// Follow the caller's games: all games that are not over, then each game again when it changes. A game that the
    /// caller has left is not sent any more. Changes in quick succession may be combined into one; the latest state is
    /// always sent. After a reconnect all open games are sent again. Fails with `UNAUTHENTICATED` without a token.
    async fn my_games(&self, ctx: &Context<'_>) -> Result<impl Stream<Item = Result<MyGame>> + use<>> {
        let context = RequestContext::of(ctx)?.clone();
        run_phase(ctx, async { follow_my_games(context) }).await
    }
}

fn follow_my_games(context: Arc<RequestContext>) -> Result<impl Stream<Item = Result<MyGame>> + use<>> {
    let caller = context.signed_in()?;
    let games = context.app().games.follow_mine(caller.player);
    Ok(games.map(move |game| {
        let game = game.map_err(|error| graphql_error(&context, error))?;
        let waiting_for_me = game.head().waiting.contains(&caller.player);
        Ok(MyGame { game: Game::of(game, Some(caller.player)), waiting_for_me })
    }))
}

async fn follow_steps(
    context: Arc<RequestContext>,
    id: &ID,
    after: i32,
) -> Result<impl Stream<Item = Result<Step>> + use<>> {
    let after = version(after, "after").map_err(|error| graphql_error(&context, error))?;
    let id = game_id(id).ok_or_else(|| graphql_error(&context, GameError::NotFound))?;
    let viewer = context.viewer();
    // Keeps only the rules of the game: a subscription must not hold its state in memory.
    let rules = context.app().games.visible(id, viewer).await.map_err(|error| graphql_error(&context, error))?.rules;
    let steps = context.app().games.follow(id, viewer, after).await.map_err(|error| graphql_error(&context, error))?;
    Ok(steps.map(move |entry| Ok(Step::of(rules, &*entry.map_err(|error| graphql_error(&context, error))?))))
}
