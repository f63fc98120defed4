//! Makes sled's flush survive a power cut.
//!
//! On Linux sled flushes with `sync_file_range`, which starts the write-back of pages but neither waits for the disk's
//! own cache nor writes what is needed to find the pages again: after a power cut, bytes that the journal was begun anew
//! for may be gone. This
//! module defines a function of that name which calls `fdatasync` instead. The linker takes a symbol of the program
//! before one of the C library, so every program that contains this crate has the remedy, tests included;
//! [`self_check`] proves it at each opening, because a remedy that silently fell out of the build would be worse than
//! none.
#![allow(unsafe_code, reason = "a C function can't be replaced, nor fdatasync be called, without it")]

use std::ffi::{c_int, c_uint};
use std::fs::File;
use std::hint::black_box;
use std::io;
use std::sync::atomic::{AtomicU64, Ordering};

/// How often sled has asked for a flush.
static FLUSHES: AtomicU64 = AtomicU64::new(0);
/// How often sled's file could not be synced, by sled or by ourselves.
static FAILURES: AtomicU64 = AtomicU64::new(0);

type SyncFileRange = extern "C" fn(c_int, libc::off64_t, libc::off64_t, c_uint) -> c_int;

/// What sled calls to flush: the whole file's data, on the disk when this returns.
#[unsafe(no_mangle)]
extern "C" fn sync_file_range(fd: c_int, _offset: libc::off64_t, _bytes: libc::off64_t, _flags: c_uint) -> c_int {
    FLUSHES.fetch_add(1, Ordering::SeqCst);
    loop {
        // SAFETY: takes a number and touches no memory of ours; an fd that is not open is an error, not undefined.
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

/// The same for a file that sled has open too.
pub(super) fn sync(file: &File) -> io::Result<()> {
    file.sync_data().inspect_err(|_| {
        FAILURES.fetch_add(1, Ordering::SeqCst);
    })
}

/// How many syncs of sled's file have failed in this process. After one the system takes pages for written that are not,
/// and tells nobody a second time: what is read of the file since then may be in memory only.
pub(super) fn failures() -> u64 {
    FAILURES.load(Ordering::SeqCst)
}

/// Runs a write with its flush, and tells whether the flush came through here.
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
