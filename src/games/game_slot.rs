//! One game at the desk: the end of its queue, on which the next step is judged, and its durable end, which is shown.

use super::game::Game;
use super::ports::Command;
use super::step::Step;
use super::step_view::RenderedStep;
use std::collections::{BTreeMap, HashSet};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use tokio::sync::watch;

/// Steps kept at hand for the streams that follow a game.
const RECENT: usize = 64;

/// One game at the desk.
#[derive(Default)]
pub(super) struct GameSlot {
    pub(super) queue: tokio::sync::Mutex<PendingQueue>,
    pub(super) settled: watch::Sender<Settled>,
    /// Held by whoever reads the game from the store, so that of many who wait for it one does.
    pub(super) loading: tokio::sync::Mutex<()>,
}

/// The end of the queue: what the next step is judged on.
pub(super) struct PendingQueue {
    pub(super) newest: Option<Arc<Game>>,
    /// Changes each time that the queue has to be thrown away because a step in it did not become durable.
    pub(super) epoch: u64,
    /// Idempotency keys on their way to the disk.
    pub(super) commands: HashSet<Command>,
}

impl Default for PendingQueue {
    fn default() -> Self {
        Self { newest: None, epoch: new_epoch(), commands: HashSet::new() }
    }
}

/// The durable end of a game: what may be shown.
#[derive(Default)]
pub(super) struct Settled {
    pub(super) durable: Option<Arc<Game>>,
    /// The highest version known to be durable; whatever is older is out of date.
    floor: u64,
    recent: BTreeMap<u64, Arc<RenderedStep>>,
    /// The newest epoch that the queue is known to have.
    pub(super) epoch: u64,
    /// How far the queue's own states are durable. Not the floor: that may be of a step by another node, which took the
    /// place of one in the queue.
    pub(super) queue_floor: u64,
}

/// An epoch that no game's queue ever had in this process.
pub(super) fn new_epoch() -> u64 {
    static EPOCHS: AtomicU64 = AtomicU64::new(1);
    EPOCHS.fetch_add(1, Ordering::Relaxed)
}

impl GameSlot {
    /// Shows a game that is durable, with the steps that led to it, unless a newer one is known to be.
    pub(super) fn settle(&self, game: &Arc<Game>, steps: impl IntoIterator<Item = Arc<Step>>) {
        self.settled.send_modify(|settled| settled.show(game, steps));
    }

    /// The same of a game that the queue's next step is judged on, or was.
    pub(super) fn settle_queue(&self, game: &Arc<Game>, steps: impl IntoIterator<Item = Arc<Step>>) {
        self.settled.send_modify(|settled| {
            settled.queue_floor = game.version.max(settled.queue_floor);
            settled.show(game, steps);
        });
    }

    /// What was queued will never be, and what was shown may be out of date.
    pub(super) fn unsettle(&self, epoch: u64) {
        self.settled.send_modify(|settled| {
            if settled.epoch != epoch {
                (settled.epoch, settled.queue_floor) = (epoch, 0);
            }
            settled.durable = None;
        });
    }

    /// Forgets a game that was removed.
    pub(super) fn clear(&self) {
        self.settled.send_modify(|settled| {
            settled.durable = None;
            settled.recent.clear();
        });
    }

    /// The durable game, if it has come to a version.
    pub(super) fn reached(&self, least: u64) -> Option<Arc<Game>> {
        self.settled.borrow().durable.clone().filter(|game| game.version >= least)
    }

    /// The steps right after a version, as many as are at hand without a gap.
    pub(super) fn recent(&self, after: u64, limit: usize) -> Vec<Arc<RenderedStep>> {
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
