//! Views as GraphQL's types, kept for whoever asks with the same eyes: reading them back from JSON takes a good part of an
//! answer's time.

use super::kinds::{GameView, KindId, Untold};
use crate::games::Game;
use crate::ids::GameId;
use crate::rules::Eyes;
use moka::sync::Cache;
use std::sync::Arc;
use std::time::Duration;

/// How many are kept: some 10 KB each.
const VIEWS: u64 = 2_000;
/// One that nobody asks for costs nothing after that.
const IDLE: Duration = Duration::from_mins(1);

/// A view depends on nothing else.
type Key = (GameId, u64, Eyes);

pub struct Views(Cache<Key, Arc<GameView>>);

impl Default for Views {
    fn default() -> Self {
        Self(Cache::builder().max_capacity(VIEWS).time_to_idle(IDLE).build())
    }
}

impl Views {
    /// What these eyes see of a game; nothing before its start.
    pub fn get(&self, game: &Game, kind: KindId, eyes: Eyes) -> Option<Result<Arc<GameView>, Untold>> {
        let key = (game.id, game.version, eyes);
        if let Some(view) = self.0.get(&key) {
            return Some(Ok(view));
        }
        let read = GameView::read(kind, &game.view(eyes)?).map(Arc::new);
        if let Ok(view) = &read {
            self.0.insert(key, view.clone());
        }
        Some(read)
    }
}
