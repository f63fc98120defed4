//! Relay's `node` and `nodes`: find an object by its id. Ids are the same as in REST.

use super::field_cost::work;
use super::games::Game;
use super::players::Player;
use super::request_context::RequestContext;
use crate::ids::{GameId, PlayerId};
use crate::quota::prices;
use async_graphql::{Context, ID, Interface, Object, Result};
use futures::future::try_join_all;

/// An object that has an id: a game or a player.
#[derive(Interface)]
#[graphql(field(name = "id", ty = "ID", desc = "The object's id; the same in REST and GraphQL."))]
pub enum Node {
    Game(Game),
    Player(Player),
}

#[derive(Default)]
pub struct NodeQueries;

/// The largest number of ids in one query.
const MOST: usize = 100;

#[Object]
impl NodeQueries {
    /// Get a game or a player by its id; null if there is none, or if it is hidden from the caller.
    async fn node(
        &self,
        ctx: &Context<'_>,
        #[graphql(desc = "The id of a game or a player.")] id: ID,
    ) -> Option<Result<Node>> {
        match RequestContext::of(ctx) {
            Ok(context) => find(context, &id).await.transpose(),
            Err(error) => Some(Err(error)),
        }
    }

    /// Get up to 100 games and players by their ids, in the order of the ids; null for each that does not exist or is
    /// hidden from the caller.
    #[graphql(complexity = "ids.len().min(MOST) * (work(prices::LISTED_GAME) + child_complexity)")]
    async fn nodes(
        &self,
        ctx: &Context<'_>,
        #[graphql(desc = "The ids of games and players, up to 100.", validator(max_items = 100))] ids: Vec<ID>,
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

/// Parses a game's id; `None` if the text is not one.
pub fn game_id(id: &ID) -> Option<GameId> {
    id.parse().ok()
}
