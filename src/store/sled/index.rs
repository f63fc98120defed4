//! Index rows for lists and invites. They are derived from the head alone, so that no write can forget one.

use super::keys::{self, IdleIndex};
use super::trees::{Entry, JobError, Tree, Tx};
use crate::games::ports::{Head, StoreError};
use crate::ids::GameId;

pub(super) fn rows(game: GameId, head: &Head) -> Result<Vec<Entry>, StoreError> {
    let row = |whose: &[u8]| [&keys::status_kind_prefix(whose, head.status, &head.kind), &game.as_bytes()[..]].concat();
    let members = head.members.iter().map(|player| Entry::new(Tree::Members, row(player.as_bytes()), &()));
    let listed = head.listed.then(|| Entry::new(Tree::Listed, row(&[]), &()));
    let idle = IdleIndex::of(head.status).map(|at| Entry::new(Tree::Listed, at.row(head.updated_at, game), &()));
    let invite = head.invite.iter().map(|code| Entry::new(Tree::Accounts, keys::invite(code), &game));
    members.chain(listed).chain(idle).chain(invite).collect()
}

/// Whether both heads have the same rows, without encoding them.
pub(super) fn same_rows(old: &Head, new: &Head) -> bool {
    // Only the rows of idle games contain the time of the last step.
    let last_step = |head: &Head| IdleIndex::of(head.status).map(|_| head.updated_at);
    let part = |head: &Head| (head.status, head.listed, last_step(head));
    part(old) == part(new) && old.kind == new.kind && old.members == new.members && old.invite == new.invite
}

/// Fails if another game has the invite code of these rows.
pub(super) fn check_invite(tx: &Tx, game: GameId, rows: &[Entry]) -> Result<(), JobError> {
    for row in rows.iter().filter(|row| row.tree == Tree::Accounts) {
        if tx.get::<GameId>(row.tree, &row.key)?.is_some_and(|owner| owner != game) {
            return Err(StoreError::Unavailable("the invite code belongs to another game".to_owned()).into());
        }
    }
    Ok(())
}
