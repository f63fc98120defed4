//! The embedded store, on sled: [`SledStore`].
//!
//! `trees` says what is kept where. Every write goes through the `queue` to the `committer`, which makes it durable, by
//! the `journal`, before it answers; `write` is what each one does. `read` reads whole commits, all of them durable.
//! `open` makes sure that the store is whole. `export`, `import`, `compact` and `verify` are for the command line and
//! block.

mod bundle;
mod committer;
mod compact;
mod export;
mod import;
mod index;
mod journal;
mod list;
mod lock;
mod log;
mod open;
mod ports;
mod queue;
mod read;
mod room;
mod side;
mod spot;
mod sweep;
mod trees;
mod verify;
mod write;

pub use super::observer::{Commit, Observer};
pub use super::transfer::{ExportError, ImportError};
pub use super::verified::{Counts, Judge, Verified};
pub use compact::{CompactError, Compacted, compact};
pub use open::OpenError;

use super::keys;
use crate::games::ports::StoreError;
use committer::{Committer, Shared};
use lock::Lock;
use queue::{Pending, Queue, Turn};
use room::Room;
use spot::Spot;
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};
use trees::{Stop, Trees};

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
    shared: Arc<Shared>,
    committer: Mutex<Option<Committer>>,
    spot: Spot,
    /// Dropped last: whoever gets it next finds everything closed.
    _lock: Arc<Lock>,
}

impl SledStore {
    /// Opens the store in a folder, which is created if it is not there.
    pub fn open(folder: &Path, settings: &Settings) -> Result<Arc<SledStore>, OpenError> {
        if let Some(parent) = folder.parent() {
            side::create_folder(parent).map_err(OpenError::io("creating", parent))?;
        }
        Self::open_locked(Arc::new(Lock::take(folder)?), folder, settings)
    }

    fn open_locked(lock: Arc<Lock>, folder: &Path, settings: &Settings) -> Result<Arc<SledStore>, OpenError> {
        let opened = open::open(folder, settings)?;
        let room = Room::new(folder, settings.least_free);
        let queue = Queue::new(settings.queue_capacity);
        let shared = Arc::new(Shared::new(opened.trees, queue, room, opened.commit));
        let noting = (opened.journal, opened.side);
        let committer = Committer::start(&shared, noting, opened.config, settings.observer.clone());
        let committer = committer.map_err(OpenError::io("starting the threads of", folder))?;
        Ok(Arc::new(SledStore { shared, committer: Mutex::new(Some(committer)), spot: Spot::default(), _lock: lock }))
    }

    /// Carries out what is queued, refuses what comes after, and notes the last commit. Blocks; dropping does it too.
    pub fn close(&self) {
        self.shared.queue.shut("the store is closed");
        let committer = self.committer.lock().unwrap_or_else(PoisonError::into_inner).take();
        let side = committer.and_then(Committer::join);
        if let Some(mut side) = side
            && let Err(error) = side.write(self.shared.commit())
        {
            tracing::warn!("the commit number could not be noted beside the store: {error}");
        }
    }

    /// The number of the newest durable commit. An export begun now has everything up to it.
    pub fn commit(&self) -> u64 {
        self.shared.commit()
    }

    /// Queues some work, now, if there is room for what it writes.
    fn write<W, T>(&self, work: W) -> Pending<T>
    where
        W: Fn(&mut Turn) -> Result<T, Stop> + Send + 'static,
        T: Send + 'static,
    {
        match self.shared.room.check() {
            Ok(()) => self.shared.queue.push(work),
            Err(scarce) => Pending::refused(scarce),
        }
    }

    /// Reads under one picture, off the async threads.
    async fn read<T, R>(&self, read: R) -> Result<T, StoreError>
    where
        T: Send + 'static,
        R: FnOnce(&Trees) -> Result<T, StoreError> + Send + 'static,
    {
        let shared = Arc::clone(&self.shared);
        let looked = tokio::task::spawn_blocking(move || shared.look(read)).await;
        let result = looked.map_err(|error| StoreError::Corrupt(format!("reading failed: {error}")))?;
        self.shared.check()?;
        result
    }
}

impl Drop for SledStore {
    fn drop(&mut self) {
        self.close();
    }
}
