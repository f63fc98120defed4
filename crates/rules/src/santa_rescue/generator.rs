//! Makes campaigns: 24 puzzles from a seed, held to what [`critic`] asks for.
//!
//! Day by day a starting row is drawn and all its play-outs are walked; each row they end in is a possible goal, with
//! everything there is to know of it. Days get harder by a plan, so that no day is caught below the one before, and some
//! days are set aside for what must happen a few times in a campaign.

use super::critic::{self, GREEDY, INDISPENSABLE, PLAIN, PLAIN_AFTER, PLAY_OUTS};
use super::row::Row;
use super::sheets::{Campaign, DAYS, card, powers_on, row_length};
use super::solver::{Order, Powers, Puzzle, Share, endings, greedy_odds};
use super::types::{Elf, Elves};
use crate::{Dice, Seed};
use std::collections::BTreeSet;
use std::ops::ControlFlow;

/// What a day is set aside for.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Role {
    Any,
    /// The elf's second power is part of every solution.
    Needs(Elf),
    /// No second power is part of any.
    Plain,
}

/// A puzzle with what must differ from day to day.
struct Found {
    puzzle: Puzzle,
    share: Share,
    orders: BTreeSet<Order>,
}

/// The seed that a number stands for.
pub fn seed_of(number: u32) -> Seed {
    let mut bytes = [0; 32];
    bytes[..4].copy_from_slice(&number.to_le_bytes());
    Seed(bytes)
}

/// The campaign of a seed, the same for ever. `progress` hears on every attempt how many days are done, and may call it
/// off.
pub fn generate(seed: Seed, mut progress: impl FnMut(u8) -> ControlFlow<()>) -> Option<Campaign> {
    let mut dice = Dice::new(seed);
    let roles = roles(&mut dice);
    let mut days: Vec<Found> = Vec::new();
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

/// Sets days aside, each for one thing only: the rarest first.
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

/// Between which shares a day is to lie, in millionths: a little below the day before, and above the day after.
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

/// Draws a starting row and looks for a goal among all that can be reached from it.
fn attempt(day: u8, role: Role, powers: &Powers, before: &[Found], dice: &mut Dice) -> Option<Found> {
    let start = Row::draw(row_length(day), dice);
    if !critic::is_varied(start) || before.iter().any(|found| found.puzzle.start == start) {
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
            let share = Share { wins: same.len() as u64, of: play_outs };
            let millionths = |n: u64| Share { wins: n, of: 1_000_000 };
            let fits = millionths(least).is_at_most(share)
                && share.is_at_most(millionths(most))
                && before.last().is_none_or(|last| day <= critic::HARDER_FROM || share.is_at_most(last.share))
                && start.wrong(goal) >= critic::CHANGES
                && critic::is_varied(goal)
                && !before.iter().any(|found| found.puzzle.goal == goal);
            if !fits {
                return None;
            }
            let orders: BTreeSet<_> = same.iter().map(|(_, order)| *order).collect();
            let fits = orders.len() <= critic::most_orders(day)
                && suits(role, &orders)
                && !before.iter().any(|found| found.orders == orders);
            fits.then_some(Found { puzzle: Puzzle { start, goal }, share, orders })
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

fn suits(role: Role, orders: &BTreeSet<Order>) -> bool {
    let needs = |elf| critic::is_indispensable(orders, elf);
    match role {
        // Days that need everything at once are rare by nature; none is needed.
        Role::Any => !Elf::ALL.into_iter().all(needs),
        Role::Needs(elf) => needs(elf) && !Elf::ALL.into_iter().all(needs),
        Role::Plain => critic::is_plain(orders),
    }
}
