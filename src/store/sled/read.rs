//! What is read, each time under one picture: no commit is applied while one of these runs (see
//! [`Shared::look`](super::committer::Shared::look)), so values read one after the other belong together. A snapshot,
//! for one, and the steps after it.

use super::keys::{self, Resting};
use super::trees::{Tree, Trees, damaged};
use crate::games::ports::{Done, Head, ListQuery, Scope, Status, StoreError, Stored, Whose};
use crate::games::step::Step;
use crate::ids::{GameId, PlayerId};
use crate::players::ports::{Mark, Player, Revocation};
use crate::rules::Instant;
use ::sled::{IVec, Iter};
use std::iter::Peekable;
use std::ops::Bound;

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

pub(super) fn is_revoked(trees: &Trees, marks: &[Mark], issued_at: Instant) -> Result<bool, StoreError> {
    for mark in marks {
        let revocation = trees.get::<Revocation>(Tree::Accounts, keys::revocation(mark))?;
        if revocation.is_some_and(|revocation| issued_at <= revocation.issued_until) {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Newest first. The rows of each status and kind lie in the order of creation; several such stacks are merged.
pub(super) fn list(trees: &Trees, query: &ListQuery) -> Result<Vec<(GameId, Head)>, StoreError> {
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
    let mut found = Vec::new();
    while found.len() < query.limit
        && let Some(row) = newest(&mut stacks)?
    {
        let game = keys::read_row(&row).map(|(_, game)| game).ok_or_else(|| tree.place(&row).corrupt("no row"))?;
        let head = head(trees, game)?.ok_or_else(|| tree.place(&row).corrupt("the game is not there"))?;
        if let Whose::WaitingFor(player) = &query.whose
            && !head.waiting.contains(player)
        {
            continue;
        }
        found.push((game, head));
    }
    Ok(found)
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
