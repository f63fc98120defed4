//! Scoring of Chips: the tally of a round, the end of the game, and its outcome.

use super::{
    cards::Cards,
    moves::Bet,
    state::State,
    types::{Condition, Counts, Flavour},
};
use crate::{Outcome, Seat, Standing};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::{borrow::Cow, cmp::Reverse};

/// What one seat scored in a round.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "ChipsTally")]
pub struct Tally {
    /// The points for the cards in `met`; those for the card bet against are subtracted.
    pub score: i32,
    /// The cards of the bet whose objectives were met, whether bet for or against.
    pub met: Cards,
    /// The effect of the jackpot card; null unless the seat bet it and its objective was met.
    pub jackpot: Option<Jackpot>,
    /// The rank in this round, from 1. Tied seats share a rank.
    pub rank: u8,
    /// Tokens gained in this round.
    pub gained: u32,
    /// Tokens held after this round.
    pub tokens: u32,
}

/// The effect of a jackpot card whose objective was met.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
#[schemars(rename = "ChipsJackpot")]
pub enum Jackpot {
    /// The card was bet for: its owner wins the game.
    WinsGame,
    /// The card was bet against: its owner ranks last in the round, whatever the score.
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

/// Scores the bets of a round on its 14 chips. `players` is the original number of players, which selects the scoring
/// table.
pub(super) fn tally(chips: &[Flavour], bets: &[(Bet, u32)], players: usize) -> Vec<Tally> {
    let mut tallies: Vec<_> = bets.iter().map(|&(bet, tokens)| count(chips, bet, tokens)).collect();
    // Seats that lost the round by the jackpot rank below all others; otherwise the score decides.
    let keys: Vec<_> = tallies.iter().map(|tally| (tally.lost_round(), Reverse(tally.score))).collect();
    for (tally, key) in tallies.iter_mut().zip(&keys) {
        tally.rank = rank_of(&keys, key);
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

/// Score and met objectives of one bet. Ranks and tokens are filled in once all bets are counted.
fn count(chips: &[Flavour], bet: Bet, tokens: u32) -> Tally {
    let out = Counts::of(chips);
    let last = *chips.last().expect("a round is scored after its last chip");
    let mut tally = Tally { score: 0, met: Cards::NONE, jackpot: None, rank: 0, gained: 0, tokens };
    let sides = bet.r#for.map(|card| (card, 1, Jackpot::WinsGame)).into_iter();
    for (card, sign, jackpot) in sides.chain([(bet.against, -1, Jackpot::LosesRound)]) {
        let face = card.face();
        if !face.objective.met(out, last) {
            continue;
        }
        tally.met = tally.met.with(card.into());
        match face.objective {
            Condition::Each { flavour } => tally.score += sign * face.value * i32::from(out[flavour]),
            Condition::Jackpot { .. } => tally.jackpot = Some(jackpot),
            _ => tally.score += sign * face.value,
        }
    }
    tally
}

/// The tokens for a rank. Ranks skip after ties (1, 1, 3), so after a tie for first nobody gets the token of the
/// second.
pub(super) fn prize(rank: u8, players: usize) -> u32 {
    match (players, rank) {
        (2, 1) | (3.., 2) => 1,
        (3.., 1) => 2,
        _ => 0,
    }
}

fn rank_of<K: Ord>(keys: &[K], key: &K) -> u8 {
    let better = keys.iter().filter(|other| *other < key).count();
    1 + u8::try_from(better).expect("a table has few seats")
}

/// Why the game is over after the round just scored, if it is.
pub(super) fn ended(state: &State) -> Option<Reason> {
    let tallies = || state.areas.iter().enumerate().filter_map(|(seat, _)| state.last_tally(seat));
    if tallies().any(|tally| tally.jackpot == Some(Jackpot::WinsGame)) {
        return Some(Reason::Jackpot);
    }
    let reached = state.areas.iter().any(|area| !area.resigned && area.tokens >= state.target);
    // Tied in tokens and in the last round: another round is played.
    (reached && outcome(state, Reason::Tokens).winners.len() == 1).then_some(Reason::Tokens)
}

/// The outcome with the ranks of all seats.
pub(super) fn outcome(state: &State, reason: Reason) -> Outcome {
    let keys: Vec<_> = state
        .areas
        .iter()
        .enumerate()
        .map(|(seat, area)| {
            // Seats that resigned share the last rank, whatever they had.
            if area.resigned {
                return (true, false, Reverse(0), 0);
            }
            let last = state.last_tally(seat);
            let won = last.is_some_and(|tally| tally.jackpot == Some(Jackpot::WinsGame));
            (false, !won, Reverse(area.tokens), last.map_or(0, |tally| tally.rank))
        })
        .collect();
    let mut standings: Vec<_> = Seat::all(state.seats())
        .zip(&keys)
        .zip(&state.areas)
        .map(|((seat, key), area)| Standing {
            seat,
            rank: rank_of(&keys, key),
            score: i32::try_from(area.tokens).unwrap_or(i32::MAX),
        })
        .collect();
    standings.sort_by_key(|standing| (standing.rank, standing.seat));
    let winners = standings.iter().filter(|standing| standing.rank == 1).map(|standing| standing.seat).collect();
    Outcome { winners, standings, reason: Cow::Borrowed(reason.id()), stage: None }
}
