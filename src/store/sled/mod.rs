//! The embedded store, on sled: [`SledStore`].
//!
//! `trees` says what is kept where. Every write goes through the `queue` to the `committer`, which makes it durable, by
//! the `journal`, before it answers; `write` is what each one does. `read` reads whole commits, all of them durable.
//! `open` makes sure that the store is whole. `export`, `import`, `compact` and `verify` are for the command line and
//! block.

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
use trees::{Stop, Trees};

/// What lies beside the store in a data folder: signing keys, the operator's socket.
const NEIGHBOURS: [&str; 2] = ["keys", "admin.sock"];

/// What can be set about a store.
#[derive(Clone, Debug)]
pub struct Settings {
    /// How much memory sled may use for pages, in bytes.
    pub cache_capacity: u64,
    /// How large the journal may grow before sled is flushed, in bytes.
    pub journal_capacity: usize,
    /// How many writes may wait before further ones are refused.
    pub queue_capacity: usize,
    /// Whether opening compares heads with last steps. Only `verify` does without, because it does it itself.
    pub check_heads: bool,
    /// With fewer bytes than this free on the disk, writes are refused; 0 to write as long as it goes.
    pub least_free: u64,
    /// Told of every commit.
    pub observer: Observer,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            cache_capacity: 64 << 20,
            journal_capacity: 8 << 20,
            queue_capacity: 4096,
            check_heads: true,
            least_free: 0,
            observer: Observer::default(),
        }
    }
}

/// Games, players and sign-ins in a folder of their own.
pub struct SledStore {
    folder: PathBuf,
    settings: Settings,
    /// Nothing while the store is opened again after a full disk.
    shared: RwLock<Option<Arc<Shared>>>,
    committer: Mutex<Option<Committer>>,
    closed: AtomicBool,
    /// Whether there was a commit number to compare the store with when it was opened.
    is_watched: AtomicBool,
    spot: InlineReads,
    /// Dropped last: whoever gets it next finds everything closed.
    _lock: Arc<Lock>,
}

impl SledStore {
    /// Whether there is a store in a folder, or beside it where a compaction did not finish.
    pub fn is_there(folder: &Path) -> bool {
        folder.is_dir() || compact::is_aside(folder)
    }

    /// Opens the store in a folder, which is created if it is not there.
    pub fn open(folder: &Path, settings: &Settings) -> Result<Arc<SledStore>, OpenError> {
        if let Some(parent) = folder.parent() {
            commit_watermark::create_folder(parent).map_err(OpenError::io("creating", parent))?;
            restrict_data(parent, folder);
        }
        Self::open_owned(Arc::new(Lock::take(folder)?), folder, settings)
    }

    /// The same by whoever has the lock; a compaction that did not finish is undone first.
    fn open_owned(lock: Arc<Lock>, folder: &Path, settings: &Settings) -> Result<Arc<SledStore>, OpenError> {
        compact::remove_unfinished(folder)?;
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
            is_watched: AtomicBool::new(true),
            spot: InlineReads::default(),
            _lock: lock,
        });
        let mut committer = store.committer.lock().unwrap_or_else(PoisonError::into_inner);
        *committer = Some(store.start()?);
        drop(committer);
        Ok(store)
    }

    /// Opens sled's files, and starts what writes to them.
    fn start(self: &Arc<Self>) -> Result<Committer, OpenError> {
        let (folder, settings) = (&self.folder, &self.settings);
        let opened = open::open(folder, settings)?;
        self.is_watched.fetch_and(opened.is_watched, Ordering::SeqCst);
        let room = DiskSpace::new(folder, settings.least_free);
        let queue = Queue::new(settings.queue_capacity);
        let shared = Arc::new(Shared::new(opened.trees, queue, room, opened.commit));
        let noting = (opened.journal, opened.side);
        let revival = reopen::of(self);
        let committer = Committer::start(&shared, noting, opened.config, (settings.observer.clone(), revival));
        let committer = committer.map_err(OpenError::io("starting the threads of", folder))?;
        *self.shared.write().unwrap_or_else(PoisonError::into_inner) = Some(shared);
        Ok(committer)
    }

    /// What readers and writers share, while the store is open.
    fn shared(&self) -> Result<Arc<Shared>, StoreError> {
        let shared = self.shared.read().unwrap_or_else(PoisonError::into_inner);
        shared.clone().ok_or_else(|| StoreError::Unavailable("the store is being opened again".to_owned()))
    }

    /// Carries out what is queued, refuses what comes after, and notes the last commit. Blocks; dropping does it too.
    pub fn close(&self) {
        self.closed.store(true, Ordering::SeqCst);
        // First of all, so that the store is not opened again meanwhile.
        let mut committer = self.committer.lock().unwrap_or_else(PoisonError::into_inner);
        let shared = self.shared();
        if let Ok(shared) = &shared {
            shared.queue.shut("the store is closed");
        }
        let side = committer.take().and_then(Committer::join);
        if let (Some(mut side), Ok(shared)) = (side, shared)
            && let Err(error) = side.write(shared.commit())
        {
            tracing::warn!("the commit number could not be noted beside the store: {error}");
        }
    }

    /// The number of the newest durable commit. An export begun now has everything up to it.
    pub fn commit(&self) -> u64 {
        self.shared().map_or(0, |shared| shared.commit())
    }

    /// Queues some work, now, if there is room for what it writes.
    fn write<W, T>(&self, work: W) -> Pending<T>
    where
        W: Fn(&mut CommitContext) -> Result<T, Stop> + Send + 'static,
        T: Send + 'static,
    {
        match self.shared().and_then(|shared| shared.room.check()) {
            Ok(()) => self.write_regardless(work),
            Err(scarce) => Pending::refused(scarce),
        }
    }

    /// Queues some work, now, however little room is left.
    fn write_regardless<W, T>(&self, work: W) -> Pending<T>
    where
        W: Fn(&mut CommitContext) -> Result<T, Stop> + Send + 'static,
        T: Send + 'static,
    {
        match self.shared() {
            Ok(shared) => shared.queue.push(work),
            Err(closed) => Pending::refused(closed),
        }
    }

    /// Reads under one picture, off the async threads.
    async fn read<T, R>(&self, read: R) -> Result<T, StoreError>
    where
        T: Send + 'static,
        R: FnOnce(&Trees) -> Result<T, StoreError> + Send + 'static,
    {
        let shared = self.shared()?;
        let looked = tokio::task::spawn_blocking(move || {
            let result = shared.look(read);
            shared.check().and(result)
        });
        looked.await.map_err(|error| StoreError::Corrupt(format!("reading failed: {error}")))?
    }
}

/// Takes the data folder away from other users too, if it holds nothing but ours.
fn restrict_data(data: &Path, store: &Path) {
    let is_ours = |name: &OsStr| {
        let store = store.file_name().unwrap_or_default().as_encoded_bytes();
        name.as_encoded_bytes().starts_with(store) || NEIGHBOURS.iter().any(|neighbour| name == *neighbour)
    };
    let mut names = fs::read_dir(data).into_iter().flatten().flatten().map(|entry| entry.file_name()).peekable();
    if names.peek().is_some()
        && names.all(|name| is_ours(&name))
        && let Err(error) = private_files::restrict(data)
    {
        tracing::warn!(path = %data.display(), %error, "other users of this machine can look into the data folder");
    }
}

impl Drop for SledStore {
    fn drop(&mut self) {
        self.close();
    }
}
