//! Following all of one's games at once: each as it stands, then again whenever it has changed.
//!
//! Announcements name a game, not its members. So one task per process hears them all for as long as anybody follows,
//! looks up each announced game once, and leaves its id with those of its members who do. A follower then reads the game
//! itself: the store is the truth, an announcement only says where to look. If announcements were missed, every follower
//! looks at all its games again.

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

/// How many games are read from the list at once.
const BATCH: usize = 100;

/// Everybody who follows their games, and whether somebody listens for them.
#[derive(Default)]
pub(super) struct FeedSubscribers {
    listening: Mutex<Mailboxes>,
    /// Rung when somebody has left.
    left: Notify,
}

#[derive(Default)]
struct Mailboxes {
    by_player: HashMap<PlayerId, Vec<Arc<Mailbox>>>,
    /// Whether the task runs that brings the post.
    has_task: bool,
}

/// Where a follower finds what may have changed.
#[derive(Default)]
struct Mailbox {
    changed: Mutex<Changed>,
    bell: Notify,
}

#[derive(Default)]
struct Changed {
    games: BTreeSet<GameId>,
    /// Whether announcements were missed, so that any game may have changed. True at the start: nothing is known yet.
    all: bool,
}

/// A place among the followers, given up when it is dropped.
struct Registration {
    subscribers: Arc<FeedSubscribers>,
    player: PlayerId,
    mailbox: Arc<Mailbox>,
}

/// One player following their games.
struct Feed {
    games: Arc<Games>,
    registration: Registration,
    /// The versions told already.
    told: HashMap<GameId, u64>,
    /// What is to be looked at.
    due: Changed,
}

impl Games {
    /// Every game of the player that is not over, then each game of theirs again when it has changed. Changes in quick
    /// succession may be told as one; the last of them is always told. A game that is theirs no more is not.
    pub fn follow_mine(
        self: &Arc<Self>,
        player: PlayerId,
    ) -> impl Stream<Item = Result<Arc<Game>, GameError>> + Send + use<> {
        let registration = self.feed_subscribers.join(player);
        let mut listening = lock(&self.feed_subscribers.listening);
        if !std::mem::replace(&mut listening.has_task, true) {
            // Subscribed before the follower's first look, so that a change in between is announced.
            tokio::spawn(serve(self.clone(), self.notifier.subscribe_to_all()));
        }
        drop(listening);
        let feed = Feed { games: self.clone(), registration, told: HashMap::new(), due: Changed::default() };
        stream::try_unfold(feed, Feed::next)
    }

    /// The player's games that are not over.
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

    /// The next game that has changed; nothing if there is none for the moment. What can't be read remains due.
    async fn look(&mut self) -> Result<Option<Arc<Game>>, GameError> {
        loop {
            while let Some(&id) = self.due.games.first() {
                let game = self.games.sequencer.current(id).await?;
                self.due.games.remove(&id);
                let Some(game) = game.filter(|game| game.is_member(self.registration.player)) else { continue };
                if self.told.insert(id, game.version).is_none_or(|told| told < game.version) {
                    return Ok(Some(game));
                }
            }
            let changed = std::mem::take(&mut *lock(&self.registration.mailbox.changed));
            self.due.games = changed.games;
            self.due.all |= changed.all;
            if self.due.all {
                // Those told before may be over by now, and are then in no list of open games.
                self.due.games.extend(self.told.keys());
                self.due.games.append(&mut self.games.open_games(self.registration.player).await?);
                self.due.all = false;
            }
            if self.due.games.is_empty() {
                return Ok(None);
            }
        }
    }
}

/// Brings the post until nobody follows any more.
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
        lock(&self.listening).by_player.entry(player).or_default().push(mailbox.clone());
        Registration { subscribers: self.clone(), player, mailbox }
    }

    /// Whether anybody follows; if not, nobody brings the post from now on.
    fn any(&self) -> bool {
        let mut listening = lock(&self.listening);
        listening.has_task = !listening.by_player.is_empty();
        listening.has_task
    }

    fn tell(&self, game: &Game) {
        let listening = lock(&self.listening);
        for member in game.head().members {
            for mailbox in listening.by_player.get(&member).into_iter().flatten() {
                mailbox.put(|changed| changed.games.extend([game.id]));
            }
        }
    }

    fn tell_all(&self) {
        for mailbox in lock(&self.listening).by_player.values().flatten() {
            mailbox.put(|changed| changed.all = true);
        }
    }
}

impl Drop for Registration {
    fn drop(&mut self) {
        let mut listening = lock(&self.subscribers.listening);
        if let Some(mailboxes) = listening.by_player.get_mut(&self.player) {
            mailboxes.retain(|mailbox| !Arc::ptr_eq(mailbox, &self.mailbox));
            if mailboxes.is_empty() {
                listening.by_player.remove(&self.player);
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

/// Nothing behind these locks is left half done, whoever panics.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
