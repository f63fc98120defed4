//! Write queue: batches the steps of many games into one statement.
//!
//! At most one step of a game is being executed, so the steps of a game are stored in the order of the calls. Each of
//! several workers takes the first steps of many games and stores them with one statement. So all games share the
//! database's latency, and a slow statement delays only the games in it.

use super::append::{self, Verdict};
use super::database::{Database, pause};
use super::encoded_append::EncodedAppend;
use super::error::StatementError;
use super::game_queues::{GameQueues, Job};
use super::{Observer, Settings};
use crate::games::ports::{Append, Appended, StoreError};
use crate::store::observer::Commit;
use futures::future::{BoxFuture, join_all};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Instant;
use tokio::sync::{Notify, oneshot};
use tokio_util::task::TaskTracker;

/// How many statements run at once.
const WORKERS: usize = 4;
/// The most steps in one statement.
const MAX_BATCH: usize = 64;
/// How often a statement that lost to one of another node is tried.
const ATTEMPTS: usize = 5;
/// How long to determine the outcome of a step, in statement timeouts.
const RESOLVE_TIMEOUTS: u32 = 2;

/// Queues steps and runs the workers.
pub(super) struct Writer {
    shared: Arc<WriterState>,
    workers: TaskTracker,
}

struct WriterState {
    database: Database,
    capacity: usize,
    observer: Observer,
    queues: Mutex<GameQueues>,
    arrived: Notify,
}

/// A step taken from its queue.
struct ReadyAppend {
    job: Job,
    append: EncodedAppend,
}

impl Writer {
    pub(super) fn start(database: Database, settings: &Settings) -> Self {
        let shared = Arc::new(WriterState {
            database,
            capacity: settings.queue_capacity,
            observer: settings.observer.clone(),
            queues: Mutex::default(),
            arrived: Notify::new(),
        });
        let workers = TaskTracker::new();
        for _ in 0..WORKERS {
            workers.spawn(run_worker(shared.clone(), workers.clone()));
        }
        workers.close();
        Self { shared, workers }
    }

    pub(super) fn push(&self, append: Append) -> BoxFuture<'static, Result<Appended, StoreError>> {
        let (game, epoch) = (append.game, append.epoch);
        let encoded = EncodedAppend::new(append);
        let (reply, answer) = oneshot::channel();
        let refused = self.shared.queue(Job { game, epoch, encoded, reply }).err();
        Box::pin(async move {
            let lost = || StoreError::Unknown("the store was closed before the outcome was known".to_owned());
            match refused {
                Some(error) => Err(error),
                None => answer.await.unwrap_or_else(|_| Err(lost())),
            }
        })
    }

    /// Accepts no more steps, and waits until all queued ones are answered.
    pub(super) async fn close(&self) {
        self.shared.lock().closed = true;
        self.shared.arrived.notify_waiters();
        self.workers.wait().await;
    }
}

impl Drop for Writer {
    fn drop(&mut self) {
        self.shared.lock().closed = true;
        self.shared.arrived.notify_waiters();
    }
}

impl WriterState {
    fn queue(&self, job: Job) -> Result<(), StoreError> {
        self.lock().push(job, self.capacity).map_err(|why| StoreError::Unavailable(why.to_owned()))?;
        self.arrived.notify_one();
        Ok(())
    }

    /// Waits for steps of different games; returns none once the store is closed and the queues are empty.
    async fn take(&self) -> Vec<Job> {
        loop {
            let arrived = self.arrived.notified();
            {
                let mut queues = self.lock();
                let jobs = queues.take(MAX_BATCH);
                if !jobs.is_empty() {
                    if queues.has_ready() {
                        self.arrived.notify_one();
                    }
                    return jobs;
                }
                if queues.closed && queues.is_empty() {
                    self.arrived.notify_waiters();
                    return jobs;
                }
            }
            arrived.await;
        }
    }

    /// Answers a step and releases the next one of its game.
    fn answer(&self, job: Job, outcome: Result<Appended, StoreError>) {
        self.lock().done(&job, matches!(outcome, Ok(Appended::Stored(_))));
        self.arrived.notify_one();
        // The client may have gone; what was written stays written.
        let _ = job.reply.send(outcome);
    }

    async fn execute(self: &Arc<Self>, jobs: Vec<Job>, tasks: &TaskTracker) {
        let mut batch = Vec::new();
        for mut job in jobs {
            let over = self.lock().is_over(&job);
            // A step that could not be encoded is refused here, in order, like any other.
            match std::mem::replace(&mut job.encoded, Err(StoreError::Unavailable(String::new()))) {
                Err(error) => self.answer(job, Err(error)),
                Ok(append) if over => self.refuse(ReadyAppend { job, append }).await,
                Ok(append) => batch.push(ReadyAppend { job, append }),
            }
        }
        // All nodes lock games in the same order, so that no two statements deadlock.
        batch.sort_by_key(|ready| ready.append.game);
        let (with_members, without): (Vec<_>, Vec<_>) = batch.into_iter().partition(|ready| ready.append.with_members);
        let members_changed = self.write(without, false, tasks).await;
        self.write(with_members.into_iter().chain(members_changed).collect(), true, tasks).await;
    }

    /// Stores steps with one statement. Returns those whose rows in `members` must be rewritten too.
    async fn write(
        self: &Arc<Self>,
        batch: Vec<ReadyAppend>,
        with_members: bool,
        tasks: &TaskTracker,
    ) -> Vec<ReadyAppend> {
        if batch.is_empty() {
            return batch;
        }
        let mut members_changed = Vec::new();
        match self.attempt(&batch, with_members).await {
            Ok(verdicts) => {
                for (ready, verdict) in batch.into_iter().zip(verdicts) {
                    match verdict {
                        Verdict::Stored => {
                            let version = ready.append.version().cast_unsigned();
                            self.answer(ready.job, Ok(Appended::Stored(version)));
                        }
                        Verdict::MembersChanged => members_changed.push(ready),
                        Verdict::Refused => self.refuse(ready).await,
                    }
                }
            }
            Err(error @ StatementError::Unsent(_)) => {
                let why = error.to_string();
                for ready in batch {
                    self.answer(ready.job, Err(StoreError::Unavailable(why.clone())));
                }
            }
            Err(StatementError::Refused { why, constraint }) if batch.len() == 1 => {
                for ready in batch {
                    self.answer(ready.job, Err(constraint_error(&why, constraint.as_deref())));
                }
            }
            // One step can fail the whole statement, so each is retried alone. The statement may have been executed, so
            // first check whether the step is stored.
            Err(error) => {
                tracing::debug!(%error, steps = batch.len(), "a statement failed; its steps are tried one by one");
                let shared = self.clone();
                tasks.spawn(async move {
                    join_all(batch.into_iter().map(|ready| shared.resolve(ready))).await;
                });
            }
        }
        members_changed
    }

    async fn attempt(&self, batch: &[ReadyAppend], with_members: bool) -> Result<Vec<Verdict>, StatementError> {
        let appends: Vec<_> = batch.iter().map(|ready| &ready.append).collect();
        let mut attempt = 1;
        loop {
            let start = Instant::now();
            match append::execute(&self.database, &appends, with_members).await {
                Ok(verdicts) => {
                    self.observer.notify(Commit { writes: appends.len(), flush: start.elapsed() });
                    return Ok(verdicts);
                }
                Err(StatementError::Retryable(_)) if attempt < ATTEMPTS => {
                    tokio::time::sleep(pause(attempt)).await;
                    attempt += 1;
                }
                Err(error) => return Err(error),
            }
        }
    }

    async fn refuse(&self, ready: ReadyAppend) {
        let outcome = append::refusal(&self.database, &ready.append).await;
        self.answer(ready.job, outcome);
    }

    /// Retries until the outcome of a step is known, for as long as a client would wait.
    async fn resolve(&self, ready: ReadyAppend) {
        let ReadyAppend { job, append } = ready;
        let deadline = Instant::now() + self.database.timeout * RESOLVE_TIMEOUTS;
        let mut attempt = 1;
        let outcome = loop {
            match append::resolve(&self.database, &append).await {
                Ok(appended) => break Ok(appended),
                Err(StatementError::Refused { why, constraint }) => {
                    break Err(constraint_error(&why, constraint.as_deref()));
                }
                Err(error) if Instant::now() >= deadline => break Err(StoreError::Unknown(error.to_string())),
                Err(_) => tokio::time::sleep(pause(attempt)).await,
            }
            attempt += 1;
        };
        self.answer(job, outcome);
    }

    fn lock(&self) -> MutexGuard<'_, GameQueues> {
        // No code panics between two changes under this lock.
        self.queues.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The answer to a step that violates a constraint.
fn constraint_error(why: &str, constraint: Option<&str>) -> StoreError {
    let taken = constraint == Some("games_invite_key");
    StoreError::Unavailable(if taken { "the invite code belongs to another game" } else { why }.to_owned())
}

async fn run_worker(shared: Arc<WriterState>, tasks: TaskTracker) {
    loop {
        let jobs = shared.take().await;
        if jobs.is_empty() {
            return;
        }
        shared.execute(jobs, &tasks).await;
    }
}
