//! Room on the disk: how much the store takes, how much is left, and no more writing before none is.
//!
//! A write that the disk has no room for leaves sled in a state that only opening it again mends. So writes are refused
//! while there is still room, and taken again as soon as somebody has made some.

use super::journal::Journal;
use crate::games::ports::{StoreError, Usage};
use crate::store::sled::trees::Trees;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// How long the share of live data is believed: to find it out, every page is looked at.
const LIVE_BELIEVED: Duration = Duration::from_mins(10);

/// The disk under a store.
pub(in crate::store::sled) struct DiskSpace {
    folder: PathBuf,
    /// With less than this free, nothing is written.
    least: u64,
    scarce: AtomicBool,
    live: Mutex<Option<(Instant, f64)>>,
}

impl DiskSpace {
    pub(in crate::store::sled) fn new(folder: &Path, least: u64) -> DiskSpace {
        let room =
            DiskSpace { folder: folder.to_owned(), least, scarce: AtomicBool::new(false), live: Mutex::default() };
        room.look();
        room
    }

    /// Looks how much is left. The committer's watcher does so several times a second, so that nobody who writes has to.
    pub(super) fn look(&self) {
        // A disk that does not tell is taken for large: its own error still comes with the write.
        let scarce = self.least > 0 && self.free().is_some_and(|free| free < self.least);
        if self.scarce.swap(scarce, Ordering::Relaxed) != scarce {
            let folder = self.folder.display();
            if scarce {
                tracing::error!(%folder, least = self.least, "the disk is nearly full: nothing is written");
            } else {
                tracing::info!(%folder, "there is room on the disk again");
            }
        }
    }

    /// Refuses while there is too little room.
    pub(in crate::store::sled) fn check(&self) -> Result<(), StoreError> {
        if self.scarce.load(Ordering::Relaxed) {
            return Err(StoreError::Unavailable("the disk is nearly full".to_owned()));
        }
        Ok(())
    }

    /// What the store takes and has. Blocks.
    pub(in crate::store::sled) fn usage(&self, trees: &Trees) -> Result<Usage, StoreError> {
        let (bytes, live) = (Some(trees.size_on_disk()? + Journal::size(&self.folder)), Some(self.live(trees)?));
        Ok(Usage { bytes, live, free: self.free(), ..Usage::default() })
    }

    fn live(&self, trees: &Trees) -> Result<f64, StoreError> {
        let mut known = self.live.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((at, live)) = *known
            && at.elapsed() < LIVE_BELIEVED
        {
            return Ok(live);
        }
        let live = trees.live()?;
        *known = Some((Instant::now(), live));
        Ok(live)
    }

    fn free(&self) -> Option<u64> {
        free(&self.folder)
    }
}

/// Bytes that are free on the disk of a folder, if it tells.
pub(in crate::store::sled) fn free(folder: &Path) -> Option<u64> {
    let disk = rustix::fs::statvfs(folder).ok()?;
    Some(disk.f_bavail.saturating_mul(disk.f_frsize))
}
