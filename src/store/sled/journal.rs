//! The journal: what makes a commit durable at once, for sled to follow at its leisure.
//!
//! sled's own flush takes two syncs and wakes all its threads; the journal takes one write and one sync, by the
//! committer itself. So every commit is applied to sled, in memory, and noted here as what it wrote; sled is flushed
//! only when the journal is full, which then begins anew from the front. Whatever sled had not flushed when the program
//! or the power went is written again at the next opening.
//!
//! Commits are noted one after the other without a gap, so what is left of an earlier round behind the newest record is
//! never taken for what comes next: its numbers are lower. A record that was cut short ends the journal, because nobody
//! was told of that commit, and none can follow it. If one does, the journal was damaged, and that is said.

use super::super::codec::{self, Place};
use super::trees::{Tree, Trees};
use crate::games::ports::StoreError;
use serde::{Deserialize, Serialize};
use std::fs::{File, OpenOptions};
use std::io::{self, Read};
use std::os::unix::fs::FileExt;
use std::path::Path;

const NAME: &str = "journal";
/// What a record begins with, for finding one behind damage.
const MARK: [u8; 4] = *b"ludo";
/// Mark, checksum, length of the body, number of the commit.
const HEADER: usize = 4 + 4 + 4 + 8;
/// A record that takes more of the journal than this part of it is not worth noting: sled is flushed instead.
const LARGE_PART: usize = 16;

/// One thing that a commit wrote; removed, if there is no value.
#[derive(Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Written<'a> {
    tree: u8,
    key: &'a [u8],
    value: Option<&'a [u8]>,
}

/// All that one commit writes, in the order it is written.
pub(super) struct Record(Vec<u8>);

impl Default for Record {
    fn default() -> Self {
        Self(vec![0; HEADER])
    }
}

impl Record {
    pub(super) fn note(&mut self, tree: Tree, key: &[u8], value: Option<&[u8]>) {
        codec::join(&mut self.0, &Written { tree: tree as u8, key, value });
    }

    /// The bytes of the record, now that the number of its commit is known.
    fn seal(mut self, commit: u64) -> Vec<u8> {
        let length = u32::try_from(self.0.len() - HEADER).expect("a commit is far smaller than 4 GiB");
        self.0[..4].copy_from_slice(&MARK);
        self.0[8..12].copy_from_slice(&length.to_le_bytes());
        self.0[12..HEADER].copy_from_slice(&commit.to_le_bytes());
        let checksum = crc32fast::hash(&self.0[8..]);
        self.0[4..8].copy_from_slice(&checksum.to_le_bytes());
        self.0
    }
}

/// The file, and how far it is filled.
pub(super) struct Journal {
    file: File,
    filled: usize,
    capacity: usize,
}

impl Journal {
    /// Opens the journal in a folder. Its name is durable once the folder is synced.
    pub(super) fn open(folder: &Path, capacity: usize) -> io::Result<Journal> {
        let path = folder.join(NAME);
        let file = OpenOptions::new().read(true).write(true).create(true).truncate(false).open(path)?;
        Ok(Journal { file, filled: 0, capacity })
    }

    /// Bytes on the disk.
    pub(super) fn size(folder: &Path) -> u64 {
        folder.join(NAME).metadata().map_or(0, |file| file.len())
    }

    /// Notes a commit and makes it durable; `false` if there is no room for it, and nothing was done.
    pub(super) fn append(&mut self, commit: u64, record: Record) -> io::Result<bool> {
        let bytes = record.seal(commit);
        if bytes.len() > self.capacity / LARGE_PART || self.filled + bytes.len() > self.capacity {
            return Ok(false);
        }
        self.file.write_all_at(&bytes, self.filled as u64)?;
        self.file.sync_data()?;
        self.filled += bytes.len();
        Ok(true)
    }

    /// Begins anew, because sled has everything that was noted, on the disk.
    pub(super) fn rewind(&mut self) {
        self.filled = 0;
    }

    /// Writes into the trees what they lack after this commit. Tells the last commit they have then, and the one before the
    /// journal's first, which they must have had.
    pub(super) fn replay(&mut self, trees: &Trees, commit: u64) -> Result<(u64, u64), StoreError> {
        let mut bytes = Vec::new();
        let read = |error: io::Error| StoreError::Corrupt(format!("the journal can't be read: {error}"));
        self.file.read_to_end(&mut bytes).map_err(read)?;
        let Some((first, _)) = record_at(&bytes, 0) else { return Ok((unbroken(&bytes, 0, commit)?, 0)) };
        if first > commit + 1 {
            return Ok((commit, first - 1));
        }
        let (mut due, mut at) = (first, 0);
        while let Some((_, body)) = record_at(&bytes, at).filter(|(number, _)| *number == due) {
            if due > commit {
                apply(trees, body)?;
            }
            (due, at) = (due + 1, at + HEADER + body.len());
        }
        Ok((unbroken(&bytes, at, commit.max(due - 1))?, first - 1))
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
    let here = Place { tree: NAME, key: &[] };
    let (mut writes, mut rest) = (Vec::new(), body);
    while !rest.is_empty() {
        let (written, after) = codec::take::<Written>(here, rest)?;
        let tree = *Tree::ALL.get(usize::from(written.tree)).ok_or_else(|| here.corrupt("there is no such tree"))?;
        writes.push((tree, written));
        rest = after;
    }
    let again = trees.transaction(|tx| {
        writes.iter().try_for_each(|(tree, Written { key, value, .. })| match value {
            Some(value) => tx.insert(*tree, key, value),
            None => tx.remove(*tree, key),
        })
    });
    again.map(drop).map_err(|error| here.corrupt(error))
}
