//! Announcements within one process. They say which version a game has reached and nothing else; whoever listens reads
//! the steps from the store, so one that is lost or doubled does no harm.

use crate::games::ports::{Announcement, Notifier};
use crate::ids::GameId;
use std::collections::HashMap;
use std::sync::Mutex;
use tokio::sync::{broadcast, watch};

/// How many announcements may wait for whoever hears all of them. Whoever falls behind further is told so, and asks the
/// store.
const BACKLOG: usize = 1024;

/// The announcements of a node that shares its store with nobody.
pub struct LocalNotifier {
    games: Mutex<HashMap<GameId, watch::Sender<u64>>>,
    all: broadcast::Sender<Announcement>,
}

impl Default for LocalNotifier {
    fn default() -> Self {
        Self { games: Mutex::default(), all: broadcast::Sender::new(BACKLOG) }
    }
}

impl LocalNotifier {
    /// The games that somebody follows.
    pub fn followed(&self) -> Vec<GameId> {
        let mut games = self.games.lock().expect("nobody panics holding it");
        games.retain(|_, listeners| !listeners.is_closed());
        games.keys().copied().collect()
    }

    /// Tells whoever hears all announcements that there may have been others.
    pub fn missed(&self) {
        // Nobody may be listening.
        let _ = self.all.send(Announcement::Missed);
    }
}

impl Notifier for LocalNotifier {
    fn publish(&self, game: GameId, version: u64) {
        // Nobody may be listening.
        let _ = self.all.send(Announcement::Of(game));
        let mut games = self.games.lock().expect("nobody panics holding it");
        if let Some(listeners) = games.get(&game) {
            if listeners.is_closed() {
                games.remove(&game);
            } else {
                // Two steps of one flush may be announced in either order.
                listeners.send_modify(|known| *known = version.max(*known));
            }
        }
    }

    fn subscribe(&self, game: GameId) -> watch::Receiver<u64> {
        let mut games = self.games.lock().expect("nobody panics holding it");
        if games.len() == games.capacity() {
            games.retain(|_, listeners| !listeners.is_closed());
        }
        games.entry(game).or_default().subscribe()
    }

    fn subscribe_to_all(&self) -> broadcast::Receiver<Announcement> {
        self.all.subscribe()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_listener_hears_of_versions_published_after_it_subscribed() {
        let notifier = LocalNotifier::default();
        let game = GameId::new();
        notifier.publish(game, 3);
        let mut listener = notifier.subscribe(game);
        assert!(!listener.has_changed().expect("open"));
        notifier.publish(game, 5);
        notifier.publish(game, 4);
        assert_eq!(*listener.wait_for(|version| *version > 0).await.expect("open"), 5);
    }

    #[test]
    fn games_nobody_listens_to_are_forgotten() {
        let notifier = LocalNotifier::default();
        for _ in 0..1000 {
            drop(notifier.subscribe(GameId::new()));
        }
        assert!(notifier.games.lock().expect("whole").len() < 100);
    }
}
