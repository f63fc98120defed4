//! Automatic reopening after the disk was full.
//!
//! After a write that failed for lack of space, sled works again only once it is reopened. `disk_space.rs` makes this
//! rare, but another process may fill the disk at any time, and the operator may have set no reserve. The disk is then
//! in the same state as after a kill, so opening is all that is needed.
//!
//! All other failures are left to the operator: a disk that can't be trusted must not be retried without their
//! knowledge. A failed sync of sled's file is one of these, even if its error says that there was no space: after it,
//! the data that opening reads may exist in memory only, yet the journal that could restore it would be overwritten. (A
//! failed sync of the journal is different: opening writes and syncs the journal again before anything else.)

use super::disk_space::free;
use crate::store::fdatasync_interposer;
use crate::store::sled::SledStore;
use crate::store::sled::open::OpenError;
use std::sync::atomic::Ordering;
use std::sync::{Arc, PoisonError, Weak};
use std::thread;
use std::time::{Duration, Instant};

const RETRY_INTERVAL: Duration = Duration::from_secs(2);
/// With less free space, an attempt is pointless.
const MIN_FREE_BYTES: u64 = 1 << 20;
/// With less free space, lack of space may be why an attempt failed: sled extends its file by segments of 8 MiB, and
/// the journal is written again.
const AMPLE_FREE_BYTES: u64 = 64 << 20;
/// How long to wait for readers that still use sled's old files.
const READER_TIMEOUT: Duration = Duration::from_secs(5);

/// Run by the committer's watcher once the store has failed because the disk is full.
pub(super) type Reopening = Box<dyn FnOnce() + Send>;

/// Returns a function that starts a thread, which reopens the store. The thread does not keep the store alive.
pub(in crate::store::sled) fn task(store: &Arc<SledStore>) -> Reopening {
    let store = Arc::downgrade(store);
    let failures = fdatasync_interposer::failures();
    Box::new(move || {
        let started =
            thread::Builder::new().name("store-reopen".to_owned()).spawn(move || retry_reopen(&store, failures));
        if let Err(error) = started {
            tracing::error!("the store can't be reopened automatically: {error}");
        }
    })
}

/// Retries until the store is open; gives up if the number of failed syncs is no longer `failures`.
fn retry_reopen(store: &Weak<SledStore>, failures: u64) {
    let mut last_logged = String::new();
    loop {
        if fdatasync_interposer::failures() != failures {
            tracing::error!(
                "the store is not reopened automatically, because a sync of its file failed; check the disk, then restart"
            );
            return;
        }
        thread::sleep(RETRY_INTERVAL);
        let Some(store) = store.upgrade() else { return };
        if has_less_free(&store, MIN_FREE_BYTES) {
            continue;
        }
        match store.reopen() {
            Ok(()) => return,
            Err(error) => {
                let why = match error {
                    // sled's error does not distinguish a full disk from a damaged file.
                    OpenError::Damaged(_) | OpenError::Io { .. } if has_less_free(&store, AMPLE_FREE_BYTES) => {
                        "there is still too little space on the disk".to_owned()
                    }
                    error => error.to_string(),
                };
                if why != last_logged {
                    tracing::warn!("the store can't be reopened yet: {why}");
                    last_logged = why;
                }
            }
        }
    }
}

fn has_less_free(store: &SledStore, bytes: u64) -> bool {
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
            let end = Instant::now() + READER_TIMEOUT;
            while Arc::strong_count(&failed) > 1 && Instant::now() < end {
                thread::sleep(Duration::from_millis(10));
            }
        }
        // If a reader still holds sled's files, sled's own lock refuses, and a later attempt succeeds.
        *committer = Some(self.start()?);
        tracing::info!("there is space on the disk again: the store was reopened");
        Ok(())
    }
}
