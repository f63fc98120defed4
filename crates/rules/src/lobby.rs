//! Input to a game's setup besides its options: the choices of the seats in the lobby, and what was prepared before the
//! start. The rules of a game know no time zones and must return quickly, so anything else is prepared in advance.

use super::{Instant, Message};
use serde_json::Value;

/// What was chosen and prepared before the start.
#[derive(Clone, Copy, Debug, Default)]
pub struct Lobby<'a> {
    /// The choice of each seat, as [`Choosing::choose`](super::capabilities::Choosing::choose) returned it; empty if
    /// the kind has no choices.
    pub choices: &'a [Option<Value>],
    /// The result of [`Preparing::prepare`](super::capabilities::Preparing::prepare), if there was anything to prepare.
    pub prepared: Option<&'a Value>,
}

/// Functions that the service provides to preparations, because rules have no clock and no time zones.
pub trait Outside {
    /// The moment at which a day begins in a time zone; `None` if there is no such day or zone.
    fn midnight(&self, zone: &str, year: i16, month: i8, day: i8) -> Option<Instant>;

    /// The year at a moment in a time zone; `None` if there is no such zone.
    fn year(&self, zone: &str, at: Instant) -> Option<i16>;

    /// Whether the deadline of the preparation has passed.
    fn is_out_of_time(&self) -> bool;
}

/// Why a preparation failed.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum Unprepared {
    /// The deadline passed. A retry may succeed.
    #[error("out of time")]
    OutOfTime,
    /// These options can't be played with.
    #[error("can't be prepared: {0}")]
    Options(Message),
}
