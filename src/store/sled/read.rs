//! Reads. No commit is applied while one of these runs (see
//! [`Shared::read_between_commits`](super::commit::committer::Shared::read_between_commits)), so all values it reads
//! are consistent, for example a snapshot and the steps after it.

use super::keys::{self, IdleIndex};
use super::trees::{Tree, Trees, damaged};
use crate::games::ports::{Done, Head, STEPS_PER_READ, Scope, StoreError, Stored};
use crate::games::step::Step;
use crate::ids::{GameId, PlayerId};
use crate::players::ports::{Player, Revocation, Sha256Digest};
use crate::rules::Instant;
use ::sled::IVec;

/// How long a command is remembered for idempotency.
const COMMAND_LIFETIME_MILLIS: i64 = 24 * 60 * 60 * 1000;

/// Whether a command is still remembered.
pub(super) fn is_remembered(done: &Done, now: Instant) -> bool {
    now.0.saturating_sub(done.at.0) < COMMAND_LIFETIME_MILLIS
}

pub(super) fn head(trees: &Trees, game: GameId) -> Result<Option<Head>, StoreError> {
    trees.get(Tree::Heads, game.as_bytes())
}

pub(super) fn load(trees: &Trees, game: GameId) -> Result<Option<Stored>, StoreError> {
    let Some(head) = head(trees, game)? else { return Ok(None) };
    let (version, snapshot) = trees.get::<(u64, Vec<u8>)>(Tree::Snapshots, game.as_bytes())?.unzip();
    let after = version.unwrap_or(0);
    // Saves a search if the snapshot is of the newest version.
    let steps = if after == head.version { Vec::new() } else { steps(trees, game, after, usize::MAX)? };
    if after.checked_add(steps.len() as u64) != Some(head.version) {
        let reached =
            format!("the head is at version {}, but the steps end at {after} + {}", head.version, steps.len());
        return Err(Tree::Heads.storage_key(game.as_bytes()).corrupt(reached));
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
        let ends = format!("expected steps from {after} to {version}, found {}", steps.len());
        return Err(Tree::Heads.storage_key(game.as_bytes()).corrupt(ends));
    }
    Ok(Some(Stored { snapshot, steps }))
}

/// The newest snapshot that is not newer than `version`: the game's newest one, or else a kept one.
fn snapshot_at(trees: &Trees, game: GameId, version: u64) -> Result<Option<(u64, Vec<u8>)>, StoreError> {
    let newest = trees.get::<(u64, Vec<u8>)>(Tree::Snapshots, game.as_bytes())?;
    if newest.as_ref().is_some_and(|(of, _)| *of <= version) {
        return Ok(newest);
    }
    kept_snapshot_before(trees, game, version.saturating_add(1))
}

/// The newest kept snapshot that is older than `version`.
pub(super) fn kept_snapshot_before(
    trees: &Trees,
    game: GameId,
    version: u64,
) -> Result<Option<(u64, Vec<u8>)>, StoreError> {
    let kept = keys::kept_snapshot(game, 0)..keys::kept_snapshot(game, version);
    let found = trees.raw(Tree::Snapshots).range(kept).next_back().transpose().map_err(damaged)?;
    found.map(|(key, value)| decode_kept_snapshot(&key, &value)).transpose()
}

/// Decodes a kept snapshot, and checks that it has the version of its key.
pub(super) fn decode_kept_snapshot(key: &[u8], value: &[u8]) -> Result<(u64, Vec<u8>), StoreError> {
    let (of, bytes): (u64, Vec<u8>) = Tree::Snapshots.decode(key, value)?;
    match keys::read_step(key) {
        Some((_, version)) if version == of && keys::is_kept_version(version) => Ok((of, bytes)),
        _ => Err(Tree::Snapshots.storage_key(key).corrupt("the snapshot is of another version")),
    }
}

/// The keys of the commands sent to a game.
pub(super) fn commands_of(trees: &Trees, game: GameId) -> Result<Vec<IVec>, StoreError> {
    trees.raw(Tree::Commands).scan_prefix(keys::commands_of(game)).keys().map(|key| key.map_err(damaged)).collect()
}

/// Up to `limit` steps after a version; a gap is damage.
pub(super) fn steps(trees: &Trees, game: GameId, after: u64, limit: usize) -> Result<Vec<Step>, StoreError> {
    let Some(first) = after.checked_add(1) else { return Ok(Vec::new()) };
    let mut entries = trees.raw(Tree::Steps).range(keys::step(game, first)..=keys::step(game, u64::MAX));
    let mut steps = Vec::new();
    while steps.len() < limit
        && let Some(entry) = entries.next()
    {
        let (key, value) = entry.map_err(damaged)?;
        for step in decode_steps(&key, &value)?.into_iter().filter(|step| step.version > after) {
            let version = first + steps.len() as u64;
            if step.version != version {
                return Err(Tree::Steps.storage_key(&key).corrupt(format_args!("expected version {version} here")));
            }
            steps.push(step);
        }
    }
    steps.truncate(limit);
    Ok(steps)
}

/// Decodes the step, or the bundle of steps, under the key of its last step.
pub(super) fn decode_steps(key: &[u8], value: &[u8]) -> Result<Vec<Step>, StoreError> {
    let steps: Vec<Step> = Tree::Steps.decode_all(key, value)?;
    let (_, version) = keys::read_step(key).ok_or_else(|| Tree::Steps.storage_key(key).corrupt("not a step key"))?;
    match steps.last() {
        Some(last) if last.version == version => Ok(steps),
        _ => Err(Tree::Steps.storage_key(key).corrupt("the step is of another version")),
    }
}

pub(super) fn command(trees: &Trees, scope: Scope, key: &str, now: Instant) -> Result<Option<Done>, StoreError> {
    let done = trees.get::<Done>(Tree::Commands, keys::command(scope, key))?;
    Ok(done.filter(|done| is_remembered(done, now)))
}

pub(super) fn game_of_invite(trees: &Trees, code: &str) -> Result<Option<GameId>, StoreError> {
    trees.get(Tree::Accounts, keys::invite(code))
}

/// Games without a step since `before`, the longest idle first.
pub(super) fn idle_games(
    trees: &Trees,
    at: IdleIndex,
    before: Instant,
    limit: usize,
) -> Result<Vec<GameId>, StoreError> {
    let rows = trees.raw(Tree::Listed).range(at.older_than(before)).take(limit);
    rows.map(|row| {
        let (key, _) = row.map_err(damaged)?;
        keys::read_row(&key)
            .map(|(_, game)| game)
            .ok_or_else(|| Tree::Listed.storage_key(&key).corrupt("not an index row"))
    })
    .collect()
}

pub(super) fn player(trees: &Trees, id: PlayerId) -> Result<Option<Player>, StoreError> {
    trees.get(Tree::Accounts, keys::player(id))
}

/// The player that a username key or subject key leads to.
pub(super) fn player_by_name(trees: &Trees, key: &[u8]) -> Result<Option<Player>, StoreError> {
    let Some(id) = trees.get::<PlayerId>(Tree::Accounts, key)? else { return Ok(None) };
    let found = player(trees, id)?;
    found.map(Some).ok_or_else(|| Tree::Accounts.storage_key(key).corrupt("the player does not exist"))
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
