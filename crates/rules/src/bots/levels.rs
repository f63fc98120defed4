//! Levels: how strong a bot plays, and how it picks one of the moves that it has rated.

use crate::Dice;
use std::ops::RangeInclusive;

/// The value of a move to its seat: the estimated chance to win, in millionths. A shared victory of two counts half.
pub type Rating = i32;

/// A level of a bot. All levels rate moves alike, with more or less effort; lower ones pick worse moves more often.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Level {
    /// How much to compute for one move, in samples or as the kind counts it.
    pub effort: u32,
    /// A move that is worth this much less than the best one is picked half as often. 0 picks the best one.
    pub halving: Rating,
    /// Moves that are worth this much less than the best one are never picked.
    pub blunder: Rating,
    /// How long the bot waits before it moves, in milliseconds. Drawn for each move.
    pub reaction: RangeInclusive<u32>,
}

/// The resolution of weights: the best move has weight 2 to the power of this.
const BITS: u32 = 20;

/// The index of the move that a level picks. Of equal moves the first is picked, unless the level picks at random.
///
/// # Panics
/// If there is no rating.
pub fn pick(ratings: &[Rating], level: &Level, dice: &mut Dice) -> usize {
    let best = *ratings.iter().max().expect("a bot is asked only if it has a move");
    let weights = ratings.iter().map(|rating| weight(best.saturating_sub(*rating), level));
    let total = weights.clone().sum::<u32>();
    let mut left = if level.halving == 0 { 0 } else { dice.below(total) };
    for (index, weight) in weights.enumerate() {
        if weight > left {
            return index;
        }
        left -= weight;
    }
    unreachable!("the weights add up to the total")
}

/// How often a move is picked that is worth `loss` less than the best one.
fn weight(loss: Rating, level: &Level) -> u32 {
    if loss == 0 {
        return 1 << BITS;
    }
    if level.halving == 0 || loss >= level.blunder {
        return 0;
    }
    // 2^(-loss / halving), linear between the powers of two.
    let (halvings, rest) = (loss / level.halving, i64::from(loss % level.halving));
    let Ok(halvings @ 0..BITS) = u32::try_from(halvings) else { return 0 };
    let power = i64::from(1 << (BITS - halvings));
    u32::try_from(power - power / 2 * rest / i64::from(level.halving)).expect("not more than the best move")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Seed;

    const MIXED: Level = Level { effort: 1, halving: 10_000, blunder: 100_000, reaction: 0..=0 };
    const BEST: Level = Level { halving: 0, ..MIXED };

    fn counts(ratings: &[Rating], level: &Level) -> Vec<u32> {
        let mut dice = Dice::new(Seed([3; 32]));
        let mut counts = vec![0; ratings.len()];
        (0..10_000).for_each(|_| counts[pick(ratings, level, &mut dice)] += 1);
        counts
    }

    #[test]
    fn without_halving_the_first_of_the_best_moves_is_picked() {
        assert_eq!(counts(&[5, 9, 9, 7], &BEST), [0, 10_000, 0, 0]);
    }

    #[test]
    fn a_move_that_is_worth_a_halving_less_is_picked_half_as_often() {
        let counts = counts(&[500_000, 490_000, 480_000], &MIXED);
        assert!(counts[0].abs_diff(5_714) < 200 && counts[1].abs_diff(2_857) < 200, "{counts:?}");
        assert!(weight(5_000, &MIXED) > weight(5_001, &MIXED) && weight(9_999, &MIXED) > weight(10_000, &MIXED));
    }

    #[test]
    fn a_blunder_is_never_picked() {
        assert_eq!(counts(&[0, 99_999, -1], &MIXED)[2], 0);
        assert_eq!(weight(100_000, &Level { halving: 1_000_000, ..MIXED }), 0);
        assert!(weight(99_999, &Level { halving: 1_000_000, ..MIXED }) > 0);
    }

    #[test]
    fn ratings_far_apart_do_not_overflow() {
        assert_eq!(weight(i32::MAX, &Level { halving: 1, blunder: i32::MAX, ..MIXED }), 0);
        assert_eq!(pick(&[i32::MIN, i32::MAX], &MIXED, &mut Dice::new(Seed([0; 32]))), 1);
    }
}
