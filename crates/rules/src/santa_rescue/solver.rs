//! Brute-force solver: tries every order of the elves, every power and every target of a day.
//!
//! The last days have some ten thousand play-outs. A row is one number and a power a few operations on it, so no
//! smarter search is needed.

use super::powers::Power;
use super::row::Row;
use super::types::{Elf, Elves, PowerSlot};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};

/// The powers of each elf on a day: the first, and the second if it is unlocked.
pub type Powers = [[Option<Power>; 2]; Elf::COUNT];

/// One played power of one elf, with its target if it takes one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Play {
    pub elf: Elf,
    pub slot: PowerSlot,
    pub target: Option<u8>,
}

/// A starting row and the row it must become. Each letter is a symbol: `b` bell, `h` heart, `s` star, `m` moon, `c`
/// cloud, `g` gift; capitals are black, small letters white.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
pub struct Puzzle {
    /// The row that the day starts with.
    pub start: Row,
    /// The row that it must become.
    pub goal: Row,
}

/// The four powers of a play-out in the order they were played, without their targets.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct PowerOrder(u16);

impl PowerOrder {
    pub fn of(plays: &[Play]) -> Self {
        plays.iter().fold(PowerOrder::default(), |order, play| order.then(*play))
    }

    /// This order with one more power appended. Three bits per power: two for the elf, one for which of its powers.
    pub(super) fn then(self, play: Play) -> Self {
        PowerOrder(self.0 << 3 | u16::from(play.elf.number() - 1) << 1 | play.slot as u16)
    }

    /// The powers, first to last.
    pub fn powers(self) -> [(Elf, PowerSlot); Elf::COUNT] {
        std::array::from_fn(|nth| {
            let three = usize::from(self.0 >> (3 * (Elf::COUNT - 1 - nth)) & 7);
            (Elf::ALL[three >> 1], PowerSlot::ALL[three & 1])
        })
    }

    /// Whether the elf plays its second power.
    pub fn has_second(self, elf: Elf) -> bool {
        self.powers().contains(&(elf, PowerSlot::Second))
    }
}

/// The analysis of a puzzle.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Analysis {
    /// The number of play-outs that use all four elves; those that get stuck are not counted.
    pub play_outs: u64,
    /// The play-outs that end in the goal, sorted by elf, power and target of each play.
    pub solutions: Vec<[Play; Elf::COUNT]>,
    /// The shortest series of plays that reaches the goal row. It is often shorter than four plays, which does not win.
    pub shortest: Option<Vec<Play>>,
}

impl Analysis {
    /// The different orders of powers that solve the puzzle.
    pub fn orders(&self) -> BTreeSet<PowerOrder> {
        self.solutions.iter().map(|plays| PowerOrder::of(plays)).collect()
    }

    /// The share of play-outs that win.
    pub fn share(&self) -> WinRate {
        WinRate { wins: self.solutions.len() as u64, of: self.play_outs }
    }
}

/// A number of wins out of a number of play-outs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WinRate {
    pub wins: u64,
    pub of: u64,
}

impl WinRate {
    /// Compares the fractions exactly, without rounding.
    pub fn is_at_most(self, other: WinRate) -> bool {
        u128::from(self.wins) * u128::from(other.of) <= u128::from(other.wins) * u128::from(self.of)
    }
}

/// Solves a puzzle with these powers.
pub fn solve(puzzle: Puzzle, powers: &Powers) -> Analysis {
    let mut solved = Analysis::default();
    walk(puzzle.start, powers, Elves::ALL, &mut Vec::new(), &mut |row, plays| {
        let found = row == puzzle.goal;
        if let Ok(whole) = <[Play; Elf::COUNT]>::try_from(plays) {
            solved.play_outs += 1;
            solved.solutions.extend(found.then_some(whole));
        }
        if found && solved.shortest.as_ref().is_none_or(|shortest| plays.len() < shortest.len()) {
            solved.shortest = Some(plays.to_vec());
        }
    });
    solved
}

/// Calls `visit` for every series of plays, shorter ones included, with the row it leads to.
fn walk(row: Row, powers: &Powers, unspent: Elves, plays: &mut Vec<Play>, visit: &mut impl FnMut(Row, &[Play])) {
    for (play, next) in ways(row, powers, unspent) {
        plays.push(play);
        visit(next, plays);
        walk(next, powers, unspent.without(play.elf), plays, visit);
        plays.pop();
    }
}

/// Every play of the elves not yet played, in order, with the row it leads to.
pub fn ways(row: Row, powers: &Powers, unspent: Elves) -> impl Iterator<Item = (Play, Row)> + use<'_> {
    unspent.iter().flat_map(move |elf| {
        PowerSlot::ALL.into_iter().zip(powers[elf.index()]).flat_map(move |(slot, power)| {
            let ways = power.into_iter().flat_map(move |power| power.ways(row));
            ways.map(move |(target, next)| (Play { elf, slot, target }, next))
        })
    })
}

/// The next play of the first solution by elf, power and target; `None` if no solution is left.
pub fn next_of_winning_line(row: Row, goal: Row, powers: &Powers, unspent: Elves) -> Option<Play> {
    let wins = |(play, next): &(Play, Row)| {
        let left = unspent.without(play.elf);
        if left.is_empty() { *next == goal } else { next_of_winning_line(*next, goal, powers, left).is_some() }
    };
    ways(row, powers, unspent).find(wins).map(|(play, _)| play)
}

/// Counts the solutions of one goal from any row. Different orders of plays often lead to the same row, so it memoises
/// the counts.
pub struct SolutionCounter {
    goal: Row,
    powers: Powers,
    counted: BTreeMap<(Row, Elves), u64>,
}

impl SolutionCounter {
    pub fn new(goal: Row, powers: Powers) -> Self {
        Self { goal, powers, counted: BTreeMap::new() }
    }

    /// The number of ways to reach the goal by a play of each of these elves.
    pub fn count(&mut self, row: Row, unspent: Elves) -> u64 {
        if unspent.is_empty() {
            return u64::from(row == self.goal);
        }
        if let Some(known) = self.counted.get(&(row, unspent)) {
            return *known;
        }
        let powers = self.powers;
        let counts = ways(row, &powers, unspent).map(|(play, next)| self.count(next, unspent.without(play.elf)));
        let sum = counts.sum();
        self.counted.insert((row, unspent), sum);
        sum
    }
}

/// The win rate of a greedy player, who always moves to a row with the fewest wrong places, at random among equals.
pub fn greedy_odds(row: Row, goal: Row, powers: &Powers, unspent: Elves) -> f64 {
    if unspent.is_empty() {
        return if row == goal { 1.0 } else { 0.0 };
    }
    let all: Vec<_> = ways(row, powers, unspent).collect();
    let closest = all.iter().map(|(_, next)| next.wrong(goal)).min();
    let (mut odds, mut equals) = (0.0, 0.0);
    for (play, next) in all.iter().filter(|(_, next)| Some(next.wrong(goal)) == closest) {
        odds += greedy_odds(*next, goal, powers, unspent.without(play.elf));
        equals += 1.0;
    }
    if equals > 0.0 { odds / equals } else { 0.0 }
}

/// One entry per play-out: the row it ends in, and the order of its powers.
pub(super) fn endings(start: Row, powers: &Powers) -> Vec<(Row, PowerOrder)> {
    fn walk(row: Row, powers: &Powers, unspent: Elves, order: PowerOrder, found: &mut Vec<(Row, PowerOrder)>) {
        for (play, next) in ways(row, powers, unspent) {
            let order = order.then(play);
            let left = unspent.without(play.elf);
            if left.is_empty() {
                found.push((next, order));
            } else {
                walk(next, powers, left, order, found);
            }
        }
    }
    let mut found = Vec::new();
    walk(start, powers, Elves::ALL, PowerOrder::default(), &mut found);
    found
}
