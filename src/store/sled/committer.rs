//! One thread that writes. It takes what is waiting, up to [`BATCH`] jobs, puts it into one transaction, notes that in
//! the journal, and answers all: sled runs one transaction at a time in any case, and the disk is what costs.
//!
//! [`Shared`] is what the committer and the readers have between them: which commit has been applied, so that a reader
//! sees whole commits only, and which is durable, so that nothing is shown that a power cut could take back.

use super::super::epochs::Epochs;
use super::journal::{Journal, Record};
use super::queue::{Job, Queue, Turn};
use super::room::Room;
use super::side::SideFile;
use super::trees::{Entry, Tree, Trees};
use super::{Commit, Observer, keys, open::calmly};
use crate::games::ports::StoreError;
use std::cell::RefCell;
use std::convert::Infallible;
use std::io;
use std::sync::mpsc::{self, RecvTimeoutError};
use std::sync::{Arc, PoisonError, RwLock, TryLockError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};
use tokio::sync::watch;

/// The most jobs that share a sync.
const BATCH: usize = 256;
/// From so many jobs in a batch on, twice as many are hoped for the next time.
const MANY: usize = 8;
/// How long the committer waits for company: about as long as the sync takes that it saves.
const MOMENT: Duration = Duration::from_micros(500);
/// How many commits pass between two writings of the side file.
const SIDE_EVERY: u64 = 256;
/// How often it is checked whether sled has failed without telling, and how much room is left.
const WATCH_EVERY: Duration = Duration::from_millis(200);

/// What committer and readers share.
pub(super) struct Shared {
    pub(super) trees: Trees,
    pub(super) queue: Queue,
    pub(super) room: Room,
    /// The newest commit in the trees, or being put there. Written while a transaction is being applied, read while
    /// somebody looks: so a reader holds one picture, however many values it reads.
    applied: RwLock<u64>,
    durable: watch::Sender<Durable>,
}

/// How far the disk is known to have followed.
#[derive(Clone, Debug)]
struct Durable {
    commit: u64,
    failed: Option<String>,
}

impl Shared {
    pub(super) fn new(trees: Trees, queue: Queue, room: Room, commit: u64) -> Shared {
        let durable = watch::Sender::new(Durable { commit, failed: None });
        Shared { trees, queue, room, applied: RwLock::new(commit), durable }
    }

    /// Reads under one picture, and tells as of which commit.
    pub(super) fn look<T>(&self, read: impl FnOnce(&Trees) -> T) -> (T, u64) {
        let applied = self.applied.read().unwrap_or_else(PoisonError::into_inner);
        (read(&self.trees), *applied)
    }

    /// The same, unless a commit is being applied at this moment.
    pub(super) fn try_look<T>(&self, read: impl FnOnce(&Trees) -> T) -> Option<(T, u64)> {
        let applied = match self.applied.try_read() {
            Ok(applied) => applied,
            Err(TryLockError::Poisoned(poisoned)) => poisoned.into_inner(),
            Err(TryLockError::WouldBlock) => return None,
        };
        Some((read(&self.trees), *applied))
    }

    /// Waits until a commit is durable: at most one sync, since there is never more than one under way.
    pub(super) async fn durable(&self, commit: u64) -> Result<(), StoreError> {
        let mut watching = self.durable.subscribe();
        let reached = watching.wait_for(|durable| durable.commit >= commit || durable.failed.is_some()).await;
        let failed = match reached {
            Ok(durable) if durable.commit >= commit => return Ok(()),
            Ok(durable) => durable.failed.clone().unwrap_or_default(),
            Err(_) => "the store was closed".to_owned(),
        };
        Err(StoreError::Unavailable(failed))
    }

    /// The newest commit known to be on the disk.
    pub(super) fn durable_commit(&self) -> u64 {
        self.durable.borrow().commit
    }

    /// Why nothing more can be written, if that is so.
    fn failure(&self) -> Option<String> {
        self.durable.borrow().failed.clone()
    }

    /// Nothing more is written until the store is opened again, because what is on the disk is no longer known.
    fn fail(&self, why: &str) {
        let why = format!("a write failed ({why}); the store takes no more until it is opened again");
        tracing::error!("{why}");
        self.queue.shut(&why);
        self.durable.send_modify(|durable| durable.failed = Some(why));
    }
}

/// The threads that write.
pub(super) struct Committer {
    committer: JoinHandle<SideFile>,
    watcher: JoinHandle<()>,
}

impl Committer {
    pub(super) fn start(
        shared: &Arc<Shared>,
        (journal, side): (Journal, SideFile),
        config: ::sled::Config,
        observer: Observer,
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
            move || watch(&shared, &config, &over)
        })?;
        Ok(Committer { committer, watcher })
    }

    /// Waits for the threads, once the queue is shut, and hands the side file back.
    pub(super) fn join(self) -> Option<SideFile> {
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

fn run(shared: &Shared, mut journal: Journal, mut side: SideFile, observer: &Observer) -> SideFile {
    let mut epochs = Epochs::default();
    let mut expected = 1;
    loop {
        let mut batch = shared.queue.take(BATCH, expected, MOMENT);
        expected = expect_after(batch.len());
        if batch.is_empty() {
            // The next opening has nothing to write again then; should it fail, it has.
            if let Err(error) = calmly(|| shared.trees.flush()) {
                tracing::warn!("the store could not be flushed: {error}");
            }
            return side;
        }
        let durable = match shared.failure() {
            Some(why) => Err(StoreError::Unavailable(why)),
            None => match commit(shared, &mut journal, &mut epochs, &mut batch) {
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
        // Only after the answers: nobody waits for the side file, which may lag behind but never run ahead.
        let commit = shared.durable_commit();
        if commit >= side.commit() + SIDE_EVERY
            && let Err(error) = side.write(commit)
        {
            tracing::warn!("the commit number could not be noted beside the store: {error}");
        }
    }
}

/// How many jobs to wait a moment for after a batch. Those who were answered come back at about the same time, so that a
/// few are worth a moment, and one alone waits for nobody. Among many there are always some who were about to come.
fn expect_after(batch: usize) -> usize {
    if batch < MANY { batch } else { (2 * batch).min(BATCH) }
}

/// Applies a batch and makes it durable; tells how long the disk took.
fn commit(
    shared: &Shared,
    journal: &mut Journal,
    epochs: &mut Epochs,
    batch: &mut [Box<dyn Job>],
) -> Result<Duration, String> {
    let (commit, record) = {
        let mut applied = shared.applied.write().unwrap_or_else(PoisonError::into_inner);
        // Counted before it is tried: if it fails half-way, what it left behind will never be durable, so never shown.
        *applied += 1;
        let number = Entry::new(Tree::Meta, keys::COMMIT, &*applied).map_err(|error| error.to_string())?;
        let batch = RefCell::new(batch);
        let (after, record) = calmly(|| {
            shared.trees.transaction(|tx| {
                let mut epochs = epochs.clone();
                for job in batch.borrow_mut().iter_mut() {
                    job.run(&mut Turn { tx, epochs: &mut epochs })?;
                }
                tx.put(&number)?;
                Ok(epochs)
            })
        })?;
        *epochs = after;
        (*applied, record)
    };
    let applied = Instant::now();
    make_durable(&shared.trees, journal, commit, record)?;
    shared.durable.send_modify(|durable| durable.commit = commit);
    Ok(applied.elapsed())
}

/// Notes a commit in the journal. If there is no room, sled is flushed, which takes this commit along with all before it,
/// and the journal begins anew.
fn make_durable(trees: &Trees, journal: &mut Journal, commit: u64, record: Record) -> Result<(), String> {
    let noted = journal.append(commit, record).map_err(|error| format!("the journal could not be written: {error}"))?;
    if !noted {
        calmly(|| trees.flush())?;
        journal.rewind();
    }
    Ok(())
}
