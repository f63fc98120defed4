//! One thread that writes. It takes what is waiting, up to [`BATCH`] jobs, works out what all of them change, notes that
//! in the journal, which makes it durable, applies it to sled, and answers: the disk is what costs, whoever shares it.
//!
//! [`Shared`] is what the committer and the readers have between them: which commit has been applied, so that a reader
//! sees whole commits only. What is applied is durable, so nothing is shown that a power cut could take back.

use super::commit_watermark::SideFile;
use super::disk_space::DiskSpace;
use super::journal::Journal;
use super::queue::{CommitContext, Job, Queue};
use super::reopen::Reopening;
use crate::games::ports::StoreError;
use crate::store::epochs::Epochs;
use crate::store::sled::open::catch_sled_panic;
use crate::store::sled::trees::{Change, Entry, Storage, Tree, Trees, Tx};
use crate::store::{Commit, Observer, keys};
use std::convert::Infallible;
use std::io;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::sync::{Arc, OnceLock, PoisonError, RwLock, TryLockError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

/// The most jobs that share a sync.
const BATCH: usize = 256;
/// From so many jobs in a batch on, twice as many are hoped for the next time.
const MANY: usize = 8;
/// How long the committer waits for company: about as long as the sync takes that it saves.
const GROUP_COMMIT_WINDOW: Duration = Duration::from_micros(500);
/// How many commits pass between two syncs of the side file.
const SIDE_EVERY: u64 = 256;
/// How often it is checked whether sled has failed without telling, and how much room is left.
const WATCH_EVERY: Duration = Duration::from_millis(200);

/// What committer and readers share.
pub(in crate::store::sled) struct Shared {
    pub(in crate::store::sled) trees: Trees,
    pub(in crate::store::sled) queue: Queue,
    pub(in crate::store::sled) room: DiskSpace,
    /// The newest commit in the trees. Written while one is being applied, read while somebody looks: so a reader holds one
    /// picture, however many values it reads.
    applied: RwLock<u64>,
    /// Why nothing more is written or shown, once that is so.
    failed: OnceLock<String>,
    /// Whether that is for want of room on the disk, and nothing else.
    out_of_room: AtomicBool,
}

impl Shared {
    pub(in crate::store::sled) fn new(trees: Trees, queue: Queue, room: DiskSpace, commit: u64) -> Shared {
        Shared {
            trees,
            queue,
            room,
            applied: RwLock::new(commit),
            failed: OnceLock::new(),
            out_of_room: AtomicBool::new(false),
        }
    }

    /// Reads under one picture.
    pub(in crate::store::sled) fn look<T>(&self, read: impl FnOnce(&Trees) -> T) -> T {
        let _applied = self.applied.read().unwrap_or_else(PoisonError::into_inner);
        read(&self.trees)
    }

    /// The same, unless a commit is being applied at this moment.
    pub(in crate::store::sled) fn try_look<T>(&self, read: impl FnOnce(&Trees) -> T) -> Option<T> {
        let _applied = match self.applied.try_read() {
            Ok(applied) => applied,
            Err(TryLockError::Poisoned(poisoned)) => poisoned.into_inner(),
            Err(TryLockError::WouldBlock) => return None,
        };
        Some(read(&self.trees))
    }

    /// The newest commit.
    pub(in crate::store::sled) fn commit(&self) -> u64 {
        *self.applied.read().unwrap_or_else(PoisonError::into_inner)
    }

    /// Whether what was read may be shown. Asked after reading: a commit that could not be applied as a whole has failed
    /// before anybody sees a part of it.
    pub(in crate::store::sled) fn check(&self) -> Result<(), StoreError> {
        self.failed.get().map_or(Ok(()), |why| Err(StoreError::Unavailable(why.clone())))
    }

    /// Whether the store failed because the disk is full.
    pub(super) fn is_out_of_room(&self) -> bool {
        self.failed.get().is_some() && self.out_of_room.load(Ordering::SeqCst)
    }

    /// Looks at an error before it becomes a text.
    fn see(&self, error: &io::Error) {
        let full = [io::ErrorKind::StorageFull, io::ErrorKind::QuotaExceeded, io::ErrorKind::FileTooLarge];
        self.out_of_room.store(full.contains(&error.kind()), Ordering::SeqCst);
    }

    /// Runs sled, whose panics and errors become texts.
    fn try_sled<T>(&self, work: impl FnOnce(&Trees) -> Result<T, ::sled::Error>) -> Result<T, String> {
        catch_sled_panic(|| {
            work(&self.trees).inspect_err(|error| {
                if let ::sled::Error::Io(error) = error {
                    self.see(error);
                }
            })
        })
    }

    /// Nothing more is written until the store is opened again, because what is on the disk is no longer known.
    fn fail(&self, why: &str) {
        let why = format!("a write failed ({why}); the store takes no more until it is opened again");
        if self.failed.set(why.clone()).is_ok() {
            tracing::error!("{why}");
            self.queue.shut(&why);
        }
    }
}

/// The threads that write.
pub(in crate::store::sled) struct Committer {
    committer: JoinHandle<SideFile>,
    watcher: JoinHandle<()>,
}

impl Committer {
    pub(in crate::store::sled) fn start(
        shared: &Arc<Shared>,
        (journal, side): (Journal, SideFile),
        config: ::sled::Config,
        (observer, revival): (Observer, Reopening),
    ) -> io::Result<Committer> {
        let (at_work, over) = mpsc::channel();
        let thread = |name: &str| thread::Builder::new().name(format!("store-{name}"));
        let committer = thread("committer").spawn({
            let shared = Arc::clone(shared);
            move || {
                let side = run(&shared, journal, side, &observer);
                drop(at_work);
                side
            }
        })?;
        let watcher = thread("watcher").spawn({
            let shared = Arc::clone(shared);
            move || {
                watch(&shared, &config, &over);
                if shared.is_out_of_room() {
                    revival();
                }
            }
        })?;
        Ok(Committer { committer, watcher })
    }

    /// Waits for the threads, once the queue is shut, and hands the side file back.
    pub(in crate::store::sled) fn join(self) -> Option<SideFile> {
        let side = self.committer.join().ok();
        let _ = self.watcher.join();
        side
    }
}

/// sled may forget to wake a waiting flush when the write behind it failed. Any further write wakes it, and writes
/// nothing, because sled looks for its own failure first.
fn watch(shared: &Shared, config: &::sled::Config, over: &mpsc::Receiver<Infallible>) {
    while over.recv_timeout(WATCH_EVERY) == Err(RecvTimeoutError::Timeout) {
        shared.room.look();
        if config.global_error().is_err() {
            let _ = shared.trees.raw(Tree::Meta).insert(keys::COMMIT, &[]);
        }
    }
}

/// Should the committer panic, nobody waits for it for ever.
struct FailOnPanic<'a>(&'a Shared);

impl Drop for FailOnPanic<'_> {
    fn drop(&mut self) {
        if thread::panicking() {
            self.0.fail("the committer panicked");
            // Whoever waits for a job that is dropped is told that its outcome is unknown.
            while !self.0.queue.take(BATCH, 1, Duration::ZERO).is_empty() {}
        }
    }
}

fn run(shared: &Shared, mut journal: Journal, mut side: SideFile, observer: &Observer) -> SideFile {
    let _guard = FailOnPanic(shared);
    let mut epochs = Epochs::default();
    let mut expected = 1;
    loop {
        let mut batch = shared.queue.take(BATCH, expected, GROUP_COMMIT_WINDOW);
        expected = expect_after(batch.len());
        if batch.is_empty() {
            // The next opening has nothing to write again then; should it fail, it has.
            if let Err(error) = catch_sled_panic(|| shared.trees.flush()) {
                tracing::warn!("the store could not be flushed: {error}");
            }
            return side;
        }
        let durable = match shared.check() {
            Err(failed) => Err(failed),
            Ok(()) => match commit(shared, (&mut journal, &mut side), &mut epochs, &mut batch) {
                Ok(flush) => {
                    observer.tell(Commit { writes: batch.len(), flush });
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
        // Only after the answers: nobody waits for this sync, which only a power cut can make a difference to.
        if side.unsynced() >= SIDE_EVERY {
            warn_unnoted(side.sync());
        }
    }
}

/// A commit that was not noted beside the store is durable all the same; only its loss would not be noticed.
fn warn_unnoted(noted: io::Result<()>) {
    if let Err(error) = noted {
        tracing::warn!("the commit number could not be noted beside the store: {error}");
    }
}

/// How many jobs to wait a moment for after a batch. Those who were answered come back at about the same time, so that a
/// few are worth a moment, and one alone waits for nobody. Among many there are always some who were about to come.
fn expect_after(batch: usize) -> usize {
    if batch < MANY { batch } else { (2 * batch).min(BATCH) }
}

/// Makes a batch durable, and applies it; tells how long the disk took.
fn commit(
    shared: &Shared,
    (journal, side): (&mut Journal, &mut SideFile),
    epochs: &mut Epochs,
    batch: &mut [Box<dyn Job>],
) -> Result<Duration, String> {
    let commit = shared.commit() + 1;
    let changes = shared.try_sled(|trees| work_out(trees, commit, epochs, batch))?;
    let before = Instant::now();
    if journal.is_full() {
        shared.try_sled(Trees::flush)?;
        journal.rewind();
    }
    journal.append(commit, &changes).map_err(|error| {
        shared.see(&error);
        format!("the journal could not be written: {error}")
    })?;
    let took = before.elapsed();
    // Before anybody is answered: what a kill leaves must tell of every commit that somebody was told of.
    warn_unnoted(side.note(commit));
    let mut applied = shared.applied.write().unwrap_or_else(PoisonError::into_inner);
    // With the lock held, so that nobody takes what was applied of it for all.
    shared.try_sled(|trees| trees.apply(&changes)).inspect_err(|why| shared.fail(why))?;
    *applied = commit;
    Ok(took)
}

/// What a batch changes. The number of the commit comes last: where sled has it, it has all that is noted before it.
fn work_out(
    trees: &Trees,
    commit: u64,
    epochs: &mut Epochs,
    batch: &mut [Box<dyn Job>],
) -> Result<Vec<Change>, ::sled::Error> {
    let number = Entry::new(Tree::Meta, keys::COMMIT, &commit);
    let tx = Tx::new(trees);
    for job in batch {
        job.run(&mut CommitContext { tx: &tx, epochs }).map_err(|Storage(error)| error)?;
    }
    tx.put(&number.expect("a number is not too large"));
    Ok(tx.into_changes())
}
