//! Where the steps of a game queue up.
//!
//! Within a node, a step is judged on the newest state there is, durable or still on its way to the disk, so that many
//! steps of one game share one flush. What is still on its way is neither shown nor acknowledged: an accepted step
//! waits for its own flush, and a refusal waits for the flush of the state it was judged on. Other nodes are kept out
//! by the store, which compares versions: whoever loses that race loads the game again and is judged anew. A store that
//! other nodes write to is asked for the version before a game is shown, and before a step is refused.

use super::error::{GameError, RejectedStep};
use super::game::Game;
use super::game_slot::{GameSlot, Settled, new_epoch};
use super::history;
use super::ports::{Append, Appended, Clock, Command, Done, Notifier, Store, StoreError};
use super::step::{Action, Step};
use super::step_view::RenderedStep;
use crate::ids::{GameId, PlayerId};
use crate::rules::{Instant, catalog::Catalog};
use futures::future::BoxFuture;
use moka::sync::Cache;
use std::collections::HashMap;
use std::sync::{Arc, Mutex, Weak};
use std::time::Duration;
use tokio_util::task::TaskTracker;

/// How often a step is judged anew after losing against another node or a failed flush.
const ATTEMPTS: usize = 16;
/// How far a game at hand may lie behind the store to be brought up to date step by step.
const GAP: usize = 64;
/// Games kept in memory, at some 20 KB each; one that nobody touches for a minute costs none. Those beyond are read again.
const GAMES: u64 = 3_000;
const IDLE: Duration = Duration::from_mins(1);

/// The desk all steps of all games pass over.
pub struct Sequencer {
    store: Arc<dyn Store>,
    notifier: Arc<dyn Notifier>,
    clock: Arc<dyn Clock>,
    /// The rules of stored games.
    catalog: Catalog,
    /// Every table in use. There is never a second one for the same game, or two ends of its queue would be shown.
    slots: Mutex<HashMap<GameId, Weak<GameSlot>>>,
    /// Keeps the tables of the last moments in use.
    warm: Cache<GameId, Arc<GameSlot>>,
    tasks: TaskTracker,
}

/// What became of a step.
pub enum StepOutcome {
    /// Durable, just now.
    Accepted { game: Arc<Game>, step: Arc<Step> },
    /// It was carried out before, under the same idempotency key.
    Before(Done),
}

/// A step somebody asks for.
pub struct StepRequest {
    /// Nobody when the service itself does.
    pub by: Option<PlayerId>,
    /// The version that the game must have, if the caller insists.
    pub expected: Option<u64>,
    pub command: Option<Command>,
}

/// What happened to a step at the end of the queue.
enum Queued {
    Flushing(Flush),
    RejectedStep(GameError, Arc<Game>, u64),
    /// The same idempotency key is being carried out at this moment.
    Waiting,
    Before(Done),
}

/// A step on its way to the disk.
struct Flush {
    appended: BoxFuture<'static, Result<Appended, StoreError>>,
    game: Arc<Game>,
    step: Arc<Step>,
    epoch: u64,
    command: Option<Command>,
}

impl Sequencer {
    pub fn new(
        store: Arc<dyn Store>,
        notifier: Arc<dyn Notifier>,
        clock: Arc<dyn Clock>,
        catalog: Catalog,
    ) -> Arc<Self> {
        let warm = Cache::builder().max_capacity(GAMES).time_to_idle(IDLE).build();
        Arc::new(Self { store, notifier, clock, catalog, slots: Mutex::default(), warm, tasks: TaskTracker::new() })
    }

    /// Waits until every step that was taken in is durable or refused.
    pub async fn drain(&self) {
        self.tasks.close();
        self.tasks.wait().await;
    }

    /// The game as it durably stands.
    pub async fn current(&self, id: GameId) -> Result<Option<Arc<Game>>, StoreError> {
        self.current_since(id, 0).await
    }

    /// The same for whoever knows that it has come to a version: the store may tell of a step a moment before it is shown.
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

    /// The game as it durably stands, or stood a moment ago, but at a version or later: for whoever was told of it.
    pub async fn reached(&self, id: GameId, version: u64) -> Result<Option<Arc<Game>>, StoreError> {
        let slot = self.slot(id);
        match slot.reached(version) {
            Some(game) => Ok(Some(game)),
            // In a box, because whoever finds the game at hand, or waits for news of it, shall not carry this along.
            None => Box::pin(self.read(id, &slot, version)).await,
        }
    }

    /// Reads a game until it has come to a version.
    async fn read(&self, id: GameId, slot: &GameSlot, version: u64) -> Result<Option<Arc<Game>>, StoreError> {
        for _ in 0..ATTEMPTS {
            let _loading = slot.loading.lock().await;
            if let Some(game) = slot.reached(version) {
                return Ok(Some(game));
            }
            // What was read may be out of date by now, and is then passed over; what replaced it is shown.
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
        Err(StoreError::Unavailable(format!("{id} does not come to version {version}")))
    }

    /// Reads the steps that are missing, if the game is at hand and they are few.
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

    /// Forgets a game that was removed from the store.
    pub async fn forget(&self, id: GameId) {
        let slot = self.slot(id);
        slot.queue.lock().await.newest = None;
        slot.clear();
        self.warm.invalidate(&id);
    }

    /// Durable steps after a version, a bounded number of them; those of the last moments come from memory.
    pub(super) async fn steps(
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

    /// Takes a new game in.
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

    /// Takes a step in: `decide` says what to do, seeing the game as it will stand when the step's turn comes, and the
    /// step's time.
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
                    // The one who carries it out always settles, so this is bounded by a flush.
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
            // What was read since the caller asked is up to date enough.
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
                // Another node may have made it legal: an accepted step finds that out by itself, a refused one must ask.
                Err(_) if !up_to_date && self.store.version(id).await?.is_none_or(|known| known > newest.version) => {
                    queue.newest = None;
                }
                Err(error) => {
                    // It may be refused because another node carried it out, after it was looked up and before the
                    // game was read.
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
        // Queued while the lock is held: the store carries out appends in the order of these calls.
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

    /// Sees a queued step through, even if the caller goes away: durable, then announced, then acknowledged.
    /// Nothing if another node was faster.
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
                return Ok(Some(StepOutcome::Accepted { game, step }));
            }
            if queue.epoch == epoch {
                // Whatever is queued behind this step was judged on a state that will never be.
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
        // Two who come at once put the same one there.
        self.warm.insert(id, slot.clone());
        slot
    }

    /// The one table of a game, new if nobody uses any.
    fn slot_in_use(&self, id: GameId) -> Arc<GameSlot> {
        let mut slots = self.slots.lock().expect("nobody panics holding it");
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

/// Too many others were faster.
fn lost_race() -> GameError {
    StoreError::Unavailable("the game changes too fast on other nodes".to_owned()).into()
}
