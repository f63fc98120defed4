//! When the game is over, and who won it.

use super::state::{Place, State};
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

/// Why the game is over after the shipping just done, if it is.
pub(super) fn ended(state: &State) -> Option<Reason> {
    if state.places.iter().any(|place| place.points() >= state.target) {
        Some(Reason::Target)
    } else if is_dry(state) {
        Some(Reason::Dry)
    } else if state.round >= state.max_rounds {
        Some(Reason::Rounds)
    } else {
        None
    }
}

/// Whether no objective can be completed any more. While there is a deck, where a card lies must not matter, or going
/// on would tell; so every objective not yet completed is tried on either player. After that, every hand on its holder.
fn is_dry(state: &State) -> bool {
    let piles = state.piles();
    let [one, two] = &state.places;
    let anywhere = || state.deck.iter().copied().chain(one.hand.iter()).chain(two.hand.iter());
    !state.places.iter().any(|Place { objects, hand, .. }| {
        let reach = objects.with(piles);
        let covered = |needs| reach.cover(needs);
        if state.deck.is_empty() {
            hand.iter().any(|card| covered(card.needs()))
        } else {
            anywhere().any(|card| covered(card.needs()))
        }
    })
}

/// The places of both seats: never shared.
pub(super) fn outcome(state: &State, reason: Reason) -> Outcome {
    // Most points win; whoever gave up does not; a tie goes to the holder of the token.
    let mut seats: Vec<_> = Seat::all(2).zip(&state.places).collect();
    seats.sort_by_key(|&(seat, place)| (place.resigned, Reverse(place.points()), seat != state.token));
    let standings: Vec<_> =
        (1..).zip(seats).map(|(rank, (seat, place))| Standing { seat, rank, score: place.points().into() }).collect();
    Outcome { winners: vec![standings[0].seat], standings, reason: Cow::Borrowed(reason.id()), stage: None }
}
