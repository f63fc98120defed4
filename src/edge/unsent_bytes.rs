//! Back-pressure: the bytes of answers that wait for the readers of one address, or of one connection.
//!
//! A peer that asks and does not read makes the server keep the answers. What one can make it keep is bounded here;
//! `server/backlog.rs` cuts off connections that do not read at all.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use tokio::sync::Notify;

/// Bytes that may wait for one address. The largest ordinary answer has 1 to 2 MB, so this is about ten of those at once;
/// a thousand answers of ordinary size fit as well.
pub const ADDRESS_ROOM: usize = 16 << 20;
/// Bytes that may wait on one connection before its next request does. Twice the largest ordinary answer: a client that
/// downloads one on a slow link may go on playing meanwhile.
pub const CONNECTION_ROOM: usize = 4 << 20;

/// An extension of answers whose bytes are in memory once, for everybody who asks.
#[derive(Clone, Copy, Debug)]
pub struct Shared;

/// Counts the bytes that wait for somebody. The connections of an address share one; a connection of a trusted proxy,
/// behind which are many callers, has its own.
#[derive(Clone, Debug)]
pub struct UnsentBytes(Arc<Counter>);

#[derive(Debug)]
struct Counter {
    bytes: AtomicUsize,
    room: usize,
    /// Notified when there is room again.
    freed: Notify,
}

/// For an address.
impl Default for UnsentBytes {
    fn default() -> Self {
        Self::new(ADDRESS_ROOM)
    }
}

impl UnsentBytes {
    /// Counts up to so many bytes.
    pub fn new(room: usize) -> Self {
        Self(Arc::new(Counter { bytes: AtomicUsize::new(0), room, freed: Notify::new() }))
    }

    pub fn is_full(&self) -> bool {
        self.bytes() >= self.0.room
    }

    /// Whether so many bytes more would go beyond the bound. A single answer fits whatever its size.
    pub fn is_exceeded_by(&self, more: usize) -> bool {
        let waiting = self.bytes();
        waiting > 0 && waiting.saturating_add(more) > self.0.room
    }

    /// Resolves once it is not full.
    pub async fn has_room(&self) {
        loop {
            // Before looking, so that nothing is missed in between.
            let freed = self.0.freed.notified();
            if !self.is_full() {
                return;
            }
            freed.await;
        }
    }

    /// Counts bytes until what is returned is dropped.
    pub fn count(&self, bytes: usize) -> CountedBytes {
        self.add(bytes);
        CountedBytes { unsent: self.clone(), bytes }
    }

    pub fn add(&self, bytes: usize) {
        self.0.bytes.fetch_add(bytes, Ordering::Relaxed);
    }

    pub fn remove(&self, bytes: usize) {
        let before = self.0.bytes.fetch_sub(bytes, Ordering::Relaxed);
        if before >= self.0.room && before - bytes < self.0.room {
            self.0.freed.notify_waiters();
        }
    }

    fn bytes(&self) -> usize {
        self.0.bytes.load(Ordering::Relaxed)
    }
}

/// Bytes that are counted until this is dropped.
#[derive(Debug)]
pub struct CountedBytes {
    unsent: UnsentBytes,
    bytes: usize,
}

impl Drop for CountedBytes {
    fn drop(&mut self) {
        self.unsent.remove(self.bytes);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use futures::FutureExt;

    #[test]
    fn one_answer_fits_whatever_its_size_and_several_up_to_the_bound() {
        let unsent = UnsentBytes::new(100);
        assert!(!unsent.is_exceeded_by(200));
        let counted = unsent.count(99);
        assert!(!unsent.is_exceeded_by(1) && unsent.is_exceeded_by(2));
        drop(counted);
        assert!(!unsent.is_exceeded_by(200));
    }

    #[test]
    fn those_who_wait_for_room_go_on_when_there_is_some() {
        let unsent = UnsentBytes::new(100);
        let counted = [unsent.count(50), unsent.count(50)];
        let mut waiting = Box::pin(unsent.has_room());
        assert!(waiting.as_mut().now_or_never().is_none());
        drop(counted);
        assert!(waiting.now_or_never().is_some() && unsent.has_room().now_or_never().is_some());
    }
}
