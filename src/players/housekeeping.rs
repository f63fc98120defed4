//! Housekeeping: guests who never played, sign-ins that have ended and revocations that nobody needs any more are removed,
//! a slice of rows at a time.

use super::{PlayerError, Players};
use crate::games::ports::{Cursor, ROWS_PER_SLICE, Swept};
use crate::rules::Instant;
use std::sync::atomic::Ordering;
use std::time::Duration;

impl Players {
    /// Removes guests, and what is left of deleted accounts, that came so long ago and are members of no game.
    pub async fn remove_idle_guests(&self, keep: Duration, from: Option<Cursor>) -> Result<Swept, PlayerError> {
        let keep = i64::try_from(keep.as_millis()).unwrap_or(i64::MAX);
        let created_before = Instant(self.identity.now().0.saturating_sub(keep));
        let swept = self.store.remove_idle_guests(created_before, from, ROWS_PER_SLICE).await?;
        if swept.removed > 0 {
            // Nothing that was remembered of them counts any more.
            self.shown.invalidate_all();
            self.changes.fetch_add(1, Ordering::Release);
            self.identity.note_revocations();
        }
        Ok(swept)
    }

    /// Removes sign-ins that have ended: signed out, or expired for a day.
    pub async fn remove_ended_sign_ins(&self, from: Option<Cursor>) -> Result<Swept, PlayerError> {
        Ok(self.store.remove_ended_sign_ins(self.identity.now(), from, ROWS_PER_SLICE).await?)
    }

    /// Removes revocations of tokens that have all expired.
    pub async fn remove_expired_revocations(&self, from: Option<Cursor>) -> Result<Swept, PlayerError> {
        Ok(self.store.remove_expired_revocations(self.identity.now(), from, ROWS_PER_SLICE).await?)
    }
}
