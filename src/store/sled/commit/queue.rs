//! The queue in front of the committer: bounded, in the order of the calls.

use crate::games::ports::StoreError;
use crate::store::epochs::Epochs;
use crate::store::sled::trees::{Stop, Storage, Tx};
use futures::future::BoxFuture;
use std::collections::VecDeque;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use tokio::sync::oneshot;

/// Something to be written by a commit and answered once it is durable.
pub(super) trait Job: Send {
    /// Works out the outcome and writes what follows from it. Everything is checked before the first write, because a
    /// job that is refused can't take back what it wrote.
    fn run(&mut self, turn: &mut CommitContext) -> Result<(), Storage>;

    /// Tells the outcome, or why it can't be told.
    fn answer(self: Box<Self>, durable: Result<(), StoreError>);
}

/// A job's turn in a commit.
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
    W: Fn(&mut CommitContext) -> Result<T, Stop> + Send,
    T: Send,
{
    fn run(&mut self, turn: &mut CommitContext) -> Result<(), Storage> {
        self.outcome = Some(match (self.work)(turn) {
            Ok(done) => Ok(done),
            Err(Stop::Refused(why)) => Err(why),
            Err(Stop::Storage(error)) => return Err(error),
        });
        Ok(())
    }

    fn answer(self: Box<Self>, durable: Result<(), StoreError>) {
        let QueuedWrite { outcome, reply, .. } = *self;
        let outcome = durable.and_then(|()| outcome.expect("a batch runs all its jobs before it is durable"));
        // Nobody may be waiting any more; what was written stays written.
        let _ = reply.send(outcome);
    }
}

/// The outcome of a job to come.
pub(in crate::store::sled) struct Pending<T>(Result<oneshot::Receiver<Result<T, StoreError>>, StoreError>);

impl<T: Send + 'static> Pending<T> {
    pub(in crate::store::sled) fn refused(why: StoreError) -> Self {
        Self(Err(why))
    }

    pub(in crate::store::sled) fn into_future(self) -> BoxFuture<'static, Result<T, StoreError>> {
        Box::pin(async { self.0?.await.unwrap_or_else(|_| Err(ended())) })
    }

    /// For threads that may block.
    pub(in crate::store::sled) fn wait(self) -> Result<T, StoreError> {
        self.0?.blocking_recv().unwrap_or_else(|_| Err(ended()))
    }
}

fn ended() -> StoreError {
    StoreError::Unknown("the store was closed before the outcome was known".to_owned())
}

/// Jobs waiting for the committer.
pub(in crate::store::sled) struct Queue {
    capacity: usize,
    inside: Mutex<Inside>,
    arrived: Condvar,
}

#[derive(Default)]
struct Inside {
    jobs: VecDeque<Box<dyn Job>>,
    /// How many the committer waits for: it is not woken for less.
    wanted: usize,
    /// Why nothing more is taken, once that is so.
    shut: Option<String>,
}

impl Queue {
    pub(in crate::store::sled) fn new(capacity: usize) -> Queue {
        Queue { capacity, inside: Mutex::default(), arrived: Condvar::new() }
    }

    /// Queues some work, now.
    pub(in crate::store::sled) fn push<W, T>(&self, work: W) -> Pending<T>
    where
        W: Fn(&mut CommitContext) -> Result<T, Stop> + Send + 'static,
        T: Send + 'static,
    {
        let mut inside = self.lock();
        if let Some(why) = &inside.shut {
            return Pending::refused(StoreError::Unavailable(why.clone()));
        }
        if inside.jobs.len() >= self.capacity {
            return Pending::refused(StoreError::Unavailable("busy, too many writes are waiting".to_owned()));
        }
        let (reply, answer) = oneshot::channel();
        inside.jobs.push_back(Box::new(QueuedWrite { work, outcome: None, reply }));
        if inside.jobs.len() >= inside.wanted {
            self.arrived.notify_one();
        }
        Pending(Ok(answer))
    }

    /// Waits for jobs and takes up to `most` of them; none once the queue is shut and empty. Once there is one, waits a
    /// moment more for as many as are `expected`.
    pub(super) fn take(&self, most: usize, expected: usize, moment: Duration) -> Vec<Box<dyn Job>> {
        let short_of = |count: usize| move |inside: &mut Inside| inside.jobs.len() < count && inside.shut.is_none();
        let mut inside = self.lock();
        inside.wanted = 1;
        inside = self.arrived.wait_while(inside, short_of(1)).unwrap_or_else(PoisonError::into_inner);
        if inside.jobs.len() < expected {
            inside.wanted = expected;
            let waited = self.arrived.wait_timeout_while(inside, moment, short_of(expected));
            (inside, _) = waited.unwrap_or_else(PoisonError::into_inner);
        }
        let count = most.min(inside.jobs.len());
        inside.jobs.drain(..count).collect()
    }

    /// Takes no more jobs; those inside are still carried out. The first reason given stands.
    pub(in crate::store::sled) fn shut(&self, why: &str) {
        self.lock().shut.get_or_insert_with(|| why.to_owned());
        self.arrived.notify_all();
    }

    fn lock(&self) -> MutexGuard<'_, Inside> {
        // Nothing in here panics half-way through a change.
        self.inside.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::thread;

    /// So long that a test which waits for it is noticed.
    const LONG: Duration = Duration::from_mins(1);

    fn push(queue: &Queue) {
        drop(queue.push(|_| Ok(())));
    }

    #[test]
    fn one_alone_is_taken_at_once() {
        let queue = Queue::new(10);
        push(&queue);
        assert_eq!(queue.take(10, 1, LONG).len(), 1);
    }

    #[test]
    fn those_who_are_expected_are_waited_for() {
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
    fn those_who_do_not_come_are_waited_for_only_a_moment() {
        let queue = Queue::new(10);
        push(&queue);
        assert_eq!(queue.take(10, 3, Duration::from_millis(1)).len(), 1);
    }

    #[test]
    fn no_more_are_taken_than_fit_and_the_rest_stays() {
        let queue = Queue::new(10);
        (0..5).for_each(|_| push(&queue));
        assert_eq!((queue.take(3, 1, LONG).len(), queue.take(3, 1, LONG).len()), (3, 2));
    }

    #[test]
    fn shutting_ends_every_wait() {
        let queue = Queue::new(10);
        push(&queue);
        queue.shut("for a test");
        assert_eq!((queue.take(10, 3, LONG).len(), queue.take(10, 1, LONG).len()), (1, 0));
    }
}
