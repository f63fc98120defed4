//! Greedy bot for Chips: maximises the exact expectation of its own score in the round. Neither the other players nor the
//! tokens matter to it.

use super::{
    lookahead,
    moves::{Bet, Move},
    odds,
    types::{Card, Counts},
    view::View,
};
use crate::Seat;

/// The index of the move with the highest expected score.
pub(super) fn pick(view: &View, seat: Seat, moves: &[Move]) -> usize {
    let hand = view.seats[seat.index()].hand.unwrap_or_default();
    let values = lookahead::values(view.out(), hand, moves, &mut expected_scores).sums;
    let best = values.iter().enumerate().rev().max_by_key(|(_, value)| **value);
    best.map_or(0, |(index, _)| index)
}

/// The expected scores of bets, in the unit of [`odds::expected`].
fn expected_scores(out: Counts, bets: &[Bet]) -> Vec<i64> {
    let expected = odds::expected(out);
    let of = |card: Card| expected[usize::from(card.index())];
    bets.iter().map(|bet| of(bet.r#for[0]) + of(bet.r#for[1]) - of(bet.against)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chips::{Chips, Flavour, Options, Phase, State};
    use crate::{Dice, Eyes, Instant, Rules, Seed};

    /// What seat 0 picks with this hand when these chips are out.
    fn picked(phase: Phase, letters: &str, hand: &str) -> String {
        let options = Options::default();
        let mut state: State = Chips::setup(&options, 2, Instant(0), &mut Dice::new(Seed([0; 32]))).state;
        let flavour = |letter| Flavour::ALL.into_iter().find(|flavour| flavour.letter() == letter);
        state.phase = phase;
        state.chips = letters.chars().map(|letter| flavour(letter).expect("a flavour")).collect();
        state.areas[0].hand = hand.split(' ').map(|slug| Card::from_slug(slug).expect("a card")).collect();
        let moves = Chips::legal(&state, Seat(0), Instant(0));
        moves[pick(&Chips::view(&state, Eyes::Seat(Seat(0))), Seat(0), &moves)].to_string()
    }

    #[test]
    fn it_bets_against_the_card_with_the_lowest_expected_score() {
        // 12 chips with 3 chicken: the one is met, the other is not any more.
        assert_eq!(picked(Phase::Bet, "NNNOOOBBVPPP", "combo-3p none-p each-n"), "bet combo-3p each-n against none-p");
    }

    #[test]
    fn it_discards_neither_a_sure_card_for_nor_a_sure_card_against() {
        assert_eq!(picked(Phase::DiscardOne, "NNNOOBPPP", "combo-3p none-p each-n equal-p-o"), "discard each-n");
    }

    #[test]
    fn it_discards_the_card_that_the_best_bets_need_least_over_all_chips_of_board_3() {
        for hand in
            ["combo-3n-3o last-p none-v more-o-n", "combo-5b each-o equal-v-b last-n", "each-n each-v none-p last-b"]
        {
            let cards: Vec<_> = hand.split(' ').map(|slug| Card::from_slug(slug).expect("a card")).collect();
            let out = [0, 0, 0, 1, 1, 2, 2, 3, 4].map(|flavour| Flavour::ALL[flavour]);
            let bag = Counts::all().without(Counts::of(&out)).expect("chips of the bag");
            let bag: Vec<_> = (0..).map_while(|n| bag.nth(n)).collect();
            let mut sums = vec![0; cards.len()];
            for one in 0..bag.len() {
                for two in 0..one {
                    for three in 0..two {
                        let after = Counts::of(&out).with(Counts::of(&[bag[one], bag[two], bag[three]]));
                        for (sum, discarded) in sums.iter_mut().zip(&cards) {
                            let kept = cards.iter().filter(|card| *card != discarded);
                            let scores = kept.map(|card| odds::expected(after)[usize::from(card.index())]);
                            let (all, least) =
                                scores.fold((0, i64::MAX), |(all, least), score| (all + score, least.min(score)));
                            *sum += all - 2 * least;
                        }
                    }
                }
            }
            let best = (0..cards.len()).rev().max_by_key(|card| sums[*card]).expect("four cards");
            let letters: String = out.iter().map(|flavour| flavour.letter()).collect();
            assert_eq!(picked(Phase::DiscardOne, &letters, hand), format!("discard {}", cards[best]));
        }
    }
}
