//! Sweeps: a slice of rows is looked at for what nobody needs any more, and that is removed in one commit, which checks
//! every condition again. Commits wait while a slice is looked at, so the caller bounds it.

use super::keys::Resting;
use super::trees::{Stop, Tree, Trees, Tx, damaged};
use super::{SledStore, keys, read};
use crate::games::ports::{Cursor, Done, Head, Status, StoreError, Swept};
use crate::ids::GameId;
use crate::players::ports::{Family, Player, Revocation};
use crate::rules::Instant;
use ::sled::IVec;
use std::ops::Bound;

/// What a sweep looks for, and the moment that it is judged by.
#[derive(Clone, Copy, Debug)]
pub(super) enum Leftover {
    Command { now: Instant },
    SignIn { now: Instant },
    Revocation { now: Instant },
    Guest { created_before: Instant },
}

impl Leftover {
    fn tree(self) -> Tree {
        match self {
            Leftover::Command { .. } => Tree::Commands,
            Leftover::SignIn { .. } | Leftover::Revocation { .. } | Leftover::Guest { .. } => Tree::Accounts,
        }
    }

    /// What the keys of such rows start with.
    fn prefix(self) -> &'static [u8] {
        match self {
            Leftover::Command { .. } => &[],
            Leftover::SignIn { .. } => &[keys::FAMILY],
            Leftover::Revocation { .. } => &[keys::REVOCATION],
            Leftover::Guest { .. } => &[keys::PLAYER],
        }
    }

    /// Whether a row can go, as far as it can tell by itself.
    fn is_due(self, key: &[u8], value: &[u8]) -> Result<bool, StoreError> {
        let tree = self.tree();
        Ok(match self {
            Leftover::Command { now } => !read::is_alive(&tree.decode::<Done>(key, value)?, now),
            Leftover::SignIn { now } => tree.decode::<Family>(key, value)?.has_ended(now),
            Leftover::Revocation { now } => tree.decode::<Revocation>(key, value)?.has_expired(now),
            Leftover::Guest { created_before } => tree.decode::<Player>(key, value)?.can_go(created_before),
        })
    }

    /// What the rows of members start with that keep this row: a guest's games.
    fn kept_by(self, key: &[u8]) -> Option<&[u8]> {
        matches!(self, Leftover::Guest { .. }).then(|| key.get(self.prefix().len()..)).flatten()
    }

    /// Those of up to `limit` rows behind a cursor that can go.
    fn look(
        self,
        trees: &Trees,
        from: Option<&Cursor>,
        limit: usize,
    ) -> Result<(Vec<IVec>, Option<Cursor>), StoreError> {
        let prefix = self.prefix();
        let from = from.map_or(Bound::Included(prefix.to_vec()), |Cursor(key)| Bound::Excluded(key.clone()));
        let (mut due, mut rows, mut last) = (Vec::new(), 0, None);
        for entry in trees.raw(self.tree()).range((from, Bound::Unbounded)).take(limit) {
            let (key, value) = entry.map_err(damaged)?;
            if !key.starts_with(prefix) {
                return Ok((due, None));
            }
            let is_kept = |rows: &[u8]| trees.raw(Tree::Members).scan_prefix(rows).next().is_some();
            if self.is_due(&key, &value)? && !self.kept_by(&key).is_some_and(is_kept) {
                due.push(key.clone());
            }
            (rows, last) = (rows + 1, Some(Cursor(key.to_vec())));
        }
        Ok((due, last.filter(|_| rows == limit)))
    }

    /// Removes those of some rows that can still go; says how many.
    fn remove(self, tx: &Tx, keys: &[IVec]) -> Result<usize, Stop> {
        let tree = self.tree();
        let mut due = Vec::new();
        for key in keys {
            let Some(value) = tx.bytes(tree, key)? else { continue };
            let is_kept = self.kept_by(key).map(|rows| tx.contains_prefix(Tree::Members, rows)).transpose()?;
            if self.is_due(key, &value)? && is_kept != Some(true) {
                due.push(key);
            }
        }
        for key in &due {
            tx.remove(tree, *key);
        }
        Ok(due.len())
    }
}

impl SledStore {
    /// Looks at a slice of rows, and removes what can go.
    pub(super) async fn sweep(
        &self,
        leftover: Leftover,
        from: Option<Cursor>,
        limit: usize,
    ) -> Result<Swept, StoreError> {
        let (due, next) = self.read(move |trees| leftover.look(trees, from.as_ref(), limit)).await?;
        let removed = if due.is_empty() {
            0
        } else {
            self.write(move |turn| leftover.remove(turn.tx, &due)).into_future().await?
        };
        Ok(Swept { removed, next })
    }
}

/// See [`Store::abandoned_games`](crate::games::ports::Store::abandoned_games).
pub(super) fn abandoned(
    trees: &Trees,
    before: Instant,
    from: Option<Cursor>,
    limit: usize,
) -> Result<(Vec<GameId>, Option<Cursor>), StoreError> {
    let mut rows = Resting::Over.since(before);
    if let Some(Cursor(row)) = from {
        // The first key behind the row of the cursor.
        rows.start = [&row[..], &[0]].concat();
    }
    if rows.is_empty() {
        return Ok((Vec::new(), None));
    }
    let (mut found, mut last) = (Vec::new(), None);
    for row in trees.raw(Tree::Listed).range(rows).take(limit) {
        let (row, _) = row.map_err(damaged)?;
        let game =
            keys::read_row(&row).map(|(_, game)| game).ok_or_else(|| Tree::Listed.place(&row).corrupt("no row"))?;
        let head: Option<Head> = read::head(trees, game)?;
        if head.is_some_and(|head| head.status == Status::Abandoned) {
            found.push(game);
        }
        last = Some(Cursor(row.to_vec()));
    }
    Ok((found, last))
}
