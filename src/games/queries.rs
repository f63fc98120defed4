//! Looking at games: one, one as it was, or a list.

use super::error::GameError;
use super::game::Game;
use super::ports::{ListQuery, Status, Whose};
use super::{Games, note};
use crate::ids::{GameId, PlayerId};
use crate::quota::Client;
use crate::rules::{Eyes, Fault};
use futures::future::try_join_all;
use std::sync::Arc;

/// How many games a page has, if nothing is said.
pub const PAGE: usize = 20;

/// How many games a page has at most.
pub const LONGEST_PAGE: usize = 100;

/// Which games to list, newest first.
#[derive(Clone, Debug, Default)]
pub struct Filter {
    pub whose: Whose,
    pub kind: Option<String>,
    pub status: Option<Status>,
}

/// A page of a list of games.
pub struct GamesPage {
    pub games: Vec<Arc<Game>>,
    /// Where the next page goes on, if there is one.
    pub next: Option<GameId>,
}

impl Whose {
    /// Whose games a viewer asks for: the public ones, or the viewer's own. Nobody in particular has none.
    pub fn asked(viewer: Option<PlayerId>, mine: bool, waiting_for_me: bool) -> Option<Self> {
        match (waiting_for_me, mine) {
            (true, _) => viewer.map(Whose::WaitingFor),
            (false, true) => viewer.map(Whose::Of),
            (false, false) => Some(Whose::Listed),
        }
    }
}

impl Games {
    /// The game as it stands, if the viewer may know of it.
    pub async fn visible(&self, id: GameId, viewer: Option<PlayerId>) -> Result<Arc<Game>, GameError> {
        let game = self.still_visible(id, viewer).await?;
        note(&game);
        Ok(game)
    }

    /// The same for whoever was let in before: a span takes the game's name once.
    pub(super) async fn still_visible(&self, id: GameId, viewer: Option<PlayerId>) -> Result<Arc<Game>, GameError> {
        let game = self.sequencer.current(id).await?.ok_or(GameError::NotFound)?;
        if game.admits(viewer) { Ok(game) } else { Err(GameError::NotFound) }
    }

    /// The game as it stood after an earlier step. Who may see what is decided by the present: a viewer sees what the
    /// seat that is theirs now saw then.
    pub async fn visible_at(&self, id: GameId, client: &Client, version: u64) -> Result<(Arc<Game>, Eyes), GameError> {
        let viewer = client.player;
        let present = self.visible(id, viewer).await?;
        if version == 0 || version > present.version {
            return Err(GameError::BadCursor);
        }
        let _turn = self.history.enter(client).await?;
        let (past, _) = self.sequencer.at(id, version).await?.ok_or(GameError::BadCursor)?;
        Ok((past, present.eyes(viewer)))
    }

    pub async fn list(&self, filter: Filter, before: Option<GameId>, limit: usize) -> Result<GamesPage, GameError> {
        let Filter { whose, kind, status } = filter;
        // Games of a kind that is offered no more are still there.
        if kind.as_deref().is_some_and(|kind| self.offer.catalog.newest(kind).is_none()) {
            return Err(Fault::none_of("kind", self.offer.catalog.names()).into());
        }
        let query = ListQuery { whose, kind, status, before, limit: limit + 1 };
        let mut heads = self.store.list(query).await?;
        let more = heads.len() > limit;
        heads.truncate(limit);
        let next = heads.last().map(|(id, _)| *id).filter(|_| more);
        let games = try_join_all(heads.iter().map(|(id, head)| self.sequencer.reached(*id, head.version))).await?;
        // Somebody may have been removed from a game since the list was read.
        let viewer = match whose {
            Whose::Listed => None,
            Whose::Of(player) | Whose::WaitingFor(player) => Some(player),
        };
        // Heads that earlier builds stored may list somebody who can't act yet.
        let is_due = |game: &Arc<Game>| match whose {
            Whose::WaitingFor(player) => game.waits_for(player),
            Whose::Listed | Whose::Of(_) => game.admits(viewer),
        };
        Ok(GamesPage { games: games.into_iter().flatten().filter(is_due).collect(), next })
    }
}
