//! Reads an export into an empty store.
//!
//! Lines are written as they come, since an export may be larger than memory, but the store bears a mark from before
//! the first until after the last was checked, and a store with that mark can't be opened. So an import is there as a
//! whole or not at all.

use super::super::lines::{End, Line, LineReader, Unreadable};
use super::trees::{Entry, Stop, Tree};
use super::{SledStore, index, keys, write};
use crate::games::ports::{Head, StoreError};
use crate::ids::GameId;
use std::io::BufRead;
use std::mem;

/// How many entries go into one commit.
const CHUNK: usize = 2000;

/// Why an import failed.
#[derive(Debug, thiserror::Error)]
pub enum ImportError {
    #[error("the store is not empty; import into a new one")]
    NotEmpty,
    #[error("the export can't be read: {0}")]
    Export(#[from] Unreadable),
    #[error("the export does not hold together: {0}")]
    Inconsistent(String),
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl SledStore {
    /// Imports everything. `progress` is told how many lines are done. After an error the store is of no use.
    pub fn import(&self, input: impl BufRead, progress: &dyn Fn(u64, Option<u64>)) -> Result<End, ImportError> {
        let trees = &self.shared.trees;
        for tree in Tree::ALL.into_iter().filter(|tree| *tree != Tree::Meta) {
            if !trees.is_empty(tree)? {
                return Err(ImportError::NotEmpty);
            }
        }
        let mut reader = LineReader::start(input)?;
        self.put_all(vec![Entry::new(Tree::Meta, keys::IMPORTING, &())?])?;
        let mut lines = 0;
        let mut unwritten = Vec::new();
        let mut game = None;
        while let Some(line) = reader.read()? {
            let entries = entries(&mut game, line).map_err(|why| reader.malformed(why))?;
            unwritten.extend(entries);
            if unwritten.len() >= CHUNK {
                self.put_all(mem::take(&mut unwritten))?;
            }
            lines += 1;
            progress(lines, None);
        }
        complete(game.as_ref()).map_err(|why| reader.malformed(why))?;
        self.put_all(unwritten)?;
        if let Some(finding) = self.verify(&mut |_, _, _| Ok(()), &|_, _| ()).findings.first() {
            return Err(ImportError::Inconsistent(finding.clone()));
        }
        self.shared.queue.push(|turn| Ok(turn.tx.remove(Tree::Meta, keys::IMPORTING)?)).wait()?;
        progress(lines, Some(lines));
        Ok(reader.end().clone())
    }

    /// Writes new entries; a key that is there already came twice.
    fn put_all(&self, entries: Vec<Entry>) -> Result<(), StoreError> {
        let put = move |turn: &mut super::queue::Turn| {
            for entry in &entries {
                if turn.tx.contains(entry.tree, &entry.key)? {
                    let why = entry.tree.place(&entry.key).corrupt("it came twice");
                    return Err(Stop::Refused(why));
                }
                turn.tx.put(entry)?;
            }
            Ok(())
        };
        self.shared.queue.push(put).wait()
    }
}

/// The game whose lines are being read.
struct Current {
    id: GameId,
    head: Head,
    /// The version of the last step read.
    reached: u64,
}

/// What a line puts into the store, or what is wrong with it.
fn entries(game: &mut Option<Current>, line: Line) -> Result<Vec<Entry>, String> {
    let told = |error: StoreError| error.to_string();
    let entry = match line {
        Line::Game { id, head } => {
            complete(game.as_ref())?;
            let mut entries = index::rows(id, &head).map_err(told)?;
            entries.push(Entry::new(Tree::Heads, id.as_bytes(), &head).map_err(told)?);
            *game = Some(Current { id, head, reached: 0 });
            return Ok(entries);
        }
        Line::Step(step) => {
            let current = game.as_mut().ok_or("a step before any game")?;
            current.reached += 1;
            if step.version != current.reached {
                return Err(format!("version {} of {} was to come here", current.reached, current.id));
            }
            Entry::new(Tree::Steps, keys::step(current.id, step.version), &step)
        }
        Line::Snapshot { version, bytes } => {
            let current = game.as_ref().ok_or("a snapshot before any game")?;
            if version > current.reached {
                return Err(format!("a snapshot of {} at version {version}, which it has not", current.id));
            }
            Entry::new(Tree::Snapshots, current.id.as_bytes(), &(version, bytes.0))
        }
        Line::Command(line) => {
            let (command, done) = line.read().ok_or("a digest of the wrong length")?;
            Entry::new(Tree::Commands, keys::command(command.scope, &command.key), &done)
        }
        Line::Family(family) => write::family_entry(&family),
        Line::Revocation(revocation) => write::revocation_entry(&revocation),
        Line::Player(player) => {
            let mut entries = write::name_entries(&player).map_err(told)?;
            entries.push(write::player_entry(&player).map_err(told)?);
            return Ok(entries);
        }
        Line::Start { .. } | Line::End(_) => return Err("only at the start".to_owned()),
    };
    entry.map(|entry| vec![entry]).map_err(told)
}

/// A game has as many steps as its head says.
fn complete(game: Option<&Current>) -> Result<(), String> {
    match game {
        Some(Current { id, head, reached }) if head.version != *reached => {
            Err(format!("{id} stands at version {}, but its steps end at {reached}", head.version))
        }
        _ => Ok(()),
    }
}
