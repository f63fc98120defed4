//! Where steps wait: the steps of one game form a line, of which one is under way at a time.

use super::encoded_append::EncodedAppend;
use crate::games::ports::{Appended, StoreError};
use crate::ids::GameId;
use crate::store::epochs::Epochs;
use std::collections::{HashMap, VecDeque};
use tokio::sync::oneshot;

/// A step to be carried out.
pub(super) struct Job {
    pub(super) game: GameId,
    pub(super) epoch: u64,
    pub(super) prepared: Result<EncodedAppend, StoreError>,
    pub(super) reply: oneshot::Sender<Result<Appended, StoreError>>,
}

/// All lines there are.
#[derive(Default)]
pub(super) struct Lines {
    /// Of every game that has a step under way or waiting, those that wait.
    by_game: HashMap<GameId, VecDeque<Job>>,
    /// Games with a step to carry out and none under way.
    ready: VecDeque<GameId>,
    waiting: usize,
    epochs: Epochs,
    /// Whether nothing more is taken in.
    pub(super) closed: bool,
}

impl Lines {
    /// Puts a step at the end of its line, or tells why not: then all that was judged on it falls with it.
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
                Some(line) => line.push_back(job),
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

    /// The first steps of so many lines; they are under way from now on.
    pub(super) fn take(&mut self, most: usize) -> Vec<Job> {
        let count = most.min(self.ready.len());
        self.waiting -= count;
        let games = self.ready.drain(..count);
        games.filter_map(|game| self.by_game.get_mut(&game).and_then(VecDeque::pop_front)).collect()
    }

    /// A step that was under way is done: the next of its line may come, unless it was judged on one that failed.
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

    /// Whether a step before this one was refused, so that it falls too.
    pub(super) fn is_over(&self, job: &Job) -> bool {
        self.epochs.is_over(job.game, job.epoch)
    }

    pub(super) fn has_ready(&self) -> bool {
        !self.ready.is_empty()
    }

    /// Whether no step waits or is under way.
    pub(super) fn is_empty(&self) -> bool {
        self.by_game.is_empty()
    }
}
