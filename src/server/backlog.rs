//! Write backlog of a connection: the bytes of its answers that the peer has not read yet, counted per answer.
//!
//! It bounds memory and detects stalled readers. While [`CONNECTION_LIMIT`] bytes wait, further requests of the
//! connection wait too. An answer that would take its address beyond [`ADDRESS_LIMIT`] is not sent. A connection is
//! closed if one of its answers makes no progress for [`STALL_SECONDS`], or its socket accepts nothing for as long. An
//! answer with nothing to send, such as an idle event stream, never stalls.
//!
//! [`ADDRESS_LIMIT`]: crate::edge::unsent_bytes::ADDRESS_LIMIT

use crate::edge::client_address::Payer;
use crate::edge::unsent_bytes::{CONNECTION_LIMIT, UnsentBytes};
use crate::signal::Signal;
use futures::future::BoxFuture;
use std::cmp::Ordering;
use std::collections::HashMap;
use std::ptr;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering::Relaxed};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, Weak};
use std::time::Duration;
use tokio::sync::Notify;
use tokio::time::{Instant, sleep};

/// How long an answer may make no progress: as long as a WebSocket client may take to read a message.
const STALL_SECONDS: u32 = 30;
/// How often connections are checked for stalls.
const CHECK_INTERVAL_SECONDS: u32 = 5;
/// Bytes of a connection that are not counted against its address: an ordinary answer, which is written at once. This
/// keeps connections from contending for the address's counter, which cost 4 % of read throughput.
const UNCOUNTED_BYTES: usize = 8 * 1024;

/// Bytes that an incoming request body may hold.
const BODY_BYTES: usize = 64 * 1024;

/// The backlogs of all connections of a listener, and a coarse clock that is cheap to read.
#[derive(Default)]
pub struct Backlogs {
    /// Seconds since the listener started.
    seconds: AtomicU32,
    /// Keyed by the address of each backlog in memory.
    open: Mutex<HashMap<usize, Weak<Backlog>>>,
}

/// The backlog of one connection.
pub struct Backlog {
    all: Arc<Backlogs>,
    /// Counter of the connection's address.
    address: UnsentBytes,
    answers: Mutex<Answers>,
    /// Notified when the backlog falls below its limit.
    freed: Notify,
    /// Raised when the peer has stopped reading.
    stalled: Signal,
    /// Raised when the server closes.
    closing: Signal,
    /// Whether the next write is the head of a 101 answer, which upgrades the connection to a WebSocket.
    switches: AtomicBool,
    /// The address that is charged for bytes received after the upgrade.
    payer: OnceLock<Payer>,
    /// HTTP/2 requests received.
    requests: AtomicU32,
    /// Those whose bodies are still incomplete.
    unfinished: AtomicU32,
}

#[derive(Default)]
struct Answers {
    /// Unsent bytes of this connection.
    waiting: usize,
    /// Those counted against the address.
    counted: usize,
    /// When the socket stopped accepting bytes, if it has.
    blocked_since: Option<u32>,
    /// A slot is reused once it has no holders.
    slots: Vec<Answer>,
}

/// The unsent rest of one answer.
#[derive(Default)]
struct Answer {
    /// Number of its [`HeldAnswer`] guards.
    holders: u32,
    waiting: usize,
    /// When some of it was last sent, or began to wait.
    progressed: u32,
}

/// Bytes of an answer in memory; counted until dropped.
pub struct HeldAnswer {
    backlog: Arc<Backlog>,
    slot: usize,
    bytes: usize,
}

/// A request whose body is incomplete; counted until dropped.
pub struct UnfinishedRequest {
    backlog: Arc<Backlog>,
    /// Whether it is counted against the address.
    is_counted: bool,
}

impl Backlogs {
    /// Opens the backlog of a new connection.
    pub fn open(self: &Arc<Self>, address: UnsentBytes) -> Arc<Backlog> {
        let (answers, freed) = (Mutex::default(), Notify::new());
        let (stalled, closing) = (Signal::default(), Signal::default());
        let switches = AtomicBool::new(false);
        let payer = OnceLock::new();
        let (requests, unfinished) = (AtomicU32::new(0), AtomicU32::new(0));
        let all = self.clone();
        let backlog = Backlog { all, address, answers, freed, stalled, closing, switches, payer, requests, unfinished };
        let backlog = Arc::new(backlog);
        self.lock().insert(backlog.key(), Arc::downgrade(&backlog));
        backlog
    }

    /// Runs the clock, and raises `stalled` on connections whose peers have stopped reading. Never returns.
    pub async fn watch(&self) {
        let start = Instant::now();
        loop {
            sleep(Duration::from_secs(1)).await;
            let now = u32::try_from(start.elapsed().as_secs()).unwrap_or(u32::MAX);
            if self.seconds.swap(now, Relaxed) / CHECK_INTERVAL_SECONDS != now / CHECK_INTERVAL_SECONDS {
                self.check_stalled(now);
            }
        }
    }

    fn check_stalled(&self, now: u32) {
        for backlog in self.all().iter().filter(|backlog| backlog.lock().is_stalled(now)) {
            backlog.stalled.raise();
        }
    }

    /// Signals all connections that the server is closing. No connection may be opened afterwards.
    pub fn close(&self) {
        for backlog in self.all() {
            backlog.closing.raise();
        }
    }

    fn all(&self) -> Vec<Arc<Backlog>> {
        // Must not be dropped under the lock: dropping the last reference to a backlog locks the map to remove it.
        self.lock().values().filter_map(Weak::upgrade).collect()
    }

    fn now(&self) -> u32 {
        self.seconds.load(Relaxed)
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<usize, Weak<Backlog>>> {
        self.open.lock().expect("never poisoned")
    }
}

impl Backlog {
    /// Announces that the next write is the head of a 101 answer, and who pays for the bytes received after it.
    pub fn expect_switch(&self, payer: Option<Payer>) {
        if let Some(payer) = payer {
            // A connection is upgraded at most once.
            self.payer.get_or_init(|| payer);
        }
        self.switches.store(true, Relaxed);
    }

    /// The address that pays for bytes received over a WebSocket, if any.
    pub fn payer(&self) -> Option<Payer> {
        self.payer.get().copied()
    }

    /// Whether the next write is the head of a 101 answer; resets the flag.
    pub fn take_switch(&self) -> bool {
        self.switches.load(Relaxed) && self.switches.swap(false, Relaxed)
    }

    /// Counts a received HTTP/2 request.
    pub fn count_request(&self) {
        self.requests.fetch_add(1, Relaxed);
    }

    /// HTTP/2 requests received so far.
    pub fn requests(&self) -> u32 {
        self.requests.load(Relaxed)
    }

    /// Counts an HTTP/2 request whose body is incomplete; `None` if its address has too many. The memory of a body
    /// counts like an unread answer. One body per connection is free, because over HTTP/1 a connection has one too.
    pub fn begin_body(self: &Arc<Self>) -> Option<UnfinishedRequest> {
        let is_counted = self.unfinished.fetch_add(1, Relaxed) > 0;
        // Created before the check, because its `drop` decrements `unfinished`.
        let mut unfinished = UnfinishedRequest { backlog: self.clone(), is_counted: false };
        if is_counted {
            if self.address.is_exceeded_by(BODY_BYTES) {
                return None;
            }
            self.address.add(BODY_BYTES);
            unfinished.is_counted = true;
        }
        Some(unfinished)
    }

    /// Resolves once the backlog is below its limit.
    pub async fn has_room(&self) {
        while self.is_full() {
            // Register before checking again, so that no notification is missed.
            let freed = self.freed.notified();
            if self.is_full() {
                freed.await;
            }
        }
    }

    fn is_full(&self) -> bool {
        self.lock().waiting >= CONNECTION_LIMIT
    }

    /// Whether this many more bytes would exceed the limit of the address.
    pub fn is_exceeded_by(&self, bytes: usize) -> bool {
        self.address.is_exceeded_by(bytes)
    }

    /// Counts an answer with this many bytes in memory.
    pub fn begin(self: &Arc<Self>, bytes: usize) -> HeldAnswer {
        let now = self.all.now();
        let mut answers = self.lock();
        let slot = answers.slots.iter().position(|answer| answer.holders == 0).unwrap_or_else(|| {
            // Most connections have one answer at a time; `push` would reserve four, for each idle stream too.
            if answers.slots.is_empty() {
                answers.slots.reserve_exact(1);
            }
            answers.slots.push(Answer::default());
            answers.slots.len() - 1
        });
        answers.slots[slot] = Answer { holders: 1, waiting: bytes, progressed: now };
        answers.waiting += bytes;
        self.update_address(&mut answers);
        HeldAnswer { backlog: self.clone(), slot, bytes }
    }

    /// Notes whether the socket accepts bytes.
    pub fn set_blocked(&self, blocked: bool) {
        self.lock().blocked_since = blocked.then(|| self.all.now());
    }

    /// Raised once the peer has stopped reading.
    pub fn stalled(&self) -> &Signal {
        &self.stalled
    }

    /// Raised once the server is closing.
    pub fn closing(&self) -> &Signal {
        &self.closing
    }

    /// Updates the counter of the address.
    fn update_address(&self, answers: &mut Answers) {
        let due = answers.waiting.saturating_sub(UNCOUNTED_BYTES);
        match due.cmp(&answers.counted) {
            Ordering::Greater => self.address.add(due - answers.counted),
            Ordering::Less => self.address.remove(answers.counted - due),
            Ordering::Equal => {}
        }
        answers.counted = due;
    }

    fn key(&self) -> usize {
        ptr::from_ref(self).addr()
    }

    fn lock(&self) -> MutexGuard<'_, Answers> {
        self.answers.lock().expect("never poisoned")
    }
}

impl Drop for UnfinishedRequest {
    fn drop(&mut self) {
        self.backlog.unfinished.fetch_sub(1, Relaxed);
        if self.is_counted {
            self.backlog.address.remove(BODY_BYTES);
        }
    }
}

impl Drop for Backlog {
    fn drop(&mut self) {
        self.all.lock().remove(&self.key());
    }
}

impl Answers {
    fn is_stalled(&self, now: u32) -> bool {
        let is_long_ago = |since: u32| now.saturating_sub(since) >= STALL_SECONDS;
        self.blocked_since.is_some_and(is_long_ago)
            || self.slots.iter().any(|answer| answer.waiting > 0 && is_long_ago(answer.progressed))
    }
}

impl HeldAnswer {
    /// Splits off some of the bytes into a guard of their own.
    pub fn split(&mut self, bytes: usize) -> Self {
        let bytes = bytes.min(self.bytes);
        self.bytes -= bytes;
        self.backlog.lock().slots[self.slot].holders += 1;
        Self { backlog: self.backlog.clone(), slot: self.slot, bytes }
    }

    /// Counts more bytes of the same answer.
    pub fn more(&self, bytes: usize) -> Self {
        let now = self.backlog.all.now();
        let mut answers = self.backlog.lock();
        let answer = &mut answers.slots[self.slot];
        if answer.waiting == 0 {
            answer.progressed = now;
        }
        answer.holders += 1;
        answer.waiting += bytes;
        answers.waiting += bytes;
        self.backlog.update_address(&mut answers);
        drop(answers);
        Self { backlog: self.backlog.clone(), slot: self.slot, bytes }
    }

    /// A future that a stream awaits before it produces more bytes, if its address is at its limit.
    pub fn room(&self) -> Option<BoxFuture<'static, ()>> {
        let address = &self.backlog.address;
        address.is_full().then(|| {
            let address = address.clone();
            Box::pin(async move { address.has_room().await }) as BoxFuture<'static, ()>
        })
    }

    /// Notes that some of the answer was sent.
    pub fn progress(&self) {
        let now = self.backlog.all.now();
        self.backlog.lock().slots[self.slot].progressed = now;
    }
}

impl Drop for HeldAnswer {
    fn drop(&mut self) {
        let now = self.backlog.all.now();
        let mut answers = self.backlog.lock();
        let answer = &mut answers.slots[self.slot];
        answer.holders -= 1;
        answer.waiting -= self.bytes;
        answer.progressed = now;
        let before = answers.waiting;
        answers.waiting -= self.bytes;
        self.backlog.update_address(&mut answers);
        if before >= CONNECTION_LIMIT && answers.waiting < CONNECTION_LIMIT {
            self.backlog.freed.notify_waiters();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::edge::unsent_bytes::ADDRESS_LIMIT;
    use futures::FutureExt;

    fn backlog() -> (Arc<Backlogs>, Arc<Backlog>) {
        let all = Arc::new(Backlogs::default());
        let one = all.open(UnsentBytes::default());
        (all, one)
    }

    fn is_stalled(all: &Backlogs, one: &Backlog, now: u32) -> bool {
        all.seconds.store(now, Relaxed);
        all.check_stalled(now);
        one.stalled().raised().now_or_never().is_some()
    }

    #[test]
    fn an_answer_that_gets_nowhere_is_noticed_and_one_that_is_taken_slowly_is_not() {
        let (all, one) = backlog();
        let mut held = one.begin(100);
        let sent = held.split(60);
        assert!(!is_stalled(&all, &one, STALL_SECONDS - 1));
        sent.progress();
        assert!(!is_stalled(&all, &one, STALL_SECONDS));
        assert!(is_stalled(&all, &one, 2 * STALL_SECONDS - 1));
        drop(sent);
        assert!(!is_stalled(&all, &one, 3 * STALL_SECONDS - 2));
        drop(held);
        assert!(!is_stalled(&all, &one, 9 * STALL_SECONDS), "nothing waits");
    }

    #[test]
    fn one_answer_that_is_read_does_not_excuse_another_that_is_not() {
        let (all, one) = backlog();
        let _never_read = one.begin(1);
        all.seconds.store(STALL_SECONDS - 1, Relaxed);
        drop(one.begin(1));
        assert!(is_stalled(&all, &one, STALL_SECONDS));
    }

    #[test]
    fn a_stream_that_has_nothing_to_say_is_not_stalled() {
        let (all, one) = backlog();
        let stream = one.begin(0);
        assert!(!is_stalled(&all, &one, 10 * STALL_SECONDS));
        let event = stream.more(10);
        assert!(!is_stalled(&all, &one, 11 * STALL_SECONDS - 1));
        assert!(is_stalled(&all, &one, 11 * STALL_SECONDS));
        drop(event);
        assert!(!is_stalled(&all, &one, 20 * STALL_SECONDS));
    }

    #[test]
    fn a_socket_that_takes_nothing_is_noticed_whatever_waits() {
        let (all, one) = backlog();
        one.set_blocked(true);
        assert!(is_stalled(&all, &one, STALL_SECONDS));
        one.set_blocked(false);
        assert!(!is_stalled(&all, &one, 3 * STALL_SECONDS));
    }

    #[test]
    fn requests_wait_while_the_connection_has_too_much_to_read() {
        let (_all, one) = backlog();
        let (first, second) = (one.begin(CONNECTION_LIMIT - 1), one.begin(1));
        let mut next = Box::pin(one.has_room());
        assert!(next.as_mut().now_or_never().is_none());
        drop(second);
        assert!(next.now_or_never().is_some());
        drop(first);
    }

    #[test]
    fn ordinary_answers_leave_the_counter_of_the_address_alone() {
        let (_all, one) = backlog();
        let ordinary = one.begin(UNCOUNTED_BYTES);
        assert!(!one.is_exceeded_by(usize::MAX), "nothing is counted");
        let large = one.begin(ADDRESS_LIMIT - 1);
        assert!(!one.is_exceeded_by(1) && one.is_exceeded_by(2));
        drop(ordinary);
        assert!(one.is_exceeded_by(UNCOUNTED_BYTES + 2));
        drop(large);
        assert!(!one.is_exceeded_by(usize::MAX));
    }

    #[test]
    fn nothing_is_left_of_a_connection_that_ended() {
        let (all, one) = backlog();
        let address = one.address.clone();
        let mut held = one.begin(ADDRESS_LIMIT);
        let (part, more) = (held.split(7), held.more(UNCOUNTED_BYTES + 1));
        assert!(held.room().is_some());
        drop((part, held, one));
        assert!(address.is_exceeded_by(ADDRESS_LIMIT), "some of it is still held");
        drop(more);
        assert!(all.lock().is_empty() && !address.is_exceeded_by(usize::MAX));
    }
}
