//! When the game is over, what it was worth, and who won it.

use super::{
    state::{Place, State},
    types::{Card, boost_bars},
};
use crate::{Outcome, Seat, Standing};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::{borrow::Cow, cmp::Reverse};

/// Why a game ended, or what its end was armed by.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
#[schemars(rename = "LoadingReason")]
pub enum Reason {
    /// No STOP card is left in the centre.
    LastStop,
    /// A packet has run out of cards.
    Empty,
    /// Packets went round and round, and nobody laid anything.
    Idle,
    /// Somebody called the end.
    Called,
    /// Nobody could do anything any more.
    NoMove,
    /// All but one gave up.
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

/// With how many cards in the pile the STOP card still costs one of them, at a table of two.
const TOO_FEW: usize = 9;

/// All bars before a seat: its pile, its BOOST cards, its STOP card.
pub(super) fn bars(place: &Place) -> u16 {
    let pile: u16 = place.pile.iter().map(|card| u16::from(card.bars())).sum();
    let boosts = u16::from(place.boosts) * u16::from(boost_bars());
    pile + boosts + place.stop.map_or(0, |stop| u16::from(stop.bars()))
}

/// What the end brings about by itself.
pub(super) fn condition(state: &State) -> Option<Reason> {
    if state.stops.is_empty() {
        Some(Reason::LastStop)
    } else if state.in_play().any(|packet| packet.cards.is_empty()) {
        Some(Reason::Empty)
    } else {
        None
    }
}

/// Whether packets have gone round often enough for everybody still in.
pub(super) fn is_idle(state: &State) -> bool {
    let passes = state.options.idle_passes;
    passes > 0 && state.still_in().all(|seat| state[seat].received >= passes)
}

/// Two players: whoever took the STOP card with too few cards gives the other one of the best.
pub(super) fn penalty(state: &State) -> Option<(Seat, Seat, Card)> {
    let [one, other] = &state.places[..] else { return None };
    let (from, to, place) = match (one.stop, other.stop) {
        (Some(_), _) => (Seat(0), Seat(1), one),
        (_, Some(_)) => (Seat(1), Seat(0), other),
        _ => return None,
    };
    // Which of equals changes nothing, so it is the lowest number.
    let best = place.pile.iter().copied().max_by_key(|card| (card.bars(), Reverse(*card)))?;
    (place.pile.len() <= TOO_FEW).then_some((from, to, best))
}

/// The places of all seats.
pub(super) fn outcome(state: &State, reason: Reason) -> Outcome {
    // Most bars win, then most cards in the pile. Those who gave up share the last place, whatever they had.
    let key = |place: &Place| {
        let (bars, cards) = if place.resigned { (0, 0) } else { (bars(place), place.pile.len()) };
        (place.resigned, Reverse(bars), Reverse(cards))
    };
    let keys: Vec<_> = state.places.iter().map(key).collect();
    let rank = |own: &_| 1 + u8::try_from(keys.iter().filter(|key| *key < own).count()).expect("few seats");
    let places = Seat::all(state.seats()).zip(&keys).zip(&state.places);
    let mut standings: Vec<_> =
        places.map(|((seat, key), place)| Standing { seat, rank: rank(key), score: i32::from(bars(place)) }).collect();
    standings.sort_by_key(|standing| (standing.rank, standing.seat));
    let winners = standings.iter().filter(|standing| standing.rank == 1).map(|standing| standing.seat).collect();
    Outcome { winners, standings, reason: Cow::Borrowed(reason.id()), stage: None }
}
