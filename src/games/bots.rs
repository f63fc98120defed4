//! Worker pool for bots: plays the seats of bots in running games.
//!
//! Every accepted step of a game that waits for a bot wakes a task, which makes moves until the game waits for no bot. Moves
//! are computed on threads of their own, a bounded number at a time; hosts take turns, so that one player with many tables
//! delays nobody else's. Nothing in memory matters: a scan of the store finds every game that waits for a bot, after a
//! restart, and after another node was lost. Several nodes may compute the same move. They get the same result, and the
//! store accepts it once, because it compares versions.

use super::Games;
use super::error::GameError;
use super::game::Game;
use super::model::bots::is_timely;
use super::ports::{ListQuery, Status, Whose};
use super::sequencer::StepRequest;
use crate::ids::{BotPlayer, GameId};
use crate::quota::{Client, FairQueue, QueueSize};
use crate::rules::Seat;
use futures::FutureExt;
use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use tokio::sync::Notify;
use tokio::task::{JoinSet, spawn_blocking};
use tokio::time::{MissedTickBehavior, interval, sleep, timeout};
use tokio_util::sync::CancellationToken;

/// Games with a task of their own. Others are found by a later scan.
const MOST_GAMES: usize = 10_000;
/// How often the store is asked for games that wait for a bot.
const SCAN_INTERVAL: Duration = Duration::from_secs(1);
/// Milliseconds that a scan gives the task of another node, or of this one, to make its move.
const GRACE: i64 = 1_000;
/// Milliseconds after which a game is left to the thorough scans. Most such games wait for bots that wait for people.
const RECENT: i64 = 60_000;
/// One scan in this many is thorough, the first one included.
const THOROUGH: u32 = 60;
/// Games per page of a scan.
const BATCH: usize = 100;
/// How long a game is left alone after a move of a bot failed.
const RETRY_DELAY: Duration = Duration::from_secs(30);

/// The tasks that play for bots.
pub(super) struct BotPool {
    /// Bounds the moves that are computed at once, one for each thread.
    queue: FairQueue,
    threads: usize,
    /// The games with a task, each with the signal that there is a new version.
    tasks: Mutex<HashMap<GameId, Arc<Notify>>>,
    /// Games that were woken and have no task yet.
    woken: Mutex<Vec<GameId>>,
    wakeup: Notify,
}

impl BotPool {
    pub fn new(threads: usize) -> Self {
        let waiting = MOST_GAMES;
        let size =
            QueueSize { running: threads.max(1), waiting_of_player: waiting, waiting_of_address: waiting, waiting };
        Self {
            queue: FairQueue::new(size),
            threads,
            tasks: Mutex::default(),
            woken: Mutex::default(),
            wakeup: Notify::new(),
        }
    }

    /// Whether this process plays for bots.
    pub fn has_threads(&self) -> bool {
        self.threads > 0
    }

    /// To be called for every durable step of a game.
    pub fn step_taken(&self, game: &Game) {
        if !self.has_threads() {
            return;
        }
        if let Some(wakeup) = lock(&self.tasks).get(&game.id) {
            wakeup.notify_one();
        } else if game.waiting_bots().next().is_some() {
            let mut woken = lock(&self.woken);
            if woken.len() < MOST_GAMES {
                woken.push(game.id);
                self.wakeup.notify_one();
            }
        }
    }
}

/// The registration of a game's task, removed on drop.
struct Registration {
    games: Arc<Games>,
    id: GameId,
    wakeup: Arc<Notify>,
}

impl Registration {
    /// Ends the registration, unless a step was taken in the meantime.
    fn is_ended(&self) -> bool {
        let mut tasks = lock(&self.games.bots.tasks);
        let has_changed = self.wakeup.notified().now_or_never().is_some();
        if !has_changed {
            tasks.remove(&self.id);
        }
        !has_changed
    }
}

impl Drop for Registration {
    fn drop(&mut self) {
        let mut tasks = lock(&self.games.bots.tasks);
        // A later task of the same game has another signal.
        if tasks.get(&self.id).is_some_and(|wakeup| Arc::ptr_eq(wakeup, &self.wakeup)) {
            tasks.remove(&self.id);
        }
    }
}

impl Games {
    /// Lets bots play until the service shuts down.
    pub async fn run_bots(self: Arc<Self>, closing: CancellationToken) {
        if !self.bots.has_threads() {
            return;
        }
        // Tasks end with this future. A step that was decided is completed by the sequencer.
        let mut tasks = JoinSet::new();
        let mut ticks = interval(SCAN_INTERVAL);
        ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
        let mut scans = 0;
        loop {
            tokio::select! {
                () = closing.cancelled() => return,
                Some(_) = tasks.join_next() => {}
                _ = ticks.tick() => match self.scan(scans, &mut tasks).await {
                    Ok(()) => scans = (scans + 1) % THOROUGH,
                    Err(error) => tracing::warn!(%error, "looking for games that wait for bots failed"),
                },
                () = self.bots.wakeup.notified() => {
                    for id in std::mem::take(&mut *lock(&self.bots.woken)) {
                        self.play_for(id, &mut tasks);
                    }
                }
            }
        }
    }

    /// Starts tasks for games that have been waiting for a bot for some time.
    async fn scan(self: &Arc<Self>, number: u32, tasks: &mut JoinSet<()>) -> Result<(), GameError> {
        let now = self.clock.now().0;
        let ages = if number == 0 { i64::MIN..=i64::MAX } else { GRACE..=RECENT };
        let mut before = None;
        loop {
            let whose = Whose::WaitingFor(BotPlayer::ANY);
            let query = ListQuery { whose, kind: None, status: Some(Status::Active), before, limit: BATCH };
            let games = self.store.list(query).await?;
            for (id, _) in games.iter().filter(|(_, head)| ages.contains(&now.saturating_sub(head.updated_at.0))) {
                self.play_for(*id, tasks);
            }
            match games.last() {
                Some((last, _)) if games.len() == BATCH => before = Some(*last),
                _ => return Ok(()),
            }
        }
    }

    /// Starts the task of a game, unless it has one.
    fn play_for(self: &Arc<Self>, id: GameId, tasks: &mut JoinSet<()>) {
        let wakeup = Arc::new(Notify::new());
        {
            let mut known = lock(&self.bots.tasks);
            if known.contains_key(&id) || known.len() >= MOST_GAMES {
                return;
            }
            known.insert(id, wakeup.clone());
        }
        let registration = Registration { games: self.clone(), id, wakeup };
        tasks.spawn(async move {
            if let Err(error) = registration.play().await {
                tracing::warn!(game = %id, %error, "a bot could not move");
                sleep(RETRY_DELAY).await;
            }
        });
    }

    /// Computes the move of a bot and takes the step. Returns false if the bot does not want to move now.
    async fn play_bot(&self, game: &Arc<Game>, seat: Seat) -> Result<bool, GameError> {
        let host = Client { address: None, player: Some(game.host) };
        let permit = self.bots.queue.enter_with_retry(&host).await;
        let position = game.clone();
        let chosen = spawn_blocking(move || {
            let _permit = permit;
            position.bot_play(seat)
        });
        let Some(action) = chosen.await.map_err(|_| GameError::Busy)? else { return Ok(false) };
        let request = StepRequest { by: None, expected: None, command: None };
        let decide = |game: &Game, _| {
            game.room_for(&action)?;
            if is_timely(&action, game) { Ok(action.clone()) } else { Err(GameError::NotLate) }
        };
        match self.sequencer.step(game.id, request, decide).await.map_err(|refused| refused.error) {
            // If the game went on in between and the move is no longer possible, the bot thinks again.
            Ok(_) | Err(GameError::Illegal(_) | GameError::NotLate | GameError::GameOver) => Ok(true),
            Err(error) => Err(error),
        }
    }
}

impl Registration {
    /// Makes the moves of the game's bots until it waits for none.
    async fn play(&self) -> Result<(), GameError> {
        let Self { games, id, wakeup } = self;
        // The bots that wait for other seats at this version.
        let (mut version, mut patient) = (0, Vec::new());
        loop {
            let Some(game) = games.sequencer.current(*id).await? else { return Ok(()) };
            if game.version != version {
                (version, patient) = (game.version, Vec::new());
            }
            let next = game.waiting_bots().filter(|(seat, _)| !patient.contains(seat));
            let Some((seat, from)) = next.min_by_key(|(seat, from)| (*from, *seat)) else {
                if self.is_ended() {
                    return Ok(());
                }
                continue;
            };
            game.room_for_moves()?;
            let wait = u64::try_from(from.0.saturating_sub(games.clock.now().0)).unwrap_or_default();
            if wait > 0 && timeout(Duration::from_millis(wait), wakeup.notified()).await.is_ok() {
                continue; // The game changed, and another bot may come first.
            }
            if !games.play_bot(&game, seat).await? {
                patient.push(seat);
            }
        }
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
