//! What is told as it happens.

use super::error::failed;
use super::events::Step;
use super::games::Game;
use super::node::game_id;
use super::request_context::RequestContext;
use super::scalars::version;
use super::split_subscription::in_turn;
use crate::games::GameError;
use async_graphql::{Context, ID, Result, SimpleObject};
use futures::{Stream, StreamExt};
use std::sync::Arc;

/// A game of the caller's that has changed.
#[derive(SimpleObject)]
pub struct MyGame {
    /// The game as the caller sees it now.
    game: Game,
    /// Whether it waits for the caller.
    waiting_for_me: bool,
}

/// The root of subscriptions. How long one lasts is for the transport to say: until the caller's token ends, or the
/// server does, and never as if the operation were complete, so that a client comes back.
#[derive(Default)]
pub struct Subscription;

/// What is told as it happens. A stream ends when the caller's token does; come back with a new one.
#[async_graphql::Subscription]
impl Subscription {
    /// All steps of a game after a version, then each new one as it becomes durable: no gap, none twice. To go on after a
    /// break, give the last version that was seen. It ends after the game's last step, or when the caller may no longer
    /// know of the game.
    async fn game_events(
        &self,
        ctx: &Context<'_>,
        #[graphql(desc = "Of which game.")] game_id: ID,
        #[graphql(desc = "Only steps after this version; all of them after 0.", default_with = "Some(0)")]
        after: Option<i32>,
    ) -> Result<impl Stream<Item = Result<Step>> + use<>> {
        let context = RequestContext::of(ctx)?.clone();
        in_turn(ctx, steps(context, &game_id, after.unwrap_or(0))).await
    }

    /// Every game of the caller's that is not over, then each game of theirs again whenever it has changed. Changes in
    /// quick succession may be told as one; the last of them is always told. After a break all open games are told again.
    async fn my_games(&self, ctx: &Context<'_>) -> Result<impl Stream<Item = Result<MyGame>> + use<>> {
        let context = RequestContext::of(ctx)?.clone();
        in_turn(ctx, async { mine(context) }).await
    }
}

fn mine(context: Arc<RequestContext>) -> Result<impl Stream<Item = Result<MyGame>> + use<>> {
    let caller = context.signed_in()?;
    let games = context.app().games.follow_mine(caller.player);
    Ok(games.map(move |game| {
        let game = game.map_err(|error| failed(&context, error))?;
        let waiting_for_me = game.head().waiting.contains(&caller.player);
        Ok(MyGame { game: Game::of(game, Some(caller.player)), waiting_for_me })
    }))
}

async fn steps(context: Arc<RequestContext>, id: &ID, after: i32) -> Result<impl Stream<Item = Result<Step>> + use<>> {
    let after = version(after, "after").map_err(|error| failed(&context, error))?;
    let id = game_id(id).ok_or_else(|| failed(&context, GameError::NotFound))?;
    let viewer = context.viewer();
    // Of the game only its rules: whoever listens shall not hold on to what it was like.
    let rules = context.app().games.visible(id, viewer).await.map_err(|error| failed(&context, error))?.rules;
    let steps = context.app().games.follow(id, viewer, after).await.map_err(|error| failed(&context, error))?;
    Ok(steps.map(move |entry| Ok(Step::of(rules, &*entry.map_err(|error| failed(&context, error))?))))
}
