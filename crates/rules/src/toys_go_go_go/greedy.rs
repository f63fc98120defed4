//! Greedy bot for Jouets à GO GO GO: lays the tile that earns the most coins at once.

use super::{Move, ToysGoGoGo};
use crate::bots::Knowledge;
use std::cmp::Reverse;

/// The index of the move that earns the most coins; of equal ones, the first by notation.
pub(super) fn pick(knowledge: &Knowledge<'_, ToysGoGoGo>, moves: &[Move]) -> usize {
    let coins = |mv: &Move| knowledge.effect(mv).map_or(0, |effect| effect.coins);
    let best = moves.iter().enumerate().min_by_key(|(_, mv)| (Reverse(coins(mv)), mv.to_string()));
    best.map_or(0, |(index, _)| index)
}
