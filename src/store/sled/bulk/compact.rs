//! Compaction: gives disk space back, which sled never does by itself. The store is exported into a new one, which
//! replaces the old one if it is smaller.
//!
//! At every moment there is one complete store to continue with, and no doubt which. After a crash in one of these steps,
//! the next opening does what the step says:
//! 1. `<folder>.new` is created with an empty file [`MARK_FILE`] in it, and the new store is written there. A
//!    compaction that failed, or that found the new store to be larger, removes it; after a crash the next opening does
//!    ([`undo_unfinished`]).
//! 2. The new store is complete, verified (by the import) and durable. The old one gets a mark file too. The next
//!    opening removes the new store, and then the mark.
//! 3. The old store is renamed to `<folder>.old`. There is now no store in its place; the next opening renames it back.
//! 4. The new store is renamed into place, and is the one in use from here on. The next opening removes its mark, and
//!    removes the old store once it has found the new one to be intact ([`remove_old`]).
//! 5. The mark of the new store is removed, and then the old store.
//!
//! Only folders with a mark are ever removed: one of the same name without a mark may be the only copy of somebody's
//! data. A folder's mark is removed last.
//!
//! The lock is held from beginning to end, so that no process opens the store while it is being replaced.

use crate::games::ports::StoreError;
use crate::rules::Instant;
use crate::store::sled::commit::commit_watermark::{create_folder, sync_folder, sync_parent};
use crate::store::sled::commit::disk_space::free;
use crate::store::sled::commit::journal::Journal;
use crate::store::sled::lock::{Lock, beside};
use crate::store::sled::open::{OpenError, catch_sled_panic};
use crate::store::sled::{Settings, SledStore};
use crate::store::{ExportError, ImportError, private_files};
use std::fs;
use std::io::{self, BufReader, BufWriter, Write};
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::thread;

/// Marks a folder as made or replaced by a compaction. It may be removed unless it is in the store's place.
const MARK_FILE: &str = "compaction";
/// Largest ratio of a new store to its live data, because sled writes pages several times. Measured: a store of 29,510
/// lobbies came to 4 times its live data.
const GROWTH: f64 = 4.0;
/// Disk space beside the content: sled's own files, and the last record of the journal.
const OVERHEAD_BYTES: u64 = 1 << 20;
/// The unit in which `stat` counts a file's disk usage.
const STAT_BLOCK_BYTES: u64 = 512;
/// How many exported bytes pass between two checks of the new store's size.
const SIZE_CHECK_BYTES: usize = 1 << 20;

/// The size of a store before and after compaction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Compacted {
    /// Bytes on disk, in all files of the store.
    pub before: u64,
    /// Equal to `before` if the old store was kept because the new one would not have been smaller.
    pub after: u64,
}

/// Why a store was not compacted; it is unchanged.
#[derive(Debug, thiserror::Error)]
pub enum CompactError {
    #[error(transparent)]
    Open(#[from] OpenError),
    #[error(
        "there is too little space on the disk: compacting may need {} MiB beside the store, and {} MiB are free, of which \
         {} MiB are to stay free (--min-free-mib); make room, or export to another disk and import there",
        mib(*needed), mib(*free), mib(*reserve)
    )]
    NoRoom { needed: u64, free: u64, reserve: u64 },
    #[error(
        "{} is in the way, and was not made by a compaction; move it to another name, or remove it if it is not needed",
        .0.display()
    )]
    InTheWay(PathBuf),
    #[error("writing the store out failed: {0}")]
    Export(#[from] ExportError),
    #[error("reading the store in again failed: {0}")]
    Import(#[from] ImportError),
    #[error(transparent)]
    Store(#[from] StoreError),
    #[error("the compacted store differs from the old one: {0}")]
    Different(String),
    #[error("{0}")]
    Io(#[from] io::Error),
}

fn mib(bytes: u64) -> u64 {
    bytes.div_ceil(1 << 20)
}

/// Compacts the store in a folder; leaves out commands and revoked tokens that have expired `now`. `progress` receives
/// the number of games done and the total.
pub fn compact(
    folder: &Path,
    settings: &Settings,
    now: Instant,
    progress: &(dyn Fn(u64, Option<u64>) + Sync),
) -> Result<Compacted, CompactError> {
    compact_below(u64::MAX, folder, settings, now, progress)
}

/// The same; the new store must also be smaller than `max_bytes`.
fn compact_below(
    max_bytes: u64,
    folder: &Path,
    settings: &Settings,
    now: Instant,
    progress: &(dyn Fn(u64, Option<u64>) + Sync),
) -> Result<Compacted, CompactError> {
    let lock = Arc::new(Lock::take(folder)?);
    let store = SledStore::open_owned(Arc::clone(&lock), folder, settings)?;
    let (new, old) = (beside(folder, "new"), beside(folder, "old"));
    for path in [&new, &old] {
        if path.exists() {
            return Err(CompactError::InTheWay(path.clone()));
        }
    }
    let before = size(folder)?;
    check_room(&store, folder, before, settings)?;
    let max_bytes = max_bytes.min(before);
    let written = write_new(&store, &new, &lock, settings, &CompactionLimits { max_bytes, now, progress });
    store.close();
    drop(store);
    let after = match written {
        Ok(Some(after)) if after < max_bytes => after,
        kept => {
            remove_leftover(&new);
            kept?;
            // Closing may have written something.
            let size = size(folder)?;
            return Ok(Compacted { before: size, after: size });
        }
    };
    swap(folder, &new, &old).inspect_err(|_| {
        if let Err(error) = undo_unfinished(folder) {
            tracing::warn!("a compaction that failed could not be undone: {error}");
        }
    })?;
    remove_leftover(&old);
    Ok(Compacted { before, after })
}

fn swap(folder: &Path, new: &Path, old: &Path) -> io::Result<()> {
    mark(folder)?;
    fs::rename(folder, old)?;
    sync_parent(folder)?;
    fs::rename(new, folder)?;
    sync_parent(folder)?;
    unmark(folder)
}

/// Fails if the new store may not fit on the disk beside the old one. It hardly needs more than the old one, because a
/// larger one is abandoned.
fn check_room(store: &SledStore, folder: &Path, before: u64, settings: &Settings) -> Result<(), CompactError> {
    let shared = store.shared()?;
    let trees = &shared.trees;
    let live = catch_sled_panic(|| Ok(trees.live_share())).map_err(StoreError::Corrupt)??;
    #[allow(
        clippy::cast_precision_loss,
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "an estimate"
    )]
    let grown = (trees.size_on_disk()? as f64 * live * GROWTH) as u64;
    let store = before.min(grown);
    let needed = store + store.min(settings.journal_capacity as u64) + OVERHEAD_BYTES;
    match free(folder) {
        Some(free) if free < needed.saturating_add(settings.min_free_bytes) => {
            Err(CompactError::NoRoom { needed, free, reserve: settings.min_free_bytes })
        }
        _ => Ok(()),
    }
}

struct CompactionLimits<'a> {
    /// The largest new store, in bytes.
    max_bytes: u64,
    now: Instant,
    progress: &'a (dyn Fn(u64, Option<u64>) + Sync),
}

/// Writes the new store durably and returns its size; `None` if it became too large.
fn write_new(
    store: &SledStore,
    new: &Path,
    lock: &Arc<Lock>,
    settings: &Settings,
    limits: &CompactionLimits,
) -> Result<Option<u64>, CompactError> {
    create_folder(new)?;
    mark(new)?;
    let fresh = SledStore::open_locked(Arc::clone(lock), new, settings)?;
    if !copy(store, &fresh, new, limits)? {
        return Ok(None);
    }
    let shared = fresh.shared()?;
    catch_sled_panic(|| shared.trees.flush()).map_err(StoreError::Unavailable)?;
    fresh.close();
    shared.check()?;
    drop((shared, fresh));
    // sled has flushed everything that the import wrote to the journal.
    Journal::clear(new)?;
    Ok(Some(size(new)?))
}

/// Exports one store straight into the other; `false` if the new one became too large.
fn copy(from: &SledStore, to: &SledStore, new: &Path, limits: &CompactionLimits) -> Result<bool, CompactError> {
    let (reader, writer) = io::pipe()?;
    let (written, read) = thread::scope(|scope| {
        let exporting = scope.spawn(move || {
            let mut out =
                SizeLimitedWriter { out: writer, new, max_bytes: limits.max_bytes, unchecked: 0, too_large: false };
            let written = from.export(BufWriter::new(&mut out), limits.now, limits.progress);
            (written, out.too_large)
        });
        let read = to.import(BufReader::new(reader), &|_, _| ());
        (exporting.join(), read)
    });
    let (written, too_large) = written.map_err(|_| io::Error::other("sled panicked while reading"))?;
    if too_large {
        return Ok(false);
    }
    // If one end failed, the other did too, with less information: the reader sees a truncated export, the writer a
    // broken pipe.
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

/// Fails once the new store is larger than `max_bytes`.
struct SizeLimitedWriter<'a, W> {
    out: W,
    new: &'a Path,
    max_bytes: u64,
    unchecked: usize,
    too_large: bool,
}

impl<W: Write> Write for SizeLimitedWriter<'_, W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.unchecked += bytes.len();
        if self.unchecked >= SIZE_CHECK_BYTES {
            self.unchecked = 0;
            self.too_large = size(self.new)?.saturating_sub(Journal::size(self.new)) > self.max_bytes;
        }
        if self.too_large { Err(io::ErrorKind::FileTooLarge.into()) } else { self.out.write(bytes) }
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}

/// Disk usage of all files in a folder, recursively. Holes in sled's file take no space.
fn size(folder: &Path) -> io::Result<u64> {
    let mut bytes = 0;
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        // sled removes files of its own meanwhile.
        bytes += match entry.metadata() {
            Ok(metadata) if metadata.is_dir() => size(&entry.path())?,
            Ok(metadata) => metadata.len().min(metadata.blocks().saturating_mul(STAT_BLOCK_BYTES)),
            Err(error) if error.kind() == io::ErrorKind::NotFound => 0,
            Err(error) => return Err(error),
        };
    }
    Ok(bytes)
}

/// Undoes a compaction that did not finish. Renames the old store back if no store is in place, and removes an
/// incomplete new one: the store in place is complete, and on a full disk it needs the space.
pub(in crate::store::sled) fn undo_unfinished(folder: &Path) -> Result<(), OpenError> {
    let (new, old) = (beside(folder, "new"), beside(folder, "old"));
    if is_swap_interrupted(folder) {
        tracing::warn!("a compaction did not finish; continuing with the store as it was before");
        fs::rename(&old, folder).map_err(OpenError::io("renaming back", &old))?;
        sync_parent(folder).map_err(OpenError::io("syncing", folder))?;
    }
    if folder.exists() {
        remove_leftover(&new);
        unmark(folder).map_err(OpenError::io("removing the mark of a compaction from", folder))?;
    }
    Ok(())
}

/// Whether a compaction stopped between renaming the old store and renaming the new one. Earlier builds made no marks,
/// but at that point they always left both folders.
pub(in crate::store::sled) fn is_swap_interrupted(folder: &Path) -> bool {
    let (new, old) = (beside(folder, "new"), beside(folder, "old"));
    !folder.exists() && (is_marked(&old) || (old.exists() && new.exists()))
}

/// Removes the old store that a compaction left, now that the new one was found to be intact.
pub(in crate::store::sled) fn remove_old(folder: &Path) {
    remove_leftover(&beside(folder, "old"));
}

/// Removes a folder that a compaction made, and nothing else. A failure is only logged, because what is left merely
/// takes space.
fn remove_leftover(path: &Path) {
    let removed = if is_marked(path) {
        tracing::info!(folder = %path.display(), "removing what a compaction has left");
        remove(path)
    } else if !path.exists() {
        Ok(())
    } else if fs::remove_dir(path).is_ok() {
        // Empty: the compaction stopped just before it wrote the mark, or just after it removed it.
        sync_parent(path)
    } else {
        tracing::warn!(folder = %path.display(), "not removed, because it was not made by a compaction");
        Ok(())
    };
    if let Err(error) = removed {
        tracing::warn!(folder = %path.display(), %error, "what a compaction left can't be removed");
    }
}

fn is_marked(folder: &Path) -> bool {
    folder.join(MARK_FILE).exists()
}

fn mark(folder: &Path) -> io::Result<()> {
    private_files::create(&folder.join(MARK_FILE))?.sync_all()?;
    sync_folder(folder)
}

fn unmark(folder: &Path) -> io::Result<()> {
    match fs::remove_file(folder.join(MARK_FILE)) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        removed => removed.and_then(|()| sync_folder(folder)),
    }
}

/// Removes a folder, its mark last, so that what a crash leaves can still be identified.
fn remove(folder: &Path) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        if entry.file_type()?.is_dir() {
            fs::remove_dir_all(entry.path())?;
        } else if entry.file_name() != MARK_FILE {
            fs::remove_file(entry.path())?;
        }
    }
    sync_folder(folder)?;
    unmark(folder)?;
    fs::remove_dir(folder)?;
    sync_parent(folder)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ids::FamilyId;
    use crate::players::ports::{Family, Player, PlayerStore};

    const NOW: Instant = Instant(1_700_000_000_000);

    /// Fills and closes a store with this number of players; returns its export.
    fn filled(folder: &Path, players: usize) -> Vec<u8> {
        let store = SledStore::open(folder, &Settings::default()).unwrap();
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        let registered = (0..players).map(|_| {
            let player = Player::new("Ann".repeat(20), NOW);
            let family = Family {
                id: FamilyId::new(),
                player: player.id,
                era: 0,
                generation: 1,
                token_hash: [1; 32],
                expires_at: Instant(NOW.0 + 1000),
                revoked: false,
                succession: None,
            };
            store.create_player(player, family)
        });
        runtime.block_on(futures::future::try_join_all(registered)).unwrap();
        export(&store)
    }

    fn export(store: &SledStore) -> Vec<u8> {
        let mut bytes = Vec::new();
        store.export(&mut bytes, NOW, &|_, _| ()).unwrap();
        bytes
    }

    fn names(folder: &Path) -> Vec<String> {
        let mut names: Vec<_> =
            fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }

    /// With few players, the new store is complete before it is found to be too large; with many, it is abandoned on
    /// the way.
    #[test]
    fn the_old_store_is_kept_where_the_new_one_would_not_be_smaller() {
        for players in [10, 4000] {
            let folder = tempfile::tempdir().unwrap();
            let path = folder.path().join("store");
            let content = filled(&path, players);
            assert!((content.len() > 2 * SIZE_CHECK_BYTES) == (players > 1000), "{}", content.len());
            let inode = fs::metadata(&path).unwrap().ino();
            let kept = compact_below(0, &path, &Settings::default(), NOW, &|_, _| ()).unwrap();
            let now = size(&path).unwrap();
            assert_eq!(kept, Compacted { before: now, after: now });
            assert_eq!(fs::metadata(&path).unwrap().ino(), inode, "it is the same folder");
            assert_eq!(names(folder.path()), ["store", "store.lock"]);
            assert!(!is_marked(&path));
            assert_eq!(export(&SledStore::open(&path, &Settings::default()).unwrap()), content);
        }
    }

    #[test]
    fn the_old_store_is_kept_where_the_new_one_would_be_as_large() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("store");
        filled(&path, 10);
        let settings = Settings::default();
        let Compacted { after, .. } = compact(&path, &settings, NOW, &|_, _| ()).unwrap();
        let inode = fs::metadata(&path).unwrap().ino();
        let again = compact_below(after, &path, &settings, NOW, &|_, _| ()).unwrap();
        assert_eq!(again.before, again.after);
        assert_eq!(fs::metadata(&path).unwrap().ino(), inode);
    }

    /// Each state that an interrupted compaction can leave, and whether the new store is used afterwards.
    #[test]
    fn whatever_a_compaction_leaves_the_next_opening_goes_on_with_one_store_and_removes_the_rest() {
        // The name of each folder, if it exists, and whether it has a mark.
        type Left = (Option<&'static str>, bool);
        let states: [(&str, Left, Left, bool); 8] = [
            ("the new store grows", (Some("store"), false), (Some("store.new"), true), false),
            ("the old one is marked", (Some("store"), true), (Some("store.new"), true), false),
            ("the old one is aside", (Some("store.old"), true), (Some("store.new"), true), false),
            ("the new one is in place", (Some("store.old"), true), (Some("store"), true), true),
            ("its mark is taken out", (Some("store.old"), true), (Some("store"), false), true),
            ("undone, all but a mark", (Some("store"), true), (None, false), false),
            (
                "the old one is aside, before there were marks",
                (Some("store.old"), false),
                (Some("store.new"), false),
                false,
            ),
            ("done", (None, false), (Some("store"), false), true),
        ];
        for (state, old, new, new_is_used) in states {
            let folder = tempfile::tempdir().unwrap();
            let mut contents = Vec::new();
            for (name, marked) in [old, new] {
                let path = folder.path().join(format!("made{}", contents.len()));
                contents.push(filled(&path, 1 + contents.len()));
                match name {
                    Some(name) => fs::rename(&path, folder.path().join(name)).unwrap(),
                    None => fs::remove_dir_all(&path).unwrap(),
                }
                if let (Some(name), true) = (name, marked) {
                    mark(&folder.path().join(name)).unwrap();
                }
                fs::remove_file(beside(&path, "lock")).unwrap();
            }
            let path = folder.path().join("store");
            assert!(SledStore::exists(&path), "{state}");
            let store = SledStore::open(&path, &Settings::default()).unwrap();
            assert_eq!(export(&store), contents[usize::from(new_is_used)], "{state}");
            assert!(!is_marked(&path), "{state}");
            drop(store);
            let without_marks = ["store", "store.lock", "store.new"];
            let expected = if old.0 == Some("store.old") && !old.1 { &without_marks[..] } else { &without_marks[..2] };
            assert_eq!(names(folder.path()), expected, "{state}");
        }
    }

    #[test]
    fn an_empty_folder_that_a_compaction_may_have_left_is_removed() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("store");
        filled(&path, 1);
        let old = beside(&path, "old");
        fs::create_dir(&old).unwrap();
        drop(SledStore::open(&path, &Settings::default()).unwrap());
        assert!(!old.exists());
    }
}
