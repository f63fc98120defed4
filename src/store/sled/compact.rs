//! Gives disk space back, which sled never does by itself: the store is exported into a new one, and the two change
//! places, if the new one is smaller.
//!
//! At every moment there is a whole store to go on with, and only one:
//! 1. the new store grows in `<folder>.new`; what fails, or finds the new one larger, removes it, and a crash leaves the
//!    old one where it was and the rest to the next opening ([`remove_unfinished`]);
//! 2. once it is complete, verified (by the import) and durable, the old one is renamed to `<folder>.old`; a crash now leaves nothing in
//!    the old place, which opening notices and undoes;
//! 3. the new one is renamed into the old place; a crash from here on leaves the new store in use and the old one aside;
//! 4. the old one is removed, now or by the next opening ([`remove_old`]).
//!
//! The folder's lock is held from beginning to end, so that nobody opens the store while it has no place.

use super::journal::Journal;
use super::lock::{Lock, beside};
use super::open::{OpenError, calmly};
use super::room::free;
use super::side::sync_parent;
use super::{ExportError, ImportError};
use super::{Settings, SledStore};
use crate::games::ports::StoreError;
use crate::rules::Instant;
use std::fs;
use std::io::{self, BufReader, BufWriter, Write};
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::thread;

/// How much larger a new store may become than the live data, because sled writes pages several times. Measured: a store
/// of 29,510 lobbies came to 4 times its live data.
const GROWTH: f64 = 4.0;
/// What a store takes beside its content: sled's own files, and the last record of the journal.
const SLACK: u64 = 1 << 20;
/// The unit in which a file tells what it takes on the disk.
const BLOCK: u64 = 512;
/// How many bytes are written between two looks at the size of the new store.
const LOOK_EVERY: usize = 1 << 20;

/// What a compaction brought.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Compacted {
    /// Bytes on disk, in all files of the store.
    pub before: u64,
    /// The same where the new store would not have been smaller, and the old one was kept.
    pub after: u64,
}

/// Why a store was not compacted. It is as it was.
#[derive(Debug, thiserror::Error)]
pub enum CompactError {
    #[error(transparent)]
    Open(#[from] OpenError),
    #[error(
        "there is too little room on the disk: compacting may need {} MiB beside the store, and {} MiB are free, of which \
         {} MiB are to stay free (--min-free-mib); make room, or export to another disk and import there",
        mib(*needed), mib(*free), mib(*kept)
    )]
    NoRoom { needed: u64, free: u64, kept: u64 },
    #[error("writing the store out failed: {0}")]
    Export(#[from] ExportError),
    #[error("reading the store in again failed: {0}")]
    Import(#[from] ImportError),
    #[error(transparent)]
    Store(#[from] StoreError),
    #[error("the compacted store is not like the old one: {0}")]
    Different(String),
    #[error("{0}")]
    Io(#[from] io::Error),
}

fn mib(bytes: u64) -> u64 {
    bytes.div_ceil(1 << 20)
}

/// Compacts the store in a folder; commands and ended tokens that count no more `now` stay behind. `progress` is told
/// how many games are done, of how many.
pub fn compact(
    folder: &Path,
    settings: &Settings,
    now: Instant,
    progress: &(dyn Fn(u64, Option<u64>) + Sync),
) -> Result<Compacted, CompactError> {
    let lock = Arc::new(Lock::take(folder)?);
    let (new, old) = (beside(folder, "new"), aside(folder));
    let store = SledStore::open_locked(Arc::clone(&lock), folder, settings)?;
    let before = size(folder)?;
    check_room(&store, folder, before, settings)?;
    let written = write_new(&store, &new, &lock, settings, &Limits { before, now, progress });
    let after = match written {
        Ok(Some(after)) if after <= before => after,
        kept => {
            let removed = remove(&new);
            kept?;
            removed?;
            return Ok(Compacted { before, after: before });
        }
    };
    store.close();
    drop(store);
    fs::rename(folder, &old)?;
    sync_parent(folder)?;
    fs::rename(&new, folder)?;
    sync_parent(folder)?;
    remove(&old)?;
    Ok(Compacted { before, after })
}

/// Refuses if the new store may not fit beside the old one. It never needs more than the old one takes, because a larger
/// one is given up.
fn check_room(store: &SledStore, folder: &Path, before: u64, settings: &Settings) -> Result<(), CompactError> {
    let shared = store.shared()?;
    let trees = &shared.trees;
    let live = calmly(|| Ok(trees.live())).map_err(StoreError::Corrupt)??;
    #[allow(
        clippy::cast_precision_loss,
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "an estimate"
    )]
    let grown = (trees.size_on_disk()? as f64 * live * GROWTH) as u64;
    let store = before.min(grown);
    let needed = store + store.min(settings.journal_capacity as u64) + SLACK;
    match free(folder) {
        Some(free) if free < needed.saturating_add(settings.least_free) => {
            Err(CompactError::NoRoom { needed, free, kept: settings.least_free })
        }
        _ => Ok(()),
    }
}

/// What a compaction is held to.
struct Limits<'a> {
    before: u64,
    now: Instant,
    progress: &'a (dyn Fn(u64, Option<u64>) + Sync),
}

/// Writes the new store, durably, and tells its size; nothing if it outgrew the old one on the way.
fn write_new(
    store: &SledStore,
    new: &Path,
    lock: &Arc<Lock>,
    settings: &Settings,
    limits: &Limits,
) -> Result<Option<u64>, CompactError> {
    let fresh = SledStore::open_locked(Arc::clone(lock), new, settings)?;
    if !copy(store, &fresh, new, limits)? {
        return Ok(None);
    }
    let shared = fresh.shared()?;
    calmly(|| shared.trees.flush()).map_err(StoreError::Unavailable)?;
    fresh.close();
    shared.check()?;
    drop((shared, fresh));
    // sled has all that the import noted there.
    Journal::clear(new)?;
    Ok(Some(size(new)?))
}

/// Exports one store straight into another; `false` if that was given up because it grew too large.
fn copy(from: &SledStore, to: &SledStore, new: &Path, limits: &Limits) -> Result<bool, CompactError> {
    let (reader, writer) = io::pipe()?;
    let (written, read) = thread::scope(|scope| {
        let exporting = scope.spawn(move || {
            let mut out = Watched { out: writer, new, most: limits.before, unlooked: 0, outgrown: false };
            let written = from.export(BufWriter::new(&mut out), limits.now, limits.progress);
            (written, out.outgrown)
        });
        let read = to.import(BufReader::new(reader), &|_, _| ());
        (exporting.join(), read)
    });
    let (written, outgrown) = written.map_err(|_| io::Error::other("sled panicked on what it read"))?;
    if outgrown {
        return Ok(false);
    }
    // Where one end failed the other did too, and says less: who reads sees an export without an end, who writes a pipe
    // that nobody reads from.
    let written = match written {
        Err(ExportError::Io(error)) if error.kind() == io::ErrorKind::BrokenPipe => {
            read?;
            return Err(error.into());
        }
        written => written?,
    };
    let read = read?;
    if read != written {
        return Err(CompactError::Different(format!("it has {read}; the old one has {written}")));
    }
    Ok(true)
}

/// Writes on until the new store has outgrown the old one.
struct Watched<'a, W> {
    out: W,
    new: &'a Path,
    most: u64,
    unlooked: usize,
    outgrown: bool,
}

impl<W: Write> Write for Watched<'_, W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.unlooked += bytes.len();
        if self.unlooked >= LOOK_EVERY {
            self.unlooked = 0;
            self.outgrown = size(self.new)?.saturating_sub(Journal::size(self.new)) > self.most;
        }
        if self.outgrown { Err(io::ErrorKind::FileTooLarge.into()) } else { self.out.write(bytes) }
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}

/// Bytes that all files in a folder and those in it take on the disk. sled's file may have holes, which take none.
fn size(folder: &Path) -> io::Result<u64> {
    let mut bytes = 0;
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        // sled removes files of its own meanwhile.
        bytes += match entry.metadata() {
            Ok(metadata) if metadata.is_dir() => size(&entry.path())?,
            Ok(metadata) => metadata.len().min(metadata.blocks().saturating_mul(BLOCK)),
            Err(error) if error.kind() == io::ErrorKind::NotFound => 0,
            Err(error) => return Err(error),
        };
    }
    Ok(bytes)
}

/// Puts the old store back if a compaction ended between taking it away and putting the new one there, and removes a new
/// one that was not finished: the store in its place is whole, and on a full disk it needs the room.
pub(super) fn remove_unfinished(folder: &Path) -> Result<(), OpenError> {
    let (new, old) = (beside(folder, "new"), aside(folder));
    if !folder.exists() && old.exists() {
        tracing::warn!("a compaction did not finish; going on with the store as it was before");
        fs::rename(&old, folder).map_err(OpenError::io("putting back", &old))?;
        sync_parent(folder).map_err(OpenError::io("syncing", folder))?;
    }
    if folder.exists() && new.exists() {
        tracing::warn!("a compaction did not finish; removing what it left");
        warn_left(&new);
    }
    Ok(())
}

/// Removes the old store that a compaction left behind, now that the new one was found whole.
pub(super) fn remove_old(folder: &Path) {
    let old = aside(folder);
    if old.exists() {
        warn_left(&old);
    }
}

/// What can't be removed only takes room.
fn warn_left(folder: &Path) {
    if let Err(error) = remove(folder) {
        tracing::warn!(folder = %folder.display(), %error, "what a compaction left can't be removed");
    }
}

fn aside(folder: &Path) -> PathBuf {
    beside(folder, "old")
}

fn remove(folder: &Path) -> io::Result<()> {
    match fs::remove_dir_all(folder) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
        _ => sync_parent(folder),
    }
}
