//! Periodic cleanup, a slice of rows at a time: removes idle guests, ended sessions and expired revocations.

use super::{PlayerError, Players};
use crate::games::ports::{Cursor, ROWS_PER_SLICE, Swept};
use crate::rules::Instant;
use std::sync::atomic::Ordering;
use std::time::Duration;

impl Players {
    /// Removes guests and remains of deleted accounts created at least `keep` ago that are members of no game.
    pub async fn remove_idle_guests(&self, keep: Duration, from: Option<Cursor>) -> Result<Swept, PlayerError> {
        let keep = i64::try_from(keep.as_millis()).unwrap_or(i64::MAX);
        let created_before = Instant(self.identity.now().0.saturating_sub(keep));
        let swept = self.store.remove_idle_guests(created_before, from, ROWS_PER_SLICE).await?;
        if swept.removed > 0 {
            // Nothing cached about them is valid any more.
            self.public_profiles.invalidate_all();
            self.changes.fetch_add(1, Ordering::Release);
            self.identity.invalidate_sessions();
        }
        Ok(swept)
    }

    /// Removes sessions that were revoked, or expired a day ago.
    pub async fn remove_ended_sign_ins(&self, from: Option<Cursor>) -> Result<Swept, PlayerError> {
        Ok(self.store.remove_ended_sign_ins(self.identity.now(), from, ROWS_PER_SLICE).await?)
    }

    /// Removes revocations whose tokens have all expired.
    pub async fn remove_expired_revocations(&self, from: Option<Cursor>) -> Result<Swept, PlayerError> {
        Ok(self.store.remove_expired_revocations(self.identity.now(), from, ROWS_PER_SLICE).await?)
    }
}
