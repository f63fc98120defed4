//! Retention: games that have been over for long enough, lobbies that came to nothing, and idempotency keys that count no
//! more are removed.

use super::error::GameError;
use super::ports::{Cursor, ROWS_PER_SLICE, Swept};
use super::{Games, history};
use crate::rules::Instant;
use std::time::Duration;

/// How many games are removed before the next list of them is asked for, and how many such batches make one sweep.
const BATCH: usize = 100;
const BATCHES: usize = 50;

impl Games {
    /// Removes the games that have been over for so long, with everything that belongs to them; says how many. Stops after
    /// some thousands: the next sweep goes on.
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
            // Fewer than a batch were left, or those listed have all come to life since.
            if here < BATCH {
                break;
            }
        }
        Ok(removed)
    }

    /// Removes lobbies that were abandoned for so long and never became a game: looks at one slice of all games that are
    /// over. The cursor it returns stays good: games that end later come behind it.
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

    /// Removes idempotency keys that count no more, in one slice of them.
    pub async fn remove_expired_commands(&self, from: Option<Cursor>) -> Result<Swept, GameError> {
        Ok(self.store.remove_expired_commands(self.clock.now(), from, ROWS_PER_SLICE).await?)
    }

    fn before(&self, keep: Duration) -> Instant {
        let keep = i64::try_from(keep.as_millis()).unwrap_or(i64::MAX);
        Instant(self.clock.now().0.saturating_sub(keep))
    }
}
