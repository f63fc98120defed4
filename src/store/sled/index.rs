//! The rows that lists and invites are found by. They follow from the head alone, so that nobody can forget one.

use super::keys;
use super::keys::Resting;
use super::trees::{Entry, Stop, Tree, Tx};
use crate::games::ports::{Head, StoreError};
use crate::ids::GameId;

/// The rows of a game with this head.
pub(super) fn rows(game: GameId, head: &Head) -> Result<Vec<Entry>, StoreError> {
    let row = |whose: &[u8]| [&keys::stack(whose, head.status, &head.kind), &game.as_bytes()[..]].concat();
    let members = head.members.iter().map(|player| Entry::new(Tree::Members, row(player.as_bytes()), &()));
    let listed = head.listed.then(|| Entry::new(Tree::Listed, row(&[]), &()));
    let resting = Resting::of(head.status).map(|at| Entry::new(Tree::Listed, at.row(head.updated_at, game), &()));
    let invite = head.invite.iter().map(|code| Entry::new(Tree::Accounts, keys::invite(code), &game));
    members.chain(listed).chain(resting).chain(invite).collect()
}

/// Whether both heads have the same rows, told without making them.
pub(super) fn same_rows(old: &Head, new: &Head) -> bool {
    // Only the rows of resting games say when something last happened.
    let touched = |head: &Head| Resting::of(head.status).map(|_| head.updated_at);
    let part = |head: &Head| (head.status, head.listed, touched(head));
    part(old) == part(new) && old.kind == new.kind && old.members == new.members && old.invite == new.invite
}

/// An invite code leads to one game: refuses rows with a code that another game has.
pub(super) fn check_invite(tx: &Tx, game: GameId, rows: &[Entry]) -> Result<(), Stop> {
    for row in rows.iter().filter(|row| row.tree == Tree::Accounts) {
        if tx.get::<GameId>(row.tree, &row.key)?.is_some_and(|owner| owner != game) {
            return Err(StoreError::Unavailable("the invite code belongs to another game".to_owned()).into());
        }
    }
    Ok(())
}
