//! What is read, each time under one picture: no commit is applied while one of these runs (see
//! [`Shared::look`](super::commit::committer::Shared::look)), so values read one after the other belong together. A snapshot,
//! for one, and the steps after it.

use super::keys::{self, Resting};
use super::trees::{Tree, Trees, damaged};
use crate::games::ports::{Done, Head, STEPS_PER_READ, Scope, StoreError, Stored};
use crate::games::step::Step;
use crate::ids::{GameId, PlayerId};
use crate::players::ports::{Player, Revocation, Sha256Digest};
use crate::rules::Instant;
use ::sled::IVec;

/// How long a command is remembered, in milliseconds.
const REMEMBERED: i64 = 24 * 60 * 60 * 1000;

/// Whether a command still counts.
pub(super) fn is_alive(done: &Done, now: Instant) -> bool {
    now.0.saturating_sub(done.at.0) < REMEMBERED
}

pub(super) fn head(trees: &Trees, game: GameId) -> Result<Option<Head>, StoreError> {
    trees.get(Tree::Heads, game.as_bytes())
}

pub(super) fn load(trees: &Trees, game: GameId) -> Result<Option<Stored>, StoreError> {
    let Some(head) = head(trees, game)? else { return Ok(None) };
    let (version, snapshot) = trees.get::<(u64, Vec<u8>)>(Tree::Snapshots, game.as_bytes())?.unzip();
    let after = version.unwrap_or(0);
    // None is looked for where none can be.
    let steps = if after == head.version { Vec::new() } else { steps(trees, game, after, usize::MAX)? };
    if after.checked_add(steps.len() as u64) != Some(head.version) {
        let reached = format!("the game stands at {}, its steps end at {after} + {}", head.version, steps.len());
        return Err(Tree::Heads.place(game.as_bytes()).corrupt(reached));
    }
    Ok(Some(Stored { snapshot, steps }))
}

/// See [`Store::load_at`](crate::games::ports::Store::load_at).
pub(super) fn load_at(trees: &Trees, game: GameId, version: u64) -> Result<Option<Stored>, StoreError> {
    let has_it = head(trees, game)?.is_some_and(|head| (1..=head.version).contains(&version));
    if !has_it {
        return Ok(None);
    }
    let (after, snapshot) = snapshot_at(trees, game, version)?.unzip();
    let after = after.unwrap_or(0);
    let missing = usize::try_from(version - after).unwrap_or(usize::MAX).min(STEPS_PER_READ);
    let steps = if missing == 0 { Vec::new() } else { steps(trees, game, after, missing)? };
    if steps.len() < missing {
        let ends = format!("steps up to {version} were to follow {after}, and there are {}", steps.len());
        return Err(Tree::Heads.place(game.as_bytes()).corrupt(ends));
    }
    Ok(Some(Stored { snapshot, steps }))
}

/// The nearest snapshot that is not newer than a version: the newest one of all, or else one of those kept for good.
fn snapshot_at(trees: &Trees, game: GameId, version: u64) -> Result<Option<(u64, Vec<u8>)>, StoreError> {
    let newest = trees.get::<(u64, Vec<u8>)>(Tree::Snapshots, game.as_bytes())?;
    if newest.as_ref().is_some_and(|(of, _)| *of <= version) {
        return Ok(newest);
    }
    kept_snapshot_before(trees, game, version.saturating_add(1))
}

/// The newest of the snapshots kept for good that is older than a version.
pub(super) fn kept_snapshot_before(
    trees: &Trees,
    game: GameId,
    version: u64,
) -> Result<Option<(u64, Vec<u8>)>, StoreError> {
    let kept = keys::kept_snapshot(game, 0)..keys::kept_snapshot(game, version);
    let found = trees.raw(Tree::Snapshots).range(kept).next_back().transpose().map_err(damaged)?;
    found.map(|(key, value)| kept_snapshot_at(&key, &value)).transpose()
}

/// A snapshot kept for good, which must be of the version that its key says.
pub(super) fn kept_snapshot_at(key: &[u8], value: &[u8]) -> Result<(u64, Vec<u8>), StoreError> {
    let (of, bytes): (u64, Vec<u8>) = Tree::Snapshots.decode(key, value)?;
    match keys::read_step(key) {
        Some((_, version)) if version == of && keys::is_kept(version) => Ok((of, bytes)),
        _ => Err(Tree::Snapshots.place(key).corrupt("the snapshot is of another version")),
    }
}

/// The keys of the commands that were given to a game.
pub(super) fn commands_of(trees: &Trees, game: GameId) -> Result<Vec<IVec>, StoreError> {
    trees.raw(Tree::Commands).scan_prefix(keys::commands_of(game)).keys().map(|key| key.map_err(damaged)).collect()
}

/// Up to `limit` steps after a version; one missing in between is damage.
pub(super) fn steps(trees: &Trees, game: GameId, after: u64, limit: usize) -> Result<Vec<Step>, StoreError> {
    let Some(first) = after.checked_add(1) else { return Ok(Vec::new()) };
    let mut entries = trees.raw(Tree::Steps).range(keys::step(game, first)..=keys::step(game, u64::MAX));
    let mut steps = Vec::new();
    while steps.len() < limit
        && let Some(entry) = entries.next()
    {
        let (key, value) = entry.map_err(damaged)?;
        for step in steps_at(&key, &value)?.into_iter().filter(|step| step.version > after) {
            let version = first + steps.len() as u64;
            if step.version != version {
                return Err(Tree::Steps.place(&key).corrupt(format_args!("version {version} was to be here")));
            }
            steps.push(step);
        }
    }
    steps.truncate(limit);
    Ok(steps)
}

/// The step under a key, or the bundle of which it is the last.
pub(super) fn steps_at(key: &[u8], value: &[u8]) -> Result<Vec<Step>, StoreError> {
    let steps: Vec<Step> = Tree::Steps.decode_all(key, value)?;
    let (_, version) = keys::read_step(key).ok_or_else(|| Tree::Steps.place(key).corrupt("no step key"))?;
    match steps.last() {
        Some(last) if last.version == version => Ok(steps),
        _ => Err(Tree::Steps.place(key).corrupt("the step is of another version")),
    }
}

pub(super) fn command(trees: &Trees, scope: Scope, key: &str, now: Instant) -> Result<Option<Done>, StoreError> {
    let done = trees.get::<Done>(Tree::Commands, keys::command(scope, key))?;
    Ok(done.filter(|done| is_alive(done, now)))
}

pub(super) fn game_of_invite(trees: &Trees, code: &str) -> Result<Option<GameId>, StoreError> {
    trees.get(Tree::Accounts, keys::invite(code))
}

/// Games where nothing happened since then, the longest at rest first.
pub(super) fn resting(trees: &Trees, at: Resting, before: Instant, limit: usize) -> Result<Vec<GameId>, StoreError> {
    let rows = trees.raw(Tree::Listed).range(at.since(before)).take(limit);
    rows.map(|row| {
        let (key, _) = row.map_err(damaged)?;
        keys::read_row(&key).map(|(_, game)| game).ok_or_else(|| Tree::Listed.place(&key).corrupt("no row"))
    })
    .collect()
}

pub(super) fn player(trees: &Trees, id: PlayerId) -> Result<Option<Player>, StoreError> {
    trees.get(Tree::Accounts, keys::player(id))
}

/// The player whom the key of a username or a subject leads to.
pub(super) fn player_by_name(trees: &Trees, key: &[u8]) -> Result<Option<Player>, StoreError> {
    let Some(id) = trees.get::<PlayerId>(Tree::Accounts, key)? else { return Ok(None) };
    let found = player(trees, id)?;
    found.map(Some).ok_or_else(|| Tree::Accounts.place(key).corrupt("the player is not there"))
}

pub(super) fn is_revoked(trees: &Trees, marks: &[Sha256Digest], issued_at: Instant) -> Result<bool, StoreError> {
    for mark in marks {
        let revocation = trees.get::<Revocation>(Tree::Accounts, keys::revocation(mark))?;
        if revocation.is_some_and(|revocation| issued_at <= revocation.issued_until) {
            return Ok(true);
        }
    }
    Ok(false)
}
