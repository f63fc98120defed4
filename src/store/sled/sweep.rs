//! Sweeps: search a slice of rows for expired ones and remove those in one commit, which checks every condition again.
//! Commits wait while a slice is searched, so the caller limits its size.

use super::keys::IdleIndex;
use super::trees::{JobError, Tree, Trees, Tx, damaged};
use super::{SledStore, keys, read};
use crate::games::ports::{Cursor, Done, Head, Status, StoreError, Swept};
use crate::ids::GameId;
use crate::players::ports::{Family, Player, Revocation};
use crate::rules::Instant;
use ::sled::IVec;
use std::ops::Bound;

/// The rows that a sweep searches for, and the time that decides whether they have expired.
#[derive(Clone, Copy, Debug)]
pub(super) enum SweepTarget {
    Command { now: Instant },
    SignIn { now: Instant },
    Revocation { now: Instant },
    Guest { created_before: Instant },
}

impl SweepTarget {
    fn tree(self) -> Tree {
        match self {
            SweepTarget::Command { .. } => Tree::Commands,
            SweepTarget::SignIn { .. } | SweepTarget::Revocation { .. } | SweepTarget::Guest { .. } => Tree::Accounts,
        }
    }

    /// The prefix of these rows' keys.
    fn prefix(self) -> &'static [u8] {
        match self {
            SweepTarget::Command { .. } => &[],
            SweepTarget::SignIn { .. } => &[keys::FAMILY],
            SweepTarget::Revocation { .. } => &[keys::REVOCATION],
            SweepTarget::Guest { .. } => &[keys::PLAYER],
        }
    }

    /// Whether a row has expired, judged by its value alone.
    fn is_due(self, key: &[u8], value: &[u8]) -> Result<bool, StoreError> {
        let tree = self.tree();
        Ok(match self {
            SweepTarget::Command { now } => !read::is_remembered(&tree.decode::<Done>(key, value)?, now),
            SweepTarget::SignIn { now } => tree.decode::<Family>(key, value)?.has_ended(now),
            SweepTarget::Revocation { now } => tree.decode::<Revocation>(key, value)?.has_expired(now),
            SweepTarget::Guest { created_before } => tree.decode::<Player>(key, value)?.can_go(created_before),
        })
    }

    /// The prefix of rows in `members` that keep this row alive: a guest's games.
    fn blocking_prefix(self, key: &[u8]) -> Option<&[u8]> {
        matches!(self, SweepTarget::Guest { .. }).then(|| key.get(self.prefix().len()..)).flatten()
    }

    /// Searches up to `limit` rows after a cursor. Returns the keys that can be removed, and the next cursor.
    fn find_due(
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
            let is_blocked = |rows: &[u8]| trees.raw(Tree::Members).scan_prefix(rows).next().is_some();
            if self.is_due(&key, &value)? && !self.blocking_prefix(&key).is_some_and(is_blocked) {
                due.push(key.clone());
            }
            (rows, last) = (rows + 1, Some(Cursor(key.to_vec())));
        }
        Ok((due, last.filter(|_| rows == limit)))
    }

    /// Removes the rows that are still expired; returns how many.
    fn remove(self, tx: &Tx, keys: &[IVec]) -> Result<usize, JobError> {
        let tree = self.tree();
        let mut due = Vec::new();
        for key in keys {
            let Some(value) = tx.bytes(tree, key)? else { continue };
            let is_blocked =
                self.blocking_prefix(key).map(|rows| tx.contains_prefix(Tree::Members, rows)).transpose()?;
            if self.is_due(key, &value)? && is_blocked != Some(true) {
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
    /// Searches a slice of rows and removes the expired ones.
    pub(super) async fn sweep(
        &self,
        target: SweepTarget,
        from: Option<Cursor>,
        limit: usize,
    ) -> Result<Swept, StoreError> {
        let (due, next) = self.read(move |trees| target.find_due(trees, from.as_ref(), limit)).await?;
        let removed = if due.is_empty() {
            0
        } else {
            self.write(move |context| target.remove(context.tx, &due)).into_future().await?
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
    let mut rows = IdleIndex::Over.older_than(before);
    if let Some(Cursor(row)) = from {
        // The first key after the cursor's row.
        rows.start = [&row[..], &[0]].concat();
    }
    if rows.is_empty() {
        return Ok((Vec::new(), None));
    }
    let (mut found, mut last) = (Vec::new(), None);
    for row in trees.raw(Tree::Listed).range(rows).take(limit) {
        let (row, _) = row.map_err(damaged)?;
        let game = keys::read_row(&row)
            .map(|(_, game)| game)
            .ok_or_else(|| Tree::Listed.storage_key(&row).corrupt("not an index row"))?;
        let head: Option<Head> = read::head(trees, game)?;
        if head.is_some_and(|head| head.status == Status::Abandoned) {
            found.push(game);
        }
        last = Some(Cursor(row.to_vec()));
    }
    Ok((found, last))
}
