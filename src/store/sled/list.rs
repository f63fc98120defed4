//! Lists of games, newest first, read a slice at a time. Commits wait while a slice is read, so each looks at a bounded
//! number of rows, however many the caller has to go through.

use super::keys;
use super::read::head;
use super::trees::{Tree, Trees, damaged};
use crate::games::ports::{Head, ListQuery, Status, StoreError, Whose};
use crate::ids::{GameId, PlayerId};
use ::sled::{IVec, Iter};
use std::iter::Peekable;
use std::ops::Bound;

/// The most rows that one slice looks at.
pub(super) const ROWS_PER_SLICE: usize = 256;

/// One slice of a list.
pub(super) struct ListSlice {
    pub(super) found: Vec<(GameId, Head)>,
    /// The last game looked at, before which the next slice goes on. Nothing once the page is full or the rows have ended.
    pub(super) next: Option<GameId>,
    /// How many rows were looked at.
    pub(super) rows: usize,
}

/// The next slice of a list. The rows of each status and kind lie in the order of creation; several such stacks are merged.
pub(super) fn slice(trees: &Trees, query: &ListQuery) -> Result<ListSlice, StoreError> {
    let (tree, whose) = match &query.whose {
        Whose::Listed => (Tree::Listed, &[][..]),
        Whose::Of(player) | Whose::WaitingFor(player) => (Tree::Members, &player.as_bytes()[..]),
    };
    let mut stacks = Vec::new();
    for status in Status::ALL.into_iter().filter(|status| query.status.is_none_or(|only| only == *status)) {
        // Nobody is waited for once a game is over.
        if matches!(query.whose, Whose::WaitingFor(_)) && status.is_over() {
            continue;
        }
        match &query.kind {
            Some(kind) => stacks.push(Stack::new(trees, tree, &keys::stack(whose, status, kind), query.before)),
            None => {
                for prefix in stacks_on(trees, tree, &keys::shelf(whose, status))? {
                    stacks.push(Stack::new(trees, tree, &prefix, query.before));
                }
            }
        }
    }
    let mut slice = ListSlice { found: Vec::new(), next: None, rows: 0 };
    while slice.found.len() < query.limit {
        let Some(row) = newest(&mut stacks)? else { return Ok(ListSlice { next: None, ..slice }) };
        let game = keys::read_row(&row).map(|(_, game)| game).ok_or_else(|| tree.place(&row).corrupt("no row"))?;
        let head = head(trees, game)?.ok_or_else(|| tree.place(&row).corrupt("the game is not there"))?;
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

/// Counts rows of a player's games with a status, up to `most` and no more than a slice has. Returns the last row too, after
/// which the next slice goes on.
pub(super) fn count(
    trees: &Trees,
    (player, status): (PlayerId, Status),
    after: Option<&IVec>,
    most: usize,
) -> Result<(usize, Option<IVec>), StoreError> {
    let shelf = keys::shelf(player.as_bytes(), status);
    let from = after.map_or_else(|| Bound::Included(shelf.clone()), |row| Bound::Excluded(row.to_vec()));
    let (mut rows, mut last) = (0, None);
    for row in trees.raw(Tree::Members).range((from, Bound::Unbounded)).keys().take(most.min(ROWS_PER_SLICE)) {
        let row = row.map_err(damaged)?;
        if !row.starts_with(&shelf) {
            return Ok((rows, None));
        }
        (rows, last) = (rows + 1, Some(row));
    }
    Ok((rows, last.filter(|_| rows == ROWS_PER_SLICE)))
}

/// The rows of one status and kind, newest first.
struct Stack(Peekable<std::iter::Rev<Iter>>);

impl Stack {
    fn new(trees: &Trees, tree: Tree, prefix: &[u8], before: Option<GameId>) -> Stack {
        let row = |game: [u8; keys::ID]| [prefix, &game].concat();
        let end = match before {
            Some(game) => Bound::Excluded(row(*game.as_bytes())),
            None => Bound::Included(row([u8::MAX; keys::ID])),
        };
        let rows = trees.raw(tree).range((Bound::Included(row([0; keys::ID])), end));
        Stack(rows.rev().peekable())
    }

    /// The game of the next row, as it stands in the key.
    fn peek(&mut self) -> Result<Option<[u8; keys::ID]>, StoreError> {
        match self.0.peek() {
            Some(Ok((key, _))) => Ok(key.last_chunk().copied()),
            Some(Err(error)) => Err(damaged(error.clone())),
            None => Ok(None),
        }
    }
}

/// Takes the newest row off the stacks.
fn newest(stacks: &mut [Stack]) -> Result<Option<IVec>, StoreError> {
    let mut best = None;
    for (position, stack) in stacks.iter_mut().enumerate() {
        best = best.max(stack.peek()?.map(|game| (game, position)));
    }
    let Some((_, position)) = best else { return Ok(None) };
    stacks[position].0.next().map(|row| row.map(|(key, _)| key).map_err(damaged)).transpose()
}

/// The stacks there are on a shelf, found by one look at each.
fn stacks_on(trees: &Trees, tree: Tree, shelf: &[u8]) -> Result<Vec<Vec<u8>>, StoreError> {
    let mut stacks = Vec::new();
    let mut from = Bound::Included(shelf.to_vec());
    while let Some((key, _)) = trees.raw(tree).range((from, Bound::Unbounded)).next().transpose().map_err(damaged)?
        && key.starts_with(shelf)
    {
        let (stack, _) = keys::read_row(&key).ok_or_else(|| tree.place(&key).corrupt("no row"))?;
        from = Bound::Excluded([stack, &[u8::MAX; keys::ID]].concat());
        stacks.push(stack.to_vec());
    }
    Ok(stacks)
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
    /// Every so many lobbies, one waits for the player.
    const EVERY: u32 = 100;

    /// A lobby of a player's, which may wait for that player.
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
        let appends: Vec<_> = (0..LOBBIES).map(|number| store.append(lobby(player, number % EVERY == 0))).collect();
        try_join_all(appends).await.unwrap();
        let whose = Whose::WaitingFor(player);
        let mut query = ListQuery { whose, limit: 101, ..ListQuery::default() };
        let (mut found, mut slices) = (Vec::new(), Vec::new());
        loop {
            let slice = store.shared().unwrap().look(|trees| slice(trees, &query)).unwrap();
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

        let (rows, last) =
            store.shared().unwrap().look(|trees| count(trees, (player, Status::Lobby), None, 5000)).unwrap();
        assert_eq!((rows, last.is_some()), (ROWS_PER_SLICE, true));
    }
}
