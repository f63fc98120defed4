//! Group commit: one thread makes all writes durable, up to [`MAX_BATCH`] jobs with one sync.
//!
//! For each batch it collects the changes of all jobs, appends them to the journal (one write, one sync), updates the
//! commit watermark, applies the changes to sled in memory, and answers the jobs. The sync is what costs, and the whole
//! batch shares it.
//!
//! [`Shared`] is the state shared with readers. They see whole commits only, and only durable ones, so a power cut
//! never takes back what a reader saw.

use super::commit_watermark::CommitWatermark;
use super::disk_space::DiskSpace;
use super::journal::Journal;
use super::queue::{CommitContext, Job, Queue};
use super::reopen::Reopening;
use crate::games::ports::StoreError;
use crate::store::epochs::Epochs;
use crate::store::sled::open::catch_sled_panic;
use crate::store::sled::trees::{Change, Entry, SledError, Tree, Trees, Tx};
use crate::store::{Commit, Observer, keys};
use std::convert::Infallible;
use std::io;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::sync::{Arc, OnceLock, PoisonError, RwLock, TryLockError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

/// The most jobs that share a sync.
const MAX_BATCH: usize = 256;
/// From this batch size on, the committer expects twice as many jobs next time.
const LARGE_BATCH: usize = 8;
/// How long the committer waits for expected jobs: about as long as the sync that this saves.
const GROUP_COMMIT_WINDOW: Duration = Duration::from_micros(500);
const COMMITS_PER_WATERMARK_SYNC: u64 = 256;
/// How often the watcher checks for a silent failure of sled and for free disk space.
const WATCH_INTERVAL: Duration = Duration::from_millis(200);

pub(in crate::store::sled) struct Shared {
    pub(in crate::store::sled) trees: Trees,
    pub(in crate::store::sled) queue: Queue,
    pub(in crate::store::sled) disk_space: DiskSpace,
    /// Number of the newest commit in the trees. Write-locked while a commit is applied and read-locked while values
    /// are read, so that all values read under one lock belong to the same commit.
    applied: RwLock<u64>,
    /// Why the store serves no more writes and reads, once it has failed.
    failed: OnceLock<String>,
    /// Whether the cause is a full disk and nothing else.
    disk_full: AtomicBool,
}

impl Shared {
    pub(in crate::store::sled) fn new(trees: Trees, queue: Queue, disk_space: DiskSpace, commit: u64) -> Shared {
        Shared {
            trees,
            queue,
            disk_space,
            applied: RwLock::new(commit),
            failed: OnceLock::new(),
            disk_full: AtomicBool::new(false),
        }
    }

    /// Reads while no commit is applied, so that all values read belong to the same commit.
    pub(in crate::store::sled) fn read_between_commits<T>(&self, read: impl FnOnce(&Trees) -> T) -> T {
        let _applied = self.applied.read().unwrap_or_else(PoisonError::into_inner);
        read(&self.trees)
    }

    /// The same; `None` if a commit is being applied right now.
    pub(in crate::store::sled) fn try_read_between_commits<T>(&self, read: impl FnOnce(&Trees) -> T) -> Option<T> {
        let _applied = match self.applied.try_read() {
            Ok(applied) => applied,
            Err(TryLockError::Poisoned(poisoned)) => poisoned.into_inner(),
            Err(TryLockError::WouldBlock) => return None,
        };
        Some(read(&self.trees))
    }

    pub(in crate::store::sled) fn commit(&self) -> u64 {
        *self.applied.read().unwrap_or_else(PoisonError::into_inner)
    }

    /// Fails once the store has failed. Call it after reading: if a commit is applied only in part, the committer marks
    /// the store as failed before it releases the lock, so a reader of that part gets an error here.
    pub(in crate::store::sled) fn check(&self) -> Result<(), StoreError> {
        self.failed.get().map_or(Ok(()), |why| Err(StoreError::Unavailable(why.clone())))
    }

    pub(super) fn is_disk_full(&self) -> bool {
        self.failed.get().is_some() && self.disk_full.load(Ordering::SeqCst)
    }

    /// Records whether an error means a full disk, before it is turned into text.
    fn note_disk_full(&self, error: &io::Error) {
        let full = [io::ErrorKind::StorageFull, io::ErrorKind::QuotaExceeded, io::ErrorKind::FileTooLarge];
        self.disk_full.store(full.contains(&error.kind()), Ordering::SeqCst);
    }

    /// Runs sled; turns its panics and errors into text.
    fn try_sled<T>(&self, work: impl FnOnce(&Trees) -> Result<T, ::sled::Error>) -> Result<T, String> {
        catch_sled_panic(|| {
            work(&self.trees).inspect_err(|error| {
                if let ::sled::Error::Io(error) = error {
                    self.note_disk_full(error);
                }
            })
        })
    }

    /// Refuses writes and reads until the store is reopened, because the state on the disk is no longer known.
    fn fail(&self, why: &str) {
        let why = format!("a write failed ({why}); the store refuses reads and writes until it is reopened");
        if self.failed.set(why.clone()).is_ok() {
            tracing::error!("{why}");
            self.queue.close(&why);
        }
    }
}

pub(in crate::store::sled) struct Committer {
    committer: JoinHandle<CommitWatermark>,
    watcher: JoinHandle<()>,
}

impl Committer {
    pub(in crate::store::sled) fn start(
        shared: &Arc<Shared>,
        (journal, watermark): (Journal, CommitWatermark),
        config: ::sled::Config,
        (observer, reopening): (Observer, Reopening),
    ) -> io::Result<Committer> {
        let (alive, ended) = mpsc::channel();
        let thread = |name: &str| thread::Builder::new().name(format!("store-{name}"));
        let committer = thread("committer").spawn({
            let shared = Arc::clone(shared);
            move || {
                let watermark = run(&shared, journal, watermark, &observer);
                drop(alive);
                watermark
            }
        })?;
        let watcher = thread("watcher").spawn({
            let shared = Arc::clone(shared);
            move || {
                watch(&shared, &config, &ended);
                if shared.is_disk_full() {
                    reopening();
                }
            }
        })?;
        Ok(Committer { committer, watcher })
    }

    /// Waits for the threads after the queue was closed, and returns the watermark file.
    pub(in crate::store::sled) fn join(self) -> Option<CommitWatermark> {
        let watermark = self.committer.join().ok();
        let _ = self.watcher.join();
        watermark
    }
}

/// Refreshes the free disk space, and works around a bug of sled: if a write of sled fails, a flush that waits for it
/// may never wake. Any further insert wakes it. The insert here changes nothing, because a failed sled refuses it.
fn watch(shared: &Shared, config: &::sled::Config, ended: &mpsc::Receiver<Infallible>) {
    while ended.recv_timeout(WATCH_INTERVAL) == Err(RecvTimeoutError::Timeout) {
        shared.disk_space.refresh();
        if config.global_error().is_err() {
            let _ = shared.trees.raw(Tree::Meta).insert(keys::COMMIT, &[]);
        }
    }
}

/// Fails the store if the committer panics, so that no client waits forever.
struct FailOnPanic<'a>(&'a Shared);

impl Drop for FailOnPanic<'_> {
    fn drop(&mut self) {
        if thread::panicking() {
            self.0.fail("the committer panicked");
            // Dropping a job answers its client that the outcome is unknown.
            while !self.0.queue.take(MAX_BATCH, 1, Duration::ZERO).is_empty() {}
        }
    }
}

fn run(shared: &Shared, mut journal: Journal, mut watermark: CommitWatermark, observer: &Observer) -> CommitWatermark {
    let _guard = FailOnPanic(shared);
    let mut epochs = Epochs::default();
    let mut expected = 1;
    loop {
        let mut batch = shared.queue.take(MAX_BATCH, expected, GROUP_COMMIT_WINDOW);
        expected = expected_after(batch.len());
        if batch.is_empty() {
            // So that the next opening needs no replay. If the flush fails, the journal still has everything.
            if let Err(error) = catch_sled_panic(|| shared.trees.flush()) {
                tracing::warn!("the store could not be flushed: {error}");
            }
            return watermark;
        }
        let durable = match shared.check() {
            Err(failed) => Err(failed),
            Ok(()) => match commit(shared, (&mut journal, &mut watermark), &mut epochs, &mut batch) {
                Ok(flush) => {
                    observer.notify(Commit { writes: batch.len(), flush });
                    Ok(())
                }
                Err(why) => {
                    shared.fail(&why);
                    Err(StoreError::Unknown(why))
                }
            },
        };
        for job in batch {
            job.answer(durable.clone());
        }
        // After the answers: this sync matters only after a power cut, so no client waits for it.
        if watermark.unsynced() >= COMMITS_PER_WATERMARK_SYNC {
            warn_if_unrecorded(watermark.sync());
        }
    }
}

/// A commit missing from the watermark file is still durable; only its loss would go unnoticed.
fn warn_if_unrecorded(result: io::Result<()>) {
    if let Err(error) = result {
        tracing::warn!("the file commit-number could not be written: {error}");
    }
}

/// Adaptive group commit: clients released by the last batch tend to return together, so the committer waits up to
/// [`GROUP_COMMIT_WINDOW`] for as many jobs again. A lone writer never waits. After a large batch it waits for twice as
/// many, because if many clients are writing, more will soon.
fn expected_after(batch: usize) -> usize {
    if batch < LARGE_BATCH { batch } else { (2 * batch).min(MAX_BATCH) }
}

/// Makes a batch durable and applies it. Returns how long the disk took.
fn commit(
    shared: &Shared,
    (journal, watermark): (&mut Journal, &mut CommitWatermark),
    epochs: &mut Epochs,
    batch: &mut [Box<dyn Job>],
) -> Result<Duration, String> {
    let commit = shared.commit() + 1;
    let changes = shared.try_sled(|trees| collect_changes(trees, commit, epochs, batch))?;
    let before = Instant::now();
    if journal.is_full() {
        shared.try_sled(Trees::flush)?;
        journal.rewind();
    }
    journal.append(commit, &changes).map_err(|error| {
        shared.note_disk_full(&error);
        format!("the journal could not be written: {error}")
    })?;
    let flush = before.elapsed();
    // Before any answer: after a kill, the watermark must cover every acknowledged commit.
    warn_if_unrecorded(watermark.update(commit));
    let mut applied = shared.applied.write().unwrap_or_else(PoisonError::into_inner);
    // Fails the store with the lock held, so that no reader takes a partly applied commit for a whole one.
    shared.try_sled(|trees| trees.apply(&changes)).inspect_err(|why| shared.fail(why))?;
    *applied = commit;
    Ok(flush)
}

/// Collects the changes of a batch. The commit number comes last: if sled has it, sled has every change before it.
fn collect_changes(
    trees: &Trees,
    commit: u64,
    epochs: &mut Epochs,
    batch: &mut [Box<dyn Job>],
) -> Result<Vec<Change>, ::sled::Error> {
    let number = Entry::new(Tree::Meta, keys::COMMIT, &commit);
    let tx = Tx::new(trees);
    for job in batch {
        job.run(&mut CommitContext { tx: &tx, epochs }).map_err(|SledError(error)| error)?;
    }
    tx.put(&number.expect("a number is not too large"));
    Ok(tx.into_changes())
}
