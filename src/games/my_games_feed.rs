//! Feed of all games of one player: each unfinished game once, then again whenever it has changed.
//!
//! Announcements name a game, not its members. So one task per process receives all of them while there are
//! subscribers, reads each announced game once, and puts its id into the mailboxes of its members. The feed then
//! reads the game itself: the store is the truth, and an announcement only says where to look. If announcements were
//! lost, every feed checks all its games again.

use super::Games;
use super::error::GameError;
use super::event_stream::pause_if_transient;
use super::game::Game;
use super::ports::{Announcement, ListQuery, Status, Whose};
use crate::ids::{GameId, PlayerId};
use futures::{Stream, stream};
use std::collections::{BTreeSet, HashMap};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use tokio::sync::Notify;
use tokio::sync::broadcast::{Receiver, error::RecvError};

/// Games per page of the list.
const BATCH: usize = 100;

/// All open feeds, and whether the distributing task is running.
#[derive(Default)]
pub(super) struct FeedSubscribers {
    mailboxes: Mutex<Mailboxes>,
    /// Notified when a feed is closed.
    left: Notify,
}

#[derive(Default)]
struct Mailboxes {
    by_player: HashMap<PlayerId, Vec<Arc<Mailbox>>>,
    /// Whether the distributing task is running.
    has_task: bool,
}

/// Ids of games that may have changed, for one feed.
#[derive(Default)]
struct Mailbox {
    changed: Mutex<Changed>,
    bell: Notify,
}

#[derive(Default)]
struct Changed {
    games: BTreeSet<GameId>,
    /// Whether announcements were lost, so that any game may have changed. Initially true.
    all: bool,
}

/// Registration of a feed, removed on drop.
struct Registration {
    subscribers: Arc<FeedSubscribers>,
    player: PlayerId,
    mailbox: Arc<Mailbox>,
}

/// The feed of one player.
struct Feed {
    games: Arc<Games>,
    registration: Registration,
    /// The versions already sent.
    sent: HashMap<GameId, u64>,
    /// Games to check.
    due: Changed,
}

impl Games {
    /// Every unfinished game of the player, then each of them again when it has changed. Changes in quick succession
    /// may be merged, but the last one is always sent. Games that the player has left are not sent.
    pub fn follow_mine(
        self: &Arc<Self>,
        player: PlayerId,
    ) -> impl Stream<Item = Result<Arc<Game>, GameError>> + Send + use<> {
        let registration = self.feed_subscribers.join(player);
        let mut mailboxes = lock(&self.feed_subscribers.mailboxes);
        if !std::mem::replace(&mut mailboxes.has_task, true) {
            // Subscribed before the first read, so that no change in between is missed.
            tokio::spawn(serve(self.clone(), self.notifier.subscribe_to_all()));
        }
        drop(mailboxes);
        let feed = Feed { games: self.clone(), registration, sent: HashMap::new(), due: Changed::default() };
        stream::try_unfold(feed, Feed::next)
    }

    /// The player's unfinished games.
    async fn open_games(&self, player: PlayerId) -> Result<BTreeSet<GameId>, GameError> {
        let mut open = BTreeSet::new();
        for status in [Status::Lobby, Status::Active] {
            let mut before = None;
            loop {
                let whose = Whose::Of(player);
                let query = ListQuery { whose, kind: None, status: Some(status), before, limit: BATCH };
                let games = self.store.list(query).await?;
                open.extend(games.iter().map(|(id, _)| *id));
                match games.last() {
                    Some((last, _)) if games.len() == BATCH => before = Some(*last),
                    _ => break,
                }
            }
        }
        Ok(open)
    }
}

impl Feed {
    async fn next(mut self) -> Result<Option<(Arc<Game>, Self)>, GameError> {
        loop {
            match self.look().await {
                Ok(Some(game)) => return Ok(Some((game, self))),
                Ok(None) => self.registration.mailbox.bell.notified().await,
                Err(error) => pause_if_transient(error).await?,
            }
        }
    }

    /// The next changed game, or nothing for now. A game that could not be read stays due.
    async fn look(&mut self) -> Result<Option<Arc<Game>>, GameError> {
        loop {
            while let Some(&id) = self.due.games.first() {
                let game = self.games.sequencer.current(id).await?;
                self.due.games.remove(&id);
                let Some(game) = game.filter(|game| game.is_member(self.registration.player)) else { continue };
                if self.sent.insert(id, game.version).is_none_or(|sent| sent < game.version) {
                    return Ok(Some(game));
                }
            }
            let changed = std::mem::take(&mut *lock(&self.registration.mailbox.changed));
            self.due.games = changed.games;
            self.due.all |= changed.all;
            if self.due.all {
                // Games that were sent before may be over by now and missing from the list of unfinished ones.
                self.due.games.extend(self.sent.keys());
                self.due.games.append(&mut self.games.open_games(self.registration.player).await?);
                self.due.all = false;
            }
            if self.due.games.is_empty() {
                return Ok(None);
            }
        }
    }
}

/// Distributes announcements until there are no subscribers.
async fn serve(games: Arc<Games>, mut announced: Receiver<Announcement>) {
    let subscribers = games.feed_subscribers.clone();
    while subscribers.any() {
        let announcement = tokio::select! {
            announcement = announced.recv() => announcement,
            () = subscribers.left.notified() => continue,
        };
        match announcement {
            Ok(Announcement::Of(id)) => match games.sequencer.current(id).await {
                Ok(Some(game)) => subscribers.tell(&game),
                Ok(None) => {}
                Err(error) => {
                    tracing::warn!(%error, "an announced game could not be read");
                    subscribers.tell_all();
                }
            },
            Ok(Announcement::Missed) | Err(RecvError::Lagged(_)) => subscribers.tell_all(),
            Err(RecvError::Closed) => return,
        }
    }
}

impl FeedSubscribers {
    fn join(self: &Arc<Self>, player: PlayerId) -> Registration {
        let mailbox = Arc::<Mailbox>::default();
        lock(&mailbox.changed).all = true;
        lock(&self.mailboxes).by_player.entry(player).or_default().push(mailbox.clone());
        Registration { subscribers: self.clone(), player, mailbox }
    }

    /// Whether there are subscribers; if not, marks the task as stopped.
    fn any(&self) -> bool {
        let mut mailboxes = lock(&self.mailboxes);
        mailboxes.has_task = !mailboxes.by_player.is_empty();
        mailboxes.has_task
    }

    fn tell(&self, game: &Game) {
        let mailboxes = lock(&self.mailboxes);
        for member in game.head().members {
            for mailbox in mailboxes.by_player.get(&member).into_iter().flatten() {
                mailbox.put(|changed| changed.games.extend([game.id]));
            }
        }
    }

    fn tell_all(&self) {
        for mailbox in lock(&self.mailboxes).by_player.values().flatten() {
            mailbox.put(|changed| changed.all = true);
        }
    }
}

impl Drop for Registration {
    fn drop(&mut self) {
        let mut mailboxes = lock(&self.subscribers.mailboxes);
        if let Some(of_player) = mailboxes.by_player.get_mut(&self.player) {
            of_player.retain(|mailbox| !Arc::ptr_eq(mailbox, &self.mailbox));
            if of_player.is_empty() {
                mailboxes.by_player.remove(&self.player);
            }
        }
        self.subscribers.left.notify_one();
    }
}

impl Mailbox {
    fn put(&self, change: impl FnOnce(&mut Changed)) {
        change(&mut lock(&self.changed));
        self.bell.notify_one();
    }
}

/// These locks protect no invariant that a panic could break.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
