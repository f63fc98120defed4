//! Reading a few values on the spot, on the thread that asks, as long as that is quick.
//!
//! Handing a read to another thread, and its answer back, costs more than the read does where the pages are in memory,
//! sled's own or the system's. But sled can't tell beforehand whether they are, and waiting for a disk would hold up all
//! else that the thread is there for. So a read that took long sends the next [`READS_SENT_AWAY`] to other threads, and then it is
//! tried again: of those that have to wait for a slow disk, few hold anything up.

use super::SledStore;
use super::trees::Trees;
use crate::games::ports::StoreError;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant};

/// What takes longer waited for something: a disk, or a processor, of which there are then too few for anything else.
const LONG: Duration = Duration::from_micros(200);
/// How many reads go to other threads after one that took long.
const READS_SENT_AWAY: u32 = 16;

/// Whether reads are quick enough to be done on the spot.
#[derive(Default)]
pub(super) struct InlineReads {
    /// How many of the next reads are to go to other threads.
    away: AtomicU32,
}

impl InlineReads {
    /// Reads, if it was quick lately. Nothing if it was not, or if `look` finds that it would have to wait.
    fn read<T>(&self, look: impl FnOnce() -> Option<T>) -> Option<T> {
        if self.away.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |away| away.checked_sub(1)).is_ok() {
            return None;
        }
        let before = Instant::now();
        let found = look();
        if before.elapsed() > LONG {
            self.away.store(READS_SENT_AWAY, Ordering::Relaxed);
        }
        found
    }
}

impl SledStore {
    /// Reads a few values under one picture, on the spot if that is quick.
    pub(super) async fn read_here<T, R>(&self, read: R) -> Result<T, StoreError>
    where
        T: Send + 'static,
        R: Fn(&Trees) -> Result<T, StoreError> + Send + 'static,
    {
        // sled may panic on damaged pages. Another thread survives that: it shall happen there.
        let shared = self.shared()?;
        let look = || shared.try_look(|trees| catch_unwind(AssertUnwindSafe(|| read(trees))).ok());
        let Some(Some(result)) = self.spot.read(look) else { return self.read(read).await };
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
        let spot = InlineReads::default();
        assert_eq!(spot.read(|| Some(1)), Some(1));
        let slow = || {
            sleep(2 * LONG);
            Some(2)
        };
        assert_eq!(spot.read(slow), Some(2), "it was read, however long it took");
        assert!(
            (0..READS_SENT_AWAY).all(|_| spot.read(|| -> Option<()> { unreachable!("it is sent away") }).is_none())
        );
        assert_eq!(spot.read(|| Some(3)), Some(3), "then it is tried again");
    }
}
