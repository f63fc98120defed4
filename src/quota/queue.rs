//! Fair queues in front of work that takes long: passwords, preparations, old positions, replays.
//!
//! A [`FairQueue`] lets a bounded number of jobs run at a time. Those that wait are kept by [`Lane`], one for each client,
//! and lanes take turns: a client with one job waits for one job of each other client, however many those have. A lane
//! that is full refuses at once, so nobody waits behind their own flood without knowing; and where the whole queue is full,
//! the longest lane gives up its newest job.

use super::{Lane, Limited};
use std::collections::{HashMap, VecDeque};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use tokio::sync::oneshot;

/// How large a queue is.
#[derive(Clone, Copy, Debug)]
pub struct QueueSize {
    /// Jobs that run at a time.
    pub running: usize,
    /// Jobs of one lane that may wait.
    pub waiting_in_lane: usize,
    /// Jobs that may wait in all.
    pub waiting: usize,
}

/// Why a job was not let in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rejected {
    /// The client's own lane is full.
    LaneFull(Limited),
    /// Too many clients wait.
    QueueFull,
}

/// A bounded queue in which clients take turns.
pub struct FairQueue(Arc<Mutex<Inside>>);

struct Inside {
    size: QueueSize,
    running: usize,
    waiting: usize,
    lanes: HashMap<Lane, VecDeque<oneshot::Sender<Permit>>>,
    /// The lanes that have somebody waiting, in the order of their turns.
    turns: VecDeque<Lane>,
}

/// Leave to run one job; given back when dropped.
pub struct Permit(Option<Arc<Mutex<Inside>>>);

impl FairQueue {
    pub fn new(size: QueueSize) -> Self {
        let empty = Inside { size, running: 0, waiting: 0, lanes: HashMap::new(), turns: VecDeque::new() };
        Self(Arc::new(Mutex::new(empty)))
    }

    /// Waits for a client's turn.
    pub async fn enter(&self, lane: Lane) -> Result<Permit, Rejected> {
        let turn = {
            let mut inside = lock(&self.0);
            if inside.running < inside.size.running {
                inside.running += 1;
                return Ok(Permit(Some(self.0.clone())));
            }
            inside.wait(lane)?
        };
        // Dropped without a permit: the job was given up for the sake of a shorter lane.
        turn.await.map_err(|_| Rejected::LaneFull(Limited { wait: LANE_PAUSE }))
    }

    /// Jobs that wait now.
    pub fn waiting(&self) -> usize {
        lock(&self.0).waiting
    }
}

/// When a client whose lane is full shall come back.
const LANE_PAUSE: Duration = Duration::from_secs(1);

impl Inside {
    fn wait(&mut self, lane: Lane) -> Result<oneshot::Receiver<Permit>, Rejected> {
        self.forget_cancelled(lane);
        let ahead = self.lanes.get(&lane).map_or(0, VecDeque::len);
        if ahead >= self.size.waiting_in_lane {
            return Err(Rejected::LaneFull(Limited { wait: LANE_PAUSE }));
        }
        if self.waiting >= self.size.waiting {
            self.make_room(ahead)?;
        }
        let (turn, granted) = oneshot::channel();
        if ahead == 0 {
            self.turns.push_back(lane);
        }
        self.lanes.entry(lane).or_default().push_back(turn);
        self.waiting += 1;
        Ok(granted)
    }

    /// Takes those off a lane whose clients have gone away.
    fn forget_cancelled(&mut self, lane: Lane) {
        let Some(waiting) = self.lanes.get_mut(&lane) else { return };
        let before = waiting.len();
        waiting.retain(|turn| !turn.is_closed());
        self.waiting -= before - waiting.len();
        if waiting.is_empty() {
            self.lanes.remove(&lane);
            self.turns.retain(|other| *other != lane);
        }
    }

    /// Gives up the newest job of the longest lane, if that is longer than the newcomer's would be.
    fn make_room(&mut self, ahead: usize) -> Result<(), Rejected> {
        let longest = self.lanes.iter().max_by_key(|(_, waiting)| waiting.len()).map(|(lane, _)| *lane);
        let waiting = longest.and_then(|lane| self.lanes.get_mut(&lane)).filter(|waiting| waiting.len() > ahead + 1);
        waiting.and_then(VecDeque::pop_back).ok_or(Rejected::QueueFull)?;
        self.waiting -= 1;
        Ok(())
    }

    /// The next whose turn it is; its lane goes to the end.
    fn next(&mut self) -> Option<oneshot::Sender<Permit>> {
        let lane = self.turns.pop_front()?;
        let waiting = self.lanes.get_mut(&lane)?;
        let turn = waiting.pop_front();
        if waiting.is_empty() {
            self.lanes.remove(&lane);
        } else {
            self.turns.push_back(lane);
        }
        self.waiting -= usize::from(turn.is_some());
        turn
    }
}

impl Drop for Permit {
    /// Passes the permit on to the next client that is still there.
    fn drop(&mut self) {
        let Some(queue) = self.0.take() else { return };
        loop {
            let next = {
                let mut inside = lock(&queue);
                let next = inside.next();
                if next.is_none() {
                    inside.running -= 1;
                }
                next
            };
            let Some(turn) = next else { return };
            match turn.send(Permit(Some(queue.clone()))) {
                Ok(()) => return,
                // The client has gone away: the permit must not be given back by being dropped here.
                Err(mut unused) => unused.0 = None,
            }
        }
    }
}

/// Nothing behind this lock is left half done, even by a panic.
fn lock(inside: &Mutex<Inside>) -> MutexGuard<'_, Inside> {
    inside.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;
    use futures::FutureExt;
    use std::net::{IpAddr, Ipv4Addr};
    use std::sync::atomic::{AtomicUsize, Ordering};

    fn lane(number: u32) -> Lane {
        Lane::Address(IpAddr::V4(Ipv4Addr::from_bits(number)))
    }

    fn queue(running: usize, waiting_in_lane: usize, waiting: usize) -> FairQueue {
        FairQueue::new(QueueSize { running, waiting_in_lane, waiting })
    }

    #[tokio::test]
    async fn lanes_take_turns_however_long_one_of_them_is() {
        let queue = queue(1, 100, 1000);
        let running = queue.enter(lane(1)).await.unwrap();
        let order = Arc::new(Mutex::new(Vec::new()));
        let mut jobs = Vec::new();
        for (who, count) in [(1, 50), (2, 1), (3, 2)] {
            for _ in 0..count {
                let mut turn = Box::pin(queue.enter(lane(who)));
                assert!(turn.as_mut().now_or_never().is_none(), "it waits");
                let order = order.clone();
                jobs.push(async move {
                    let permit = turn.await.unwrap();
                    order.lock().unwrap().push(who);
                    drop(permit);
                });
            }
        }
        drop(running);
        futures::future::join_all(jobs).await;
        let order = order.lock().unwrap();
        assert_eq!(order[..6], [1, 2, 3, 1, 3, 1], "{order:?}");
        assert_eq!(order.len(), 53);
    }

    #[tokio::test]
    async fn a_full_lane_refuses_at_once_and_other_lanes_are_let_in() {
        let queue = queue(1, 2, 1000);
        let _running = queue.enter(lane(1)).await.unwrap();
        let mut waiting = [Box::pin(queue.enter(lane(1))), Box::pin(queue.enter(lane(1)))];
        assert!(waiting.iter_mut().all(|turn| turn.as_mut().now_or_never().is_none()));
        assert!(matches!(queue.enter(lane(1)).await, Err(Rejected::LaneFull(_))));
        assert!(Box::pin(queue.enter(lane(2))).as_mut().now_or_never().is_none(), "it waits, and is not refused");
    }

    #[tokio::test]
    async fn a_full_queue_gives_up_the_newest_job_of_the_longest_lane() {
        let queue = queue(1, 10, 3);
        let running = queue.enter(lane(1)).await.unwrap();
        let mut flood: Vec<_> = (0..3).map(|_| Box::pin(queue.enter(lane(1)))).collect();
        assert!(flood.iter_mut().all(|turn| turn.as_mut().now_or_never().is_none()));
        let mut one = Box::pin(queue.enter(lane(2)));
        assert!(one.as_mut().now_or_never().is_none());
        let newest = flood.pop().unwrap().await;
        assert!(matches!(newest, Err(Rejected::LaneFull(_))), "it made room");
        let mut other = Box::pin(queue.enter(lane(3)));
        assert!(other.as_mut().now_or_never().is_none());
        assert!(matches!(queue.enter(lane(4)).await, Err(Rejected::QueueFull)), "all lanes are as short as can be");
        drop(running);
        let first = flood.remove(0).await.unwrap();
        drop(first);
        assert!(one.await.is_ok() && other.await.is_ok());
    }

    #[tokio::test]
    async fn a_client_that_goes_away_neither_runs_nor_takes_room() {
        let queue = queue(1, 1, 10);
        let running = queue.enter(lane(1)).await.unwrap();
        let mut gone = Box::pin(queue.enter(lane(2)));
        assert!(gone.as_mut().now_or_never().is_none());
        drop(gone);
        let mut stays = Box::pin(queue.enter(lane(2)));
        assert!(stays.as_mut().now_or_never().is_none(), "the place of the one that has gone is free");
        drop(running);
        drop(stays.await.unwrap());
        assert_eq!(queue.waiting(), 0);
        assert!(queue.enter(lane(3)).now_or_never().is_some(), "and nothing is left running");
    }

    #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
    async fn no_more_run_at_a_time_than_may_and_all_permits_come_back() {
        let queue = Arc::new(queue(2, 1000, 1000));
        let (now, most) = (Arc::new(AtomicUsize::new(0)), Arc::new(AtomicUsize::new(0)));
        let jobs = (0..400).map(|number| {
            let (queue, now, most) = (queue.clone(), now.clone(), most.clone());
            tokio::spawn(async move {
                let entering = queue.enter(lane(number % 7));
                if number % 5 == 0 {
                    // Some go away before their turn comes, or right when it does.
                    return drop(tokio::time::timeout(Duration::from_micros(50), entering).await);
                }
                let _permit = entering.await.unwrap();
                most.fetch_max(now.fetch_add(1, Ordering::SeqCst) + 1, Ordering::SeqCst);
                tokio::task::yield_now().await;
                now.fetch_sub(1, Ordering::SeqCst);
            })
        });
        futures::future::join_all(jobs).await;
        assert!((1..=2).contains(&most.load(Ordering::SeqCst)));
        let inside = lock(&queue.0);
        assert_eq!((inside.running, inside.waiting, inside.lanes.len(), inside.turns.len()), (0, 0, 0, 0));
    }
}
