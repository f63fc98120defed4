//! Queries: one game, an earlier position of it, or a list of games.

use super::error::GameError;
use super::game::Game;
use super::ports::{ListQuery, Status, Whose};
use super::{Games, note};
use crate::ids::{GameId, PlayerId};
use crate::quota::Client;
use crate::rules::{Eyes, Fault};
use futures::future::try_join_all;
use std::sync::Arc;

/// Default page size.
pub const PAGE: usize = 20;

/// Maximum page size.
pub const LONGEST_PAGE: usize = 100;

/// A query for games, newest first.
#[derive(Clone, Debug, Default)]
pub struct Filter {
    pub whose: Whose,
    pub kind: Option<String>,
    pub status: Option<Status>,
}

/// A page of a list of games.
pub struct GamesPage {
    pub games: Vec<Arc<Game>>,
    /// Start of the next page, if there is one.
    pub next: Option<GameId>,
}

impl Whose {
    /// Whose games a viewer asks for: the public ones, or the viewer's own. None if an anonymous viewer asks for their
    /// own.
    pub fn asked(viewer: Option<PlayerId>, mine: bool, waiting_for_me: bool) -> Option<Self> {
        match (waiting_for_me, mine) {
            (true, _) => viewer.map(Whose::WaitingFor),
            (false, true) => viewer.map(Whose::Of),
            (false, false) => Some(Whose::Listed),
        }
    }
}

impl Games {
    /// The current game, if the viewer may know of it.
    pub async fn visible(&self, id: GameId, viewer: Option<PlayerId>) -> Result<Arc<Game>, GameError> {
        let game = self.still_visible(id, viewer).await?;
        note(&game);
        Ok(game)
    }

    /// The same for a later look at a game that was already recorded in the request span.
    pub(super) async fn still_visible(&self, id: GameId, viewer: Option<PlayerId>) -> Result<Arc<Game>, GameError> {
        let game = self.sequencer.current(id).await?.ok_or(GameError::NotFound)?;
        if game.admits(viewer) { Ok(game) } else { Err(GameError::NotFound) }
    }

    /// The game after an earlier step. The viewer's present seat decides: they see what this seat saw after that step.
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
        // Stored games may be of a kind that is no longer offered.
        if kind.as_deref().is_some_and(|kind| self.offer.catalog.newest(kind).is_none()) {
            return Err(Fault::none_of("kind", self.offer.catalog.names()).into());
        }
        let query = ListQuery { whose, kind, status, before, limit: limit + 1 };
        let mut heads = self.store.list(query).await?;
        let more = heads.len() > limit;
        heads.truncate(limit);
        let next = heads.last().map(|(id, _)| *id).filter(|_| more);
        let games = try_join_all(heads.iter().map(|(id, head)| self.sequencer.reached(*id, head.version))).await?;
        // The viewer may have been removed from a game since the list was read.
        let viewer = match whose {
            Whose::Listed => None,
            Whose::Of(player) | Whose::WaitingFor(player) => Some(player),
        };
        // Heads stored by earlier builds may list players who cannot act yet.
        let is_shown = |game: &Arc<Game>| match whose {
            Whose::WaitingFor(player) => game.waits_for(player),
            Whose::Listed | Whose::Of(_) => game.admits(viewer),
        };
        Ok(GamesPage { games: games.into_iter().flatten().filter(is_shown).collect(), next })
    }
}
