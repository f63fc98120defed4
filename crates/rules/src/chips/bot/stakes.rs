//! Stakes: what the ranks in a round are worth, as chances to win the game.

use super::super::score::prize;
use super::race;
use crate::bots::{Rating, search::WIN};
use std::{cmp::Reverse, iter};

/// The most opponents that a player can have.
const MOST: usize = 4;

/// The tokens of all, and when the game ends.
pub struct Tokens {
    pub own: u32,
    pub others: Vec<u32>,
    pub target: u32,
    /// The original number of players, which selects the prizes.
    pub seats: usize,
}

/// The value of a round to one player by the number of opponents who score more, and of those who score the same. Which
/// opponents these are is left open: all are equally likely.
pub struct Stakes {
    opponents: usize,
    /// By the number of opponents ahead, and then of those who are level.
    values: [[i64; MOST + 1]; MOST + 1],
    /// The value of losing the round by the jackpot.
    pub lost: i64,
}

impl Stakes {
    pub fn new(tokens: &Tokens) -> Self {
        let opponents = tokens.others.len();
        let mut values = [[0; MOST + 1]; MOST + 1];
        for (ahead, values) in values.iter_mut().enumerate().take(opponents + 1) {
            for (level, value) in values.iter_mut().enumerate().take(opponents + 1 - ahead) {
                *value = tokens.mean(ahead, level, false);
            }
        }
        Self { opponents, values, lost: tokens.mean(opponents, 0, true) }
    }

    /// The value of a score, of which is known how many of the sampled scores of an opponent are higher, and how many are
    /// equal. The scores of all opponents are independent of each other.
    pub fn value(&self, higher: u32, equal: u32, samples: u32) -> i64 {
        let chances = [higher, equal, samples - higher - equal].map(i64::from);
        let mut sum = 0;
        for ahead in 0..=self.opponents {
            for level in 0..=self.opponents - ahead {
                let sizes = [ahead, level, self.opponents - ahead - level];
                let powers = chances.iter().zip(sizes).map(|(chance, size)| power(*chance, size));
                sum += ways(sizes) * powers.product::<i64>() * self.values[ahead][level];
            }
        }
        sum / power(samples.into(), self.opponents)
    }
}

impl Tokens {
    /// The mean value over all orders of the opponents, of whom the first are ahead and the next are level.
    fn mean(&self, ahead: usize, level: usize, lost: bool) -> i64 {
        let rank_at = |place: usize| match place {
            _ if place < ahead => place + 1,
            _ if place < ahead + level => ahead + 1,
            _ => place + 2,
        };
        let orders = orders(self.others.len());
        let value = |order: &Vec<usize>| {
            let mut ranks = vec![0; order.len()];
            order.iter().enumerate().for_each(|(place, player)| ranks[*player] = rank_at(place));
            i64::from(self.after(ahead + 1, &ranks, lost))
        };
        orders.iter().map(value).sum::<i64>() / i64::try_from(orders.len()).expect("24 at most")
    }

    /// The value after a round with these ranks.
    fn after(&self, own_rank: usize, ranks: &[usize], lost: bool) -> Rating {
        let prize = |rank: usize| prize(u8::try_from(rank).expect("a table has few seats"), self.seats);
        let own = self.own + if lost { 0 } else { prize(own_rank) };
        let others = self.others.iter().zip(ranks).map(|(tokens, rank)| (tokens + prize(*rank), *rank));
        // The better of two has more tokens, or as many and the better rank.
        let all: Vec<_> =
            iter::once((own, own_rank)).chain(others).map(|(tokens, rank)| (tokens, Reverse(rank))).collect();
        let best = all.iter().max().expect("there is a player");
        if best.0 < self.target {
            return race::chance(
                &all.iter().map(|(tokens, _)| (self.target - tokens) as usize).collect::<Vec<_>>(),
                self.seats,
            );
        }
        // Players who are equal in both go on to another round.
        let equal = all.iter().filter(|player| *player == best).count();
        if all[0] == *best { WIN / Rating::try_from(equal).expect("a table has few seats") } else { 0 }
    }
}

/// All orders of this many players.
fn orders(count: usize) -> Vec<Vec<usize>> {
    (0..count).fold(vec![Vec::new()], |orders, player| {
        let with = |order: &Vec<usize>, at| [&order[..at], &[player], &order[at..]].concat();
        orders.iter().flat_map(|order| (0..=order.len()).map(move |at| with(order, at))).collect()
    })
}

/// The number of ways to divide players into groups of these sizes.
fn ways(sizes: [usize; 3]) -> i64 {
    const FACTORIALS: [i64; MOST + 1] = [1, 1, 2, 6, 24];
    sizes.iter().fold(FACTORIALS[sizes.iter().sum::<usize>()], |ways, size| ways / FACTORIALS[*size])
}

fn power(base: i64, exponent: usize) -> i64 {
    (0..exponent).fold(1, |power, _| power * base)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn stakes(own: u32, others: &[u32], target: u32, seats: usize) -> Stakes {
        Stakes::new(&Tokens { own, others: others.to_vec(), target, seats })
    }

    #[test]
    fn for_two_a_tie_is_worth_half_when_both_would_reach_the_target() {
        let stakes = stakes(2, &[2], 3, 2);
        assert_eq!([stakes.value(0, 0, 8), stakes.value(0, 8, 8), stakes.value(8, 0, 8)], [1_000_000, 500_000, 0]);
        assert_eq!(stakes.value(2, 4, 8), 500_000);
    }

    #[test]
    fn being_second_can_win_the_game() {
        let stakes = stakes(3, &[0, 1], 4, 3);
        assert_eq!([stakes.values[0][0], stakes.values[1][0]], [1_000_000, 1_000_000]);
        assert!(stakes.values[2][0] < 800_000 && stakes.lost == stakes.values[2][0]);
    }

    #[test]
    fn a_round_lost_by_the_jackpot_gets_no_token_even_if_only_one_opponent_is_left() {
        // The loser lacks 4 tokens after the second place, and 5 after none; the other lacks 3.
        let stakes = stakes(0, &[0], 5, 4);
        assert_eq!((stakes.values[1][0], stakes.lost), (250_000, 125_000));
    }

    #[test]
    fn if_opponents_are_as_strong_a_round_is_worth_what_the_race_says() {
        for tokens in [[0, 0, 0, 0], [2, 1, 0, 3], [3, 1, 3, 0]] {
            let stakes = stakes(tokens[0], &tokens[1..], 4, 4);
            let mean: i64 = (0..4).map(|ahead| stakes.values[ahead][0]).sum::<i64>() / 4;
            let chance = race::chance(&tokens.map(|tokens| 4 - tokens as usize), 4);
            assert!(mean.abs_diff(chance.into()) < 10, "{mean} {chance}");
        }
    }

    #[test]
    fn independent_opponents_are_behind_with_the_product_of_their_chances() {
        let stakes = stakes(3, &[3, 3], 4, 3);
        // First of three only if both are behind; otherwise somebody else reaches the target first.
        assert_eq!(stakes.value(4, 0, 8), 250_000);
    }
}
