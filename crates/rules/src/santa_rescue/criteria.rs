//! Quality criteria for a campaign of 24 puzzles, all measurable. The generator must meet them, and so must the
//! built-in puzzles.

use super::row::Row;
use super::sheets::{Campaign, card, powers_on, row_length};
use super::solver::{Analysis, PowerOrder, Puzzle, WinRate, greedy_odds, solve};
use super::types::{Elf, Elves, Symbol, SymbolShape};
use std::collections::BTreeSet;

/// From this day on, the win rate never rises.
pub const HARDER_FROM: u8 = 4;
/// The minimum number of play-outs of the first days.
pub const PLAY_OUTS: u64 = 48;
/// The minimum number of places where start and goal differ.
pub const CHANGES: u32 = 3;
/// The minimum number of different shapes in either row.
pub const SHAPES: usize = 3;
/// The maximum win rate of a greedy player, who always moves closest to the goal; with a margin for rounding.
pub const GREEDY: f64 = 0.2 + 1e-9;
/// The minimum number of days on which each second power is part of every solution.
pub const INDISPENSABLE: usize = 2;
/// After this day, some days are solved without any second power.
pub const PLAIN_AFTER: u8 = 15;
/// The minimum number of such days.
pub const PLAIN: usize = 2;
/// The maximum number of days on which all four second powers are needed.
pub const ALL_FOUR: usize = 2;

/// The maximum win rate of a day.
pub fn most(day: u8) -> WinRate {
    match day {
        ..=3 => WinRate { wins: 15, of: 100 },
        4..=8 => WinRate { wins: 5, of: 100 },
        9..=16 => WinRate { wins: 2, of: 100 },
        _ => WinRate { wins: 5, of: 1000 },
    }
}

/// The minimum win rate of a day. On later days any rate above 0 is allowed.
pub fn least(day: u8) -> WinRate {
    WinRate { wins: if day < HARDER_FROM { 5 } else { 0 }, of: 100 }
}

/// The maximum number of different orders of powers that solve a day.
pub fn most_orders(day: u8) -> usize {
    match day {
        ..=8 => 6,
        9..=16 => 4,
        _ => 3,
    }
}

/// Whether a row is varied enough: enough shapes, and no symbol in more than half of its places.
pub fn is_varied(row: Row) -> bool {
    let shapes =
        SymbolShape::ALL.into_iter().filter(|shape| row.symbols().any(|symbol| symbol.shape == *shape)).count();
    let fills = |which: Symbol| row.symbols().filter(|symbol| *symbol == which).count() * 2 > usize::from(row.length());
    shapes >= SHAPES && !row.symbols().any(fills)
}

/// Whether every order uses the elf's second power.
pub fn is_indispensable(orders: &BTreeSet<PowerOrder>, elf: Elf) -> bool {
    !orders.is_empty() && orders.iter().all(|order| order.has_second(elf))
}

/// Whether no order uses any second power.
pub fn is_plain(orders: &BTreeSet<PowerOrder>) -> bool {
    !orders.is_empty() && !orders.iter().any(|order| Elf::ALL.into_iter().any(|elf| order.has_second(elf)))
}

/// All violations of the criteria; empty if there are none.
pub fn faults(campaign: &Campaign) -> Vec<String> {
    let solved: Vec<_> =
        campaign.puzzles().map(|(day, puzzle)| (day, puzzle, solve(puzzle, &powers_on(day)))).collect();
    let mut faults: Vec<_> =
        solved.iter().flat_map(|(day, puzzle, solved)| faults_of_day(*day, *puzzle, solved)).collect();
    let mut check = |holds: bool, fault: String| faults.extend((!holds).then_some(fault));
    for (n, (day, puzzle, of_day)) in solved.iter().enumerate() {
        if *day > HARDER_FROM {
            let before = solved[n - 1].2.share();
            check(of_day.share().is_at_most(before), format!("day {day} is easier than the day before"));
        }
        for (other, other_puzzle, of_other) in &solved[..n] {
            check(puzzle.start != other_puzzle.start, format!("days {other} and {day} start alike"));
            check(puzzle.goal != other_puzzle.goal, format!("days {other} and {day} end alike"));
            check(of_day.orders() != of_other.orders(), format!("days {other} and {day} are won by the same orders"));
        }
    }
    let orders: Vec<_> = solved.iter().map(|(day, _, solved)| (*day, solved.orders())).collect();
    let count = |holds: &dyn Fn(u8, &BTreeSet<PowerOrder>) -> bool| {
        orders.iter().filter(|(day, orders)| holds(*day, orders)).count()
    };
    for elf in Elf::ALL {
        let needed = count(&|day, orders| day > card(elf).unlocked_after && is_indispensable(orders, elf));
        check(needed >= INDISPENSABLE, format!("the second power of elf {elf} is indispensable on {needed} days"));
    }
    let plain = count(&|day, orders| day > PLAIN_AFTER && is_plain(orders));
    check(plain >= PLAIN, format!("{plain} late days have only solutions without second powers"));
    let all_four = count(&|_, orders| Elf::ALL.into_iter().all(|elf| is_indispensable(orders, elf)));
    check(all_four <= ALL_FOUR, format!("{all_four} days need all four second powers"));
    faults
}

fn faults_of_day(day: u8, puzzle: Puzzle, solved: &Analysis) -> Vec<String> {
    let share = solved.share();
    let Puzzle { start, goal } = puzzle;
    let odds = greedy_odds(start, goal, &powers_on(day), Elves::ALL);
    let orders = solved.orders().len();
    [
        (start.length() == row_length(day) && goal.length() == start.length(), "its rows have the wrong length"),
        (share.wins > 0, "it can't be won"),
        (least(day).is_at_most(share) && share.is_at_most(most(day)), "its winning share is out of bounds"),
        (day >= HARDER_FROM || share.of >= PLAY_OUTS, "it has too few play-outs"),
        (orders <= most_orders(day), "too many orders win"),
        (start.wrong(goal) >= CHANGES, "too few symbols change"),
        (is_varied(start) && is_varied(goal), "its rows are dull"),
        (odds <= GREEDY, "a greedy player wins too often"),
    ]
    .into_iter()
    .filter(|(holds, _)| !holds)
    .map(|(_, fault)| format!("day {day}: {fault}"))
    .collect()
}
