//! Back-pressure: bounds the bytes of answers that wait for slow readers of one address, or of one connection.
//!
//! A peer that sends requests and does not read makes the server hold the answers in memory. `server/backlog.rs` closes
//! connections that do not read at all.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use tokio::sync::Notify;

/// Bytes that may wait for one address: about ten of the largest ordinary answers (1 to 2 MB), or a thousand usual
/// ones.
pub const ADDRESS_LIMIT: usize = 16 << 20;
/// Bytes that may wait on one connection before its next request has to wait. Twice the largest ordinary answer, so
/// that a client can play while it downloads one on a slow link.
pub const CONNECTION_LIMIT: usize = 4 << 20;

/// Extension of answers whose bytes are in memory once, shared by all requests.
#[derive(Clone, Copy, Debug)]
pub struct Shared;

/// Counts waiting bytes. The connections of an address share a counter; each connection of a trusted proxy, which
/// serves many clients, has its own.
#[derive(Clone, Debug)]
pub struct UnsentBytes(Arc<Counter>);

#[derive(Debug)]
struct Counter {
    bytes: AtomicUsize,
    limit: usize,
    /// Notified when the count falls below the limit.
    freed: Notify,
}

/// The counter of an address.
impl Default for UnsentBytes {
    fn default() -> Self {
        Self::new(ADDRESS_LIMIT)
    }
}

impl UnsentBytes {
    pub fn new(limit: usize) -> Self {
        Self(Arc::new(Counter { bytes: AtomicUsize::new(0), limit, freed: Notify::new() }))
    }

    pub fn is_full(&self) -> bool {
        self.bytes() >= self.0.limit
    }

    /// Whether this many more bytes would exceed the limit. If nothing waits, an answer of any size is allowed.
    pub fn is_exceeded_by(&self, more: usize) -> bool {
        let waiting = self.bytes();
        waiting > 0 && waiting.saturating_add(more) > self.0.limit
    }

    /// Resolves once the count is below the limit.
    pub async fn has_room(&self) {
        loop {
            // Register before checking, so that no notification is missed.
            let freed = self.0.freed.notified();
            if !self.is_full() {
                return;
            }
            freed.await;
        }
    }

    /// Counts bytes until the guard is dropped.
    pub fn count(&self, bytes: usize) -> CountedBytes {
        self.add(bytes);
        CountedBytes { unsent: self.clone(), bytes }
    }

    pub fn add(&self, bytes: usize) {
        self.0.bytes.fetch_add(bytes, Ordering::Relaxed);
    }

    pub fn remove(&self, bytes: usize) {
        let before = self.0.bytes.fetch_sub(bytes, Ordering::Relaxed);
        if before >= self.0.limit && before - bytes < self.0.limit {
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
    fn waiting_for_room_ends_when_bytes_are_removed() {
        let unsent = UnsentBytes::new(100);
        let counted = [unsent.count(50), unsent.count(50)];
        let mut waiting = Box::pin(unsent.has_room());
        assert!(waiting.as_mut().now_or_never().is_none());
        drop(counted);
        assert!(waiting.now_or_never().is_some() && unsent.has_room().now_or_never().is_some());
    }
}
