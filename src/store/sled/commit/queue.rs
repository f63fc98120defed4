//! Write queue of the committer: bounded, first in, first out.

use crate::games::ports::StoreError;
use crate::store::epochs::Epochs;
use crate::store::sled::trees::{JobError, SledError, Tx};
use futures::future::BoxFuture;
use std::collections::VecDeque;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use tokio::sync::oneshot;

/// A write: part of a commit, answered once the commit is durable.
pub(super) trait Job: Send {
    /// Determines the outcome and adds the changes to the transaction. All checks must come before the first change,
    /// because a refused job can't undo changes.
    fn run(&mut self, context: &mut CommitContext) -> Result<(), SledError>;

    /// Sends the outcome, or the error that made it unknown.
    fn answer(self: Box<Self>, durable: Result<(), StoreError>);
}

/// What a job can use while its commit is collected.
pub(in crate::store::sled) struct CommitContext<'a> {
    pub(in crate::store::sled) tx: &'a Tx<'a>,
    pub(in crate::store::sled) epochs: &'a mut Epochs,
}

struct QueuedWrite<W, T> {
    work: W,
    outcome: Option<Result<T, StoreError>>,
    reply: oneshot::Sender<Result<T, StoreError>>,
}

impl<W, T> Job for QueuedWrite<W, T>
where
    W: Fn(&mut CommitContext) -> Result<T, JobError> + Send,
    T: Send,
{
    fn run(&mut self, context: &mut CommitContext) -> Result<(), SledError> {
        self.outcome = Some(match (self.work)(context) {
            Ok(done) => Ok(done),
            Err(JobError::Refused(why)) => Err(why),
            Err(JobError::Sled(error)) => return Err(error),
        });
        Ok(())
    }

    fn answer(self: Box<Self>, durable: Result<(), StoreError>) {
        let QueuedWrite { outcome, reply, .. } = *self;
        let outcome = durable.and_then(|()| outcome.expect("a batch runs all its jobs before it is durable"));
        // The client may have gone; what was written stays written.
        let _ = reply.send(outcome);
    }
}

pub(in crate::store::sled) struct Pending<T>(Result<oneshot::Receiver<Result<T, StoreError>>, StoreError>);

impl<T: Send + 'static> Pending<T> {
    pub(in crate::store::sled) fn refused(why: StoreError) -> Self {
        Self(Err(why))
    }

    pub(in crate::store::sled) fn into_future(self) -> BoxFuture<'static, Result<T, StoreError>> {
        Box::pin(async { self.0?.await.unwrap_or_else(|_| Err(closed_early())) })
    }

    pub(in crate::store::sled) fn wait(self) -> Result<T, StoreError> {
        self.0?.blocking_recv().unwrap_or_else(|_| Err(closed_early()))
    }
}

fn closed_early() -> StoreError {
    StoreError::Unknown("the store was closed before the outcome was known".to_owned())
}

pub(in crate::store::sled) struct Queue {
    capacity: usize,
    state: Mutex<QueueState>,
    arrived: Condvar,
}

#[derive(Default)]
struct QueueState {
    jobs: VecDeque<Box<dyn Job>>,
    /// The committer is not woken for fewer jobs than this.
    wanted: usize,
    /// Why no more jobs are accepted, once the queue is closed.
    closed: Option<String>,
}

impl Queue {
    pub(in crate::store::sled) fn new(capacity: usize) -> Queue {
        Queue { capacity, state: Mutex::default(), arrived: Condvar::new() }
    }

    /// Queues a job immediately; fails if the queue is full or closed.
    pub(in crate::store::sled) fn push<W, T>(&self, work: W) -> Pending<T>
    where
        W: Fn(&mut CommitContext) -> Result<T, JobError> + Send + 'static,
        T: Send + 'static,
    {
        let mut state = self.lock();
        if let Some(why) = &state.closed {
            return Pending::refused(StoreError::Unavailable(why.clone()));
        }
        if state.jobs.len() >= self.capacity {
            return Pending::refused(StoreError::Unavailable("busy, too many writes are waiting".to_owned()));
        }
        let (reply, answer) = oneshot::channel();
        state.jobs.push_back(Box::new(QueuedWrite { work, outcome: None, reply }));
        if state.jobs.len() >= state.wanted {
            self.arrived.notify_one();
        }
        Pending(Ok(answer))
    }

    /// Waits for at least one job, then up to `window` for `expected` jobs, and takes up to `most`. Returns none once
    /// the queue is closed and empty.
    pub(super) fn take(&self, most: usize, expected: usize, window: Duration) -> Vec<Box<dyn Job>> {
        let short_of = |count: usize| move |state: &mut QueueState| state.jobs.len() < count && state.closed.is_none();
        let mut state = self.lock();
        state.wanted = 1;
        state = self.arrived.wait_while(state, short_of(1)).unwrap_or_else(PoisonError::into_inner);
        if state.jobs.len() < expected {
            state.wanted = expected;
            let waited = self.arrived.wait_timeout_while(state, window, short_of(expected));
            (state, _) = waited.unwrap_or_else(PoisonError::into_inner);
        }
        let count = most.min(state.jobs.len());
        state.jobs.drain(..count).collect()
    }

    /// Accepts no more jobs; those queued are still taken. The first reason given is kept.
    pub(in crate::store::sled) fn close(&self, why: &str) {
        self.lock().closed.get_or_insert_with(|| why.to_owned());
        self.arrived.notify_all();
    }

    fn lock(&self) -> MutexGuard<'_, QueueState> {
        // No code panics between two changes under this lock.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::thread;

    /// Long enough that a test that waits for it is noticed.
    const LONG: Duration = Duration::from_mins(1);

    fn push(queue: &Queue) {
        drop(queue.push(|_| Ok(())));
    }

    #[test]
    fn a_single_job_is_taken_at_once() {
        let queue = Queue::new(10);
        push(&queue);
        assert_eq!(queue.take(10, 1, LONG).len(), 1);
    }

    #[test]
    fn take_waits_for_the_expected_jobs() {
        let queue = Queue::new(10);
        push(&queue);
        let taken = thread::scope(|scope| {
            let taking = scope.spawn(|| queue.take(10, 3, LONG).len());
            push(&queue);
            push(&queue);
            taking.join().unwrap()
        });
        assert_eq!(taken, 3);
    }

    #[test]
    fn take_waits_for_missing_jobs_no_longer_than_the_window() {
        let queue = Queue::new(10);
        push(&queue);
        assert_eq!(queue.take(10, 3, Duration::from_millis(1)).len(), 1);
    }

    #[test]
    fn take_returns_at_most_the_limit_and_leaves_the_rest() {
        let queue = Queue::new(10);
        (0..5).for_each(|_| push(&queue));
        assert_eq!((queue.take(3, 1, LONG).len(), queue.take(3, 1, LONG).len()), (3, 2));
    }

    #[test]
    fn closing_ends_every_wait() {
        let queue = Queue::new(10);
        push(&queue);
        queue.close("for a test");
        assert_eq!((queue.take(10, 3, LONG).len(), queue.take(10, 1, LONG).len()), (1, 0));
    }
}
