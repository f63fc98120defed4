//! The time of day.

use crate::games::ports::Clock;
use crate::rules::Instant;

/// The system's clock.
pub struct SystemClock;

impl Clock for SystemClock {
    fn now(&self) -> Instant {
        Instant(jiff::Timestamp::now().as_millisecond())
    }
}
