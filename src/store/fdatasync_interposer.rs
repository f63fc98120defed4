//! Symbol interposition: replaces `sync_file_range` by `fdatasync`, so that sled's flush survives a power cut.
//!
//! On Linux, sled flushes with `sync_file_range`. That starts the write-back of pages, but it neither flushes the
//! disk's own cache nor writes the metadata needed to find the pages again. After a power cut, data may be missing
//! although the journal that held it was already overwritten. This module defines a function of the same name that
//! calls `fdatasync`. The linker prefers a symbol of the program to one of the C library, so every program that
//! contains this crate gets the replacement, tests included. [`self_check`] proves it at each opening, because a
//! replacement that silently fell out of the build would be worse than none.
#![allow(unsafe_code, reason = "a C function can't be replaced, nor fdatasync be called, without it")]

use std::ffi::{c_int, c_uint};
use std::fs::File;
use std::hint::black_box;
use std::io;
use std::sync::atomic::{AtomicU64, Ordering};

/// How often sled has asked for a flush.
static FLUSHES: AtomicU64 = AtomicU64::new(0);
/// How often a sync of sled's file has failed, ours included.
static FAILURES: AtomicU64 = AtomicU64::new(0);

type SyncFileRange = extern "C" fn(c_int, libc::off64_t, libc::off64_t, c_uint) -> c_int;

/// Called by sled to flush. Syncs the data of the whole file; it is on disk when this returns 0.
#[unsafe(no_mangle)]
extern "C" fn sync_file_range(fd: c_int, _offset: libc::off64_t, _bytes: libc::off64_t, _flags: c_uint) -> c_int {
    FLUSHES.fetch_add(1, Ordering::SeqCst);
    loop {
        // SAFETY: takes a number and touches no memory of ours; an fd that is not open is an error, not undefined
        // behaviour.
        let result = unsafe { libc::fdatasync(fd) };
        if result == 0 {
            return result;
        }
        if io::Error::last_os_error().kind() != io::ErrorKind::Interrupted {
            FAILURES.fetch_add(1, Ordering::SeqCst);
            return result;
        }
    }
}

/// Syncs a file that sled has open too, and counts a failure.
pub(super) fn sync(file: &File) -> io::Result<()> {
    file.sync_data().inspect_err(|_| {
        FAILURES.fetch_add(1, Ordering::SeqCst);
    })
}

/// How many syncs of sled's file have failed in this process. After a failed sync the kernel treats the unwritten pages
/// as clean and does not report them again. So whatever is read from the file from then on may be in memory only.
pub(super) fn failures() -> u64 {
    FAILURES.load(Ordering::SeqCst)
}

/// Runs a write with its flush. Returns whether the flush came through this module.
pub(super) fn self_check<T, E>(write_and_flush: impl FnOnce() -> Result<T, E>) -> Result<(T, bool), E> {
    // Naming the function keeps it in the program even if nothing else of this module is called.
    black_box(sync_file_range as SyncFileRange);
    let before = FLUSHES.load(Ordering::SeqCst);
    let written = write_and_flush()?;
    Ok((written, FLUSHES.load(Ordering::SeqCst) > before))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_flush_of_sled_comes_through_here() {
        let folder = tempfile::tempdir().unwrap();
        let db = ::sled::open(folder.path()).unwrap();
        let (_, durable) = self_check(|| db.insert("key", "value").and_then(|_| db.flush())).unwrap();
        assert!(durable);
    }

    #[test]
    fn a_flush_that_can_not_be_done_is_an_error_and_counted() {
        let before = failures();
        assert_eq!(sync_file_range(-1, 0, 0, 0), -1);
        assert!(failures() > before);
    }
}
