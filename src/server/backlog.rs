//! Write backlog of a connection: the bytes of its answers that the peer has not taken yet, counted per answer.
//!
//! It bounds memory and finds readers that have stopped reading. Further requests of a connection wait while
//! [`CONNECTION_ROOM`] bytes do. An answer that would take its address beyond [`ADDRESS_ROOM`] is not sent. A connection
//! one of whose answers gets nowhere for [`STALL_SECONDS`], or whose socket takes nothing for as long, is cut off. An
//! answer that has nothing to send, such as an idle stream of events, waits for us and not for its reader.
//!
//! [`ADDRESS_ROOM`]: crate::edge::unsent_bytes::ADDRESS_ROOM

use crate::edge::client_address::Payer;
use crate::edge::unsent_bytes::{CONNECTION_ROOM, UnsentBytes};
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

/// How long an answer may get nowhere: as long as a WebSocket has to take a message.
const STALL_SECONDS: u32 = 30;
/// How often connections are looked at, in seconds.
const LOOK_EVERY: u32 = 5;
/// Bytes of a connection that are not counted against its address: an ordinary answer, which is written at once. So the
/// connections of an address do not contend for its counter (4 % of the reads when all of them did).
const UNCOUNTED: usize = 8 * 1024;

/// What the body of a request may take while it comes in.
const BODY: usize = 64 * 1024;

/// The backlogs of all connections of a listener, and a clock that costs nothing to read.
#[derive(Default)]
pub struct Backlogs {
    /// Seconds since the listener began.
    seconds: AtomicU32,
    /// By their addresses in memory.
    open: Mutex<HashMap<usize, Weak<Backlog>>>,
}

/// The backlog of one connection.
pub struct Backlog {
    all: Arc<Backlogs>,
    /// What waits for its address.
    address: UnsentBytes,
    answers: Mutex<Answers>,
    /// Notified when there is room for another answer.
    freed: Notify,
    /// Raised when the peer has stopped reading.
    stalled: Signal,
    /// Raised when the server closes.
    closing: Signal,
    /// Whether what is written next makes a WebSocket of the connection.
    switches: AtomicBool,
    /// Who pays for what comes in over it then.
    payer: OnceLock<Payer>,
    /// HTTP/2 requests that came in.
    requests: AtomicU32,
    /// Those of them whose bodies are still to come.
    unfinished: AtomicU32,
}

#[derive(Default)]
struct Answers {
    /// Bytes that wait on this connection.
    waiting: usize,
    /// Those of them that are counted against the address.
    counted: usize,
    /// Since when the socket takes nothing.
    blocked_since: Option<u32>,
    /// A place is used again once nothing holds it.
    places: Vec<Answer>,
}

/// What is left of one answer.
#[derive(Default)]
struct Answer {
    /// How many [`HeldRequest`] there are of it.
    holders: u32,
    waiting: usize,
    /// When some of it was last taken, or began to wait.
    progressed: u32,
}

/// Bytes of an answer that are kept in memory; counted until dropped.
pub struct HeldRequest {
    backlog: Arc<Backlog>,
    place: usize,
    bytes: usize,
}

/// A request whose body is still to come; counted until dropped.
pub struct UnfinishedAnswer {
    backlog: Arc<Backlog>,
    /// Whether it is counted against the address.
    counts: bool,
}

impl Backlogs {
    /// The backlog of a new connection, counted against its address too.
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

    /// Looks at all connections now and then, for ever, and tells those whose peers have stopped reading.
    pub async fn watch(&self) {
        let start = Instant::now();
        loop {
            sleep(Duration::from_secs(1)).await;
            let now = u32::try_from(start.elapsed().as_secs()).unwrap_or(u32::MAX);
            if self.seconds.swap(now, Relaxed) / LOOK_EVERY != now / LOOK_EVERY {
                self.look(now);
            }
        }
    }

    fn look(&self, now: u32) {
        for backlog in self.all().iter().filter(|backlog| backlog.lock().is_stalled(now)) {
            backlog.stalled.raise();
        }
    }

    /// Tells all connections that the server closes. There must be no new ones from then on.
    pub fn close(&self) {
        for backlog in self.all() {
            backlog.closing.raise();
        }
    }

    fn all(&self) -> Vec<Arc<Backlog>> {
        // Not to be dropped under the lock: the last to let go of a backlog takes it off the list.
        self.lock().values().filter_map(Weak::upgrade).collect()
    }

    fn now(&self) -> u32 {
        self.seconds.load(Relaxed)
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<usize, Weak<Backlog>>> {
        self.open.lock().expect("nobody panics holding it")
    }
}

impl Backlog {
    /// Tells that the answer which is written next makes a WebSocket of the connection, and who pays for what comes in.
    pub fn expect_switch(&self, payer: Option<Payer>) {
        if let Some(payer) = payer {
            // A connection switches once.
            self.payer.get_or_init(|| payer);
        }
        self.switches.store(true, Relaxed);
    }

    /// Who pays for what comes in over a WebSocket, if anybody does.
    pub fn payer(&self) -> Option<Payer> {
        self.payer.get().copied()
    }

    /// Whether it does; asked once.
    pub fn switches(&self) -> bool {
        self.switches.load(Relaxed) && self.switches.swap(false, Relaxed)
    }

    /// Counts an HTTP/2 request that came in.
    pub fn came_in(&self) {
        self.requests.fetch_add(1, Relaxed);
    }

    /// How many came in so far.
    pub fn requests(&self) -> u32 {
        self.requests.load(Relaxed)
    }

    /// Counts an HTTP/2 request whose body is still to come; nothing if there are too many of them. What a body may take
    /// counts like an answer that is not read, but for one on each connection: HTTP/1 has no more than that.
    pub fn begin_body(self: &Arc<Self>) -> Option<UnfinishedAnswer> {
        let counts = self.unfinished.fetch_add(1, Relaxed) > 0;
        // It takes itself off again when it is dropped.
        let mut unfinished = UnfinishedAnswer { backlog: self.clone(), counts: false };
        if counts {
            if self.address.is_exceeded_by(BODY) {
                return None;
            }
            self.address.add(BODY);
            unfinished.counts = true;
        }
        Some(unfinished)
    }

    /// Resolves once there is room for another answer.
    pub async fn has_room(&self) {
        while self.is_full() {
            // Before looking again, so that nothing is missed in between.
            let freed = self.freed.notified();
            if self.is_full() {
                freed.await;
            }
        }
    }

    fn is_full(&self) -> bool {
        self.lock().waiting >= CONNECTION_ROOM
    }

    /// Whether the address would have more bytes waiting than it may.
    pub fn is_exceeded_by(&self, bytes: usize) -> bool {
        self.address.is_exceeded_by(bytes)
    }

    /// Counts an answer of which so many bytes are in memory.
    pub fn begin(self: &Arc<Self>, bytes: usize) -> HeldRequest {
        let now = self.all.now();
        let mut answers = self.lock();
        let place = answers.places.iter().position(|answer| answer.holders == 0).unwrap_or_else(|| {
            // Most connections have one at a time, and idle streams are many: a vector would make room for four.
            if answers.places.is_empty() {
                answers.places.reserve_exact(1);
            }
            answers.places.push(Answer::default());
            answers.places.len() - 1
        });
        answers.places[place] = Answer { holders: 1, waiting: bytes, progressed: now };
        answers.waiting += bytes;
        self.count(&mut answers);
        HeldRequest { backlog: self.clone(), place, bytes }
    }

    /// Notes that the socket takes nothing now, or that it does again.
    pub fn is_blocked(&self, blocked: bool) {
        self.lock().blocked_since = blocked.then(|| self.all.now());
    }

    /// Raised once the peer has stopped reading.
    pub fn stalled(&self) -> &Signal {
        &self.stalled
    }

    /// Raised once the server closes.
    pub fn closing(&self) -> &Signal {
        &self.closing
    }

    /// Brings what is counted against the address up to date.
    fn count(&self, answers: &mut Answers) {
        let due = answers.waiting.saturating_sub(UNCOUNTED);
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
        self.answers.lock().expect("nobody panics holding it")
    }
}

impl Drop for UnfinishedAnswer {
    fn drop(&mut self) {
        self.backlog.unfinished.fetch_sub(1, Relaxed);
        if self.counts {
            self.backlog.address.remove(BODY);
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
            || self.places.iter().any(|answer| answer.waiting > 0 && is_long_ago(answer.progressed))
    }
}

impl HeldRequest {
    /// Takes some of the bytes apart, to be let go on their own.
    pub fn split(&mut self, bytes: usize) -> Self {
        let bytes = bytes.min(self.bytes);
        self.bytes -= bytes;
        self.backlog.lock().places[self.place].holders += 1;
        Self { backlog: self.backlog.clone(), place: self.place, bytes }
    }

    /// So many bytes more of the same answer.
    pub fn more(&self, bytes: usize) -> Self {
        let now = self.backlog.all.now();
        let mut answers = self.backlog.lock();
        let answer = &mut answers.places[self.place];
        if answer.waiting == 0 {
            answer.progressed = now;
        }
        answer.holders += 1;
        answer.waiting += bytes;
        answers.waiting += bytes;
        self.backlog.count(&mut answers);
        drop(answers);
        Self { backlog: self.backlog.clone(), place: self.place, bytes }
    }

    /// What a stream waits for before it makes more bytes, if its address has too many waiting.
    pub fn room(&self) -> Option<BoxFuture<'static, ()>> {
        let address = &self.backlog.address;
        address.is_full().then(|| {
            let address = address.clone();
            Box::pin(async move { address.has_room().await }) as BoxFuture<'static, ()>
        })
    }

    /// Notes that some of the answer was taken.
    pub fn progress(&self) {
        let now = self.backlog.all.now();
        self.backlog.lock().places[self.place].progressed = now;
    }
}

impl Drop for HeldRequest {
    fn drop(&mut self) {
        let now = self.backlog.all.now();
        let mut answers = self.backlog.lock();
        let answer = &mut answers.places[self.place];
        answer.holders -= 1;
        answer.waiting -= self.bytes;
        answer.progressed = now;
        let before = answers.waiting;
        answers.waiting -= self.bytes;
        self.backlog.count(&mut answers);
        if before >= CONNECTION_ROOM && answers.waiting < CONNECTION_ROOM {
            self.backlog.freed.notify_waiters();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::edge::unsent_bytes::ADDRESS_ROOM;
    use futures::FutureExt;

    fn backlog() -> (Arc<Backlogs>, Arc<Backlog>) {
        let all = Arc::new(Backlogs::default());
        let one = all.open(UnsentBytes::default());
        (all, one)
    }

    fn is_stalled(all: &Backlogs, one: &Backlog, now: u32) -> bool {
        all.seconds.store(now, Relaxed);
        all.look(now);
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
        one.is_blocked(true);
        assert!(is_stalled(&all, &one, STALL_SECONDS));
        one.is_blocked(false);
        assert!(!is_stalled(&all, &one, 3 * STALL_SECONDS));
    }

    #[test]
    fn requests_wait_while_the_connection_has_too_much_to_read() {
        let (_all, one) = backlog();
        let (first, second) = (one.begin(CONNECTION_ROOM - 1), one.begin(1));
        let mut next = Box::pin(one.has_room());
        assert!(next.as_mut().now_or_never().is_none());
        drop(second);
        assert!(next.now_or_never().is_some());
        drop(first);
    }

    #[test]
    fn ordinary_answers_leave_the_counter_of_the_address_alone() {
        let (_all, one) = backlog();
        let ordinary = one.begin(UNCOUNTED);
        assert!(!one.is_exceeded_by(usize::MAX), "nothing is counted");
        let large = one.begin(ADDRESS_ROOM - 1);
        assert!(!one.is_exceeded_by(1) && one.is_exceeded_by(2));
        drop(ordinary);
        assert!(one.is_exceeded_by(UNCOUNTED + 2));
        drop(large);
        assert!(!one.is_exceeded_by(usize::MAX));
    }

    #[test]
    fn nothing_is_left_of_a_connection_that_ended() {
        let (all, one) = backlog();
        let address = one.address.clone();
        let mut held = one.begin(ADDRESS_ROOM);
        let (part, more) = (held.split(7), held.more(UNCOUNTED + 1));
        assert!(held.room().is_some());
        drop((part, held, one));
        assert!(address.is_exceeded_by(ADDRESS_ROOM), "some of it is still held");
        drop(more);
        assert!(all.lock().is_empty() && !address.is_exceeded_by(usize::MAX));
    }
}
