//! Lists of games, newest first, read in slices. Commits wait while a slice is read, so each slice reads a bounded
//! number of rows, however many the whole list needs.

use super::keys;
use super::read::head;
use super::trees::{Tree, Trees, damaged};
use crate::games::ports::{Head, ListQuery, Status, StoreError, Whose};
use crate::ids::{GameId, PlayerId};
use ::sled::{IVec, Iter};
use std::iter::Peekable;
use std::ops::Bound;

/// The most rows that one slice reads.
pub(super) const ROWS_PER_SLICE: usize = 256;

pub(super) struct ListSlice {
    pub(super) found: Vec<(GameId, Head)>,
    /// The last game examined, before which the next slice starts. `None` once the page is full or there are no more
    /// rows.
    pub(super) next: Option<GameId>,
    pub(super) rows: usize,
}

/// Reads the next slice of a list. The rows of each status and kind are sorted by creation; these runs are merged.
pub(super) fn slice(trees: &Trees, query: &ListQuery) -> Result<ListSlice, StoreError> {
    let (tree, whose) = match &query.whose {
        Whose::Listed => (Tree::Listed, &[][..]),
        Whose::Of(player) | Whose::WaitingFor(player) => (Tree::Members, &player.as_bytes()[..]),
    };
    let mut runs = Vec::new();
    for status in Status::ALL.into_iter().filter(|status| query.status.is_none_or(|only| only == *status)) {
        // A game that is over waits for no player.
        if matches!(query.whose, Whose::WaitingFor(_)) && status.is_over() {
            continue;
        }
        match &query.kind {
            Some(kind) => {
                let prefix = keys::status_kind_prefix(whose, status, kind);
                runs.push(Run::new(trees, tree, &prefix, query.before));
            }
            None => {
                for prefix in run_prefixes(trees, tree, &keys::status_prefix(whose, status))? {
                    runs.push(Run::new(trees, tree, &prefix, query.before));
                }
            }
        }
    }
    let mut slice = ListSlice { found: Vec::new(), next: None, rows: 0 };
    while slice.found.len() < query.limit {
        let Some(row) = newest(&mut runs)? else { return Ok(ListSlice { next: None, ..slice }) };
        let game = keys::read_row(&row)
            .map(|(_, game)| game)
            .ok_or_else(|| tree.storage_key(&row).corrupt("not an index row"))?;
        let head = head(trees, game)?.ok_or_else(|| tree.storage_key(&row).corrupt("the game does not exist"))?;
        slice.rows += 1;
        let fits = match &query.whose {
            Whose::WaitingFor(player) => head.waiting.contains(player),
            Whose::Listed | Whose::Of(_) => true,
        };
        if fits {
            slice.found.push((game, head));
        }
        if slice.rows == ROWS_PER_SLICE {
            slice.next = Some(game).filter(|_| slice.found.len() < query.limit);
            break;
        }
    }
    Ok(slice)
}

/// Counts a player's games with a status, up to `most` and at most one slice. Also returns the last row if the next
/// slice continues after it.
pub(super) fn count(
    trees: &Trees,
    (player, status): (PlayerId, Status),
    after: Option<&IVec>,
    most: usize,
) -> Result<(usize, Option<IVec>), StoreError> {
    let prefix = keys::status_prefix(player.as_bytes(), status);
    let from = after.map_or_else(|| Bound::Included(prefix.clone()), |row| Bound::Excluded(row.to_vec()));
    let (mut rows, mut last) = (0, None);
    for row in trees.raw(Tree::Members).range((from, Bound::Unbounded)).keys().take(most.min(ROWS_PER_SLICE)) {
        let row = row.map_err(damaged)?;
        if !row.starts_with(&prefix) {
            return Ok((rows, None));
        }
        (rows, last) = (rows + 1, Some(row));
    }
    Ok((rows, last.filter(|_| rows == ROWS_PER_SLICE)))
}

/// The rows of one status and kind, newest first.
struct Run(Peekable<std::iter::Rev<Iter>>);

impl Run {
    fn new(trees: &Trees, tree: Tree, prefix: &[u8], before: Option<GameId>) -> Run {
        let row = |game: [u8; keys::ID_BYTES]| [prefix, &game].concat();
        let end = match before {
            Some(game) => Bound::Excluded(row(*game.as_bytes())),
            None => Bound::Included(row([u8::MAX; keys::ID_BYTES])),
        };
        let rows = trees.raw(tree).range((Bound::Included(row([0; keys::ID_BYTES])), end));
        Run(rows.rev().peekable())
    }

    /// The game id of the next row.
    fn peek(&mut self) -> Result<Option<[u8; keys::ID_BYTES]>, StoreError> {
        match self.0.peek() {
            Some(Ok((key, _))) => Ok(key.last_chunk().copied()),
            Some(Err(error)) => Err(damaged(error.clone())),
            None => Ok(None),
        }
    }
}

/// Takes the newest row of all runs.
fn newest(runs: &mut [Run]) -> Result<Option<IVec>, StoreError> {
    let mut best = None;
    for (position, run) in runs.iter_mut().enumerate() {
        best = best.max(run.peek()?.map(|game| (game, position)));
    }
    let Some((_, position)) = best else { return Ok(None) };
    runs[position].0.next().map(|row| row.map(|(key, _)| key).map_err(damaged)).transpose()
}

/// The prefixes of all runs of a status, found with one seek each.
fn run_prefixes(trees: &Trees, tree: Tree, prefix: &[u8]) -> Result<Vec<Vec<u8>>, StoreError> {
    let mut prefixes = Vec::new();
    let mut from = Bound::Included(prefix.to_vec());
    while let Some((key, _)) = trees.raw(tree).range((from, Bound::Unbounded)).next().transpose().map_err(damaged)?
        && key.starts_with(prefix)
    {
        let (found, _) = keys::read_row(&key).ok_or_else(|| tree.storage_key(&key).corrupt("not an index row"))?;
        from = Bound::Excluded([found, &[u8::MAX; keys::ID_BYTES]].concat());
        prefixes.push(found.to_vec());
    }
    Ok(prefixes)
}

#[cfg(test)]
mod tests {
    use super::super::{Settings, SledStore};
    use super::*;
    use crate::games::ports::{Append, Store};
    use crate::games::step::{Action, Step};
    use crate::rules::Instant;
    use futures::future::try_join_all;

    const LOBBIES: u32 = 2000;
    /// One in this many lobbies waits for the player.
    const LOBBIES_PER_WAITING: u32 = 100;

    /// A lobby of a player, which may wait for that player.
    fn lobby(player: PlayerId, waits: bool) -> Append {
        let at = Instant(1);
        let waiting = if waits { vec![player] } else { Vec::new() };
        let head = Head {
            version: 1,
            status: Status::Lobby,
            kind: "CHIPS".to_owned(),
            updated_at: at,
            listed: true,
            invite: None,
            members: vec![player],
            waiting,
        };
        let step = Step { version: 1, at, by: None, seat: None, action: Action::Stand, events: Vec::new() };
        Append { game: GameId::new(), expected: 0, step, head, snapshot: None, command: None, epoch: 1 }
    }

    #[tokio::test]
    async fn however_many_rows_there_are_a_slice_looks_at_256_at_most() {
        let folder = tempfile::tempdir().unwrap();
        let store = SledStore::open(&folder.path().join("store"), &Settings::default()).unwrap();
        let player = PlayerId::new();
        let appends: Vec<_> =
            (0..LOBBIES).map(|number| store.append(lobby(player, number % LOBBIES_PER_WAITING == 0))).collect();
        try_join_all(appends).await.unwrap();
        let whose = Whose::WaitingFor(player);
        let mut query = ListQuery { whose, limit: 101, ..ListQuery::default() };
        let (mut found, mut slices) = (Vec::new(), Vec::new());
        loop {
            let slice = store.shared().unwrap().read_between_commits(|trees| slice(trees, &query)).unwrap();
            slices.push(slice.rows);
            found.extend(slice.found);
            query.before = slice.next;
            if slice.next.is_none() {
                break;
            }
        }
        assert_eq!(slices, [256, 256, 256, 256, 256, 256, 256, 208]);
        assert_eq!(found.len(), 20);
        assert_eq!(store.list(ListQuery { before: None, ..query }).await.unwrap(), found);

        let (rows, last) = store
            .shared()
            .unwrap()
            .read_between_commits(|trees| count(trees, (player, Status::Lobby), None, 5000))
            .unwrap();
        assert_eq!((rows, last.is_some()), (ROWS_PER_SLICE, true));
    }
}
