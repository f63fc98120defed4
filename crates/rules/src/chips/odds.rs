//! Exact odds: every set of chips that may be drawn, and what each card can be expected to score.
//!
//! Draws that give the same chips are counted together, with the number of ways in which they come about. All figures are
//! integers: an expectation is a sum over ways, to be compared only with others of the same board.

use super::types::{Card, Condition, Counts, Flavour};
use std::sync::LazyLock;

/// The number of cards in the deck.
pub(super) const CARDS: usize = Card::COUNT as usize;

/// What each card of the deck scores, in the order of the deck.
pub(super) type Scores = [i16; CARDS];

/// The index of the card that wins the game or loses the round.
pub(super) static JACKPOT: LazyLock<u8> = LazyLock::new(|| {
    let is_jackpot = |card: &Card| matches!(card.face().objective, Condition::Jackpot { .. });
    Card::all().find(is_jackpot).expect("one of the cards").index()
});

/// The chips that are out after boards 1, 2 and 3.
const STAGES: [u8; 3] = [5, 9, 12];

/// Every different set of `n` chips from a bag, with the number of ways to draw it if all chips could be told apart.
pub(super) fn draws(bag: Counts, n: u8) -> Vec<(Counts, i64)> {
    let mut draws = Vec::new();
    extend(bag, n, &Flavour::ALL, (Counts::of(&[]), 1), &mut draws);
    draws
}

/// Adds all draws that go on from `so_far`, the chips drawn and the number of ways, with chips of the other flavours.
fn extend(bag: Counts, n: u8, flavours: &[Flavour], so_far: (Counts, i64), draws: &mut Vec<(Counts, i64)>) {
    let Some((&flavour, others)) = flavours.split_first() else {
        if n == 0 {
            draws.push(so_far);
        }
        return;
    };
    let (mut chips, mut ways) = so_far;
    for k in 0..=n.min(bag[flavour]) {
        extend(bag, n - k, others, (chips, ways), draws);
        chips = chips.with(Counts::of(&[flavour]));
        ways = ways * i64::from(bag[flavour] - k) / i64::from(k + 1);
    }
}

/// One of the possible ends of a round.
pub(super) struct Ending {
    /// The number of ways in which it comes about, of 156: the last two chips are drawn one after the other from 13.
    pub ways: i64,
    /// What each card scores if it is bet for. Nothing for the jackpot.
    pub scores: Scores,
    /// Whether the objective of the jackpot is met.
    pub jackpot: bool,
}

/// The possible ends of a round after board 3.
pub(super) fn endings(out: Counts) -> &'static [Ending] {
    &TABLES.endings[usize::from(TABLES.row_of[out.index()])]
}

/// The expected score of each card when the boards up to 1, 2 or 3 are full and these chips are out, times the number of
/// ways in which the other chips can be drawn.
pub(super) fn expected(out: Counts) -> &'static [i64; CARDS] {
    &TABLES.expected[usize::from(TABLES.row_of[out.index()])]
}

/// The chips that may be out after the next board, with the number of ways. Not for the last board.
pub(super) fn after_next_board(out: Counts) -> Vec<(Counts, i64)> {
    let stage = STAGES.iter().position(|chips| *chips == out.total()).expect("a board is full");
    let next = STAGES[stage + 1] - STAGES[stage];
    let bag = Counts::all().without(out).expect("chips come from the bag");
    draws(bag, next).into_iter().map(|(drawn, ways)| (out.with(drawn), ways)).collect()
}

struct Tables {
    /// The row of each count of chips that occurs, by its index.
    row_of: Vec<u16>,
    expected: Vec<[i64; CARDS]>,
    /// Only rows after board 3 have endings; they come first.
    endings: Vec<Vec<Ending>>,
}

/// Computed once, from the last board back to the first: about 1,000 counts of chips.
static TABLES: LazyLock<Tables> = LazyLock::new(|| {
    let mut tables = Tables { row_of: vec![u16::MAX; Counts::VARIETY], expected: Vec::new(), endings: Vec::new() };
    for chips in STAGES.into_iter().rev() {
        for (out, _) in draws(Counts::all(), chips) {
            let mut row = [0; CARDS];
            if chips == STAGES[2] {
                let endings = list_endings(out);
                for ending in &endings {
                    row.iter_mut().zip(ending.scores).for_each(|(sum, score)| *sum += ending.ways * i64::from(score));
                }
                tables.endings.push(endings);
            } else {
                for (after, ways) in after_next_board(out) {
                    let next = &tables.expected[usize::from(tables.row_of[after.index()])];
                    row.iter_mut().zip(next).for_each(|(sum, score)| *sum += ways * score);
                }
            }
            tables.row_of[out.index()] = u16::try_from(tables.expected.len()).expect("fewer rows than counts");
            tables.expected.push(row);
        }
    }
    tables
});

fn list_endings(out: Counts) -> Vec<Ending> {
    let bag = Counts::all().without(out).expect("chips come from the bag");
    let mut endings = Vec::with_capacity(25);
    for last in Flavour::ALL.into_iter().filter(|last| bag[*last] > 0) {
        let one = Counts::of(&[last]);
        let rest = bag.without(one).expect("there is one");
        for other in Flavour::ALL.into_iter().filter(|other| rest[*other] > 0) {
            let ways = i64::from(bag[last]) * i64::from(rest[other]);
            let (scores, jackpot) = scores(out.with(one).with(Counts::of(&[other])), last);
            endings.push(Ending { ways, scores, jackpot });
        }
    }
    endings
}

/// What each card scores for these 14 chips, and whether the objective of the jackpot is met.
fn scores(out: Counts, last: Flavour) -> (Scores, bool) {
    let (mut scores, mut jackpot) = ([0; CARDS], false);
    for (card, score) in Card::all().zip(&mut scores) {
        let face = card.face();
        let value = i16::try_from(face.value).expect("a card is worth a few hundred points at most");
        match face.objective {
            Condition::Jackpot { .. } => jackpot = face.objective.met(out, last),
            Condition::Each { flavour } => *score = value * i16::from(out[flavour]),
            _ => *score = if face.objective.met(out, last) { value } else { 0 },
        }
    }
    (scores, jackpot)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn counts(letters: &str) -> Counts {
        let flavour = |letter| Flavour::ALL.into_iter().find(|flavour| flavour.letter() == letter).expect("a flavour");
        Counts::of(&letters.chars().map(flavour).collect::<Vec<_>>())
    }

    /// All chips of a bag, each of them apart.
    fn chips(bag: Counts) -> Vec<Flavour> {
        (0..).map_while(|n| bag.nth(n)).collect()
    }

    #[test]
    fn the_ways_of_all_draws_are_as_many_as_there_are_sets_of_chips() {
        let bag = Counts::all().without(counts("NNOOB")).expect("chips of the bag");
        let ways = |n| draws(bag, n).into_iter().map(|(_, ways)| ways).sum::<i64>();
        assert_eq!([0, 1, 2, 4, 7, 20].map(ways), [1, 20, 190, 4_845, 77_520, 1]);
        assert!(draws(bag, 4).iter().all(|(drawn, _)| drawn.total() == 4 && bag.without(*drawn).is_some()));
    }

    #[test]
    fn the_expected_score_after_board_3_is_that_of_drawing_every_chip_after_every_other() {
        for out in ["NNNNOOOBBVPP", "OOOOOOBBBBVV", "NNNOOOBBVPPP", "NNNNNNNOOOOO"] {
            let out = counts(out);
            let bag = chips(Counts::all().without(out).expect("chips of the bag"));
            let mut sums = [0; CARDS];
            for first in 0..bag.len() {
                for last in (0..bag.len()).filter(|last| *last != first) {
                    let all = out.with(Counts::of(&[bag[first], bag[last]]));
                    for (sum, score) in sums.iter_mut().zip(scores(all, bag[last]).0) {
                        *sum += i64::from(score);
                    }
                }
            }
            assert_eq!(expected(out), &sums);
            assert_eq!(endings(out).iter().map(|ending| ending.ways).sum::<i64>(), 156);
        }
    }

    #[test]
    fn the_expected_score_after_board_2_is_that_of_drawing_every_five_chips() {
        let out = counts("NNNOOBBVP");
        let bag = chips(Counts::all().without(out).expect("chips of the bag"));
        let mut sums = [0; CARDS];
        for (one, first) in bag.iter().enumerate() {
            for (two, second) in bag.iter().enumerate().skip(one + 1) {
                for third in &bag[two + 1..] {
                    let after = out.with(Counts::of(&[*first, *second, *third]));
                    sums.iter_mut().zip(expected(after)).for_each(|(sum, score)| *sum += score);
                }
            }
        }
        assert_eq!(expected(out), &sums);
    }

    #[test]
    fn an_objective_that_is_met_for_certain_scores_its_value_in_all_ways() {
        let card = Card::from_slug("combo-3p").expect("a card");
        let ways = [("NNNOOOBBVPPP", 156), ("NNNOOBPPP", 560 * 156), ("NNPPP", 4_845 * 560 * 156)];
        for (out, ways) in ways {
            assert_eq!(expected(counts(out))[usize::from(card.index())], 120 * ways);
        }
    }

    #[test]
    fn different_counts_have_different_indices() {
        let mut indices: Vec<_> = (0..=25).flat_map(|n| draws(Counts::all(), n)).map(|(out, _)| out.index()).collect();
        indices.sort_unstable();
        assert_eq!(indices, (0..Counts::VARIETY).collect::<Vec<_>>());
    }
}
