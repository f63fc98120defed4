//! Embedded store, on sled: [`SledStore`].
//!
//! `trees` documents the layout. `commit` is the write path: queue, group commit, journal. `read`, `list` and
//! `inline_read` read whole, durable commits. `open` checks that the store is intact. `bulk` works on a whole store:
//! export, import, compaction, verification.

mod bulk;
mod commit;
mod index;
mod inline_read;
mod list;
mod lock;
mod open;
mod ports;
mod read;
mod sweep;
mod trees;

pub use super::export_format::{ExportError, ImportError};
pub use super::observer::{Commit, Observer};
pub use super::verify_report::{Judge, Verified, VerifiedCounts};
pub use bulk::compact::{CompactError, Compacted, compact};
pub use open::OpenError;

use super::{keys, private_files};
use crate::games::ports::StoreError;
use bulk::compact;
use commit::committer::{Committer, Shared};
use commit::disk_space::DiskSpace;
use commit::queue::{CommitContext, Pending, Queue};
use commit::{commit_watermark, reopen};
use inline_read::InlineReads;
use lock::Lock;
use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError, RwLock};
use trees::{JobError, Trees};

/// What else the data folder holds: signing keys and the admin socket.
const DATA_FOLDER_NAMES: [&str; 2] = ["keys", "admin.sock"];

#[derive(Clone, Debug)]
pub struct Settings {
    /// Memory for sled's page cache, in bytes.
    pub cache_capacity: u64,
    /// Size of the journal at which sled is flushed, in bytes.
    pub journal_capacity: usize,
    /// How many writes may wait; further ones are refused.
    pub queue_capacity: usize,
    /// Whether opening compares the newest heads with their last steps. Only `verify` turns this off, because it checks
    /// all of them itself.
    pub check_heads: bool,
    /// Free disk space below which writes are refused, in bytes; 0 disables the check.
    pub min_free_bytes: u64,
    /// Called for every commit.
    pub observer: Observer,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            cache_capacity: 64 << 20,
            journal_capacity: 8 << 20,
            queue_capacity: 4096,
            check_heads: true,
            min_free_bytes: 0,
            observer: Observer::default(),
        }
    }
}

/// Games, players and sign-ins in one folder.
pub struct SledStore {
    folder: PathBuf,
    settings: Settings,
    /// `None` while the store is reopened after a full disk.
    shared: RwLock<Option<Arc<Shared>>>,
    committer: Mutex<Option<Committer>>,
    closed: AtomicBool,
    /// Whether the commit watermark existed at each opening.
    had_watermark: AtomicBool,
    inline_reads: InlineReads,
    /// Dropped last, so that the next owner finds everything closed.
    _lock: Arc<Lock>,
}

impl SledStore {
    /// Whether a folder has a store, or an unfinished compaction has left one beside it.
    pub fn exists(folder: &Path) -> bool {
        folder.is_dir() || compact::is_swap_interrupted(folder)
    }

    /// Opens the store in a folder; creates it if it does not exist.
    pub fn open(folder: &Path, settings: &Settings) -> Result<Arc<SledStore>, OpenError> {
        if let Some(parent) = folder.parent() {
            commit_watermark::create_folder(parent).map_err(OpenError::io("creating", parent))?;
            restrict_data(parent, folder);
        }
        Self::open_owned(Arc::new(Lock::take(folder)?), folder, settings)
    }

    /// Opens the store under a lock the caller holds; undoes an unfinished compaction first.
    fn open_owned(lock: Arc<Lock>, folder: &Path, settings: &Settings) -> Result<Arc<SledStore>, OpenError> {
        compact::undo_unfinished(folder)?;
        let store = Self::open_locked(lock, folder, settings)?;
        if settings.check_heads {
            compact::remove_old(folder);
        }
        Ok(store)
    }

    fn open_locked(lock: Arc<Lock>, folder: &Path, settings: &Settings) -> Result<Arc<SledStore>, OpenError> {
        let store = Arc::new(SledStore {
            folder: folder.to_owned(),
            settings: settings.clone(),
            shared: RwLock::default(),
            committer: Mutex::default(),
            closed: AtomicBool::new(false),
            had_watermark: AtomicBool::new(true),
            inline_reads: InlineReads::default(),
            _lock: lock,
        });
        let mut committer = store.committer.lock().unwrap_or_else(PoisonError::into_inner);
        *committer = Some(store.start()?);
        drop(committer);
        Ok(store)
    }

    /// Opens sled's files and starts the committer.
    fn start(self: &Arc<Self>) -> Result<Committer, OpenError> {
        let (folder, settings) = (&self.folder, &self.settings);
        let opened = open::open(folder, settings)?;
        self.had_watermark.fetch_and(opened.had_watermark, Ordering::SeqCst);
        let disk_space = DiskSpace::new(folder, settings.min_free_bytes);
        let queue = Queue::new(settings.queue_capacity);
        let shared = Arc::new(Shared::new(opened.trees, queue, disk_space, opened.commit));
        let files = (opened.journal, opened.watermark);
        let reopening = reopen::task(self);
        let committer = Committer::start(&shared, files, opened.config, (settings.observer.clone(), reopening));
        let committer = committer.map_err(OpenError::io("starting the threads of", folder))?;
        *self.shared.write().unwrap_or_else(PoisonError::into_inner) = Some(shared);
        Ok(committer)
    }

    /// The state shared by readers and writers; fails while the store is being reopened.
    fn shared(&self) -> Result<Arc<Shared>, StoreError> {
        let shared = self.shared.read().unwrap_or_else(PoisonError::into_inner);
        shared.clone().ok_or_else(|| StoreError::Unavailable("the store is being reopened".to_owned()))
    }

    /// Commits what is queued, refuses further writes, and records the last commit number. Blocks. Dropping the store
    /// does the same.
    pub fn close(&self) {
        self.closed.store(true, Ordering::SeqCst);
        // Taken first, so that the store is not reopened meanwhile.
        let mut committer = self.committer.lock().unwrap_or_else(PoisonError::into_inner);
        let shared = self.shared();
        if let Ok(shared) = &shared {
            shared.queue.close("the store is closed");
        }
        let watermark = committer.take().and_then(Committer::join);
        if let (Some(mut watermark), Ok(shared)) = (watermark, shared)
            && let Err(error) = watermark.replace(shared.commit())
        {
            tracing::warn!("the file commit-number could not be written: {error}");
        }
    }

    /// Number of the newest durable commit. An export that starts now contains everything up to it.
    pub fn commit(&self) -> u64 {
        self.shared().map_or(0, |shared| shared.commit())
    }

    /// Queues a write immediately, unless the disk is nearly full.
    fn write<W, T>(&self, work: W) -> Pending<T>
    where
        W: Fn(&mut CommitContext) -> Result<T, JobError> + Send + 'static,
        T: Send + 'static,
    {
        match self.shared().and_then(|shared| shared.disk_space.check()) {
            Ok(()) => self.write_regardless(work),
            Err(error) => Pending::refused(error),
        }
    }

    /// Queues a write immediately, even if the disk is nearly full.
    fn write_regardless<W, T>(&self, work: W) -> Pending<T>
    where
        W: Fn(&mut CommitContext) -> Result<T, JobError> + Send + 'static,
        T: Send + 'static,
    {
        match self.shared() {
            Ok(shared) => shared.queue.push(work),
            Err(closed) => Pending::refused(closed),
        }
    }

    /// Reads values of one commit on a thread that may block.
    async fn read<T, R>(&self, read: R) -> Result<T, StoreError>
    where
        T: Send + 'static,
        R: FnOnce(&Trees) -> Result<T, StoreError> + Send + 'static,
    {
        let shared = self.shared()?;
        let reading = tokio::task::spawn_blocking(move || {
            let result = shared.read_between_commits(read);
            shared.check().and(result)
        });
        reading.await.map_err(|error| StoreError::Corrupt(format!("reading failed: {error}")))?
    }
}

/// Makes the data folder private too, if it contains nothing but our files.
fn restrict_data(data: &Path, store: &Path) {
    let is_ours = |name: &OsStr| {
        let store = store.file_name().unwrap_or_default().as_encoded_bytes();
        name.as_encoded_bytes().starts_with(store) || DATA_FOLDER_NAMES.iter().any(|known| name == *known)
    };
    let mut names = fs::read_dir(data).into_iter().flatten().flatten().map(|entry| entry.file_name()).peekable();
    if names.peek().is_some()
        && names.all(|name| is_ours(&name))
        && let Err(error) = private_files::restrict(data)
    {
        tracing::warn!(path = %data.display(), %error, "other users of this machine can list the data folder");
    }
}

impl Drop for SledStore {
    fn drop(&mut self) {
        self.close();
    }
}
