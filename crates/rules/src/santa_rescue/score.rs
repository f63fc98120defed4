//! Scoring of À la rescousse du Père Noël: boots, the stages of the path, and the outcome.

use super::sheets;
use super::state::State;
use crate::{Outcome, Seat, Standing};
use std::borrow::Cow;

/// The number of stages of the path.
pub const STAGES: u8 = 8;
/// Why a campaign ends.
pub const CAMPAIGN_OVER: &str = "CAMPAIGN_OVER";

/// The boots that a day is worth after this many hints: one less for each, but not below 0.
pub fn reward(day: u8, hints: u8) -> u8 {
    sheets::sheet(day).boots.saturating_sub(hints)
}

/// The boots won so far.
pub fn boots(state: &State) -> u32 {
    state.past.iter().map(|past| u32::from(past.boots)).sum()
}

/// The boots on offer in the whole campaign.
pub fn on_offer(state: &State) -> u32 {
    (state.first_day..=state.last_day).map(|day| u32::from(sheets::sheet(day).boots)).sum()
}

/// The stage that these boots lead to: proportional to the boots on offer, rounded up, and at least 1.
pub fn stage(boots: u32, on_offer: u32) -> u8 {
    let stages = (u32::from(STAGES) * boots).div_ceil(on_offer.max(1));
    u8::try_from(stages).unwrap_or(STAGES).clamp(1, STAGES)
}

/// The stage reached so far.
pub fn stage_of(state: &State) -> u8 {
    stage(boots(state), on_offer(state))
}

/// The outcome: the team wins together at the last stage, or not at all. Players who resigned rank after it.
pub(super) fn outcome(state: &State) -> Outcome {
    let score = i32::try_from(boots(state)).unwrap_or(i32::MAX);
    let stayed: Vec<_> = state.active().collect();
    let after = 1 + u8::try_from(stayed.len()).expect("a table has few seats");
    let gone = (0..).map(Seat).zip(&state.resigned).filter(|(_, resigned)| **resigned).map(|(seat, _)| seat);
    let places = stayed.iter().map(|seat| (*seat, 1)).chain(gone.map(|seat| (seat, after)));
    let standings = places.map(|(seat, rank)| Standing { seat, rank, score }).collect();
    let reached = stage_of(state);
    let winners = if reached == STAGES { stayed } else { Vec::new() };
    Outcome { winners, standings, reason: Cow::Borrowed(CAMPAIGN_OVER), stage: Some(reached) }
}
