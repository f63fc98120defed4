//! The queue of steps, and those who carry them out.
//!
//! The steps of one game form a line: one of them is under way at a time, so that they are carried out in the order of the
//! calls. Several workers take the first of many lines at once and write them in one statement; so the database's latency
//! is shared by all games that are being played, and a slow statement holds up no game but those in it.

use super::append::{self, Verdict};
use super::database::{Database, pause};
use super::encoded_append::EncodedAppend;
use super::error::StatementError;
use super::game_queues::{Job, Lines};
use super::{Observer, Settings};
use crate::games::ports::{Append, Appended, StoreError};
use crate::store::observer::Commit;
use futures::future::{BoxFuture, join_all};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Instant;
use tokio::sync::{Notify, oneshot};
use tokio_util::task::TaskTracker;

/// How many statements may be under way at once.
const WORKERS: usize = 4;
/// The most steps in one.
const BATCH: usize = 64;
/// How often a statement that lost against another node's is tried.
const ATTEMPTS: usize = 5;
/// How many times the patience of one statement it may take to find out what became of a step.
const FINDING_OUT: u32 = 2;

/// Takes steps in, and has them carried out.
pub(super) struct Writer {
    shared: Arc<WriterState>,
    workers: TaskTracker,
}

struct WriterState {
    database: Database,
    capacity: usize,
    observer: Observer,
    lines: Mutex<Lines>,
    arrived: Notify,
}

/// A step whose turn it is.
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
            lines: Mutex::default(),
            arrived: Notify::new(),
        });
        let workers = TaskTracker::new();
        for _ in 0..WORKERS {
            workers.spawn(work(shared.clone(), workers.clone()));
        }
        workers.close();
        Self { shared, workers }
    }

    /// Queues a step, now.
    pub(super) fn push(&self, append: Append) -> BoxFuture<'static, Result<Appended, StoreError>> {
        let (game, epoch) = (append.game, append.epoch);
        let prepared = EncodedAppend::new(append);
        let (reply, answer) = oneshot::channel();
        let refused = self.shared.queue(Job { game, epoch, prepared, reply }).err();
        Box::pin(async move {
            let lost = || StoreError::Unknown("the store was closed before the outcome was known".to_owned());
            match refused {
                Some(error) => Err(error),
                None => answer.await.unwrap_or_else(|_| Err(lost())),
            }
        })
    }

    /// Waits until everything that was queued is answered; nothing more is taken.
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

    /// The first steps of some lines; none once the store is closed and they are all empty.
    async fn take(&self) -> Vec<Job> {
        loop {
            let arrived = self.arrived.notified();
            {
                let mut lines = self.lock();
                let jobs = lines.take(BATCH);
                if !jobs.is_empty() {
                    if lines.has_ready() {
                        self.arrived.notify_one();
                    }
                    return jobs;
                }
                if lines.closed && lines.is_empty() {
                    self.arrived.notify_waiters();
                    return jobs;
                }
            }
            arrived.await;
        }
    }

    /// Answers a step, and lets the next of its line come.
    fn answer(&self, job: Job, outcome: Result<Appended, StoreError>) {
        self.lock().done(&job, matches!(outcome, Ok(Appended::Stored(_))));
        self.arrived.notify_one();
        // Nobody may be waiting any more; what was written stays written.
        let _ = job.reply.send(outcome);
    }

    /// Carries out some steps of different games.
    async fn carry_out(self: &Arc<Self>, jobs: Vec<Job>, tasks: &TaskTracker) {
        let mut turns = Vec::new();
        for mut job in jobs {
            let over = self.lock().is_over(&job);
            // One that could not even be prepared is refused in its turn, like any other.
            match std::mem::replace(&mut job.prepared, Err(StoreError::Unavailable(String::new()))) {
                Err(error) => self.answer(job, Err(error)),
                Ok(append) if over => self.refuse(ReadyAppend { job, append }).await,
                Ok(append) => turns.push(ReadyAppend { job, append }),
            }
        }
        // In one order on all nodes, so that no two wait for each other.
        turns.sort_by_key(|turn| turn.append.game);
        let (with_members, without): (Vec<_>, Vec<_>) = turns.into_iter().partition(|turn| turn.append.with_members);
        let unplaced = self.write(without, false, tasks).await;
        self.write(with_members.into_iter().chain(unplaced).collect(), true, tasks).await;
    }

    /// Writes some steps in one statement; hands back those that need their rows in `members` written too.
    async fn write(
        self: &Arc<Self>,
        turns: Vec<ReadyAppend>,
        with_members: bool,
        tasks: &TaskTracker,
    ) -> Vec<ReadyAppend> {
        if turns.is_empty() {
            return turns;
        }
        let mut unplaced = Vec::new();
        match self.attempt(&turns, with_members).await {
            Ok(verdicts) => {
                for (turn, verdict) in turns.into_iter().zip(verdicts) {
                    match verdict {
                        Verdict::Stored => {
                            let version = turn.append.version().cast_unsigned();
                            self.answer(turn.job, Ok(Appended::Stored(version)));
                        }
                        Verdict::Unplaced => unplaced.push(turn),
                        Verdict::Refused => self.refuse(turn).await,
                    }
                }
            }
            Err(trouble @ StatementError::Unsent(_)) => {
                let why = trouble.to_string();
                for turn in turns {
                    self.answer(turn.job, Err(StoreError::Unavailable(why.clone())));
                }
            }
            Err(StatementError::Refused { why, constraint }) if turns.len() == 1 => {
                for turn in turns {
                    self.answer(turn.job, Err(unfit(&why, constraint.as_deref())));
                }
            }
            // One of them spoils it for all: each by itself. What may have been carried out is looked for first.
            Err(trouble) => {
                tracing::debug!(%trouble, steps = turns.len(), "a statement failed; its steps are tried one by one");
                let shared = self.clone();
                tasks.spawn(async move {
                    join_all(turns.into_iter().map(|turn| shared.find_out(turn))).await;
                });
            }
        }
        unplaced
    }

    async fn attempt(&self, turns: &[ReadyAppend], with_members: bool) -> Result<Vec<Verdict>, StatementError> {
        let appends: Vec<_> = turns.iter().map(|turn| &turn.append).collect();
        let mut attempt = 1;
        loop {
            let start = Instant::now();
            match append::carry_out(&self.database, &appends, with_members).await {
                Ok(verdicts) => {
                    self.observer.tell(Commit { writes: appends.len(), flush: start.elapsed() });
                    return Ok(verdicts);
                }
                Err(StatementError::Lost(_)) if attempt < ATTEMPTS => {
                    tokio::time::sleep(pause(attempt)).await;
                    attempt += 1;
                }
                Err(trouble) => return Err(trouble),
            }
        }
    }

    async fn refuse(&self, turn: ReadyAppend) {
        let outcome = append::refusal(&self.database, &turn.append).await;
        self.answer(turn.job, outcome);
    }

    /// Asks until it is known what became of a step, for as long as anybody would wait.
    async fn find_out(&self, turn: ReadyAppend) {
        let ReadyAppend { job, append } = turn;
        let deadline = Instant::now() + self.database.patience * FINDING_OUT;
        let mut attempt = 1;
        let outcome = loop {
            match append::find_out(&self.database, &append).await {
                Ok(appended) => break Ok(appended),
                Err(StatementError::Refused { why, constraint }) => break Err(unfit(&why, constraint.as_deref())),
                Err(trouble) if Instant::now() >= deadline => break Err(StoreError::Unknown(trouble.to_string())),
                Err(_) => tokio::time::sleep(pause(attempt)).await,
            }
            attempt += 1;
        };
        self.answer(job, outcome);
    }

    fn lock(&self) -> MutexGuard<'_, Lines> {
        // Nothing in here panics half-way through a change.
        self.lines.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// What a step is told that the tables can't take.
fn unfit(why: &str, constraint: Option<&str>) -> StoreError {
    let taken = constraint == Some("games_invite_key");
    StoreError::Unavailable(if taken { "the invite code belongs to another game" } else { why }.to_owned())
}

async fn work(shared: Arc<WriterState>, tasks: TaskTracker) {
    loop {
        let jobs = shared.take().await;
        if jobs.is_empty() {
            return;
        }
        shared.carry_out(jobs, &tasks).await;
    }
}
