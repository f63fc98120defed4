//! Retention: removes old games, abandoned lobbies and expired idempotency keys.

use super::Games;
use super::error::GameError;
use super::ports::{Cursor, ROWS_PER_SLICE, Swept};
use super::sequencer::history;
use crate::rules::Instant;
use std::time::Duration;

/// Games per page of the list, and pages per sweep.
const BATCH: usize = 100;
const BATCHES: usize = 50;

impl Games {
    /// Removes the games that have been over for long enough, and returns how many. Stops after some thousands; the
    /// next sweep continues.
    pub async fn remove_over(&self, keep: Duration) -> Result<usize, GameError> {
        let before = self.before(keep);
        let mut removed = 0;
        for _ in 0..BATCHES {
            let over = self.store.games_over(before, BATCH).await?;
            let mut here = 0;
            for id in over {
                if self.store.remove(id, before).await? {
                    self.sequencer.forget(id).await;
                    here += 1;
                }
            }
            removed += here;
            // The page was the last one, or all of its games have had a step since.
            if here < BATCH {
                break;
            }
        }
        Ok(removed)
    }

    /// Removes abandoned lobbies that never became a game, examining one slice of the finished games. The returned
    /// cursor stays valid: games that end later come after it.
    pub async fn remove_abandoned_lobbies(&self, keep: Duration, from: Option<Cursor>) -> Result<Swept, GameError> {
        let before = self.before(keep);
        let (abandoned, next) = self.store.abandoned_games(before, from, ROWS_PER_SLICE).await?;
        let mut removed = 0;
        for id in abandoned {
            // A game that everybody left is abandoned too, but was played.
            let is_lobby =
                history::newest(&*self.store, self.offer.catalog, id).await?.is_some_and(|game| game.running.is_none());
            if is_lobby && self.store.remove(id, before).await? {
                self.sequencer.forget(id).await;
                removed += 1;
            }
        }
        Ok(Swept { removed, next })
    }

    /// Removes expired idempotency keys, one slice of them.
    pub async fn remove_expired_commands(&self, from: Option<Cursor>) -> Result<Swept, GameError> {
        Ok(self.store.remove_expired_commands(self.clock.now(), from, ROWS_PER_SLICE).await?)
    }

    fn before(&self, keep: Duration) -> Instant {
        let keep = i64::try_from(keep.as_millis()).unwrap_or(i64::MAX);
        Instant(self.clock.now().0.saturating_sub(keep))
    }
}
