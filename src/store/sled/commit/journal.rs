//! The journal: what makes a commit durable, for sled to follow at its leisure.
//!
//! sled can only flush with two syncs for each transaction, and wakes all its threads for each of them; the journal takes
//! one write and one sync, by the committer itself. So a commit is worked out on the side, noted here as what it changes,
//! and only then applied to sled, in memory. sled is flushed when the journal is full, which then begins anew from the
//! front. Nothing is ever in sled that was not noted here before: whatever parts of it sled had flushed when the program
//! or the power went, writing all of the journal again makes it whole.
//!
//! Commits are noted one after the other without a gap, so what is left of an earlier round behind the newest record is
//! never taken for what comes next: its numbers are lower. A record that was cut short ends the journal, because nobody
//! was told of that commit, and none can follow it. If one does, the journal was damaged, and that is said.

use crate::games::ports::StoreError;
use crate::store::codec::{self, StorageKey};
use crate::store::private_files;
use crate::store::sled::trees::{Change, Tree, Trees, damaged};
use serde::{Deserialize, Serialize};
use std::fs::File;
use std::io::{self, Read};
use std::os::unix::fs::FileExt;
use std::path::Path;

const NAME: &str = "journal";
/// What a record begins with, for finding one behind damage.
const MARK: [u8; 4] = *b"ludo";
/// Mark, checksum, length of the body, number of the commit.
const HEADER: usize = 4 + 4 + 4 + 8;

/// A [`Change`] as it is noted.
#[derive(Serialize, Deserialize)]
struct Noted<'a> {
    tree: u8,
    key: &'a [u8],
    value: Option<&'a [u8]>,
}

/// All that one commit changes.
fn record(commit: u64, changes: &[Change]) -> Vec<u8> {
    let mut bytes = vec![0; HEADER];
    for (tree, key, value) in changes {
        codec::join(&mut bytes, &Noted { tree: *tree as u8, key, value: value.as_deref() });
    }
    let length = u32::try_from(bytes.len() - HEADER).expect("a commit is far smaller than 4 GiB");
    bytes[..4].copy_from_slice(&MARK);
    bytes[8..12].copy_from_slice(&length.to_le_bytes());
    bytes[12..HEADER].copy_from_slice(&commit.to_le_bytes());
    let checksum = crc32fast::hash(&bytes[8..]);
    bytes[4..8].copy_from_slice(&checksum.to_le_bytes());
    bytes
}

/// The file, and how far it is filled.
pub(in crate::store::sled) struct Journal {
    file: File,
    filled: usize,
    capacity: usize,
}

impl Journal {
    /// Opens the journal in a folder. Its name is durable once the folder is synced.
    pub(in crate::store::sled) fn open(folder: &Path, capacity: usize) -> io::Result<Journal> {
        let path = folder.join(NAME);
        let file = private_files::options().read(true).write(true).create(true).truncate(false).open(path)?;
        Ok(Journal { file, filled: 0, capacity })
    }

    pub(in crate::store::sled) fn is_there(folder: &Path) -> bool {
        folder.join(NAME).exists()
    }

    /// Empties the journal of a store that is closed, and whose content sled has, on the disk.
    pub(in crate::store::sled) fn clear(folder: &Path) -> io::Result<()> {
        let file = private_files::options().write(true).create(true).truncate(true).open(folder.join(NAME))?;
        file.sync_all()
    }

    /// Bytes on the disk.
    pub(in crate::store::sled) fn size(folder: &Path) -> u64 {
        folder.join(NAME).metadata().map_or(0, |file| file.len())
    }

    /// Whether sled should be flushed before anything more is noted.
    pub(super) fn is_full(&self) -> bool {
        self.filled >= self.capacity
    }

    /// Notes a commit and makes it durable.
    pub(super) fn append(&mut self, commit: u64, changes: &[Change]) -> io::Result<()> {
        let bytes = record(commit, changes);
        self.file.write_all_at(&bytes, self.filled as u64)?;
        self.file.sync_data()?;
        self.filled += bytes.len();
        Ok(())
    }

    /// Begins anew, because sled has everything that was noted, on the disk.
    pub(super) fn rewind(&mut self) {
        self.filled = 0;
    }

    /// Writes into the trees what they may lack; this commit they have. Tells the last commit they have then, and the one
    /// before the journal's first, which they must have had.
    pub(in crate::store::sled) fn replay(&mut self, trees: &Trees, commit: u64) -> Result<(u64, u64), StoreError> {
        let mut bytes = Vec::new();
        let read = |error: io::Error| StoreError::Corrupt(format!("the journal can't be read: {error}"));
        let written = |error: io::Error| StoreError::Corrupt(format!("the journal can't be written again: {error}"));
        self.file.read_to_end(&mut bytes).map_err(read)?;
        let Some((first, _)) = record_at(&bytes, 0) else { return Ok((unbroken(&bytes, 0, commit)?, 0)) };
        if first > commit + 1 {
            return Ok((commit, first - 1));
        }
        let (mut noted, mut at) = (Vec::new(), 0);
        while let Some((_, body)) = record_at(&bytes, at).filter(|(number, _)| *number == first + noted.len() as u64) {
            at += HEADER + body.len();
            noted.push(body);
        }
        let last = first + noted.len() as u64 - 1;
        unbroken(&bytes, at, last.max(commit))?;
        if last > commit {
            // A program that was killed, or whose sync failed, may have left what only seems to be on the disk. It must
            // be there before sled has any of it, or sled could be left with a part.
            self.file.write_all_at(&bytes[..at], 0).and_then(|()| self.file.sync_data()).map_err(written)?;
            // From the first on: sled may have flushed any part of each of them.
            noted.into_iter().try_for_each(|body| apply(trees, body))?;
        }
        Ok((last.max(commit), first - 1))
    }
}

/// Makes sure that nothing newer than the last commit stands behind a place where the journal seems to end.
fn unbroken(bytes: &[u8], end: usize, last: u64) -> Result<u64, StoreError> {
    match (end..bytes.len()).filter_map(|at| record_at(bytes, at)).find(|(number, _)| *number > last) {
        Some((number, _)) => {
            Err(StoreError::Corrupt(format!("the journal is damaged after commit {last}, and goes on at {number}")))
        }
        None => Ok(last),
    }
}

/// The whole record that begins there: the number of its commit, and its body.
fn record_at(bytes: &[u8], at: usize) -> Option<(u64, &[u8])> {
    let (header, rest) = bytes.get(at..)?.split_first_chunk::<HEADER>()?;
    let word = |at: usize| header[at..].first_chunk().map(|word| u32::from_le_bytes(*word));
    if !header.starts_with(&MARK) {
        return None;
    }
    let body = rest.get(..usize::try_from(word(8)?).ok()?)?;
    let number = u64::from_le_bytes(*header.last_chunk()?);
    (crc32fast::hash(&bytes[at + 8..at + HEADER + body.len()]) == word(4)?).then_some((number, body))
}

/// Carries out a commit once more.
fn apply(trees: &Trees, body: &[u8]) -> Result<(), StoreError> {
    let here = StorageKey { tree: NAME, key: &[] };
    let (mut changes, mut rest) = (Vec::new(), body);
    while !rest.is_empty() {
        let (Noted { tree, key, value }, after) = codec::take(here, rest)?;
        let tree = *Tree::ALL.get(usize::from(tree)).ok_or_else(|| here.corrupt("there is no such tree"))?;
        changes.push((tree, key.into(), value.map(Into::into)));
        rest = after;
    }
    trees.apply(&changes).map_err(damaged)
}
