//! Opening the store again by itself after a full disk.
//!
//! A write that the disk has no room for leaves sled in a state that only opening it again mends. `room.rs` sees to it that
//! this is met rarely, but others may fill the disk at any moment, and an operator may have asked for no reserve. What is on
//! the disk then is what a killed program leaves, so opening it is all it takes. Other failures are left to the operator:
//! a disk that can't be trusted is not tried again behind their back.

use super::SledStore;
use super::open::OpenError;
use super::room::free;
use std::sync::atomic::Ordering;
use std::sync::{Arc, PoisonError, Weak};
use std::thread;
use std::time::{Duration, Instant};

/// How long to wait before each attempt.
const PAUSE: Duration = Duration::from_secs(2);
/// With less than this free there is no point in trying.
const LEAST: u64 = 1 << 20;
/// How long readers may take to let go of sled's files.
const PATIENCE: Duration = Duration::from_secs(5);

/// What the committer's watcher does once the store has failed for want of room.
pub(super) type Revival = Box<dyn FnOnce() + Send>;

/// Starts a thread that opens the store again. It keeps nothing alive, and nobody waits for it.
pub(super) fn of(store: &Arc<SledStore>) -> Revival {
    let store = Arc::downgrade(store);
    Box::new(move || {
        let started = thread::Builder::new().name("store-revival".to_owned()).spawn(move || revive(&store));
        if let Err(error) = started {
            tracing::error!("the store can't be opened again by itself: {error}");
        }
    })
}

fn revive(store: &Weak<SledStore>) {
    let mut told = String::new();
    loop {
        thread::sleep(PAUSE);
        let Some(store) = store.upgrade() else { return };
        if free(&store.folder).is_some_and(|free| free < LEAST) {
            continue;
        }
        match store.reopen() {
            Ok(()) => return,
            Err(error) if error.to_string() == told => {}
            Err(error) => {
                told = error.to_string();
                tracing::warn!("the store can't be opened again yet: {told}");
            }
        }
    }
}

impl SledStore {
    /// Closes sled's files and opens them again, unless the store was closed meanwhile.
    fn reopen(self: &Arc<Self>) -> Result<(), OpenError> {
        let mut committer = self.committer.lock().unwrap_or_else(PoisonError::into_inner);
        if self.closed.load(Ordering::SeqCst) {
            return Ok(());
        }
        if let Some(failed) = committer.take() {
            failed.join();
        }
        let failed = self.shared.write().unwrap_or_else(PoisonError::into_inner).take();
        if let Some(failed) = failed {
            let end = Instant::now() + PATIENCE;
            while Arc::strong_count(&failed) > 1 && Instant::now() < end {
                thread::sleep(Duration::from_millis(10));
            }
        }
        // Where somebody still reads, sled's own lock refuses, and the next attempt may find it free.
        *committer = Some(self.start()?);
        tracing::info!("there is room on the disk again: the store is open");
        Ok(())
    }
}
