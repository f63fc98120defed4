//! Per-game slot of the sequencer: the newest pending state, on which the next step is judged, and the newest durable
//! state, which is shown.

use crate::games::game::Game;
use crate::games::model::step_view::RenderedStep;
use crate::games::ports::Command;
use crate::games::step::Step;
use std::collections::{BTreeMap, HashSet};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use tokio::sync::watch;

/// Recent steps kept in memory for streams.
const RECENT: usize = 64;

#[derive(Default)]
pub(in crate::games) struct GameSlot {
    pub(in crate::games) queue: tokio::sync::Mutex<PendingQueue>,
    pub(in crate::games) settled: watch::Sender<Settled>,
    /// Single flight: one caller reads the game from the store while the others wait.
    pub(in crate::games) loading: tokio::sync::Mutex<()>,
}

/// The newest state of the queue, which may not be durable yet.
pub(in crate::games) struct PendingQueue {
    pub(in crate::games) newest: Option<Arc<Game>>,
    /// Changes whenever the queue is discarded because one of its steps did not become durable.
    pub(in crate::games) epoch: u64,
    /// Idempotency keys of steps that are being written.
    pub(in crate::games) commands: HashSet<Command>,
}

impl Default for PendingQueue {
    fn default() -> Self {
        Self { newest: None, epoch: new_epoch(), commands: HashSet::new() }
    }
}

/// The newest durable state of the game.
#[derive(Default)]
pub(in crate::games) struct Settled {
    pub(in crate::games) durable: Option<Arc<Game>>,
    /// The highest version known to be durable; older states are stale.
    floor: u64,
    recent: BTreeMap<u64, Arc<RenderedStep>>,
    /// The newest known epoch of the queue.
    pub(in crate::games) epoch: u64,
    /// The newest version of the queue's own states that is durable. `floor` may be higher: another node may have
    /// stored that version instead of this queue.
    pub(in crate::games) queue_floor: u64,
}

/// An epoch that is unique within this process.
pub(in crate::games) fn new_epoch() -> u64 {
    static EPOCHS: AtomicU64 = AtomicU64::new(1);
    EPOCHS.fetch_add(1, Ordering::Relaxed)
}

impl GameSlot {
    /// Shows a durable game and the steps that led to it, unless a newer one is known.
    pub(in crate::games) fn settle(&self, game: &Arc<Game>, steps: impl IntoIterator<Item = Arc<Step>>) {
        self.settled.send_modify(|settled| settled.show(game, steps));
    }

    /// The same for a game from this queue.
    pub(in crate::games) fn settle_queue(&self, game: &Arc<Game>, steps: impl IntoIterator<Item = Arc<Step>>) {
        self.settled.send_modify(|settled| {
            settled.queue_floor = game.version.max(settled.queue_floor);
            settled.show(game, steps);
        });
    }

    /// Discards the queue: its states will never become durable, and the state shown may be stale.
    pub(in crate::games) fn unsettle(&self, epoch: u64) {
        self.settled.send_modify(|settled| {
            if settled.epoch != epoch {
                (settled.epoch, settled.queue_floor) = (epoch, 0);
            }
            settled.durable = None;
        });
    }

    /// Drops a game that was removed.
    pub(in crate::games) fn clear(&self) {
        self.settled.send_modify(|settled| {
            settled.durable = None;
            settled.recent.clear();
        });
    }

    /// The durable game if it has reached a version.
    pub(in crate::games) fn reached(&self, least: u64) -> Option<Arc<Game>> {
        self.settled.borrow().durable.clone().filter(|game| game.version >= least)
    }

    /// The steps right after a version, up to the first one that is missing from memory.
    pub(in crate::games) fn recent(&self, after: u64, limit: usize) -> Vec<Arc<RenderedStep>> {
        let settled = self.settled.borrow();
        let later = settled.recent.range(after + 1..).map(|(_, recent)| recent);
        later
            .zip(after + 1..)
            .take_while(|(recent, due)| recent.step.version == *due)
            .take(limit)
            .map(|(recent, _)| recent.clone())
            .collect()
    }
}

impl Settled {
    fn show(&mut self, game: &Arc<Game>, steps: impl IntoIterator<Item = Arc<Step>>) {
        if game.version >= self.floor {
            self.floor = game.version;
            self.durable = Some(game.clone());
        }
        for step in steps {
            self.recent.insert(step.version, Arc::new(step.into()));
            if self.recent.len() > RECENT {
                self.recent.pop_first();
            }
        }
    }
}
