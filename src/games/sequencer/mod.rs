//! Per-game write queue with optimistic concurrency.
//!
//! Within a node, each step is judged on the newest state, durable or not, so that many steps of one game share one
//! flush. Pending state is neither shown nor acknowledged: an accepted step waits for its own flush, and a refusal
//! waits for the flush of the state it was judged on. Between nodes, the store compares versions: the loser of a race
//! reloads the game and judges the step again. If other nodes write to the store, the sequencer asks it for the
//! version before it shows a game or refuses a step.

mod game_slot;
pub(in crate::games) mod history;
mod step_pipeline;

pub(in crate::games) use game_slot::new_epoch;

use crate::games::bots::BotPool;
use crate::games::error::{GameError, RejectedStep};
use crate::games::game::Game;
use crate::games::model::step_view::RenderedStep;
use crate::games::ports::{Append, Appended, Clock, Command, Done, Notifier, Store, StoreError};
use crate::games::step::{Action, Step};
use crate::ids::{GameId, PlayerId};
use crate::rules::{Instant, catalog::Catalog};
use futures::future::BoxFuture;
use game_slot::{GameSlot, Settled};
use moka::sync::Cache;
use std::collections::HashMap;
use std::sync::{Arc, Mutex, Weak};
use std::time::Duration;
use tokio_util::task::TaskTracker;

/// How often a step is judged again after a lost race or a failed flush.
const ATTEMPTS: usize = 16;
/// How far a cached game may lag behind the store and still be updated step by step.
const GAP: usize = 64;
/// Cached games, some 20 KB each. A game that is idle for a minute is evicted; games beyond this number are read
/// again.
const GAMES: u64 = 3_000;
const IDLE: Duration = Duration::from_mins(1);

/// Queues the steps of all games.
pub struct Sequencer {
    store: Arc<dyn Store>,
    notifier: Arc<dyn Notifier>,
    clock: Arc<dyn Clock>,
    /// The rules of stored games.
    catalog: Catalog,
    bots: Arc<BotPool>,
    /// Every slot in use. There is never more than one slot for a game, because two slots could show different states.
    slots: Mutex<HashMap<GameId, Weak<GameSlot>>>,
    /// Keeps recently used slots alive.
    warm: Cache<GameId, Arc<GameSlot>>,
    tasks: TaskTracker,
}

/// Result of a step.
pub enum StepOutcome {
    /// Accepted by this request, and durable.
    Accepted { game: Arc<Game>, step: Arc<Step> },
    /// Accepted earlier under the same idempotency key.
    Before(Done),
}

/// A request for a step.
pub struct StepRequest {
    /// None for steps of the service itself.
    pub by: Option<PlayerId>,
    /// The version that the caller requires, if any.
    pub expected: Option<u64>,
    pub command: Option<Command>,
}

/// Result of queueing a step.
enum Queued {
    Flushing(Flush),
    RejectedStep(GameError, Arc<Game>, u64),
    /// Another request with the same idempotency key is in progress.
    Waiting,
    Before(Done),
}

/// A step that is being written.
struct Flush {
    appended: BoxFuture<'static, Result<Appended, StoreError>>,
    game: Arc<Game>,
    step: Arc<Step>,
    epoch: u64,
    command: Option<Command>,
}

impl Sequencer {
    pub(in crate::games) fn new(
        store: Arc<dyn Store>,
        notifier: Arc<dyn Notifier>,
        clock: Arc<dyn Clock>,
        catalog: Catalog,
        bots: Arc<BotPool>,
    ) -> Arc<Self> {
        let warm = Cache::builder().max_capacity(GAMES).time_to_idle(IDLE).build();
        Arc::new(Self {
            store,
            notifier,
            clock,
            catalog,
            bots,
            slots: Mutex::default(),
            warm,
            tasks: TaskTracker::new(),
        })
    }

    /// Waits until every queued step is durable or refused.
    pub async fn drain(&self) {
        self.tasks.close();
        self.tasks.wait().await;
    }

    /// The durable game.
    pub async fn current(&self, id: GameId) -> Result<Option<Arc<Game>>, StoreError> {
        self.current_since(id, 0).await
    }

    /// The durable game at `least` or later, for a caller that has seen this version: the store may announce a step
    /// shortly before this node shows it.
    pub async fn current_since(&self, id: GameId, least: u64) -> Result<Option<Arc<Game>>, StoreError> {
        if !self.store.is_shared() {
            return self.reached(id, least).await;
        }
        match self.store.version(id).await? {
            Some(version) => self.reached(id, version.max(least)).await,
            None => {
                self.forget(id).await;
                Ok(None)
            }
        }
    }

    /// The durable game at `version` or later; without asking a shared store for a newer one.
    pub async fn reached(&self, id: GameId, version: u64) -> Result<Option<Arc<Game>>, StoreError> {
        let slot = self.slot(id);
        match slot.reached(version) {
            Some(game) => Ok(Some(game)),
            None => Box::pin(self.read(id, &slot, version)).await,
        }
    }

    /// Reads the game from the store until it has reached a version.
    async fn read(&self, id: GameId, slot: &GameSlot, version: u64) -> Result<Option<Arc<Game>>, StoreError> {
        for _ in 0..ATTEMPTS {
            let _loading = slot.loading.lock().await;
            if let Some(game) = slot.reached(version) {
                return Ok(Some(game));
            }
            // If the read is already out of date, `settle` ignores it and shows the newer state.
            if self.catch_up(id, slot).await? {
                continue;
            }
            match self.load(id).await? {
                Some(game) => slot.settle(&game, None),
                None => {
                    self.warm.invalidate(&id);
                    return Ok(None);
                }
            }
        }
        Err(StoreError::Unavailable(format!("{id} does not reach version {version}")))
    }

    /// Reads the missing steps if the game is cached and they are few.
    async fn catch_up(&self, id: GameId, slot: &GameSlot) -> Result<bool, StoreError> {
        let Some(behind) = slot.reached(0) else { return Ok(false) };
        let steps = self.store.steps(id, behind.version, GAP).await?;
        if steps.is_empty() || steps.len() == GAP {
            return Ok(false);
        }
        let game = history::follow(self.catalog, Game::clone(&behind), steps.clone()).await?;
        slot.settle(&Arc::new(game), steps.into_iter().map(Arc::new));
        Ok(true)
    }

    /// Drops a game that was removed from the store.
    pub async fn forget(&self, id: GameId) {
        let slot = self.slot(id);
        slot.queue.lock().await.newest = None;
        slot.clear();
        self.warm.invalidate(&id);
    }

    /// Durable steps after a version, at most `limit`; recent ones come from memory.
    pub(in crate::games) async fn steps(
        &self,
        id: GameId,
        after: u64,
        limit: usize,
    ) -> Result<Vec<Arc<RenderedStep>>, StoreError> {
        let recent = self.slot(id).recent(after, limit);
        if !recent.is_empty() {
            return Ok(recent);
        }
        let steps = self.store.steps(id, after, limit).await?;
        Ok(steps.into_iter().map(|step| Arc::new(RenderedStep::from(Arc::new(step)))).collect())
    }

    /// The game right after one of its steps.
    pub async fn at(&self, id: GameId, version: u64) -> Result<Option<(Arc<Game>, Arc<Step>)>, StoreError> {
        let found = Box::pin(history::at(&*self.store, self.catalog, id, version)).await?;
        Ok(found.map(|(game, step)| (Arc::new(game), Arc::new(step))))
    }

    /// Appends the first step of a new game.
    pub async fn create(
        self: &Arc<Self>,
        game: Game,
        step: Step,
        command: Option<Command>,
    ) -> Result<StepOutcome, GameError> {
        let slot = self.slot(game.id);
        let (game, step) = (Arc::new(game), Arc::new(step));
        let epoch = slot.queue.lock().await.epoch;
        let appended = self.store.append(append(&game, &step, command.clone(), epoch));
        self.settle(slot, Flush { appended, game, step, epoch, command }).await?.ok_or_else(lost_race)
    }

    /// Queues a step. `decide` chooses the action, given the state on which the step is judged and the time of the
    /// step.
    pub async fn step(
        self: &Arc<Self>,
        id: GameId,
        request: StepRequest,
        decide: impl Fn(&Game, Instant) -> Result<Action, GameError> + Send + Sync,
    ) -> Result<StepOutcome, RejectedStep> {
        let mut attempts = 0;
        while attempts < ATTEMPTS {
            let slot = self.slot(id);
            let mut settled = slot.settled.subscribe();
            match self.enqueue(&slot, id, &request, &decide).await? {
                Queued::Before(done) => return Ok(StepOutcome::Before(done)),
                Queued::Waiting => {
                    // The other request always settles, so this wait is bounded by one flush.
                    let _closed = settled.changed().await;
                }
                Queued::RejectedStep(error, judged_on, epoch) => {
                    let is_lost = |settled: &Settled| settled.epoch > epoch;
                    let is_durable = |settled: &Settled| settled.queue_floor >= judged_on.version;
                    let settled = settled.wait_for(|settled| is_lost(settled) || is_durable(settled)).await;
                    if !is_lost(&*settled.map_err(|_| lost_race())?) {
                        return Err(RejectedStep { error, judged_on: Some(judged_on) });
                    }
                    attempts += 1;
                }
                Queued::Flushing(flush) => match self.settle(slot, flush).await? {
                    Some(outcome) => return Ok(outcome),
                    None => attempts += 1,
                },
            }
        }
        Err(lost_race().into())
    }

    async fn enqueue(
        &self,
        slot: &GameSlot,
        id: GameId,
        request: &StepRequest,
        decide: &(impl Fn(&Game, Instant) -> Result<Action, GameError> + Send + Sync),
    ) -> Result<Queued, GameError> {
        let mut queue = slot.queue.lock().await;
        if let Some(command) = &request.command {
            if queue.commands.iter().any(|known| (known.scope, &known.key) == (command.scope, &command.key)) {
                return Ok(Queued::Waiting);
            }
            if let Some(done) = self.store.command(command.scope, &command.key, self.clock.now()).await? {
                return Ok(Queued::Before(done));
            }
        }
        let (newest, at, action, applied) = loop {
            // If the game is not cached, it is read below. That read begins after the request, so it is up to date.
            let up_to_date = queue.newest.is_none() || !self.store.is_shared();
            let newest = match &queue.newest {
                Some(game) => game.clone(),
                None => {
                    let game = self.load(id).await?.ok_or(GameError::NotFound)?;
                    slot.settle_queue(&game, None);
                    queue.newest = Some(game.clone());
                    game
                }
            };
            let at = self.clock.now().max(newest.updated_at);
            let judged = match request.expected {
                Some(expected) if expected != newest.version && newest.admits(request.by) => {
                    Err(GameError::VersionConflict { current: newest.version })
                }
                _ => decide(&newest, at)
                    .and_then(|action| newest.apply(request.by, &action, at).map(|applied| (action, applied))),
            };
            match judged {
                Ok((action, applied)) => break (newest, at, action, applied),
                // Another node may have made the step legal. The append of an accepted step detects that; a refusal
                // has to ask.
                Err(_) if !up_to_date && self.store.version(id).await?.is_none_or(|known| known > newest.version) => {
                    queue.newest = None;
                }
                Err(error) => {
                    // The refusal may be due to this same command, applied by another node between the look-up and
                    // the read.
                    return Ok(match self.done_elsewhere(request).await? {
                        Some(done) => Queued::Before(done),
                        None => Queued::RejectedStep(error, newest, queue.epoch),
                    });
                }
            }
        };
        debug_assert_eq!(applied.game.version, newest.version + 1, "a step adds exactly 1");
        let game = Arc::new(applied.game);
        let step = Arc::new(Step {
            version: game.version,
            at,
            by: request.by,
            seat: applied.seat,
            action,
            events: applied.events,
        });
        // Queued under the lock, because the store applies appends in the order of these calls.
        let appended = self.store.append(append(&game, &step, request.command.clone(), queue.epoch));
        queue.newest = Some(game.clone());
        queue.commands.extend(request.command.clone());
        Ok(Queued::Flushing(Flush { appended, game, step, epoch: queue.epoch, command: request.command.clone() }))
    }

    async fn done_elsewhere(&self, request: &StepRequest) -> Result<Option<Done>, StoreError> {
        match &request.command {
            Some(command) if self.store.is_shared() => {
                self.store.command(command.scope, &command.key, self.clock.now()).await
            }
            _ => Ok(None),
        }
    }

    /// Completes a queued step even if the caller disconnects: durable, then announced, then acknowledged. Returns
    /// nothing if another node was faster.
    async fn settle(self: &Arc<Self>, slot: Arc<GameSlot>, flush: Flush) -> Result<Option<StepOutcome>, GameError> {
        let sequencer = self.clone();
        let task = self.tasks.spawn(async move {
            let Flush { appended, game, step, epoch, command } = flush;
            let appended = appended.await;
            let mut queue = slot.queue.lock().await;
            if let Some(command) = command {
                queue.commands.remove(&command);
            }
            if let Ok(Appended::Stored(version)) = appended {
                queue.newest.get_or_insert_with(|| game.clone());
                slot.settle_queue(&game, [step.clone()]);
                sequencer.notifier.publish(game.id, version);
                sequencer.bots.step_taken(&game);
                return Ok(Some(StepOutcome::Accepted { game, step }));
            }
            if queue.epoch == epoch {
                // The steps queued behind this one were judged on a state that will never exist.
                queue.newest = None;
                queue.epoch = new_epoch();
            }
            slot.unsettle(queue.epoch);
            match appended {
                Ok(Appended::Duplicate(done)) => Ok(Some(StepOutcome::Before(done))),
                Ok(_) => Ok(None),
                Err(error) => Err(error.into()),
            }
        });
        task.await.map_err(|error| StoreError::Unknown(error.to_string()))?
    }

    fn slot(&self, id: GameId) -> Arc<GameSlot> {
        if let Some(slot) = self.warm.get(&id) {
            return slot;
        }
        let slot = self.slot_in_use(id);
        // Concurrent callers insert the same slot.
        self.warm.insert(id, slot.clone());
        slot
    }

    /// The only slot of a game, created if no request uses one.
    fn slot_in_use(&self, id: GameId) -> Arc<GameSlot> {
        let mut slots = self.slots.lock().expect("no code panics while it holds this lock");
        if let Some(slot) = slots.get(&id).and_then(Weak::upgrade) {
            return slot;
        }
        if slots.len() == slots.capacity() {
            slots.retain(|_, slot| slot.strong_count() > 0);
        }
        let slot = Arc::<GameSlot>::default();
        slots.insert(id, Arc::downgrade(&slot));
        slot
    }

    async fn load(&self, id: GameId) -> Result<Option<Arc<Game>>, StoreError> {
        Ok(history::newest(&*self.store, self.catalog, id).await?.map(Arc::new))
    }
}

fn append(game: &Game, step: &Arc<Step>, command: Option<Command>, epoch: u64) -> Append {
    Append {
        game: game.id,
        expected: game.version - 1,
        step: Step::clone(step),
        head: game.head(),
        snapshot: game.snapshot(),
        command,
        epoch,
    }
}

/// The step lost the race against other nodes too often.
fn lost_race() -> GameError {
    StoreError::Unavailable("the game changes too fast on other nodes".to_owned()).into()
}
