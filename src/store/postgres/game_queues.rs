//! Per-game queues of steps. At most one step of a game is being executed, so a game's steps run in order.

use super::encoded_append::EncodedAppend;
use crate::games::ports::{Appended, StoreError};
use crate::ids::GameId;
use crate::store::epochs::Epochs;
use std::collections::{HashMap, VecDeque};
use tokio::sync::oneshot;

pub(super) struct Job {
    pub(super) game: GameId,
    pub(super) epoch: u64,
    pub(super) encoded: Result<EncodedAppend, StoreError>,
    pub(super) reply: oneshot::Sender<Result<Appended, StoreError>>,
}

#[derive(Default)]
pub(super) struct GameQueues {
    /// The waiting steps of every game that has a step waiting or being executed.
    by_game: HashMap<GameId, VecDeque<Job>>,
    /// Games with a step waiting and none being executed.
    ready: VecDeque<GameId>,
    waiting: usize,
    epochs: Epochs,
    /// Whether no more steps are accepted.
    pub(super) closed: bool,
}

impl GameQueues {
    /// Queues a step, or returns why it is refused. A refusal ends the epoch, so later steps based on this one are
    /// refused too.
    pub(super) fn push(&mut self, job: Job, capacity: usize) -> Result<(), &'static str> {
        let (game, epoch) = (job.game, job.epoch);
        self.epochs.begin(game, epoch);
        let why = if self.closed {
            "the store is closed"
        } else if self.waiting >= capacity {
            "busy, too many writes are waiting"
        } else {
            self.waiting += 1;
            match self.by_game.get_mut(&game) {
                Some(queue) => queue.push_back(job),
                None => {
                    self.by_game.insert(game, VecDeque::from([job]));
                    self.ready.push_back(game);
                }
            }
            return Ok(());
        };
        self.epochs.end(game, epoch);
        Err(why)
    }

    /// Takes the first steps of up to `most` games, which are then being executed.
    pub(super) fn take(&mut self, most: usize) -> Vec<Job> {
        let count = most.min(self.ready.len());
        self.waiting -= count;
        let games = self.ready.drain(..count);
        games.filter_map(|game| self.by_game.get_mut(&game).and_then(VecDeque::pop_front)).collect()
    }

    /// Releases the game's next step. If this one was not stored, ends the epoch, so that steps based on it are
    /// refused.
    pub(super) fn done(&mut self, job: &Job, stored: bool) {
        if !stored {
            self.epochs.end(job.game, job.epoch);
        }
        if self.by_game.get(&job.game).is_some_and(VecDeque::is_empty) {
            self.by_game.remove(&job.game);
        } else {
            self.ready.push_back(job.game);
        }
    }

    /// Whether an earlier step was refused that this one is based on.
    pub(super) fn is_over(&self, job: &Job) -> bool {
        self.epochs.is_over(job.game, job.epoch)
    }

    pub(super) fn has_ready(&self) -> bool {
        !self.ready.is_empty()
    }

    pub(super) fn is_empty(&self) -> bool {
        self.by_game.is_empty()
    }
}
