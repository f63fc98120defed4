//! What a round was worth, when the game is over, and who won it.

use super::{
    cards::Cards,
    moves::Bet,
    state::State,
    types::{Counts, Flavour, Objective},
};
use crate::{Outcome, Seat, Standing};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::{borrow::Cow, cmp::Reverse};

/// What a round brought a seat.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "ChipsTally")]
pub struct Tally {
    /// The values of met objectives: those bet for, less the one bet against.
    pub score: i32,
    /// The objectives of the seat that were met, on either side.
    pub met: Cards,
    /// What the jackpot card did, if the seat had bet it and it was met.
    pub jackpot: Option<Jackpot>,
    /// The place in the round; equal seats share it.
    pub rank: u8,
    /// Tokens won in the round.
    pub gained: u32,
    /// Tokens won so far.
    pub tokens: u32,
}

/// What a met jackpot card does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
#[schemars(rename = "ChipsJackpot")]
pub enum Jackpot {
    /// Bet for: the whole game is won.
    WinsGame,
    /// Bet against: the round is lost, whatever the score.
    LosesRound,
}

/// Why a game ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Reason {
    Tokens,
    Jackpot,
    Resigned,
}

impl Reason {
    pub const ALL: [Reason; 3] = [Reason::Tokens, Reason::Jackpot, Reason::Resigned];

    pub const fn id(self) -> &'static str {
        match self {
            Reason::Tokens => "TOKENS",
            Reason::Jackpot => "JACKPOT",
            Reason::Resigned => "RESIGNED",
        }
    }
}

/// Judges the bets of a round on its 14 chips. `players` is how many sat down, which decides the scoring table.
pub(super) fn tally(chips: &[Flavour], bets: &[(Bet, u32)], players: usize) -> Vec<Tally> {
    let mut tallies: Vec<_> = bets.iter().map(|&(bet, tokens)| count(chips, bet, tokens)).collect();
    // Whoever lost the round by the jackpot is below everybody; else the score decides.
    let keys: Vec<_> = tallies.iter().map(|tally| (tally.lost_round(), Reverse(tally.score))).collect();
    for (tally, key) in tallies.iter_mut().zip(&keys) {
        tally.rank = place(&keys, key);
        tally.gained = if tally.lost_round() { 0 } else { prize(tally.rank, players) };
        tally.tokens += tally.gained;
    }
    tallies
}

impl Tally {
    fn lost_round(&self) -> bool {
        self.jackpot == Some(Jackpot::LosesRound)
    }
}

/// Score and met objectives of one bet; places and prizes come when all are known.
fn count(chips: &[Flavour], bet: Bet, tokens: u32) -> Tally {
    let out = Counts::of(chips);
    let last = *chips.last().expect("a round is scored after its last chip");
    let mut tally = Tally { score: 0, met: Cards::NONE, jackpot: None, rank: 0, gained: 0, tokens };
    let sides = bet.r#for.map(|card| (card, 1, Jackpot::WinsGame)).into_iter();
    for (card, sign, jackpot) in sides.chain([(bet.against, -1, Jackpot::LosesRound)]) {
        let printed = card.printed();
        if !printed.objective.met(out, last) {
            continue;
        }
        tally.met = tally.met.with(card.into());
        match printed.objective {
            Objective::Each { flavour } => tally.score += sign * printed.value * i32::from(out[flavour]),
            Objective::Jackpot { .. } => tally.jackpot = Some(jackpot),
            _ => tally.score += sign * printed.value,
        }
    }
    tally
}

/// Places are counted as in sports: two firsts leave no second. So a tie for first takes the second's token by itself.
fn prize(rank: u8, players: usize) -> u32 {
    match (players, rank) {
        (2, 1) | (3.., 2) => 1,
        (3.., 1) => 2,
        _ => 0,
    }
}

fn place<K: Ord>(keys: &[K], key: &K) -> u8 {
    let better = keys.iter().filter(|other| *other < key).count();
    1 + u8::try_from(better).expect("a table has few seats")
}

/// Why the game is over after the round just scored, if it is.
pub(super) fn ended(state: &State) -> Option<Reason> {
    let tallies = || state.places.iter().enumerate().filter_map(|(seat, _)| state.last_tally(seat));
    if tallies().any(|tally| tally.jackpot == Some(Jackpot::WinsGame)) {
        return Some(Reason::Jackpot);
    }
    let reached = state.places.iter().any(|place| !place.resigned && place.tokens >= state.target);
    // Equal in tokens and in the round: all play another one.
    (reached && outcome(state, Reason::Tokens).winners.len() == 1).then_some(Reason::Tokens)
}

/// The places of all seats.
pub(super) fn outcome(state: &State, reason: Reason) -> Outcome {
    let keys: Vec<_> = state
        .places
        .iter()
        .enumerate()
        .map(|(seat, place)| {
            // Those who gave up share the last place, whatever they had.
            if place.resigned {
                return (true, false, Reverse(0), 0);
            }
            let last = state.last_tally(seat);
            let won = last.is_some_and(|tally| tally.jackpot == Some(Jackpot::WinsGame));
            (false, !won, Reverse(place.tokens), last.map_or(0, |tally| tally.rank))
        })
        .collect();
    let mut standings: Vec<_> = Seat::all(state.seats())
        .zip(&keys)
        .zip(&state.places)
        .map(|((seat, key), place)| Standing {
            seat,
            rank: self::place(&keys, key),
            score: i32::try_from(place.tokens).unwrap_or(i32::MAX),
        })
        .collect();
    standings.sort_by_key(|standing| (standing.rank, standing.seat));
    let winners = standings.iter().filter(|standing| standing.rank == 1).map(|standing| standing.seat).collect();
    Outcome { winners, standings, reason: Cow::Borrowed(reason.id()), stage: None }
}
