//! What a kind may be given before play begins, besides its options: what the seats chose in the lobby, and what had to be
//! worked out with help from outside, because rules know no time zone and answer at once.

use super::{Instant, Message};
use serde_json::Value;

/// All that was agreed and worked out before the start, beyond the options.
#[derive(Clone, Copy, Debug, Default)]
pub struct Lobby<'a> {
    /// What each seat chose, as [`Choosing::choose`](super::capabilities::Choosing::choose) returned it; empty where none can.
    pub choices: &'a [Option<Value>],
    /// What [`Preparing::prepare`](super::capabilities::Preparing::prepare) made, if there was anything to prepare.
    pub prepared: Option<&'a Value>,
}

/// What the world outside knows and rules don't.
pub trait Outside {
    /// The moment a day begins in a time zone; nothing if there is no such day or zone.
    fn midnight(&self, zone: &str, year: i16, month: i8, day: i8) -> Option<Instant>;

    /// The year in a time zone.
    fn year(&self, zone: &str, at: Instant) -> Option<i16>;

    /// Whether whoever asked has waited long enough.
    fn is_out_of_time(&self) -> bool;
}

/// Why nothing could be prepared.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum Unprepared {
    /// It took too long; another time it may not.
    #[error("out of time")]
    OutOfTime,
    /// These options can't be played with.
    #[error("can't be prepared: {0}")]
    Options(Message),
}
