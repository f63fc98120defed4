//! Information-set Monte Carlo tree search for Toy Rush.
//!
//! Every iteration takes one of a few random worlds that agree with what the seat knows, goes down a tree of the seat's own
//! decisions by upper confidence bounds, and plays the game to its end by the rollout policy. The opponent moves by that
//! policy too, which sees only what the opponent sees in that world: so the model of the opponent can't use the searching
//! seat's hidden cards. Where both seats choose at the same time, neither choice depends on the other.

mod policy;
mod tree;

use super::{Move, ToyRush, legal::judge, state::State};
use crate::Dice;
use crate::bots::{Knowledge, Level, Rating};
use std::sync::Arc;

/// The effort is the number of play-outs.
pub(super) const LEVELS: &[Level] = &[
    Level { effort: 24, halving: 60_000, blunder: 500_000, reaction: 0..=0 },
    Level { effort: 40, halving: 30_000, blunder: 200_000, reaction: 0..=0 },
    Level { effort: 64, halving: 18_000, blunder: 120_000, reaction: 0..=0 },
    Level { effort: 240, halving: 6_000, blunder: 50_000, reaction: 0..=0 },
    Level { effort: 800, halving: 0, blunder: 0, reaction: 0..=0 },
];

/// The most worlds sampled for one decision. A world costs more than a play-out.
const WORLDS: u32 = 32;

/// Rates the moves by tree search with this many play-outs.
pub(super) fn rate(knowledge: &Knowledge<'_, ToyRush>, moves: &[Move], effort: u32, dice: &mut Dice) -> Vec<Rating> {
    let seat = knowledge.seat();
    let worlds: Vec<_> = (0..WORLDS.min(effort / 4).max(1)).map(|_| world(knowledge, dice)).collect();
    let choices = moves.iter().map(|mv| judge(&worlds[0], seat, mv).expect("the moves are legal"));
    tree::Search::new(seat, &worlds, choices.collect()).run(effort, dice)
}

/// A random state that agrees with what the seat knows, without what a play-out does not need: the history, and the
/// opponent's secret choice, which was drawn at random. The rollout policy makes a better one.
fn world(knowledge: &Knowledge<'_, ToyRush>, dice: &mut Dice) -> State {
    let mut state = knowledge.sample(dice);
    state.history = Arc::default();
    state.areas[super::state::other(knowledge.seat()).index()].sealed = None;
    state
}
