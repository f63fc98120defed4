//! Greedy bot for Chips: maximises the exact expectation of its own score in the round. Neither the other players nor the
//! tokens matter to it.

use super::{lookahead, moves::Move, odds, view::View};
use crate::Seat;

/// The index of the move with the highest expected score.
pub(super) fn pick(view: &View, seat: Seat, moves: &[Move]) -> usize {
    let hand = view.seats[seat.index()].hand.unwrap_or_default();
    let expect = |out, bets: &[super::Bet]| {
        let expected = odds::expected(out);
        let of = |card: super::Card| expected[usize::from(card.index())];
        bets.iter().map(|bet| of(bet.r#for[0]) + of(bet.r#for[1]) - of(bet.against)).collect()
    };
    let values = lookahead::values(view.out(), hand, moves, &mut { expect }).sums;
    let best = values.iter().enumerate().rev().max_by_key(|(_, value)| **value);
    best.map_or(0, |(index, _)| index)
}
