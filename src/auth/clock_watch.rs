//! Clock-skew monitor: compares this node's clock with that of a shared store.
//!
//! Tokens carry the time of the node that signed them, and other nodes tolerate a skew of [`LEEWAY`](super::LEEWAY).
//! Beyond that, valid tokens are refused at random, depending on which node a request reaches. A comparison never
//! refuses a request; it warns the operator, in the log and by a metric.

use super::Now;
use crate::players::ports::PlayerStore;
use crate::rules::Instant;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

const COMPARISON_INTERVAL: Duration = Duration::from_mins(1);

/// Largest skew without a warning, in milliseconds: half of the leeway, so that two nodes without a warning are not
/// further apart than the leeway.
const MAX_SKEW_MS: i64 = 2_500;

#[derive(Default)]
pub(super) struct ClockWatch(Mutex<Option<Comparison>>);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Comparison {
    at: Instant,
    /// How far our clock is ahead of the store's, in milliseconds; behind, if negative.
    ahead: i64,
    /// Error bound of `ahead`: half of the time that the store took to answer, in milliseconds.
    uncertainty: i64,
}

impl Comparison {
    /// `theirs` was read from the store's clock between `asked` and `answered`, which are times of our clock.
    fn new(asked: Instant, theirs: Instant, answered: Instant) -> Self {
        let uncertainty = answered.0.saturating_sub(asked.0).max(0) / 2;
        Self { at: answered, ahead: asked.0.saturating_add(uncertainty).saturating_sub(theirs.0), uncertainty }
    }

    /// Whether the clocks are too far apart even if the error is as large as possible and in our favour.
    fn is_too_far(self) -> bool {
        self.ahead.saturating_abs().saturating_sub(self.uncertainty) > MAX_SKEW_MS
    }

    fn is_due(self, now: Instant) -> bool {
        u128::from(now.0.abs_diff(self.at.0)) >= COMPARISON_INTERVAL.as_millis()
    }
}

impl ClockWatch {
    /// How far our clock is ahead of the store's, in milliseconds; None for a store that is not shared.
    pub(super) fn ahead(&self) -> Option<i64> {
        self.last().map(|comparison| comparison.ahead)
    }

    /// Compares the clocks if the last comparison is at least `COMPARISON_INTERVAL` old.
    pub(super) async fn compare_if_due(&self, store: &dyn PlayerStore, now: &Now) {
        let asked = now();
        if self.last().is_some_and(|last| !last.is_due(asked)) {
            return;
        }
        // A store that does not answer is reported elsewhere.
        let Ok(Some(theirs)) = store.time().await else { return };
        let comparison = Comparison::new(asked, theirs, now());
        if comparison.is_too_far() {
            tracing::warn!(
                ahead_ms = comparison.ahead,
                "this node's clock and the database's are too far apart: good tokens may be refused; set the clock by NTP"
            );
        }
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = Some(comparison);
    }

    fn last(&self) -> Option<Comparison> {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clocks_are_too_far_apart_only_if_no_delay_of_the_answer_explains_it() {
        let too_far = |theirs: i64, took: i64| {
            Comparison::new(Instant(10_000), Instant(theirs), Instant(10_000 + took)).is_too_far()
        };
        assert!(!too_far(10_000, 0) && !too_far(10_000 + MAX_SKEW_MS, 0) && !too_far(10_000 - MAX_SKEW_MS, 0));
        assert!(too_far(10_000 + MAX_SKEW_MS + 1, 0) && too_far(10_000 - MAX_SKEW_MS - 1, 0));
        assert!(!too_far(10_000 + MAX_SKEW_MS + 1, 10), "the store may have read its clock right before it answered");
        assert!(too_far(10_000 + MAX_SKEW_MS + 11, 10) && too_far(10_000 - MAX_SKEW_MS - 1, 10));
        assert!(!too_far(10_000, -10_000), "our clock was set back meanwhile");
    }

    #[test]
    fn two_nodes_that_are_not_warned_are_within_the_leeway() {
        assert_eq!(u128::from(MAX_SKEW_MS.unsigned_abs()) * 2, crate::auth::LEEWAY.as_millis());
    }
}
