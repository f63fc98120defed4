//! Opponent model: what the hidden hands of the others may be, and how their owners bet them.
//!
//! A sampled opponent has six random cards of those that the bot has not seen, and plays them by expected score: of four
//! cards it throws away the third best.

use super::super::state::{BOARDS, HAND};
use super::super::{
    cards::Cards,
    odds::{self, Ending},
    types::{Card, Counts, Flavour},
};
use crate::Dice;
use std::cmp::Reverse;

/// The index of a card in the deck.
pub type Index = u8;

/// Sampled opponents in a round.
pub struct Opponents {
    /// The first four cards of each hand are those kept after board 1.
    hands: Vec<[Index; HAND]>,
    /// How many of the hands are dealt out at a time, and which comes next.
    samples: usize,
    next: usize,
    /// The chips that are out, in order.
    chips: Vec<Flavour>,
    dice: Dice,
}

impl Opponents {
    /// Deals `hands` hands from the unseen cards, of which `samples` are used at a time.
    pub fn new(unseen: Cards, chips: Vec<Flavour>, [hands, samples]: [usize; 2], dice: &mut Dice) -> Self {
        let mut deck: Vec<_> = unseen.iter().map(Card::index).collect();
        let mut dealt = Vec::with_capacity(hands);
        for _ in 0..hands {
            // The beginning of a shuffle: a card each.
            let deal = |at: usize| {
                let from = at + dice.index(deck.len() - at);
                deck.swap(at, from);
                deck[at]
            };
            let mut hand: [Index; HAND] = [0, 1, 2, 3, 4, 5].map(deal);
            sort(&mut hand, odds::expected(Counts::of(&chips[..BOARDS[0]])));
            hand[3] = hand[5];
            dealt.push(hand);
        }
        Self { hands: dealt, samples, next: 0, chips, dice: Dice::new(dice.seed()) }
    }

    /// The bets of some of the opponents if these chips are out after board 3. The next call is about the next of them, so
    /// that an average over many ends of the round is one over many hands.
    pub fn bets(&mut self, out: Counts) -> Vec<[Index; 3]> {
        let second = self.after_board_2(out);
        let (second, third) = (odds::expected(second), odds::expected(out));
        let bet = |hand: &[Index; HAND]| {
            let mut four = [hand[0], hand[1], hand[2], hand[3]];
            sort(&mut four, second);
            let mut three = [four[0], four[1], four[3]];
            sort(&mut three, third);
            three
        };
        self.next += self.samples;
        self.hands
            .iter()
            .cycle()
            .skip((self.next - self.samples) % self.hands.len())
            .take(self.samples)
            .map(bet)
            .collect()
    }

    /// The chips that are out after board 2, drawn at random from those on boards 2 and 3 if it is not known.
    fn after_board_2(&mut self, out: Counts) -> Counts {
        let known = (BOARDS[0] + BOARDS[1]).min(self.chips.len());
        let mut second = Counts::of(&self.chips[..known]);
        let mut rest = out.without(second).expect("chips stay on the boards");
        for _ in known..BOARDS[0] + BOARDS[1] {
            let nth = self.dice.below(rest.total().into());
            let chip = rest.nth(u8::try_from(nth).expect("below 25")).expect("a chip of those drawn");
            let chip = Counts::of(&[chip]);
            (second, rest) = (second.with(chip), rest.without(chip).expect("a chip of those drawn"));
        }
        second
    }
}

/// Sorts cards by expected score, best first.
fn sort(cards: &mut [Index], expected: &[i64; odds::CARDS]) {
    cards.sort_unstable_by_key(|card| (Reverse(expected[usize::from(*card)]), *card));
}

/// The score of a bet, of which the last card is the one against. A jackpot that is met counts as more than any score, or
/// as less.
pub fn score(bet: [Index; 3], ending: &Ending) -> i16 {
    if ending.jackpot {
        let jackpot = *odds::JACKPOT;
        match bet {
            [one, other, _] if one == jackpot || other == jackpot => return i16::MAX,
            [_, _, against] if against == jackpot => return i16::MIN,
            _ => {}
        }
    }
    let [one, other, against] = bet.map(|card| ending.scores[usize::from(card)]);
    one + other - against
}
