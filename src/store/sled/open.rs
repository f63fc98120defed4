//! Opening the store: before anything is served, checks that its files are intact, that no other process has them open,
//! and that a flush reaches the disk.

use super::super::{fdatasync_interposer, private_files};
use super::commit::commit_watermark::{CommitWatermark, create_folder, sync_folder, sync_parent};
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

/// Version of the store's layout. Version 2 added step bundles and the journal; version 3 added kept snapshots beside
/// the newest one. All earlier versions can still be read.
const FORMAT: u32 = 3;
const FIRST_FORMAT_WITH_JOURNAL: u32 = 2;
/// How many of the newest games each opening checks; `verify` checks all.
const HEADS_CHECKED: usize = 10_000;

pub(super) const WATERMARK_MISSING: &str =
    "the file commit-number was missing, so it is unknown whether the newest moves are lost";

#[derive(Debug, thiserror::Error)]
pub enum OpenError {
    #[error("the store in {} is in use by another process; stop that one first", .0.display())]
    InUse(PathBuf),
    #[error("{what} {}: {source}", path.display())]
    Io { what: &'static str, path: PathBuf, source: io::Error },
    #[error("the store can't be read: {0}; restore a backup, or copy the folder before you try anything else")]
    Damaged(String),
    #[error(
        "the store has lost commits: it has those up to {found}, but {expected} was reached; its files, or a part of the \
         journal, are missing or older than the rest. Put the missing files back, or restore a backup; to continue with \
         what is left, remove the files commit-number and journal in {} and start again", folder.display()
    )]
    RolledBack { found: u64, expected: u64, folder: PathBuf },
    #[error(
        "the file journal is missing in {}, so the newest moves may be lost; put it back, or restore a backup; to continue \
         with what is left, remove the file commit-number too and start again", .0.display()
    )]
    NoJournal(PathBuf),
    #[error("the store is of format {0}, which is newer than this program; use the program that wrote it, or newer")]
    NewerFormat(u32),
    #[error("an import into this store did not finish; remove the folder {} and import again", .0.display())]
    Unfinished(PathBuf),
    #[error("in this build, flushing the store does not reach the disk, so nothing it acknowledges would be durable")]
    NotDurable,
}

impl OpenError {
    /// Adds what was being done, and to which path, to an I/O error.
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

/// A store that was found intact, and the number of its last commit.
pub(super) struct Opened {
    pub(super) trees: Trees,
    pub(super) config: ::sled::Config,
    pub(super) journal: Journal,
    pub(super) watermark: CommitWatermark,
    pub(super) commit: u64,
    /// Whether there was a commit watermark, or no commit yet.
    pub(super) had_watermark: bool,
}

/// Opens the store in a folder whose lock the caller holds.
pub(super) fn open(folder: &Path, settings: &Settings) -> Result<Opened, OpenError> {
    create_folder(folder).map_err(OpenError::io("creating", folder))?;
    private_files::restrict_all(folder);
    let mut watermark = CommitWatermark::read(folder).map_err(OpenError::io("reading the commit number in", folder))?;
    let config = ::sled::Config::new().path(folder).cache_capacity(settings.cache_capacity).segment_size(SEGMENT);
    let trees = open_trees(folder, &config)?;
    let format = catch_sled_panic(|| Ok(check_format(&trees)))??;
    // The first opening makes the directory entry of the journal durable before that of the watermark. So if only the
    // journal is missing, it was lost. If neither file exists, an operator has decided to continue with what is left.
    if format >= FIRST_FORMAT_WITH_JOURNAL && watermark.commit() > 0 && !Journal::exists(folder) {
        return Err(OpenError::NoJournal(folder.to_owned()));
    }
    let mut journal =
        Journal::open(folder, settings.journal_capacity).map_err(OpenError::io("opening the journal in", folder))?;
    let found = catch_sled_panic(|| Ok(replay_journal(&trees, &mut journal, &watermark, folder)))??;
    // The first opening makes the first commit just before it writes the watermark.
    let had_watermark = watermark.commit() > 0 || found <= 1;
    if !had_watermark {
        tracing::warn!(folder = %folder.display(), "{WATERMARK_MISSING}");
    }
    if trees.contains(Tree::Meta, keys::IMPORTING)? {
        return Err(OpenError::Unfinished(folder.to_owned()));
    }
    sync_names(folder)?;
    let commit = check_flush(&trees)?;
    if settings.check_heads {
        catch_sled_panic(|| Ok(check_heads(&trees)))??;
    }
    watermark.replace(commit).map_err(OpenError::io("writing the commit number in", folder))?;
    // sled has created files of its own.
    private_files::restrict_all(folder);
    Ok(Opened { trees, config, journal, watermark, commit, had_watermark })
}

/// Opens sled. If that fails, tries again without sled's own snapshots that are broken: they only save it time.
fn open_trees(folder: &Path, config: &::sled::Config) -> Result<Trees, OpenError> {
    let file = Arc::new(SledFile::open(folder).map_err(OpenError::io("syncing the store in", folder))?);
    let attempt = || {
        retry_until_deadline(|| match catch_sled_panic(|| Trees::open(&config.open()?, &file)) {
            // sled's lock may outlive its last owner for a short time.
            Err(error) if error.contains("could not acquire lock") => None,
            other => Some(other),
        })
    };
    match attempt() {
        Some(Ok(trees)) => return Ok(trees),
        Some(Err(error)) if move_broken_snapshots(folder)? => {
            tracing::warn!("sled could not start ({error}); a broken snapshot of sled was renamed, trying without it");
        }
        Some(Err(error)) => return Err(OpenError::Damaged(error)),
        None => return Err(OpenError::InUse(folder.to_owned())),
    }
    attempt().unwrap_or_else(|| Err("sled's lock could not be acquired again".to_owned())).map_err(OpenError::Damaged)
}

/// Turns a panic of sled, which some kinds of damage cause, into an error.
pub(super) fn catch_sled_panic<T>(work: impl FnOnce() -> Result<T, ::sled::Error>) -> Result<T, String> {
    match catch_unwind(AssertUnwindSafe(work)) {
        Ok(result) => result.map_err(|error| error.to_string()),
        Err(_) => Err("sled panicked while it read or wrote its files".to_owned()),
    }
}

impl From<String> for OpenError {
    fn from(damage: String) -> Self {
        OpenError::Damaged(damage)
    }
}

/// Renames every broken `snap.*`, so that sled ignores it. Deletes nothing.
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

/// A snapshot of sled ends with its length (8 bytes) and a CRC-32 (4 bytes) of everything before both.
fn is_whole(snapshot: &[u8]) -> bool {
    let Some((rest, checksum)) = snapshot.split_last_chunk::<4>() else { return false };
    let Some((content, _)) = rest.split_last_chunk::<8>() else { return false };
    !content.is_empty() && crc32fast::hash(content).to_le_bytes() == *checksum
}

/// The store's format; 0 for a new store. Fails if the format is newer than this program, or if a store with content
/// has no format number.
fn check_format(trees: &Trees) -> Result<u32, OpenError> {
    match trees.get::<u32>(Tree::Meta, keys::FORMAT)? {
        Some(format @ 1..=FORMAT) => Ok(format),
        Some(other) => Err(OpenError::NewerFormat(other)),
        None if Tree::ALL.iter().all(|tree| trees.is_empty(*tree).unwrap_or(false)) => Ok(0),
        None => Err(OpenError::Damaged("it has content but no format number".to_owned())),
    }
}

/// Replays what sled had not flushed, and checks that no commit is missing. Returns the last commit.
fn replay_journal(
    trees: &Trees,
    journal: &mut Journal,
    watermark: &CommitWatermark,
    folder: &Path,
) -> Result<u64, OpenError> {
    let flushed = trees.get::<u64>(Tree::Meta, keys::COMMIT)?.unwrap_or(0);
    let (found, before) = journal.replay(trees, flushed)?;
    let expected = before.max(watermark.commit());
    if found < expected {
        return Err(OpenError::RolledBack { found, expected, folder: folder.to_owned() });
    }
    Ok(found)
}

/// Syncs directory entries: sled creates files and folders without syncing their names, and a killed process may have
/// created the store's folder without syncing its name.
fn sync_names(folder: &Path) -> Result<(), OpenError> {
    let conf = folder.join("conf");
    File::open(&conf).and_then(|file| file.sync_all()).map_err(OpenError::io("syncing", &conf))?;
    let blobs = folder.join("blobs");
    sync_folder(&blobs).map_err(OpenError::io("syncing", &blobs))?;
    sync_folder(folder).and_then(|()| sync_parent(folder)).map_err(OpenError::io("syncing", folder))
}

/// Makes one commit and checks that its flush reaches `fdatasync`. The flush covers what was replayed too, so the
/// journal can start again at offset 0.
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

/// Checks that the newest heads have the version of their last step.
fn check_heads(trees: &Trees) -> Result<(), OpenError> {
    for entry in trees.raw(Tree::Heads).iter().rev().take(HEADS_CHECKED) {
        let (key, value) = entry.map_err(damaged)?;
        let head: Head = Tree::Heads.decode(&key, &value)?;
        let game = keys::read_game(&key).ok_or_else(|| Tree::Heads.storage_key(&key).corrupt("not a game id"))?;
        let last = read::steps(trees, game, head.version.saturating_sub(1), 2)?;
        if last.len() != 1 {
            return Err(Tree::Heads.storage_key(&key).corrupt("the head does not match the last step").into());
        }
    }
    Ok(())
}
