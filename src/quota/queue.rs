//! Fair queue: round-robin scheduling of slow work (passwords, preparations, old positions, replays), with admission
//! control.
//!
//! A [`FairQueue`] runs a bounded number of jobs at a time. Waiting jobs take turns: first by address, then by player
//! within an address. A client with one job waits for one job of each other address, and of each other player behind
//! its own, however many jobs those have. Players cost nothing to create, so an address gets no more turns for
//! having many of them. A client with too many jobs is refused at once instead of waiting behind its own flood. If the
//! queue is full, the address with the most jobs loses its newest one.

use super::{Client, Limited};
use crate::ids::PlayerId;
use std::collections::{HashMap, VecDeque};
use std::net::IpAddr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use tokio::sync::oneshot;

#[derive(Clone, Copy, Debug)]
pub struct QueueSize {
    /// Jobs that run concurrently.
    pub running: usize,
    /// Waiting jobs of one player behind one address; clients without a token count as one player.
    pub waiting_of_player: usize,
    /// Waiting jobs of one address.
    pub waiting_of_address: usize,
    /// Waiting jobs in all.
    pub waiting: usize,
}

/// Why a job was refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rejected {
    /// Too many jobs of the client or of its address are waiting.
    LaneFull(Limited),
    /// Too many jobs are waiting in all.
    QueueFull,
}

pub struct FairQueue(Arc<Mutex<State>>);

/// Resumes a waiting job by sending its permit.
type Waiting = oneshot::Sender<Permit>;

struct State {
    size: QueueSize,
    running: usize,
    waiting: usize,
    addresses: HashMap<Option<IpAddr>, Address>,
    /// Round-robin order of the addresses with waiting jobs.
    turns: VecDeque<Option<IpAddr>>,
}

/// The waiting jobs of one address.
#[derive(Default)]
struct Address {
    waiting: usize,
    lanes: HashMap<Option<PlayerId>, VecDeque<Waiting>>,
    /// Round-robin order of the players with waiting jobs.
    turns: VecDeque<Option<PlayerId>>,
}

/// Permission to run one job; returned to the queue when dropped.
pub struct Permit(Option<Arc<Mutex<State>>>);

impl FairQueue {
    pub fn new(size: QueueSize) -> Self {
        let empty = State { size, running: 0, waiting: 0, addresses: HashMap::new(), turns: VecDeque::new() };
        Self(Arc::new(Mutex::new(empty)))
    }

    /// Waits for a permit. Refused at once if a limit is reached, or later if the job is evicted.
    pub async fn enter(&self, client: &Client) -> Result<Permit, Rejected> {
        let turn = {
            let mut state = lock(&self.0);
            if state.running < state.size.running {
                state.running += 1;
                return Ok(Permit(Some(self.0.clone())));
            }
            state.enqueue(client)?
        };
        // The sender was dropped: the job was evicted in favour of a client with fewer jobs.
        turn.await.map_err(|_| lane_full())
    }

    /// Waits for a permit, and retries when refused: for work that has begun and must be finished.
    pub async fn enter_with_retry(&self, client: &Client) -> Permit {
        loop {
            match self.enter(client).await {
                Ok(permit) => return permit,
                Err(_) => tokio::time::sleep(LANE_RETRY_DELAY).await,
            }
        }
    }

    pub fn waiting(&self) -> usize {
        lock(&self.0).waiting
    }
}

/// When a refused client may retry.
const LANE_RETRY_DELAY: Duration = Duration::from_secs(1);

fn lane_full() -> Rejected {
    Rejected::LaneFull(Limited { wait: LANE_RETRY_DELAY })
}

impl State {
    fn enqueue(&mut self, client: &Client) -> Result<oneshot::Receiver<Permit>, Rejected> {
        let Client { address, player } = *client;
        self.remove_cancelled(|other| *other == address);
        let (of_address, of_player) =
            self.addresses.get(&address).map_or((0, 0), |behind| (behind.waiting, behind.length(player)));
        if of_player >= self.size.waiting_of_player {
            return Err(lane_full());
        }
        if of_address >= self.size.waiting_of_address {
            // The players behind an address share its limit: the one with the most jobs loses its newest.
            let behind = self.addresses.get_mut(&address).filter(|behind| behind.longest() > of_player + 1);
            behind.ok_or_else(lane_full)?.evict_newest();
            self.waiting -= 1;
        } else if self.waiting >= self.size.waiting {
            self.make_room(of_address)?;
        }
        let (turn, granted) = oneshot::channel();
        let behind = self.addresses.entry(address).or_default();
        if behind.waiting == 0 {
            self.turns.push_back(address);
        }
        behind.push(player, turn);
        self.waiting += 1;
        Ok(granted)
    }

    /// Removes the jobs of clients that have disconnected, for some addresses.
    fn remove_cancelled(&mut self, of: impl Fn(&Option<IpAddr>) -> bool) {
        for (_, behind) in self.addresses.iter_mut().filter(|(address, _)| of(address)) {
            self.waiting -= behind.remove_cancelled();
        }
        self.addresses.retain(|_, behind| behind.waiting > 0);
        self.turns.retain(|address| self.addresses.contains_key(address));
    }

    /// Evicts the newest job of the address with the most, if those are more than the newcomer's address would then
    /// have.
    fn make_room(&mut self, of_address: usize) -> Result<(), Rejected> {
        self.remove_cancelled(|_| true);
        if self.waiting < self.size.waiting {
            return Ok(());
        }
        let most = self.addresses.values_mut().max_by_key(|behind| behind.waiting);
        let most = most.filter(|behind| behind.waiting > of_address + 1).ok_or(Rejected::QueueFull)?;
        most.evict_newest();
        self.waiting -= 1;
        Ok(())
    }

    /// Takes the next job round-robin; its address moves to the end.
    fn next(&mut self) -> Option<Waiting> {
        let address = self.turns.pop_front()?;
        let behind = self.addresses.get_mut(&address)?;
        let turn = behind.next();
        if behind.waiting == 0 {
            self.addresses.remove(&address);
        } else {
            self.turns.push_back(address);
        }
        self.waiting -= usize::from(turn.is_some());
        turn
    }
}

impl Address {
    fn length(&self, player: Option<PlayerId>) -> usize {
        self.lanes.get(&player).map_or(0, VecDeque::len)
    }

    fn longest(&self) -> usize {
        self.lanes.values().map(VecDeque::len).max().unwrap_or(0)
    }

    fn push(&mut self, player: Option<PlayerId>, turn: Waiting) {
        let lane = self.lanes.entry(player).or_default();
        if lane.is_empty() {
            self.turns.push_back(player);
        }
        lane.push_back(turn);
        self.waiting += 1;
    }

    /// Takes the next job round-robin; its player moves to the end.
    fn next(&mut self) -> Option<Waiting> {
        let player = self.turns.pop_front()?;
        let lane = self.lanes.get_mut(&player)?;
        let turn = lane.pop_front();
        if lane.is_empty() {
            self.lanes.remove(&player);
        } else {
            self.turns.push_back(player);
        }
        self.waiting -= usize::from(turn.is_some());
        turn
    }

    /// Evicts the newest job of the player with the most; among equals, of the player whose turn comes last.
    fn evict_newest(&mut self) {
        let longest = self.turns.iter().copied().max_by_key(|player| self.length(*player));
        let evicted = longest.and_then(|player| self.lanes.get_mut(&player)).and_then(VecDeque::pop_back);
        self.waiting -= usize::from(evicted.is_some());
        self.remove_empty();
    }

    /// Returns how many jobs of disconnected clients were removed.
    fn remove_cancelled(&mut self) -> usize {
        for lane in self.lanes.values_mut() {
            lane.retain(|turn| !turn.is_closed());
        }
        let before = self.waiting;
        self.waiting = self.lanes.values().map(VecDeque::len).sum();
        self.remove_empty();
        before - self.waiting
    }

    fn remove_empty(&mut self) {
        self.lanes.retain(|_, lane| !lane.is_empty());
        self.turns.retain(|player| self.lanes.contains_key(player));
    }
}

impl Drop for Permit {
    /// Passes the permit to the next client that is still connected.
    fn drop(&mut self) {
        let Some(queue) = self.0.take() else { return };
        loop {
            let next = {
                let mut state = lock(&queue);
                let next = state.next();
                if next.is_none() {
                    state.running -= 1;
                }
                next
            };
            let Some(turn) = next else { return };
            match turn.send(Permit(Some(queue.clone()))) {
                Ok(()) => return,
                // The client has disconnected. Take the permit's queue out, so that dropping it here does not return it
                // a second time.
                Err(mut unused) => unused.0 = None,
            }
        }
    }
}

/// A poisoned lock is safe to use: no panic leaves the state half updated.
fn lock(state: &Mutex<State>) -> MutexGuard<'_, State> {
    state.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;
    use futures::FutureExt;
    use std::net::Ipv4Addr;
    use std::sync::atomic::{AtomicUsize, Ordering};

    fn client(number: u32) -> Client {
        Client { address: Some(IpAddr::V4(Ipv4Addr::from_bits(number))), player: None }
    }

    fn player(number: u32) -> Client {
        Client { player: Some(PlayerId::new()), ..client(number) }
    }

    fn queue(running: usize, waiting_of_address: usize, waiting: usize) -> FairQueue {
        FairQueue::new(QueueSize { running, waiting_of_player: waiting_of_address, waiting_of_address, waiting })
    }

    /// Enters the queue for each client, and asserts that all of them wait.
    fn wait_in<'a>(queue: &'a FairQueue, clients: &[Client]) -> Vec<Turn<'a>> {
        let enter = |client: &Client| {
            let client = *client;
            async move { queue.enter(&client).await }.boxed()
        };
        let mut turns: Vec<Turn<'a>> = clients.iter().map(enter).collect();
        assert!(turns.iter_mut().all(|turn| turn.now_or_never().is_none()), "they wait");
        turns
    }

    type Turn<'a> = futures::future::BoxFuture<'a, Result<Permit, Rejected>>;

    /// The order in which clients get permits once `running` is returned.
    async fn order(running: Permit, turns: Vec<(u32, Turn<'_>)>) -> Vec<u32> {
        let order = Mutex::new(Vec::new());
        drop(running);
        let order_of = &order;
        let jobs = turns.into_iter().map(|(who, turn)| async move {
            let permit = turn.await;
            order_of.lock().unwrap().push(who);
            drop(permit);
        });
        futures::future::join_all(jobs.collect::<Vec<_>>()).await;
        order.into_inner().unwrap()
    }

    #[tokio::test]
    async fn addresses_take_turns_however_many_jobs_one_of_them_has() {
        let queue = queue(1, 100, 1000);
        let running = queue.enter(&client(1)).await.unwrap();
        let who: Vec<_> = [vec![1; 50], vec![2], vec![3; 2]].concat();
        let clients: Vec<_> = who.iter().map(|number| client(*number)).collect();
        let turns = wait_in(&queue, &clients);
        let order = order(running, who.into_iter().zip(turns).collect()).await;
        assert_eq!(order[..6], [1, 2, 3, 1, 3, 1], "{order:?}");
        assert_eq!(order.len(), 53);
    }

    #[tokio::test]
    async fn many_players_behind_one_address_get_no_more_turns_than_one() {
        let queue = FairQueue::new(QueueSize { running: 1, waiting_of_player: 2, waiting_of_address: 16, waiting: 64 });
        let running = queue.enter(&player(1)).await.unwrap();
        let flood: Vec<_> = (0..65).map(|_| player(1)).collect();
        let waiting = wait_in(&queue, &flood[..16]);
        for refused in &flood[16..] {
            assert!(matches!(queue.enter(refused).await, Err(Rejected::LaneFull(_))), "the address is full");
        }
        let others = [player(2), player(2), player(3)];
        let turns = [vec![1; 16], vec![2, 2, 3]].concat().into_iter();
        let waiting = waiting.into_iter().chain(wait_in(&queue, &others));
        let order = order(running, turns.zip(waiting).collect()).await;
        assert_eq!(order[..6], [1, 2, 3, 1, 2, 1], "{order:?}");
    }

    #[tokio::test]
    async fn players_behind_one_address_take_turns_and_share_its_places() {
        let size = QueueSize { running: 1, waiting_of_player: 3, waiting_of_address: 4, waiting: 64 };
        let queue = FairQueue::new(size);
        let (busy, calm) = (player(1), player(1));
        let running = queue.enter(&busy).await.unwrap();
        let mut of_busy = wait_in(&queue, &[busy; 3]);
        assert!(matches!(queue.enter(&busy).await, Err(Rejected::LaneFull(_))), "the player has enough of them");
        let mut of_calm = wait_in(&queue, &[calm; 2]);
        assert!(matches!(of_busy.pop().unwrap().await, Err(Rejected::LaneFull(_))), "its newest made room");
        assert!(matches!(queue.enter(&calm).await, Err(Rejected::LaneFull(_))), "both have as many now");
        let turns = [(1, of_busy.remove(0)), (1, of_busy.remove(0)), (2, of_calm.remove(0)), (2, of_calm.remove(0))];
        assert_eq!(order(running, turns.into()).await, [1, 2, 1, 2]);
    }

    #[tokio::test]
    async fn a_client_with_too_many_jobs_is_refused_at_once_and_others_are_let_in() {
        let queue = queue(1, 2, 1000);
        let _running = queue.enter(&client(1)).await.unwrap();
        let _waiting = wait_in(&queue, &[client(1); 2]);
        assert!(matches!(queue.enter(&client(1)).await, Err(Rejected::LaneFull(_))));
        assert_eq!(wait_in(&queue, &[client(2)]).len(), 1, "it waits, and is not refused");
    }

    #[tokio::test]
    async fn a_full_queue_gives_up_the_newest_job_of_the_address_with_the_most() {
        let queue = queue(1, 10, 3);
        let running = queue.enter(&client(1)).await.unwrap();
        // Different players, so that all lanes have the same length.
        let players = [player(1), player(1), player(1)];
        let mut flood = wait_in(&queue, &players);
        let mut others = wait_in(&queue, &[client(2)]);
        assert!(matches!(flood.pop().unwrap().await, Err(Rejected::LaneFull(_))), "the newest made room");
        others.extend(wait_in(&queue, &[client(3)]));
        assert!(matches!(flood.pop().unwrap().await, Err(Rejected::LaneFull(_))), "and the next");
        assert!(matches!(queue.enter(&client(4)).await, Err(Rejected::QueueFull)), "no address has more than one");
        drop(running);
        drop(flood.remove(0).await.unwrap());
        for other in others {
            assert!(other.await.is_ok());
        }
    }

    #[tokio::test]
    async fn a_client_that_goes_away_neither_runs_nor_takes_a_place() {
        let queue = queue(1, 1, 2);
        let running = queue.enter(&client(1)).await.unwrap();
        drop(wait_in(&queue, &[client(2)]));
        let stays = wait_in(&queue, &[client(2)]);
        drop(wait_in(&queue, &[client(3)]));
        let other = wait_in(&queue, &[client(4)]);
        assert_eq!(queue.waiting(), 2, "the places of those that have gone are free");
        drop(running);
        for turn in stays.into_iter().chain(other) {
            drop(turn.await.unwrap());
        }
        assert_eq!(queue.waiting(), 0);
        assert!(queue.enter(&client(3)).now_or_never().is_some(), "and nothing is left running");
    }

    #[tokio::test]
    async fn work_that_is_half_done_waits_for_a_place_instead_of_being_refused() {
        let queue = queue(1, 1, 1);
        let running = queue.enter(&client(1)).await.unwrap();
        let mut waiting = wait_in(&queue, &[client(1)]);
        assert!(queue.enter(&client(1)).await.is_err());
        let half_done = client(1);
        let mut goes_on = queue.enter_with_retry(&half_done).boxed();
        assert!((&mut goes_on).now_or_never().is_none(), "there is no place yet, and it is not refused");
        drop(running);
        drop(waiting.remove(0).await.unwrap());
        drop(goes_on.await);
        assert_eq!(queue.waiting(), 0);
    }

    #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
    async fn no_more_run_at_a_time_than_may_and_all_permits_come_back() {
        let queue = Arc::new(queue(2, 1000, 1000));
        let (now, most) = (Arc::new(AtomicUsize::new(0)), Arc::new(AtomicUsize::new(0)));
        let jobs = (0..400).map(|number| {
            let (queue, now, most) = (queue.clone(), now.clone(), most.clone());
            tokio::spawn(async move {
                let who = client(number % 7);
                let entering = queue.enter(&who);
                if number % 5 == 0 {
                    // Some clients disconnect before their turn comes, or right when it does.
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
        let state = lock(&queue.0);
        assert_eq!((state.running, state.waiting, state.addresses.len(), state.turns.len()), (0, 0, 0, 0));
    }
}
