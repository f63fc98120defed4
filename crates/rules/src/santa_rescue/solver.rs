//! All ways through a day: every order of the elves, every power, every target.
//!
//! There are some ten thousand of them on the last days. A row is one number and a power a few operations on it, so they
//! are simply all tried.

use super::powers::Power;
use super::row::Row;
use super::types::{Elf, Elves, Slot};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;

/// What each elf can do on a day: its first power, and its second if it is unlocked.
pub type Powers = [[Option<Power>; 2]; Elf::COUNT];

/// One power of one elf, played at a target if it has one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Play {
    pub elf: Elf,
    pub slot: Slot,
    pub target: Option<u8>,
}

/// A starting row and the row it must become.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
pub struct Puzzle {
    /// The row that the day starts with.
    pub start: Row,
    /// The row that it must become.
    pub goal: Row,
}

/// The four powers of a play-out in the order they were played, wherever they were aimed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Order(u16);

impl Order {
    pub fn of(plays: &[Play]) -> Self {
        plays.iter().fold(Order::default(), |order, play| order.then(*play))
    }

    /// The order that goes on with one more power. Three bits each: which elf, and which of its powers.
    pub(super) fn then(self, play: Play) -> Self {
        Order(self.0 << 3 | u16::from(play.elf.number() - 1) << 1 | play.slot as u16)
    }

    /// The powers, first to last.
    pub fn powers(self) -> [(Elf, Slot); Elf::COUNT] {
        std::array::from_fn(|nth| {
            let three = usize::from(self.0 >> (3 * (Elf::COUNT - 1 - nth)) & 7);
            (Elf::ALL[three >> 1], Slot::ALL[three & 1])
        })
    }

    /// Whether the elf plays its second power.
    pub fn has_second(self, elf: Elf) -> bool {
        self.powers().contains(&(elf, Slot::Second))
    }
}

/// What there is to know of a day.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Solved {
    /// How many play-outs use all four elves; those that get stuck are left out.
    pub play_outs: u64,
    /// Those that end in the required row, sorted by elf, power and target of each play.
    pub solutions: Vec<[Play; Elf::COUNT]>,
    /// The fewest plays after which the required row can lie on the table: often fewer than four, which does not win.
    pub shortest: Option<Vec<Play>>,
}

impl Solved {
    /// The different orders of powers that win.
    pub fn orders(&self) -> BTreeSet<Order> {
        self.solutions.iter().map(|plays| Order::of(plays)).collect()
    }

    /// Of all play-outs, how many win.
    pub fn share(&self) -> Share {
        Share { wins: self.solutions.len() as u64, of: self.play_outs }
    }
}

/// So many of so many.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Share {
    pub wins: u64,
    pub of: u64,
}

impl Share {
    /// Compares without rounding.
    pub fn is_at_most(self, other: Share) -> bool {
        u128::from(self.wins) * u128::from(other.of) <= u128::from(other.wins) * u128::from(self.of)
    }
}

/// Solves a puzzle with these powers.
pub fn solve(puzzle: Puzzle, powers: &Powers) -> Solved {
    let mut solved = Solved::default();
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

/// Shows every series of plays, shorter ones included, each with the row it leads to.
fn walk(row: Row, powers: &Powers, unspent: Elves, plays: &mut Vec<Play>, visit: &mut impl FnMut(Row, &[Play])) {
    for (play, next) in ways(row, powers, unspent) {
        plays.push(play);
        visit(next, plays);
        walk(next, powers, unspent.without(play.elf), plays, visit);
        plays.pop();
    }
}

/// Every play of the unspent elves, in order, with the row it leads to.
pub fn ways(row: Row, powers: &Powers, unspent: Elves) -> impl Iterator<Item = (Play, Row)> + use<'_> {
    unspent.iter().flat_map(move |elf| {
        Slot::ALL.into_iter().zip(powers[elf.index()]).flat_map(move |(slot, power)| {
            let ways = power.into_iter().flat_map(move |power| power.ways(row));
            ways.map(move |(target, next)| (Play { elf, slot, target }, next))
        })
    })
}

/// The next play of the first winning line, by elf, power and target; nothing if none is left.
pub fn next_of_winning_line(row: Row, goal: Row, powers: &Powers, unspent: Elves) -> Option<Play> {
    let wins = |(play, next): &(Play, Row)| {
        let left = unspent.without(play.elf);
        if left.is_empty() { *next == goal } else { next_of_winning_line(*next, goal, powers, left).is_some() }
    };
    ways(row, powers, unspent).find(wins).map(|(play, _)| play)
}

/// How often a player wins who always moves closest to the goal: to the fewest wrong places, at random among equals.
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

/// Every row that some play-out ends in, with the order of its powers; one entry for each play-out.
pub(super) fn endings(start: Row, powers: &Powers) -> Vec<(Row, Order)> {
    fn walk(row: Row, powers: &Powers, unspent: Elves, order: Order, found: &mut Vec<(Row, Order)>) {
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
    walk(start, powers, Elves::ALL, Order::default(), &mut found);
    found
}
