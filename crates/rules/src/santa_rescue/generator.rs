//! Campaign generator: 24 puzzles from a seed that meet the [`criteria`].
//!
//! For each day a starting row is drawn and all its play-outs are enumerated; each row they end in is a possible goal
//! with a known win rate. A planned range of win rates per day leaves room for later days to be harder, and some days
//! are reserved for features that a campaign must have a few times.

use super::criteria::{self, GREEDY, INDISPENSABLE, PLAIN, PLAIN_AFTER, PLAY_OUTS};
use super::row::Row;
use super::sheets::{Campaign, DAYS, card, powers_on, row_length};
use super::solver::{PowerOrder, Powers, Puzzle, WinRate, endings, greedy_odds};
use super::types::{Elf, Elves};
use crate::{Dice, Seed};
use std::collections::BTreeSet;
use std::ops::ControlFlow;

/// What a day is reserved for.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Role {
    Any,
    /// The elf's second power is part of every solution.
    Needs(Elf),
    /// No solution uses a second power.
    Plain,
}

/// A puzzle with the properties that are compared with those of earlier days.
struct Candidate {
    puzzle: Puzzle,
    share: WinRate,
    orders: BTreeSet<PowerOrder>,
}

/// The seed for a campaign number.
pub fn seed_of(number: u32) -> Seed {
    let mut bytes = [0; 32];
    bytes[..4].copy_from_slice(&number.to_le_bytes());
    Seed(bytes)
}

/// Generates the campaign of a seed; the same seed always gives the same campaign. Calls `progress` before each attempt
/// with the number of finished days. If `progress` returns `Break`, the result is `None`.
pub fn generate(seed: Seed, mut progress: impl FnMut(u8) -> ControlFlow<()>) -> Option<Campaign> {
    let mut dice = Dice::new(seed);
    let roles = roles(&mut dice);
    let mut days: Vec<Candidate> = Vec::new();
    for (day, role) in (1..).zip(roles) {
        let powers = powers_on(day);
        let found = loop {
            if progress(day - 1).is_break() {
                return None;
            }
            if let Some(found) = attempt(day, role, &powers, &days, &mut dice) {
                break found;
            }
        };
        days.push(found);
    }
    Campaign::new(days.iter().map(|found| found.puzzle).collect())
}

/// Assigns a role to each day. Roles that fewer days can have are placed first, while those days are free.
fn roles(dice: &mut Dice) -> [Role; DAYS as usize] {
    let mut roles = [Role::Any; DAYS as usize];
    let mut set = |after: u8, times: usize, role: Role| {
        for _ in 0..times {
            let free: Vec<_> = (usize::from(after)..roles.len()).filter(|day| roles[*day] == Role::Any).collect();
            roles[free[dice.index(free.len())]] = role;
        }
    };
    set(PLAIN_AFTER, PLAIN, Role::Plain);
    let mut elves = Elf::ALL;
    elves.sort_by_key(|elf| std::cmp::Reverse(card(*elf).unlocked_after));
    for elf in elves {
        set(card(elf).unlocked_after, INDISPENSABLE, Role::Needs(elf));
    }
    roles
}

/// The planned range of win rates of a day, in millionths. The first three days share one range; from then on, each
/// range lies directly below that of the day before.
fn planned(day: u8) -> (u64, u64) {
    let part = |first: u8, last: u8, from: u64, to: u64| {
        let edge = |day: u8| from - (from - to) * u64::from(day - first) / u64::from(last + 1 - first);
        (edge(day + 1), edge(day))
    };
    match day {
        ..=3 => (50_000, 150_000),
        4..=8 => part(4, 8, 50_000, 20_000),
        9..=16 => part(9, 16, 20_000, 5_000),
        _ => part(17, DAYS, 5_000, 400),
    }
}

/// Draws a starting row and looks for a suitable goal among all rows that can be reached from it.
fn attempt(day: u8, role: Role, powers: &Powers, before: &[Candidate], dice: &mut Dice) -> Option<Candidate> {
    let start = Row::draw(row_length(day), dice);
    if !criteria::is_varied(start) || before.iter().any(|found| found.puzzle.start == start) {
        return None;
    }
    let mut endings = endings(start, powers);
    let play_outs = endings.len() as u64;
    if day <= 8 && play_outs < PLAY_OUTS {
        return None;
    }
    let (least, most) = planned(day);
    endings.sort_unstable();
    let mut goals: Vec<_> = endings
        .chunk_by(|one, next| one.0 == next.0)
        .filter_map(|same| {
            let goal = same[0].0;
            let share = WinRate { wins: same.len() as u64, of: play_outs };
            let millionths = |n: u64| WinRate { wins: n, of: 1_000_000 };
            let fits = millionths(least).is_at_most(share)
                && share.is_at_most(millionths(most))
                && before.last().is_none_or(|last| day <= criteria::HARDER_FROM || share.is_at_most(last.share))
                && start.wrong(goal) >= criteria::CHANGES
                && criteria::is_varied(goal)
                && !before.iter().any(|found| found.puzzle.goal == goal);
            if !fits {
                return None;
            }
            let orders: BTreeSet<_> = same.iter().map(|(_, order)| *order).collect();
            let fits = orders.len() <= criteria::most_orders(day)
                && suits(role, &orders)
                && !before.iter().any(|found| found.orders == orders);
            fits.then_some(Candidate { puzzle: Puzzle { start, goal }, share, orders })
        })
        .collect();
    while !goals.is_empty() {
        let found = goals.swap_remove(dice.index(goals.len()));
        if greedy_odds(start, found.puzzle.goal, powers, Elves::ALL) <= GREEDY {
            return Some(found);
        }
    }
    None
}

fn suits(role: Role, orders: &BTreeSet<PowerOrder>) -> bool {
    let needs = |elf| criteria::is_indispensable(orders, elf);
    match role {
        // Reject days that need all four second powers: the criteria limit them, and none are required.
        Role::Any => !Elf::ALL.into_iter().all(needs),
        Role::Needs(elf) => needs(elf) && !Elf::ALL.into_iter().all(needs),
        Role::Plain => criteria::is_plain(orders),
    }
}
