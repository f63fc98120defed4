//! Import: reads an export into an empty store, all or nothing.
//!
//! An export may be larger than memory, so its lines are written as they come. The store has the key `importing` from
//! before the first line until after everything is verified, and a store with that key can't be opened.

use super::bundle::Bundle;
use crate::games::ports::StoreError;
use crate::store::export_format::{End, ImportError, Line, LineReader};
use crate::store::export_order::{ExportOrder, Origin};
use crate::store::keys;
use crate::store::sled::commit::queue::CommitContext;
use crate::store::sled::trees::{Entry, JobError, Tree};
use crate::store::sled::{SledStore, commit::write, index};
use std::io::BufRead;
use std::mem;

const ENTRIES_PER_COMMIT: usize = 2000;

impl SledStore {
    /// Imports everything. `progress` receives the number of lines done. After an error the store is unusable.
    pub fn import(&self, input: impl BufRead, progress: &dyn Fn(u64, Option<u64>)) -> Result<End, ImportError> {
        let shared = self.shared()?;
        let trees = &shared.trees;
        for tree in Tree::ALL.into_iter().filter(|tree| *tree != Tree::Meta) {
            if !trees.is_empty(tree)? {
                return Err(ImportError::NotEmpty);
            }
        }
        let mut reader = LineReader::start(input)?;
        self.put_all(vec![Entry::new(Tree::Meta, keys::IMPORTING, &())?])?;
        let mut lines = 0;
        let mut unwritten = Vec::new();
        let mut order = ExportOrder::default();
        let mut bundle = Bundle::default();
        while let Some(line) = reader.read()? {
            let origin = order.next(&line).map_err(|why| reader.malformed(why))?;
            let entries = entries(&mut bundle, origin, line).map_err(|error| reader.malformed(error.to_string()))?;
            unwritten.extend(entries);
            if unwritten.len() >= ENTRIES_PER_COMMIT {
                self.put_all(mem::take(&mut unwritten))?;
            }
            lines += 1;
            progress(lines, None);
        }
        order.end().map_err(|why| reader.malformed(why))?;
        unwritten.extend(bundle.finish()?);
        self.put_all(unwritten)?;
        if let Some(finding) = self.verify(&mut |_, _, _| Ok(()), &|_, _| ()).findings.first() {
            return Err(ImportError::Inconsistent(finding.clone()));
        }
        let unmark = |context: &mut CommitContext| {
            context.tx.remove(Tree::Meta, keys::IMPORTING);
            Ok(())
        };
        self.write_regardless(unmark).wait()?;
        progress(lines, Some(lines));
        Ok(reader.end().clone())
    }

    /// Writes new entries. A key that exists already was in the export twice, which is an error.
    fn put_all(&self, entries: Vec<Entry>) -> Result<(), StoreError> {
        let put = move |context: &mut CommitContext| {
            for entry in &entries {
                if context.tx.contains(entry.tree, &entry.key)? {
                    let why = entry.tree.storage_key(&entry.key).corrupt("the key occurs twice");
                    return Err(JobError::Refused(why));
                }
                context.tx.put(entry);
            }
            Ok(())
        };
        self.write_regardless(put).wait()
    }
}

/// The entries of a line. Steps stay in the bundle until it is full or another kind of line follows.
fn entries(bundle: &mut Bundle, origin: Option<Origin>, line: Line) -> Result<Vec<Entry>, StoreError> {
    if let (Line::Step(step), Some(Origin { game, .. })) = (&line, origin) {
        return bundle.add(game, step);
    }
    let mut entries: Vec<Entry> = bundle.finish()?.into_iter().collect();
    match (line, origin) {
        (Line::Game { id, head }, _) => {
            entries.extend(index::rows(id, &head)?);
            entries.push(Entry::new(Tree::Heads, id.as_bytes(), &head)?);
        }
        (Line::Snapshot { version, bytes }, Some(Origin { game, is_newest_snapshot: true })) => {
            entries.extend(write::snapshot_entries(game, version, bytes.0)?);
        }
        (Line::Snapshot { version, bytes }, Some(Origin { game, .. })) => {
            entries.push(Entry::new(Tree::Snapshots, keys::kept_snapshot(game, version), &(version, bytes.0))?);
        }
        (Line::Command(line), _) => {
            let digest = || StoreError::Corrupt("a digest of the wrong length".to_owned());
            let (command, done) = line.read().ok_or_else(digest)?;
            entries.push(Entry::new(Tree::Commands, keys::command(command.scope, &command.key), &done)?);
        }
        (Line::Family(family), _) => entries.push(write::family_entry(&family)?),
        (Line::Revocation(revocation), _) => entries.push(write::revocation_entry(&revocation)?),
        (Line::Player(player), _) => {
            entries.extend(write::name_entries(&player)?);
            entries.push(write::player_entry(&player)?);
        }
        (Line::Step(_) | Line::Snapshot { .. } | Line::Start { .. } | Line::End(_), _) => (),
    }
    Ok(entries)
}
