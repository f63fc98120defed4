//! Opening: nothing is served before it is known that the store is whole, ours alone, and that its flush is durable.

use super::super::{fdatasync_interposer, private_files};
use super::commit::commit_watermark::{SideFile, create_folder, sync_folder, sync_parent};
use super::commit::journal::Journal;
use super::commit::sled_file::SledFile;
use super::lock::retry_until_deadline;
use super::trees::{Entry, SEGMENT, Tree, Trees, Tx, damaged};
use super::{Settings, keys, read};
use crate::games::ports::{Head, StoreError};
use std::fs::{self, File};
use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use uuid::Uuid;

/// The number of the layout of the store. Before 2 there were no bundles of steps and no journal, before 3 only the newest
/// snapshot of a game was kept. Stores of all earlier formats are read still.
const FORMAT: u32 = 3;
/// The first format with a journal.
const JOURNAL_SINCE: u32 = 2;
/// How many of the newest games are checked at each opening; `verify` checks all.
const CHECKED: usize = 10_000;

/// What is said of a store whose commit number is not there to be compared.
pub(super) const UNWATCHED: &str =
    "the file commit-number was missing, so that nobody can tell whether the newest moves are lost";

/// Why a store can't be opened.
#[derive(Debug, thiserror::Error)]
pub enum OpenError {
    #[error("the store in {} is in use by another process; stop that one first", .0.display())]
    InUse(PathBuf),
    #[error("{what} {}: {source}", path.display())]
    Io { what: &'static str, path: PathBuf, source: io::Error },
    #[error("the store can't be read: {0}; restore a backup, or copy the folder away before trying anything on it")]
    Damaged(String),
    #[error(
        "the store has lost something: it stands at commit {found}, but {expected} was reached; its files, or a part of \
         the journal, are missing or older than the rest. Put the missing files back, or restore a backup; to go on with \
         what is left, remove the files commit-number and journal in {} and start again", folder.display()
    )]
    RolledBack { found: u64, expected: u64, folder: PathBuf },
    #[error(
        "the file journal is missing in {}, so that the newest moves may be lost; put it back, or restore a backup; to go \
         on with what is left, remove the file commit-number too and start again", .0.display()
    )]
    NoJournal(PathBuf),
    #[error("the store is of format {0}, which is newer than this program; use the program that wrote it, or newer")]
    NewerFormat(u32),
    #[error("an import into this store did not finish; remove the folder {} and import again", .0.display())]
    Unfinished(PathBuf),
    #[error("flushing the store does not reach the disk with this build, so nothing it acknowledges would be safe")]
    NotDurable,
}

impl OpenError {
    /// Makes an I/O error say what was being done, and to what.
    pub(super) fn io(what: &'static str, path: &Path) -> impl FnOnce(io::Error) -> OpenError {
        let path = path.to_owned();
        move |source| OpenError::Io { what, path, source }
    }
}

impl From<StoreError> for OpenError {
    fn from(error: StoreError) -> Self {
        OpenError::Damaged(error.to_string())
    }
}

/// A store that was found whole, and the number of its last commit.
pub(super) struct Opened {
    pub(super) trees: Trees,
    pub(super) config: ::sled::Config,
    pub(super) journal: Journal,
    pub(super) side: SideFile,
    pub(super) commit: u64,
    /// Whether there was a commit number to compare it with, or no commit yet.
    pub(super) is_watched: bool,
}

/// Opens the store in a folder of which the caller has the lock.
pub(super) fn open(folder: &Path, settings: &Settings) -> Result<Opened, OpenError> {
    create_folder(folder).map_err(OpenError::io("creating", folder))?;
    private_files::restrict_all(folder);
    let mut side = SideFile::read(folder).map_err(OpenError::io("reading the commit number in", folder))?;
    let config = ::sled::Config::new().path(folder).cache_capacity(settings.cache_capacity).segment_size(SEGMENT);
    let trees = open_trees(folder, &config)?;
    let format = catch_sled_panic(|| Ok(check_format(&trees)))??;
    // Both names are durable from the first opening on, this one before the number is. Without either, an operator has
    // decided to go on with what is left.
    if format >= JOURNAL_SINCE && side.commit() > 0 && !Journal::is_there(folder) {
        return Err(OpenError::NoJournal(folder.to_owned()));
    }
    let mut journal =
        Journal::open(folder, settings.journal_capacity).map_err(OpenError::io("opening the journal in", folder))?;
    let found = catch_sled_panic(|| Ok(catch_up(&trees, &mut journal, &side, folder)))??;
    // The first commit is made by the first opening, just before its number is noted.
    let is_watched = side.commit() > 0 || found <= 1;
    if !is_watched {
        tracing::warn!(folder = %folder.display(), "{UNWATCHED}");
    }
    if trees.contains(Tree::Meta, keys::IMPORTING)? {
        return Err(OpenError::Unfinished(folder.to_owned()));
    }
    sync_names(folder)?;
    let commit = check_flush(&trees)?;
    if settings.check_heads {
        catch_sled_panic(|| Ok(check_heads(&trees)))??;
    }
    side.write(commit).map_err(OpenError::io("noting the commit number in", folder))?;
    // sled has created files of its own.
    private_files::restrict_all(folder);
    Ok(Opened { trees, config, journal, side, commit, is_watched })
}

/// Opens sled, once more without those of its own snapshots that are broken: they only save it time.
fn open_trees(folder: &Path, config: &::sled::Config) -> Result<Trees, OpenError> {
    let log = Arc::new(SledFile::open(folder).map_err(OpenError::io("syncing the store in", folder))?);
    let attempt = || {
        retry_until_deadline(|| match catch_sled_panic(|| Trees::open(&config.open()?, &log)) {
            // The lock outlives the last owner a little.
            Err(error) if error.contains("could not acquire lock") => None,
            other => Some(other),
        })
    };
    match attempt() {
        Some(Ok(trees)) => return Ok(trees),
        Some(Err(error)) if move_broken_snapshots(folder)? => {
            tracing::warn!("sled could not start ({error}); a broken snapshot was moved aside, trying without it");
        }
        Some(Err(error)) => return Err(OpenError::Damaged(error)),
        None => return Err(OpenError::InUse(folder.to_owned())),
    }
    attempt().unwrap_or_else(|| Err("the lock was lost".to_owned())).map_err(OpenError::Damaged)
}

/// sled panics on some kinds of damage; here that is one more error.
pub(super) fn catch_sled_panic<T>(work: impl FnOnce() -> Result<T, ::sled::Error>) -> Result<T, String> {
    match catch_unwind(AssertUnwindSafe(work)) {
        Ok(result) => result.map_err(|error| error.to_string()),
        Err(_) => Err("sled panicked on what it found in its files".to_owned()),
    }
}

impl From<String> for OpenError {
    fn from(damage: String) -> Self {
        OpenError::Damaged(damage)
    }
}

/// Renames every broken `snap.*` so that sled no longer sees it. Nothing is deleted.
fn move_broken_snapshots(folder: &Path) -> Result<bool, OpenError> {
    let mut moved = false;
    for entry in fs::read_dir(folder).map_err(OpenError::io("listing", folder))? {
        let path = entry.map_err(OpenError::io("listing", folder))?.path();
        let Some(name) = path.file_name().and_then(|name| name.to_str()) else { continue };
        if name.starts_with("snap.") && !is_whole(&fs::read(&path).map_err(OpenError::io("reading", &path))?) {
            let aside = folder.join(format!("broken-{}-{name}", Uuid::now_v7().simple()));
            fs::rename(&path, aside).map_err(OpenError::io("moving aside", &path))?;
            moved = true;
        }
    }
    Ok(moved)
}

/// sled ends a snapshot with its length (8 bytes) and a CRC-32 (4 bytes) of all before the two.
fn is_whole(snapshot: &[u8]) -> bool {
    let Some((rest, checksum)) = snapshot.split_last_chunk::<4>() else { return false };
    let Some((content, _)) = rest.split_last_chunk::<8>() else { return false };
    !content.is_empty() && crc32fast::hash(content).to_le_bytes() == *checksum
}

/// The format of a store that this program may write to; 0 of one that is new.
fn check_format(trees: &Trees) -> Result<u32, OpenError> {
    match trees.get::<u32>(Tree::Meta, keys::FORMAT)? {
        Some(format @ 1..=FORMAT) => Ok(format),
        Some(other) => Err(OpenError::NewerFormat(other)),
        None if Tree::ALL.iter().all(|tree| trees.is_empty(*tree).unwrap_or(false)) => Ok(0),
        None => Err(OpenError::Damaged("it has content but no format number".to_owned())),
    }
}

/// Writes again what sled had not flushed. Then nothing may be missing that was there once. Tells the last commit.
fn catch_up(trees: &Trees, journal: &mut Journal, side: &SideFile, folder: &Path) -> Result<u64, OpenError> {
    let flushed = trees.get::<u64>(Tree::Meta, keys::COMMIT)?.unwrap_or(0);
    let (found, before) = journal.replay(trees, flushed)?;
    let expected = before.max(side.commit());
    if found < expected {
        return Err(OpenError::RolledBack { found, expected, folder: folder.to_owned() });
    }
    Ok(found)
}

/// sled creates files and folders without syncing their names. The folder's own may be that of a program that was killed
/// before it could sync it.
fn sync_names(folder: &Path) -> Result<(), OpenError> {
    let conf = folder.join("conf");
    File::open(&conf).and_then(|file| file.sync_all()).map_err(OpenError::io("syncing", &conf))?;
    let blobs = folder.join("blobs");
    sync_folder(&blobs).map_err(OpenError::io("syncing", &blobs))?;
    sync_folder(folder).and_then(|()| sync_parent(folder)).map_err(OpenError::io("syncing", folder))
}

/// One commit, whose flush must be a real one. It takes along what was written again from the journal, which begins anew
/// with the next.
fn check_flush(trees: &Trees) -> Result<u64, OpenError> {
    let commit = trees.get::<u64>(Tree::Meta, keys::COMMIT)?.unwrap_or(0) + 1;
    let tx = Tx::new(trees);
    tx.put(&Entry::new(Tree::Meta, keys::FORMAT, &FORMAT)?);
    tx.put(&Entry::new(Tree::Meta, keys::COMMIT, &commit)?);
    let changes = tx.into_changes();
    let write = || trees.apply(&changes).and_then(|()| trees.flush());
    match catch_sled_panic(|| fdatasync_interposer::self_check(write))? {
        ((), true) => Ok(commit),
        ((), false) => Err(OpenError::NotDurable),
    }
}

/// The head of each of the newest games tells the version of its last step.
fn check_heads(trees: &Trees) -> Result<(), OpenError> {
    for entry in trees.raw(Tree::Heads).iter().rev().take(CHECKED) {
        let (key, value) = entry.map_err(damaged)?;
        let head: Head = Tree::Heads.decode(&key, &value)?;
        let game = keys::game_at(&key).ok_or_else(|| Tree::Heads.place(&key).corrupt("no game id"))?;
        let last = read::steps(trees, game, head.version.saturating_sub(1), 2)?;
        if last.len() != 1 {
            return Err(Tree::Heads.place(&key).corrupt("the head does not match the last step").into());
        }
    }
    Ok(())
}
