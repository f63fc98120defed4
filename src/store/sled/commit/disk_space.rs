//! Disk space: usage, free space, and refusal of writes before the disk is full.
//!
//! After a write that failed for lack of space, sled works again only once it is reopened. So writes are refused while
//! some space is left, and accepted again as soon as enough is free.

use super::journal::Journal;
use crate::games::ports::{StoreError, Usage};
use crate::store::sled::trees::Trees;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// How long the share of live data is cached: computing it reads every page.
const LIVE_SHARE_MAX_AGE: Duration = Duration::from_mins(10);

pub(in crate::store::sled) struct DiskSpace {
    folder: PathBuf,
    /// With less than this free, writes are refused.
    min_free_bytes: u64,
    is_low: AtomicBool,
    live: Mutex<Option<(Instant, f64)>>,
}

impl DiskSpace {
    pub(in crate::store::sled) fn new(folder: &Path, min_free_bytes: u64) -> DiskSpace {
        let disk_space = DiskSpace {
            folder: folder.to_owned(),
            min_free_bytes,
            is_low: AtomicBool::new(false),
            live: Mutex::default(),
        };
        disk_space.refresh();
        disk_space
    }

    /// Updates the free space. The committer's watcher calls this several times a second, so that no write has to.
    pub(super) fn refresh(&self) {
        // If the free space is unknown, writes are allowed: the disk's own error still reaches the writer.
        let is_low = self.min_free_bytes > 0 && self.free().is_some_and(|free| free < self.min_free_bytes);
        if self.is_low.swap(is_low, Ordering::Relaxed) != is_low {
            let folder = self.folder.display();
            if is_low {
                tracing::error!(%folder, least = self.min_free_bytes, "the disk is nearly full: writes are refused");
            } else {
                tracing::info!(%folder, "there is enough space on the disk again");
            }
        }
    }

    /// Fails while too little space is free.
    pub(in crate::store::sled) fn check(&self) -> Result<(), StoreError> {
        if self.is_low.load(Ordering::Relaxed) {
            return Err(StoreError::Unavailable("the disk is nearly full".to_owned()));
        }
        Ok(())
    }

    /// Bytes used, share of live data, and bytes free. Blocks.
    pub(in crate::store::sled) fn usage(&self, trees: &Trees) -> Result<Usage, StoreError> {
        let (bytes, live) = (Some(trees.size_on_disk()? + Journal::size(&self.folder)), Some(self.live_share(trees)?));
        Ok(Usage { bytes, live, free: self.free(), ..Usage::default() })
    }

    fn live_share(&self, trees: &Trees) -> Result<f64, StoreError> {
        let mut known = self.live.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((at, live)) = *known
            && at.elapsed() < LIVE_SHARE_MAX_AGE
        {
            return Ok(live);
        }
        let live = trees.live_share()?;
        *known = Some((Instant::now(), live));
        Ok(live)
    }

    fn free(&self) -> Option<u64> {
        free(&self.folder)
    }
}

/// Free bytes on the disk of a folder, if known.
pub(in crate::store::sled) fn free(folder: &Path) -> Option<u64> {
    let disk = rustix::fs::statvfs(folder).ok()?;
    Some(disk.f_bavail.saturating_mul(disk.f_frsize))
}
