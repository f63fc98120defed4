//! Scoring of LOADING: the end conditions and the outcome.

use super::{
    state::{Area, State},
    types::{Card, boost_bars},
};
use crate::{Outcome, Seat, Standing};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::{borrow::Cow, cmp::Reverse};

/// Why the game ended, or why its end may be called.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
#[schemars(rename = "LoadingReason")]
pub enum Reason {
    /// The last STOP card was taken.
    LastStop,
    /// A packet ran out of cards.
    Empty,
    /// Each seat in play received `idlePasses` packets without anyone laying a card or stopping.
    Idle,
    /// A player called the end.
    Called,
    /// No move was left.
    NoMove,
    /// All players but one resigned.
    Resigned,
}

impl Reason {
    pub const ALL: [Reason; 6] =
        [Reason::LastStop, Reason::Empty, Reason::Idle, Reason::Called, Reason::NoMove, Reason::Resigned];

    pub const fn id(self) -> &'static str {
        match self {
            Reason::LastStop => "LAST_STOP",
            Reason::Empty => "EMPTY",
            Reason::Idle => "IDLE",
            Reason::Called => "CALLED",
            Reason::NoMove => "NO_MOVE",
            Reason::Resigned => "RESIGNED",
        }
    }
}

/// With two players, a STOP card taken with at most this many cards in the pile costs one of them.
pub(super) const TOO_FEW: usize = 9;

/// All bars of a seat: pile, BOOST cards and STOP card.
pub(super) fn bars(area: &Area) -> u16 {
    let pile: u16 = area.pile.iter().map(|card| u16::from(card.bars())).sum();
    let boosts = u16::from(area.boosts) * u16::from(boost_bars());
    pile + boosts + area.stop.map_or(0, |stop| u16::from(stop.bars()))
}

/// The end condition that is met, if any.
pub(super) fn condition(state: &State) -> Option<Reason> {
    if state.stops.is_empty() {
        Some(Reason::LastStop)
    } else if state.in_play().any(|packet| packet.cards.is_empty()) {
        Some(Reason::Empty)
    } else {
        None
    }
}

/// Whether each seat still in play has received `idle_passes` packets without anyone laying a card or stopping.
pub(super) fn is_idle(state: &State) -> bool {
    let passes = state.options.idle_passes;
    passes > 0 && state.still_in().all(|seat| state[seat].received >= passes)
}

/// With two players, the one who took the STOP card with too few cards gives one of the best to the other: from, to,
/// card.
pub(super) fn penalty(state: &State) -> Option<(Seat, Seat, Card)> {
    let [one, other] = &state.areas[..] else { return None };
    let (from, to, area) = match (one.stop, other.stop) {
        (Some(_), _) => (Seat(0), Seat(1), one),
        (_, Some(_)) => (Seat(1), Seat(0), other),
        _ => return None,
    };
    // Among equals the choice does not matter, so take the lowest number.
    let best = area.pile.iter().copied().max_by_key(|card| (card.bars(), Reverse(*card)))?;
    (area.pile.len() <= TOO_FEW).then_some((from, to, best))
}

/// The outcome with the ranks of all seats.
pub(super) fn outcome(state: &State, reason: Reason) -> Outcome {
    // Most bars win, then most cards in the pile. Seats that resigned share the last rank, whatever they had.
    let key = |area: &Area| {
        let (bars, cards) = if area.resigned { (0, 0) } else { (bars(area), area.pile.len()) };
        (area.resigned, Reverse(bars), Reverse(cards))
    };
    let keys: Vec<_> = state.areas.iter().map(key).collect();
    let rank = |own: &_| 1 + u8::try_from(keys.iter().filter(|key| *key < own).count()).expect("few seats");
    let areas = Seat::all(state.seats()).zip(&keys).zip(&state.areas);
    let mut standings: Vec<_> =
        areas.map(|((seat, key), area)| Standing { seat, rank: rank(key), score: i32::from(bars(area)) }).collect();
    standings.sort_by_key(|standing| (standing.rank, standing.seat));
    let winners = standings.iter().filter(|standing| standing.rank == 1).map(|standing| standing.seat).collect();
    Outcome { winners, standings, reason: Cow::Borrowed(reason.id()), stage: None }
}
