//! Inline reads: reads a few values on the calling thread as long as that is fast.
//!
//! If the pages are cached, by sled or by the system, handing a read to another thread costs more than the read. But
//! sled can't tell in advance whether they are, and waiting for a disk would block everything else on this thread. So
//! after a slow read, the next [`READS_AFTER_SLOW`] go to other threads, and then an inline read is tried again. On a
//! slow disk, only few reads block their thread.

use super::SledStore;
use super::trees::Trees;
use crate::games::ports::StoreError;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant};

/// A read that takes longer has waited for a disk or for a busy processor.
const SLOW_READ: Duration = Duration::from_micros(200);
const READS_AFTER_SLOW: u32 = 16;

/// Decides whether a read runs inline.
#[derive(Default)]
pub(super) struct InlineReads {
    /// How many of the next reads go to other threads.
    skip: AtomicU32,
}

impl InlineReads {
    /// Runs `read` unless a recent read was slow. `None` if it was, or if `read` would have to wait.
    fn read<T>(&self, read: impl FnOnce() -> Option<T>) -> Option<T> {
        if self.skip.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |skip| skip.checked_sub(1)).is_ok() {
            return None;
        }
        let before = Instant::now();
        let found = read();
        if before.elapsed() > SLOW_READ {
            self.skip.store(READS_AFTER_SLOW, Ordering::Relaxed);
        }
        found
    }
}

impl SledStore {
    /// Reads a few values of one commit, inline if that is fast.
    pub(super) async fn read_inline<T, R>(&self, read: R) -> Result<T, StoreError>
    where
        T: Send + 'static,
        R: Fn(&Trees) -> Result<T, StoreError> + Send + 'static,
    {
        // sled may panic on damaged pages. The read is then repeated on another thread, where a panic does no harm.
        let shared = self.shared()?;
        let try_read = || shared.try_read_between_commits(|trees| catch_unwind(AssertUnwindSafe(|| read(trees))).ok());
        let Some(Some(result)) = self.inline_reads.read(try_read) else { return self.read(read).await };
        shared.check()?;
        result
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::thread::sleep;

    #[test]
    fn a_read_that_took_long_sends_the_next_ones_away() {
        let reads = InlineReads::default();
        assert_eq!(reads.read(|| Some(1)), Some(1));
        let slow = || {
            sleep(2 * SLOW_READ);
            Some(2)
        };
        assert_eq!(reads.read(slow), Some(2), "it was read, however long it took");
        assert!(
            (0..READS_AFTER_SLOW).all(|_| reads.read(|| -> Option<()> { unreachable!("it is sent away") }).is_none())
        );
        assert_eq!(reads.read(|| Some(3)), Some(3), "then it is tried again");
    }
}
