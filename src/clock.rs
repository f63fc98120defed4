//! The clock that games use.

use crate::games::ports::Clock;
use crate::rules::Instant;
use std::sync::atomic::{AtomicI64, Ordering};
use std::time::Duration;

pub struct SystemClock;

impl Clock for SystemClock {
    fn now(&self) -> Instant {
        Instant(jiff::Timestamp::now().as_millisecond())
    }
}

/// A clock that tests can advance: a day of a game passes in one request. Tokens always use the system's clock.
#[derive(Default)]
pub struct VirtualClock {
    ahead: AtomicI64,
}

impl VirtualClock {
    /// Only forwards: a game's steps are in order of time.
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
