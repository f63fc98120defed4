//! Retention: games that have been over for long enough are removed, if the operator wants that.

use super::Games;
use super::error::GameError;
use crate::rules::Instant;
use std::time::Duration;

/// How many games are removed before the next list of them is asked for.
const BATCH: usize = 100;

impl Games {
    /// Removes the games that have been over for so long, with everything that belongs to them; says how many.
    pub async fn remove_over(&self, keep: Duration) -> Result<usize, GameError> {
        let keep = i64::try_from(keep.as_millis()).unwrap_or(i64::MAX);
        let before = Instant(self.clock.now().0.saturating_sub(keep));
        let mut removed = 0;
        loop {
            let over = self.store.games_over(before, BATCH).await?;
            let mut here = 0;
            for id in over {
                if self.store.remove(id, before).await? {
                    self.desk.forget(id).await;
                    here += 1;
                }
            }
            removed += here;
            // Fewer than a batch were left, or those listed have all come to life since.
            if here < BATCH {
                return Ok(removed);
            }
        }
    }
}
