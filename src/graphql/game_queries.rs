//! Queries of games: one game, an earlier version of one, or a list.

use super::error::{error_with_code, graphql_error};
use super::field_cost::work;
use super::games::{Game, GameStatus};
use super::kinds::KindId;
use super::node::game_id;
use super::request_context::RequestContext;
use super::scalars::{count, version};
use crate::codes::Code;
use crate::games::GameError;
use crate::games::ports::Whose;
use crate::games::queries::{Filter, LONGEST_PAGE, PAGE};
use crate::ids::GameId;
use crate::quota::prices;
use async_graphql::connection::{Connection, Edge, EmptyFields, EnableNodesField};
use async_graphql::connection::{CursorType, DefaultConnectionName, DefaultEdgeName};
use async_graphql::{Context, ID, InputObject, Object, Result};

/// Which games to list.
#[derive(Default, InputObject)]
pub struct GameFilterInput {
    /// Only games of this kind.
    kind: Option<KindId>,
    /// Only games in this status.
    status: Option<GameStatus>,
    /// Only games of which the caller is a member (host, seated, invite accepted or seat held), instead of the public
    /// ones.
    #[graphql(default_with = "Some(false)")]
    mine: Option<bool>,
    /// Only games in which it is the caller's turn.
    #[graphql(default_with = "Some(false)")]
    waiting_for_me: Option<bool>,
}

/// Cursor of a game in the list: its id.
pub struct GameCursor(GameId);

impl CursorType for GameCursor {
    type Error = crate::ids::NotAnId;

    fn decode_cursor(text: &str) -> Result<Self, Self::Error> {
        text.parse().map(GameCursor)
    }

    fn encode_cursor(&self) -> String {
        self.0.to_string()
    }
}

pub type Games =
    Connection<GameCursor, Game, EmptyFields, EmptyFields, DefaultConnectionName, DefaultEdgeName, EnableNodesField>;

#[derive(Default)]
pub struct GameQueries;

#[Object]
impl GameQueries {
    /// Get a game as the caller sees it; null if there is no such game, or if it is unlisted and the caller is not a
    /// member. With `at`, get it as it was at an earlier version; fails with `BAD_CURSOR` if the game has not reached
    /// that version.
    #[graphql(complexity = "1 + if at.is_some() { work(prices::OLD_POSITION) } else { 0 } + child_complexity")]
    async fn game(
        &self,
        ctx: &Context<'_>,
        #[graphql(desc = "The game's id.")] id: ID,
        #[graphql(desc = "An earlier version, as the caller's current seat sees it; by default the current version.")]
        at: Option<i32>,
    ) -> Option<Result<Game>> {
        game(ctx, &id, at).await.transpose()
    }

    /// List games, newest first: the public ones, or with `mine` or `waitingForMe` the caller's own. Fails with
    /// `UNAUTHENTICATED` if the caller lists their own games without a token, and with `BAD_CURSOR` if `after` is not a
    /// cursor of this list.
    #[graphql(complexity = "1 + items(first, PAGE, LONGEST_PAGE) * (work(prices::LISTED_GAME) + child_complexity)")]
    async fn games(
        &self,
        ctx: &Context<'_>,
        #[graphql(desc = "Which games to list; all public ones by default.")] filter: Option<GameFilterInput>,
        #[graphql(desc = "The size of the page, 1 to 100; 20 by default.")] first: Option<i32>,
        #[graphql(desc = "The `endCursor` of the previous page.")] after: Option<String>,
    ) -> Option<Result<Games>> {
        Some(games(ctx, filter.unwrap_or_default(), first, after).await)
    }
}

async fn game(ctx: &Context<'_>, id: &ID, at: Option<i32>) -> Result<Option<Game>> {
    let context = RequestContext::of(ctx)?;
    let Some(id) = game_id(id) else { return Ok(None) };
    let viewer = context.viewer();
    let Some(at) = at else {
        return Ok(context.game(id).await?.map(|game| Game::of(game, viewer)));
    };
    let version = version(at, "at").map_err(|error| graphql_error(context, error))?;
    match context.app().games.visible_at(id, &context.client(), version).await {
        Ok((game, eyes)) => Ok(Some(Game::past(game, eyes))),
        Err(GameError::NotFound) => Ok(None),
        Err(error) => Err(graphql_error(context, error)),
    }
}

async fn games(ctx: &Context<'_>, filter: GameFilterInput, first: Option<i32>, after: Option<String>) -> Result<Games> {
    let context = RequestContext::of(ctx)?;
    let whose = Whose::asked(context.viewer(), filter.mine == Some(true), filter.waiting_for_me == Some(true));
    let whose = whose.ok_or_else(|| error_with_code(context, Code::Unauthenticated))?;
    let limit = page_size(context, first, PAGE, LONGEST_PAGE)?;
    let before = after.as_deref().map(GameCursor::decode_cursor).transpose();
    let before = before.map_err(|_| error_with_code(context, Code::BadCursor))?.map(|GameCursor(id)| id);
    let kind = filter.kind.map(|kind| kind.0.to_owned());
    let filter = Filter { whose, kind, status: filter.status.map(Into::into) };
    let page = context.app().games.list(filter, before, limit).await.map_err(|error| graphql_error(context, error))?;
    let mut list = Games::new(before.is_some(), page.next.is_some());
    let viewer = context.viewer();
    list.edges.extend(page.games.into_iter().map(|game| Edge::new(GameCursor(game.id), Game::of(game, viewer))));
    Ok(list)
}

/// The requested size of a page, if it is allowed.
pub fn page_size(context: &RequestContext, first: Option<i32>, usual: usize, most: usize) -> Result<usize> {
    let size = first.map_or(Ok(usual), |first| count(first, "first", 1, most));
    size.map_err(|error| graphql_error(context, error))
}

/// The size of a page for computing its cost, before the request is validated. A larger page is refused later.
pub fn items(first: Option<i32>, usual: usize, most: usize) -> usize {
    first.map_or(usual, |first| usize::try_from(first).unwrap_or(0).min(most))
}
