//! Write-ahead log ("the journal"): makes a commit durable before sled sees it.
//!
//! A flush of sled takes two syncs per transaction and wakes all of sled's threads for each; the journal takes one write
//! and one sync, by the committer itself. So the committer collects the changes of a commit in memory, records them here,
//! and only then applies them to sled, in memory. When the journal is full, sled is flushed, and the journal starts again
//! at offset 0.
//!
//! Invariant: sled gets no change before its record is synced here, and no record is overwritten before sled has
//! flushed its changes. So whichever parts sled had flushed when the process was killed or the power failed, replaying
//! the whole journal completes them. The only commit without a record is the one made while opening
//! ([`open`](crate::store::sled::open)); sled flushes it before any other write.
//!
//! Commit numbers in the journal are consecutive. Behind the newest record there may be records from before the journal
//! last started again at offset 0. They have lower numbers, so they are never taken for its continuation. A torn record
//! ends the journal: its commit was never acknowledged, and no later commit was begun. If a later one is found all the
//! same, the journal is damaged, and opening fails.

use crate::games::ports::StoreError;
use crate::store::codec::{self, StorageKey};
use crate::store::private_files;
use crate::store::sled::trees::{Change, Tree, Trees, damaged};
use serde::{Deserialize, Serialize};
use std::fs::File;
use std::io::{self, Read};
use std::os::unix::fs::FileExt;
use std::path::Path;

const FILE_NAME: &str = "journal";
/// Start of a record, for finding records behind damage.
const RECORD_MAGIC: [u8; 4] = *b"ludo";
/// Magic, checksum, length of the body, commit number.
const HEADER_BYTES: usize = 4 + 4 + 4 + 8;

/// A [`Change`] as it is recorded.
#[derive(Serialize, Deserialize)]
struct RecordedChange<'a> {
    tree: u8,
    key: &'a [u8],
    value: Option<&'a [u8]>,
}

/// Encodes all changes of one commit.
fn encode_record(commit: u64, changes: &[Change]) -> Vec<u8> {
    let mut bytes = vec![0; HEADER_BYTES];
    for (tree, key, value) in changes {
        codec::append_value(&mut bytes, &RecordedChange { tree: *tree as u8, key, value: value.as_deref() });
    }
    let length = u32::try_from(bytes.len() - HEADER_BYTES).expect("a commit is far smaller than 4 GiB");
    bytes[..4].copy_from_slice(&RECORD_MAGIC);
    bytes[8..12].copy_from_slice(&length.to_le_bytes());
    bytes[12..HEADER_BYTES].copy_from_slice(&commit.to_le_bytes());
    let checksum = crc32fast::hash(&bytes[8..]);
    bytes[4..8].copy_from_slice(&checksum.to_le_bytes());
    bytes
}

/// The file, and how many bytes of it are in use.
pub(in crate::store::sled) struct Journal {
    file: File,
    length: usize,
    capacity: usize,
}

impl Journal {
    /// Opens the journal in a folder. Its name is durable once the folder is synced.
    pub(in crate::store::sled) fn open(folder: &Path, capacity: usize) -> io::Result<Journal> {
        let path = folder.join(FILE_NAME);
        let file = private_files::options().read(true).write(true).create(true).truncate(false).open(path)?;
        Ok(Journal { file, length: 0, capacity })
    }

    pub(in crate::store::sled) fn exists(folder: &Path) -> bool {
        folder.join(FILE_NAME).exists()
    }

    /// Empties the journal of a closed store whose content sled has flushed.
    pub(in crate::store::sled) fn clear(folder: &Path) -> io::Result<()> {
        let file = private_files::options().write(true).create(true).truncate(true).open(folder.join(FILE_NAME))?;
        file.sync_all()
    }

    pub(in crate::store::sled) fn size(folder: &Path) -> u64 {
        folder.join(FILE_NAME).metadata().map_or(0, |file| file.len())
    }

    /// Whether sled must be flushed before anything more is recorded.
    pub(super) fn is_full(&self) -> bool {
        self.length >= self.capacity
    }

    /// Records a commit and makes it durable.
    pub(super) fn append(&mut self, commit: u64, changes: &[Change]) -> io::Result<()> {
        let bytes = encode_record(commit, changes);
        self.file.write_all_at(&bytes, self.length as u64)?;
        self.file.sync_data()?;
        self.length += bytes.len();
        Ok(())
    }

    /// Starts again at offset 0. sled must have flushed everything recorded.
    pub(super) fn rewind(&mut self) {
        self.length = 0;
    }

    /// Replays the journal into the trees, whose newest commit is `commit`. Returns two commit numbers: the newest
    /// after the replay, and the one that the trees must at least have had before it, so that the journal continues
    /// them.
    pub(in crate::store::sled) fn replay(&mut self, trees: &Trees, commit: u64) -> Result<(u64, u64), StoreError> {
        let mut bytes = Vec::new();
        let read = |error: io::Error| StoreError::Corrupt(format!("the journal can't be read: {error}"));
        let written = |error: io::Error| StoreError::Corrupt(format!("the journal can't be written again: {error}"));
        self.file.read_to_end(&mut bytes).map_err(read)?;
        let Some((first, _)) = record_at(&bytes, 0) else { return Ok((check_nothing_newer(&bytes, 0, commit)?, 0)) };
        if first > commit + 1 {
            return Ok((commit, first - 1));
        }
        let (mut bodies, mut at) = (Vec::new(), 0);
        while let Some((_, body)) = record_at(&bytes, at).filter(|(number, _)| *number == first + bodies.len() as u64) {
            at += HEADER_BYTES + body.len();
            bodies.push(body);
        }
        let last = first + bodies.len() as u64 - 1;
        check_nothing_newer(&bytes, at, last.max(commit))?;
        if last > commit {
            // After a kill or a failed sync, these bytes may be in the page cache only. They must be on disk before
            // sled has any of them; otherwise a power cut could leave sled with part of a commit.
            self.file.write_all_at(&bytes[..at], 0).and_then(|()| self.file.sync_data()).map_err(written)?;
            // All records, also those up to `commit`: sled may have flushed only a part of any of them.
            bodies.into_iter().try_for_each(|body| apply_record(trees, body))?;
        }
        Ok((last.max(commit), first - 1))
    }
}

/// Checks that no newer commit is recorded behind the place where the journal seems to end.
fn check_nothing_newer(bytes: &[u8], end: usize, last: u64) -> Result<u64, StoreError> {
    match (end..bytes.len()).filter_map(|at| record_at(bytes, at)).find(|(number, _)| *number > last) {
        Some((number, _)) => Err(StoreError::Corrupt(format!(
            "the journal is damaged after commit {last}, but continues with commit {number}"
        ))),
        None => Ok(last),
    }
}

/// The complete record at this offset: commit number and body.
fn record_at(bytes: &[u8], at: usize) -> Option<(u64, &[u8])> {
    let (header, rest) = bytes.get(at..)?.split_first_chunk::<HEADER_BYTES>()?;
    let word = |at: usize| header[at..].first_chunk().map(|word| u32::from_le_bytes(*word));
    if !header.starts_with(&RECORD_MAGIC) {
        return None;
    }
    let body = rest.get(..usize::try_from(word(8)?).ok()?)?;
    let number = u64::from_le_bytes(*header.last_chunk()?);
    (crc32fast::hash(&bytes[at + 8..at + HEADER_BYTES + body.len()]) == word(4)?).then_some((number, body))
}

/// Applies the changes of one record.
fn apply_record(trees: &Trees, body: &[u8]) -> Result<(), StoreError> {
    let here = StorageKey { tree: FILE_NAME, key: &[] };
    let (mut changes, mut rest) = (Vec::new(), body);
    while !rest.is_empty() {
        let (RecordedChange { tree, key, value }, after) = codec::take_value(here, rest)?;
        let tree = *Tree::ALL.get(usize::from(tree)).ok_or_else(|| here.corrupt("unknown tree"))?;
        changes.push((tree, key.into(), value.map(Into::into)));
        rest = after;
    }
    trees.apply(&changes).map_err(damaged)
}
