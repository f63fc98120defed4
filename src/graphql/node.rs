//! Relay's `node`: whatever has an id, found by it. Ids are the same strings as REST's.

use super::field_cost::work;
use super::games::Game;
use super::players::Player;
use super::request_context::RequestContext;
use crate::ids::{GameId, PlayerId};
use crate::quota::prices;
use async_graphql::{Context, ID, Interface, Object, Result};
use futures::future::try_join_all;

/// Whatever has an id of its own.
#[derive(Interface)]
#[graphql(field(name = "id", ty = "ID", desc = "The same on every face."))]
pub enum Node {
    Game(Game),
    Player(Player),
}

/// What can be found by its id.
#[derive(Default)]
pub struct NodeQueries;

/// How many things can be found at once.
const MOST: usize = 100;

#[Object]
impl NodeQueries {
    /// Finds a game or a player; null if there is none that the caller may know of.
    async fn node(&self, ctx: &Context<'_>, #[graphql(desc = "Its id.")] id: ID) -> Option<Result<Node>> {
        match RequestContext::of(ctx) {
            Ok(context) => find(context, &id).await.transpose(),
            Err(error) => Some(Err(error)),
        }
    }

    /// Finds several at once, up to 100, in the order of their ids; null for each that there is not.
    #[graphql(complexity = "ids.len().min(MOST) * (work(prices::LISTED_GAME) + child_complexity)")]
    async fn nodes(
        &self,
        ctx: &Context<'_>,
        #[graphql(desc = "Their ids.", validator(max_items = 100))] ids: Vec<ID>,
    ) -> Result<Vec<Option<Node>>> {
        let context = RequestContext::of(ctx)?;
        try_join_all(ids.iter().take(MOST).map(|id| find(context, id))).await
    }
}

async fn find(context: &RequestContext, id: &ID) -> Result<Option<Node>> {
    if let Some(id) = game_id(id) {
        let game = context.game(id).await?;
        return Ok(game.map(|game| Node::Game(Game::of(game, context.viewer()))));
    }
    let Ok(id) = id.parse::<PlayerId>() else { return Ok(None) };
    Ok(context.profile(id).await?.map(|profile| Node::Player(Player(profile.id))))
}

/// A game's id; whatever is none names no game.
pub fn game_id(id: &ID) -> Option<GameId> {
    id.parse().ok()
}
