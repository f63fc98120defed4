//! Scoring of Jouets à GO GO GO: rewards, the end conditions and the outcome.

use super::{
    state::State,
    types::{ToyType, named},
};
use crate::{Outcome, Seat, Standing};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::{borrow::Cow, cmp::Reverse};

/// The coins paid for a reward, Collection or Showcase.
pub const REWARD: u32 = 5;
/// The coins in a banknote, and the number of spaces of the score track.
pub const BANKNOTE: u32 = 10;

named! {
    /// Why a game ended.
    Reason { Full = "FULL", Resigned = "RESIGNED" }
}

/// The highest count of a single toy of the type, and the seats that have it. No seats before all shops are full, or if
/// the count is 0. Seats that resigned do not take part.
pub(super) fn showcase(state: &State, toy_type: ToyType) -> (u8, Vec<Seat>) {
    if state.ended != Some(Reason::Full) {
        return (0, Vec::new());
    }
    let counts =
        || state.shops().filter(|(_, shop)| !shop.resigned).map(|(seat, shop)| (seat, shop.showcase(toy_type)));
    let highest = counts().map(|(_, count)| count).max().unwrap_or_default();
    let winners = counts().filter(|(_, count)| *count == highest && highest > 0);
    (highest, winners.map(|(seat, _)| seat).collect())
}

/// How many rewards the seat has.
pub(super) fn rewards(state: &State, seat: Seat) -> u32 {
    let collections = state.collections.iter().filter(|taken| **taken == Some(seat)).count();
    let showcases = ToyType::ALL.into_iter().filter(|toy_type| showcase(state, *toy_type).1.contains(&seat)).count();
    u32::try_from(collections + showcases).expect("there are few rewards")
}

/// The outcome with the ranks of all seats.
pub(super) fn outcome(state: &State, reason: Reason) -> Outcome {
    let keys: Vec<_> = state
        .shops()
        .map(|(_, shop)| {
            // Seats that resigned share the last rank, whatever they had.
            let coins = if shop.resigned { 0 } else { shop.coins };
            (shop.resigned, Reverse(coins / BANKNOTE), Reverse(coins % BANKNOTE))
        })
        .collect();
    let place = |key| 1 + keys.iter().filter(|other| *other < key).count();
    let mut standings: Vec<_> = state
        .shops()
        .zip(&keys)
        .map(|((seat, shop), key)| Standing {
            seat,
            rank: u8::try_from(place(key)).expect("a table has few seats"),
            score: i32::try_from(shop.coins).unwrap_or(i32::MAX),
        })
        .collect();
    standings.sort_by_key(|standing| (standing.rank, standing.seat));
    let winners = standings.iter().filter(|standing| standing.rank == 1).map(|standing| standing.seat).collect();
    Outcome { winners, standings, reason: Cow::Borrowed(reason.id()), stage: None }
}
