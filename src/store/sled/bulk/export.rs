//! Export: writes the whole store in the [`export_format`](crate::store::export_format). The store may be in use
//! meanwhile.

use crate::games::ports::{Done, StoreError};
use crate::games::step::Step;
use crate::ids::GameId;
use crate::players::ports::{Player, Revocation};
use crate::rules::Instant;
use crate::store::export_format::{Base64, CommandLine, End, ExportError, Line, LineWriter};
use crate::store::keys;
use crate::store::sled::commit::committer::Shared;
use crate::store::sled::trees::{Tree, Trees, damaged};
use crate::store::sled::{SledStore, commit::write, read};
use ::sled::{IVec, Iter};
use std::collections::HashSet;
use std::hash::{BuildHasher, RandomState};
use std::io::Write;

const STEPS_PER_PAGE: usize = 1000;

impl SledStore {
    /// Exports all games, players and sign-ins, and the commands and revoked tokens that have not expired `now`.
    /// `progress` receives the number of games done and the total.
    pub fn export(
        &self,
        out: impl Write,
        now: Instant,
        progress: &dyn Fn(u64, Option<u64>),
    ) -> Result<End, ExportError> {
        let shared = self.shared()?;
        let trees = &shared.trees;
        let mut out = LineWriter::start(out)?;
        for command in commands(trees.raw(Tree::Commands).scan_prefix(keys::CREATIONS), now) {
            out.write(&Line::Command(command?))?;
        }
        let total = trees.raw(Tree::Heads).len() as u64;
        for (done, key) in (0..).zip(trees.raw(Tree::Heads).iter().keys()) {
            progress(done, Some(total.max(done)));
            let key = key.map_err(damaged)?;
            let game = keys::read_game(&key).ok_or_else(|| Tree::Heads.storage_key(&key).corrupt("not a game id"))?;
            export_game(&shared, &mut out, game, now)?;
        }
        for entry in trees.raw(Tree::Accounts).scan_prefix([keys::FAMILY]) {
            out.write(&Line::Family(value(Tree::Accounts, entry)?))?;
        }
        let mut names = ExportedNames::default();
        for entry in trees.raw(Tree::Accounts).scan_prefix([keys::PLAYER]) {
            let player = value(Tree::Accounts, entry)?;
            names.add(&player)?;
            out.write(&Line::Player(player))?;
        }
        // After the players: a player deleted meanwhile may be exported as alive, but then the revocation of its tokens
        // is exported too.
        for entry in trees.raw(Tree::Accounts).scan_prefix([keys::REVOCATION]) {
            let revocation: Revocation = value(Tree::Accounts, entry)?;
            if now < revocation.needed_until {
                out.write(&Line::Revocation(revocation))?;
            }
        }
        // This commit comes after everything that was read: once it is durable, so is the rest.
        shared.queue.push(|_| Ok(())).wait()?;
        progress(total, Some(total));
        Ok(out.finish()?)
    }
}

/// Reads head, snapshot, commands and the first steps between two commits, and then the remaining steps up to that
/// version, which never change. Leaves out a game that was removed by then.
fn export_game(
    shared: &Shared,
    out: &mut LineWriter<impl Write>,
    game: GameId,
    now: Instant,
) -> Result<(), ExportError> {
    let read_first = |trees: &Trees| {
        let Some(head) = read::head(trees, game)? else { return Ok(None) };
        let snapshot = trees.get::<(u64, Vec<u8>)>(Tree::Snapshots, game.as_bytes())?;
        let commands = trees.raw(Tree::Commands).scan_prefix(keys::commands_of(game));
        let commands = self::commands(commands, now).collect::<Result<Vec<_>, _>>()?;
        let first = page(trees, game, 0, head.version)?;
        Ok::<_, StoreError>(Some((head, first, snapshot, commands)))
    };
    let Some((head, mut steps, snapshot, commands)) = shared.read_between_commits(read_first)? else { return Ok(()) };
    let version = head.version;
    out.write(&Line::Game { id: game, head })?;
    let mut after = 0;
    loop {
        if steps.is_empty() {
            return Err(Tree::Heads.storage_key(game.as_bytes()).corrupt("the last steps are missing").into());
        }
        after += steps.len() as u64;
        for step in steps {
            out.write(&Line::Step(step))?;
        }
        if after >= version {
            break;
        }
        steps = shared.read_between_commits(|trees| page(trees, game, after, version))?;
    }
    let mut snapshot = snapshot;
    while let Some((version, bytes)) = snapshot {
        out.write(&Line::Snapshot { version, bytes: Base64(bytes) })?;
        snapshot = shared.read_between_commits(|trees| read::kept_snapshot_before(trees, game, version))?;
    }
    for command in commands {
        out.write(&Line::Command(command))?;
    }
    Ok(())
}

/// The next steps after one version, up to another.
fn page(trees: &Trees, game: GameId, after: u64, version: u64) -> Result<Vec<Step>, StoreError> {
    let limit = usize::try_from(version - after).unwrap_or(STEPS_PER_PAGE).min(STEPS_PER_PAGE);
    read::steps(trees, game, after, limit)
}

/// The names of the players written so far, as hashes, because there may be a million.
///
/// Players are read one after the other while they change. A player may give up a name that a later player then takes;
/// both would be exported with it, and the export could not be imported.
#[derive(Default)]
struct ExportedNames {
    hasher: RandomState,
    taken: HashSet<u64>,
}

impl ExportedNames {
    fn add(&mut self, player: &Player) -> Result<(), ExportError> {
        for entry in write::name_entries(player)? {
            if !self.taken.insert(self.hasher.hash_one(&entry.key)) {
                return Err(
                    StoreError::Unavailable("a name changed hands during the export; export again".to_owned()).into()
                );
            }
        }
        Ok(())
    }
}

fn commands(entries: Iter, now: Instant) -> impl Iterator<Item = Result<CommandLine, StoreError>> {
    entries.filter_map(move |entry| {
        let line = || {
            let (bytes, value) = entry.map_err(damaged)?;
            let done: Done = Tree::Commands.decode(&bytes, &value)?;
            let (scope, key) = keys::read_command(&bytes)
                .ok_or_else(|| Tree::Commands.storage_key(&bytes).corrupt("not a command key"))?;
            Ok(read::is_remembered(&done, now).then(|| CommandLine::new(scope, key, &done)))
        };
        line().transpose()
    })
}

fn value<T: serde::de::DeserializeOwned>(tree: Tree, entry: ::sled::Result<(IVec, IVec)>) -> Result<T, StoreError> {
    let (key, value) = entry.map_err(damaged)?;
    tree.decode(&key, &value)
}
