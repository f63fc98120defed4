//! Opening the store again by itself after a full disk.
//!
//! A write that the disk has no room for leaves sled in a state that only opening it again mends. `disk_space.rs` sees to it that
//! this is met rarely, but others may fill the disk at any moment, and an operator may have asked for no reserve. What is on
//! the disk then is what a killed program leaves, so opening it is all it takes. Other failures are left to the operator:
//! a disk that can't be trusted is not tried again behind their back. A failed sync of sled's file is one of those, even if it
//! says that there was no room: what opening reads may then be in memory only, and the journal would begin anew on top of it.
//! (A failed sync of the journal is not: opening writes the journal again before anything else.)

use super::disk_space::free;
use crate::store::fdatasync_interposer;
use crate::store::sled::SledStore;
use crate::store::sled::open::OpenError;
use std::sync::atomic::Ordering;
use std::sync::{Arc, PoisonError, Weak};
use std::thread;
use std::time::{Duration, Instant};

/// How long to wait before each attempt.
const PAUSE: Duration = Duration::from_secs(2);
/// With less than this free there is no point in trying.
const LEAST: u64 = 1 << 20;
/// With less than this free, an attempt that failed may have failed for that: sled takes its file in segments of 8 MiB, and
/// the journal is written again.
const AMPLE: u64 = 64 << 20;
/// How long readers may take to let go of sled's files.
const PATIENCE: Duration = Duration::from_secs(5);

/// What the committer's watcher does once the store has failed for want of room.
pub(super) type Reopening = Box<dyn FnOnce() + Send>;

/// Starts a thread that opens the store again. It keeps nothing alive, and nobody waits for it.
pub(in crate::store::sled) fn of(store: &Arc<SledStore>) -> Reopening {
    let store = Arc::downgrade(store);
    let failures = fdatasync_interposer::failures();
    Box::new(move || {
        let started = thread::Builder::new().name("store-revival".to_owned()).spawn(move || revive(&store, failures));
        if let Err(error) = started {
            tracing::error!("the store can't be opened again by itself: {error}");
        }
    })
}

/// Tries until the store is open, or a sync has failed since `failures` were counted.
fn revive(store: &Weak<SledStore>, failures: u64) {
    let mut told = String::new();
    loop {
        if fdatasync_interposer::failures() != failures {
            tracing::error!("the store is not opened again by itself, because the disk did not keep what was written");
            return;
        }
        thread::sleep(PAUSE);
        let Some(store) = store.upgrade() else { return };
        if has_less(&store, LEAST) {
            continue;
        }
        match store.reopen() {
            Ok(()) => return,
            Err(error) => {
                let why = match error {
                    // sled's error does not tell a full disk from a damaged file.
                    OpenError::Damaged(_) | OpenError::Io { .. } if has_less(&store, AMPLE) => {
                        "there is still too little room on the disk".to_owned()
                    }
                    error => error.to_string(),
                };
                if why != told {
                    tracing::warn!("the store can't be opened again yet: {why}");
                    told = why;
                }
            }
        }
    }
}

fn has_less(store: &SledStore, bytes: u64) -> bool {
    free(&store.folder).is_some_and(|free| free < bytes)
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
