//! The race for tokens: the chance to win the game from the tokens of all players, if all are equally strong.
//!
//! Computed by recursion over rounds in which every order of the players is equally likely. Ties within a round are left
//! out here; [`Stakes`](super::stakes::Stakes) counts those of the round that is being played.

use super::super::score::prize;
use crate::bots::{Rating, search::WIN};
use std::sync::LazyLock;

/// The most tokens that a player may lack: all who lack more count alike.
const FAR: usize = 8;

/// A race in which even the first lacks more is shortened.
const LONG: usize = 4;

/// The chance to win of the first of these players, who lack this many tokens, at least one each. `seats` is the original
/// number of players, which selects the prizes.
pub fn chance(lacking: &[usize], seats: usize) -> Rating {
    let least = lacking.iter().copied().min().unwrap_or(1);
    let near = lacking.iter().map(|lack| (lack - least.saturating_sub(LONG)).min(FAR));
    let table = TABLES.iter().find(|table| table.players == lacking.len() && table.for_two == (seats == 2));
    table.map_or(WIN, |table| table.chances[index(near)])
}

struct Table {
    players: usize,
    /// Whether the prizes are those of a game for two.
    for_two: bool,
    /// The chance of the first player by the index of what all lack.
    chances: Vec<Rating>,
}

static TABLES: LazyLock<Vec<Table>> = LazyLock::new(|| {
    [(2, 2), (2, 3), (3, 3), (4, 4), (5, 5)].into_iter().map(|(players, seats)| Table::new(players, seats)).collect()
});

/// The index grows with what any player lacks.
fn index(lacking: impl Iterator<Item = usize>) -> usize {
    lacking.fold(0, |index, lack| index * FAR + lack - 1)
}

impl Table {
    fn new(players: usize, seats: usize) -> Self {
        let mut table = Self { players, for_two: seats == 2, chances: Vec::new() };
        let prizes = [prize(1, seats), prize(2, seats)].map(|tokens| tokens as usize);
        let mut lacking = vec![1; players];
        for _ in 0..FAR.pow(u32::try_from(players).expect("a table has few seats")) {
            let chance = table.before_round(&lacking, prizes);
            table.chances.push(chance);
            // The next in the order of the index.
            for lack in lacking.iter_mut().rev() {
                *lack = *lack % FAR + 1;
                if *lack > 1 {
                    break;
                }
            }
        }
        table
    }

    /// The chance before a round, from the chances of those who lack less.
    fn before_round(&self, lacking: &[usize], prizes: [usize; 2]) -> Rating {
        let (mut sum, mut orders) = (0, 0);
        for first in 0..self.players {
            for second in (0..self.players).filter(|second| *second != first) {
                sum += match (lacking[first].checked_sub(prizes[0]), lacking[second].checked_sub(prizes[1])) {
                    (Some(one @ 1..), Some(two @ 1..)) => {
                        let after = |(player, lack): (usize, &usize)| match player {
                            _ if player == first => one,
                            _ if player == second => two,
                            _ => *lack,
                        };
                        self.chances[index(lacking.iter().enumerate().map(after))]
                    }
                    // Nobody else can have reached the target. Of equal tokens the better rank wins.
                    _ if lacking[first] + prizes[1] <= lacking[second] + prizes[0] => WIN * Rating::from(first == 0),
                    _ => WIN * Rating::from(second == 0),
                };
                orders += 1;
            }
        }
        sum / orders
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_players_have_equal_chances() {
        for (players, seats) in [(2, 2), (2, 4), (3, 3), (4, 4), (5, 5)] {
            let share = WIN / Rating::try_from(players).expect("few");
            for lacking in [1, 2, 4, 20] {
                let chance = chance(&vec![lacking; players], seats);
                assert!(chance.abs_diff(share) < 50, "{players} players lack {lacking}: {chance}");
            }
        }
    }

    #[test]
    fn for_two_the_chances_are_those_of_a_series_of_fair_coin_flips() {
        assert_eq!(chance(&[1, 2], 2), WIN * 3 / 4);
        assert_eq!(chance(&[1, 3], 2), WIN * 7 / 8);
        assert_eq!(chance(&[2, 3], 2), WIN * 11 / 16);
        assert_eq!(chance(&[3, 1], 2), WIN / 8);
    }

    #[test]
    fn the_chances_of_all_players_add_up() {
        for [a, b, c] in [[1, 2, 3], [4, 2, 2], [3, 3, 1], [4, 4, 1]] {
            let sum = chance(&[a, b, c], 3) + chance(&[b, a, c], 3) + chance(&[c, a, b], 3);
            assert!(sum.abs_diff(WIN) < 50, "{a} {b} {c}: {sum}");
        }
    }

    #[test]
    fn of_equal_tokens_the_better_rank_wins() {
        // If the first player wins the round, both reach the target together.
        assert_eq!(chance(&[2, 1], 3), WIN / 2);
        assert_eq!(chance(&[3, 1], 3), 0);
    }
}
