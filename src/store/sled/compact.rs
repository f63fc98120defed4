//! Gives disk space back, which sled never does by itself: the store is exported into a new one, and the two change
//! places.
//!
//! At every moment there is a whole store to go on with, and only one:
//! 1. the new store grows in `<folder>.new`; a crash leaves the old one where it was, and the next compaction begins
//!    anew;
//! 2. once it is complete, verified (by the import) and durable, the old one is renamed to `<folder>.old`; a crash now leaves nothing in
//!    the old place, which opening notices and undoes ([`undo_half_swap`]);
//! 3. the new one is renamed into the old place; a crash from here on leaves the new store in use and the old one aside;
//! 4. the old one is removed, now or by the next compaction.
//!
//! The folder's lock is held from beginning to end, so that nobody opens the store while it has no place.

use super::lock::{Lock, beside};
use super::open::OpenError;
use super::side::sync_parent;
use super::{ExportError, ImportError};
use super::{Settings, SledStore};
use crate::games::ports::StoreError;
use crate::rules::Instant;
use std::fs;
use std::io::{self, BufReader, BufWriter};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::thread;

/// What a compaction brought.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Compacted {
    /// Bytes on disk.
    pub before: u64,
    pub after: u64,
}

/// Why a store was not compacted. It is as it was.
#[derive(Debug, thiserror::Error)]
pub enum CompactError {
    #[error(transparent)]
    Open(#[from] OpenError),
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
    // The store in its place is whole, so whatever an earlier compaction left is not needed.
    for left in [&new, &old] {
        remove(left)?;
    }
    let before = store.shared.trees.size_on_disk()?;
    let fresh = SledStore::open_locked(Arc::clone(&lock), &new, settings)?;
    copy(&store, &fresh, now, progress)?;
    let after = fresh.shared.trees.size_on_disk()?;
    for closing in [store, fresh] {
        closing.close();
    }
    fs::rename(folder, &old)?;
    sync_parent(folder)?;
    fs::rename(&new, folder)?;
    sync_parent(folder)?;
    remove(&old)?;
    Ok(Compacted { before, after })
}

/// Exports one store straight into another.
fn copy(
    from: &SledStore,
    to: &SledStore,
    now: Instant,
    progress: &(dyn Fn(u64, Option<u64>) + Sync),
) -> Result<(), CompactError> {
    let (reader, writer) = io::pipe()?;
    let (written, read) = thread::scope(|scope| {
        let exporting = scope.spawn(|| from.export(BufWriter::new(writer), now, progress));
        let read = to.import(BufReader::new(reader), &|_, _| ());
        (exporting.join(), read)
    });
    // If the writing failed, the reading did too, and says less.
    let written = written.map_err(|_| io::Error::other("sled panicked on what it read"))??;
    let read = read?;
    if read != written {
        return Err(CompactError::Different(format!("{read:?} of {written:?}")));
    }
    Ok(())
}

/// Puts the old store back if a compaction ended between taking it away and putting the new one there.
pub(super) fn undo_half_swap(folder: &Path) -> Result<(), OpenError> {
    let old = aside(folder);
    if !folder.exists() && old.exists() {
        tracing::warn!("a compaction did not finish; going on with the store as it was before");
        fs::rename(&old, folder).map_err(OpenError::io("putting back", &old))?;
        sync_parent(folder).map_err(OpenError::io("syncing", folder))?;
    }
    Ok(())
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
