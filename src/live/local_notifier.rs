//! Publish/subscribe within one process: announces which version a game has reached, and nothing else. Subscribers read
//! the steps from the store, so a lost or repeated announcement does no harm.

use crate::games::ports::{Announcement, Notifier};
use crate::ids::GameId;
use std::collections::HashMap;
use std::sync::Mutex;
use tokio::sync::{broadcast, watch};

/// Capacity of the channel of all announcements. A receiver that falls further behind gets a lag error and asks the
/// store.
const CHANNEL_CAPACITY: usize = 1024;

/// The notifier of a node that does not share its store.
pub struct LocalNotifier {
    games: Mutex<HashMap<GameId, watch::Sender<u64>>>,
    all: broadcast::Sender<Announcement>,
}

impl Default for LocalNotifier {
    fn default() -> Self {
        Self { games: Mutex::default(), all: broadcast::Sender::new(CHANNEL_CAPACITY) }
    }
}

impl LocalNotifier {
    /// The games that have subscribers.
    pub fn followed(&self) -> Vec<GameId> {
        let mut games = self.games.lock().expect("no code panics while it holds this lock");
        games.retain(|_, subscribers| !subscribers.is_closed());
        games.keys().copied().collect()
    }

    /// Tells subscribers to all announcements that some may have been lost.
    pub fn missed(&self) {
        // Fails without subscribers, which is fine.
        let _ = self.all.send(Announcement::Missed);
    }
}

impl Notifier for LocalNotifier {
    fn publish(&self, game: GameId, version: u64) {
        // Fails without subscribers, which is fine.
        let _ = self.all.send(Announcement::Of(game));
        let mut games = self.games.lock().expect("no code panics while it holds this lock");
        if let Some(subscribers) = games.get(&game) {
            if subscribers.is_closed() {
                games.remove(&game);
            } else {
                // Two steps of one flush may be announced in either order.
                subscribers.send_modify(|known| *known = version.max(*known));
            }
        }
    }

    fn subscribe(&self, game: GameId) -> watch::Receiver<u64> {
        let mut games = self.games.lock().expect("no code panics while it holds this lock");
        if games.len() == games.capacity() {
            games.retain(|_, subscribers| !subscribers.is_closed());
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
