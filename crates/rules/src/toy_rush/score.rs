//! Scoring of Toy Rush: the end conditions and the outcome.

use super::state::{Area, State};
use crate::{Outcome, Seat, Standing};
use serde::{Deserialize, Serialize};
use std::{borrow::Cow, cmp::Reverse};

/// Why a game ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Reason {
    Target,
    Dry,
    Rounds,
    Resigned,
}

impl Reason {
    pub const ALL: [Reason; 4] = [Reason::Target, Reason::Dry, Reason::Rounds, Reason::Resigned];

    pub const fn id(self) -> &'static str {
        match self {
            Reason::Target => "TARGET",
            Reason::Dry => "DRY",
            Reason::Rounds => "ROUNDS",
            Reason::Resigned => "RESIGNED",
        }
    }
}

/// Why the game is over after this round's shipping, if it is.
pub(super) fn ended(state: &State) -> Option<Reason> {
    if state.areas.iter().any(|area| area.points() >= state.target) {
        Some(Reason::Target)
    } else if is_dry(state) {
        Some(Reason::Dry)
    } else if state.round >= state.max_rounds {
        Some(Reason::Rounds)
    } else {
        None
    }
}

/// Whether no objective can be completed any more. While the deck has cards, the answer must not depend on where hidden
/// cards are, or it would leak them: so every objective not yet completed is tried with either player's objects. With
/// an empty deck, each hand is tried with its owner's objects.
fn is_dry(state: &State) -> bool {
    let piles = state.piles();
    let [one, two] = &state.areas;
    let anywhere = || state.deck.iter().copied().chain(one.hand.iter()).chain(two.hand.iter());
    !state.areas.iter().any(|Area { objects, hand, .. }| {
        let reach = objects.with(piles);
        let covered = |needs| reach.cover(needs);
        if state.deck.is_empty() {
            hand.iter().any(|card| covered(card.needs()))
        } else {
            anywhere().any(|card| covered(card.needs()))
        }
    })
}

/// The outcome. The two seats never share a rank.
pub(super) fn outcome(state: &State, reason: Reason) -> Outcome {
    // Most points win; a seat that resigned does not; a tie goes to the holder of the token.
    let mut seats: Vec<_> = Seat::all(2).zip(&state.areas).collect();
    seats.sort_by_key(|&(seat, area)| (area.resigned, Reverse(area.points()), seat != state.token));
    let standings: Vec<_> =
        (1..).zip(seats).map(|(rank, (seat, area))| Standing { seat, rank, score: area.points().into() }).collect();
    Outcome { winners: vec![standings[0].seat], standings, reason: Cow::Borrowed(reason.id()), stage: None }
}
