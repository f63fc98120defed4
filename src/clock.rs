//! The time of day, for games.

use crate::games::ports::Clock;
use crate::rules::Instant;
use std::sync::atomic::{AtomicI64, Ordering};
use std::time::Duration;

/// The system's clock.
pub struct SystemClock;

impl Clock for SystemClock {
    fn now(&self) -> Instant {
        Instant(jiff::Timestamp::now().as_millisecond())
    }
}

/// The system's clock, which can be put forward: a day of a game passes in one request. Tokens never see it.
#[derive(Default)]
pub struct VirtualClock {
    ahead: AtomicI64,
}

impl VirtualClock {
    /// Never back: a game's steps are in the order of time.
    pub fn advance(&self, by: Duration) {
        let by = i64::try_from(by.as_millis()).unwrap_or(i64::MAX);
        let forward = |ahead: i64| Some(ahead.saturating_add(by));
        self.ahead.fetch_update(Ordering::SeqCst, Ordering::SeqCst, forward).expect("it always moves");
    }
}

impl Clock for VirtualClock {
    fn now(&self) -> Instant {
        Instant(SystemClock.now().0.saturating_add(self.ahead.load(Ordering::SeqCst)))
    }
}
