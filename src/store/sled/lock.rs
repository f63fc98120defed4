//! Store lock: a locked file beside the store's folder admits one process at a time.
//!
//! sled locks its own file, but a compaction closes the store and then renames folders, and no process may open the
//! store in between.

use super::super::private_files;
use super::open::OpenError;
use std::fs::{File, TryLockError};
use std::path::{Path, PathBuf};
use std::thread;
use std::time::{Duration, Instant};

/// How long another process may take to release the lock.
const TIMEOUT: Duration = Duration::from_secs(5);
const RETRY_INTERVAL: Duration = Duration::from_millis(20);

/// The right to open the store, until dropped.
pub(super) struct Lock {
    _file: File,
}

impl Lock {
    pub(super) fn take(folder: &Path) -> Result<Lock, OpenError> {
        let path = beside(folder, "lock");
        let file = private_files::options().create(true).truncate(false).write(true).open(&path);
        let file = file.map_err(OpenError::io("creating the lock file", &path))?;
        private_files::restrict_all(&path);
        retry_until_deadline(|| match file.try_lock() {
            Ok(()) => Some(Ok(())),
            Err(TryLockError::WouldBlock) => None,
            Err(TryLockError::Error(error)) => Some(Err(OpenError::io("locking", &path)(error))),
        })
        .unwrap_or_else(|| Err(OpenError::InUse(folder.to_owned())))?;
        Ok(Lock { _file: file })
    }
}

/// A path beside the store's folder: the same name with an extension.
pub(super) fn beside(folder: &Path, ending: &str) -> PathBuf {
    let mut name = folder.file_name().unwrap_or_default().to_owned();
    name.push(".");
    name.push(ending);
    folder.with_file_name(name)
}

/// Retries until there is a result or [`TIMEOUT`] has passed.
pub(super) fn retry_until_deadline<T>(mut attempt: impl FnMut() -> Option<T>) -> Option<T> {
    let end = Instant::now() + TIMEOUT;
    loop {
        if let Some(answer) = attempt() {
            return Some(answer);
        }
        if Instant::now() >= end {
            return None;
        }
        thread::sleep(RETRY_INTERVAL);
    }
}
