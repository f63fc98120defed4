//! Gives disk space back, which sled never does by itself: the store is exported into a new one, and the two change
//! places, if the new one is smaller.
//!
//! At every moment there is a whole store to go on with, and only one. A crash after any of these steps leaves to the next
//! opening what is said there:
//! 1. `<folder>.new` is created, with an empty file [`MARK`] in it, and the new store grows there. It is removed, by whoever
//!    finds it: the compaction that failed or found it larger, or the next opening ([`remove_unfinished`]).
//! 2. Once the new store is complete, verified (by the import) and durable, the old one gets a mark too. The next opening
//!    removes the new one, and then the mark.
//! 3. The old one is renamed to `<folder>.old`. Nothing is in its place then, and the next opening puts it back.
//! 4. The new one is renamed into the old place. It is in use from here on; the next opening takes the mark out of it, and
//!    removes the old one, once it has found the new one whole ([`remove_old`]).
//! 5. The mark is taken out of the new one, and the old one is removed.
//!
//! Only what has a mark is ever removed: a folder of that name without one may be somebody's only copy. Removing takes the
//! mark last.
//!
//! The folder's lock is held from beginning to end, so that nobody opens the store while it has no place.

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

/// The file by which a folder is known to be of a compaction, and no longer needed unless it is in the store's place.
const MARK: &str = "compaction";
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
    #[error(
        "{} is in the way, and was not made by a compaction; move it to another name, or remove it if nobody needs it",
        .0.display()
    )]
    InTheWay(PathBuf),
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
    compact_below(u64::MAX, folder, settings, now, progress)
}

/// The same, where the new store must also take less than `most` bytes.
fn compact_below(
    most: u64,
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
    let most = most.min(before);
    let written = write_new(&store, &new, &lock, settings, &CompactionLimits { most, now, progress });
    store.close();
    drop(store);
    let after = match written {
        Ok(Some(after)) if after < most => after,
        kept => {
            clear_away(&new);
            kept?;
            // Closing may have written something.
            let size = size(folder)?;
            return Ok(Compacted { before: size, after: size });
        }
    };
    swap(folder, &new, &old).inspect_err(|_| {
        if let Err(error) = remove_unfinished(folder) {
            tracing::warn!("a compaction that failed could not be undone: {error}");
        }
    })?;
    clear_away(&old);
    Ok(Compacted { before, after })
}

/// Puts the new store into the old one's place.
fn swap(folder: &Path, new: &Path, old: &Path) -> io::Result<()> {
    mark(folder)?;
    fs::rename(folder, old)?;
    sync_parent(folder)?;
    fs::rename(new, folder)?;
    sync_parent(folder)?;
    unmark(folder)
}

/// Refuses if the new store may not fit beside the old one. It hardly needs more than the old one takes, because a larger
/// one is given up.
fn check_room(store: &SledStore, folder: &Path, before: u64, settings: &Settings) -> Result<(), CompactError> {
    let shared = store.shared()?;
    let trees = &shared.trees;
    let live = catch_sled_panic(|| Ok(trees.live())).map_err(StoreError::Corrupt)??;
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
struct CompactionLimits<'a> {
    /// How many bytes the new store may take at most.
    most: u64,
    now: Instant,
    progress: &'a (dyn Fn(u64, Option<u64>) + Sync),
}

/// Writes the new store, durably, and tells its size; nothing if it outgrew the old one on the way.
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
    // sled has all that the import noted there.
    Journal::clear(new)?;
    Ok(Some(size(new)?))
}

/// Exports one store straight into another; `false` if that was given up because it grew too large.
fn copy(from: &SledStore, to: &SledStore, new: &Path, limits: &CompactionLimits) -> Result<bool, CompactError> {
    let (reader, writer) = io::pipe()?;
    let (written, read) = thread::scope(|scope| {
        let exporting = scope.spawn(move || {
            let mut out = Watched { out: writer, new, most: limits.most, unlooked: 0, outgrown: false };
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
pub(in crate::store::sled) fn remove_unfinished(folder: &Path) -> Result<(), OpenError> {
    let (new, old) = (beside(folder, "new"), beside(folder, "old"));
    if is_aside(folder) {
        tracing::warn!("a compaction did not finish; going on with the store as it was before");
        fs::rename(&old, folder).map_err(OpenError::io("putting back", &old))?;
        sync_parent(folder).map_err(OpenError::io("syncing", folder))?;
    }
    if folder.exists() {
        clear_away(&new);
        unmark(folder).map_err(OpenError::io("taking the mark of a compaction out of", folder))?;
    }
    Ok(())
}

/// Whether a compaction ended between taking the old store away and putting the new one there. Earlier builds made no
/// marks, but at that moment there were always both.
pub(in crate::store::sled) fn is_aside(folder: &Path) -> bool {
    let (new, old) = (beside(folder, "new"), beside(folder, "old"));
    !folder.exists() && (is_marked(&old) || (old.exists() && new.exists()))
}

/// Removes the old store that a compaction left behind, now that the new one was found whole.
pub(in crate::store::sled) fn remove_old(folder: &Path) {
    clear_away(&beside(folder, "old"));
}

/// Removes what a compaction made, and nothing that somebody else put there. What can't be removed only takes room.
fn clear_away(path: &Path) {
    let removed = if is_marked(path) {
        tracing::info!(folder = %path.display(), "removing what a compaction has left");
        remove(path)
    } else if !path.exists() {
        Ok(())
    } else if fs::remove_dir(path).is_ok() {
        // Empty: a compaction ended just before the mark was there, or just after it was gone.
        sync_parent(path)
    } else {
        tracing::warn!(folder = %path.display(), "left alone, because it was not made by a compaction");
        Ok(())
    };
    if let Err(error) = removed {
        tracing::warn!(folder = %path.display(), %error, "what a compaction left can't be removed");
    }
}

fn is_marked(folder: &Path) -> bool {
    folder.join(MARK).exists()
}

fn mark(folder: &Path) -> io::Result<()> {
    private_files::create(&folder.join(MARK))?.sync_all()?;
    sync_folder(folder)
}

fn unmark(folder: &Path) -> io::Result<()> {
    match fs::remove_file(folder.join(MARK)) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        removed => removed.and_then(|()| sync_folder(folder)),
    }
}

/// Removes a folder, its mark last: what is left after a crash is still known for what it is.
fn remove(folder: &Path) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        if entry.file_type()?.is_dir() {
            fs::remove_dir_all(entry.path())?;
        } else if entry.file_name() != MARK {
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

    /// A closed store with so many players, and its export.
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

    /// With few players the new store is complete before it is found too large, with many it is given up on the way.
    #[test]
    fn the_old_store_is_kept_where_the_new_one_would_not_be_smaller() {
        for players in [10, 4000] {
            let folder = tempfile::tempdir().unwrap();
            let path = folder.path().join("store");
            let content = filled(&path, players);
            assert!((content.len() > 2 * LOOK_EVERY) == (players > 1000), "{}", content.len());
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

    /// As large is not smaller.
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

    /// Where a compaction stopped, what lies there then, and whether the new store is in use afterwards.
    #[test]
    fn whatever_a_compaction_leaves_the_next_opening_goes_on_with_one_store_and_removes_the_rest() {
        // What is left: the name each folder has, if it is there, and whether it is marked.
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
            assert!(SledStore::is_there(&path), "{state}");
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
