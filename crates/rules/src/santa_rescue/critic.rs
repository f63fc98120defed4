//! What makes 24 puzzles a good campaign, as conditions that can be counted. The generator is held to them, and so are
//! the puzzles we ship.

use super::row::Row;
use super::sheets::{Campaign, card, powers_on, row_length};
use super::solver::{Order, Puzzle, Share, Solved, greedy_odds, solve};
use super::types::{Elf, Elves, Shape, Symbol};
use std::collections::BTreeSet;

/// From this day on the winning share never rises.
pub const HARDER_FROM: u8 = 4;
/// How many play-outs the first days have at least.
pub const PLAY_OUTS: u64 = 48;
/// How many symbols change at least.
pub const CHANGES: u32 = 3;
/// How many shapes occur at least, in either row.
pub const SHAPES: usize = 3;
/// How often whoever always moves closest may win. A hair more, because odds are rounded.
pub const GREEDY: f64 = 0.2 + 1e-9;
/// On how many later days a second power is indispensable at least.
pub const INDISPENSABLE: usize = 2;
/// After this day some days are won without any second power.
pub const PLAIN_AFTER: u8 = 15;
/// How many such days there are at least.
pub const PLAIN: usize = 2;
/// On how many days all four second powers are needed at most.
pub const ALL_FOUR: usize = 2;

/// The largest winning share of a day.
pub fn most(day: u8) -> Share {
    match day {
        ..=3 => Share { wins: 15, of: 100 },
        4..=8 => Share { wins: 5, of: 100 },
        9..=16 => Share { wins: 2, of: 100 },
        _ => Share { wins: 5, of: 1000 },
    }
}

/// The smallest winning share of a day; later ones may be as small as they like, but not none.
pub fn least(day: u8) -> Share {
    Share { wins: if day < HARDER_FROM { 5 } else { 0 }, of: 100 }
}

/// How many different orders of powers may win a day.
pub fn most_orders(day: u8) -> usize {
    match day {
        ..=8 => 6,
        9..=16 => 4,
        _ => 3,
    }
}

/// Whether a row is worth looking at: enough shapes, and no symbol in more than half of its places.
pub fn is_varied(row: Row) -> bool {
    let shapes = Shape::ALL.into_iter().filter(|shape| row.symbols().any(|symbol| symbol.shape == *shape)).count();
    let fills = |which: Symbol| row.symbols().filter(|symbol| *symbol == which).count() * 2 > usize::from(row.length());
    shapes >= SHAPES && !row.symbols().any(fills)
}

/// Whether every order has the elf's second power in it.
pub fn is_indispensable(orders: &BTreeSet<Order>, elf: Elf) -> bool {
    !orders.is_empty() && orders.iter().all(|order| order.has_second(elf))
}

/// Whether no order has any second power in it.
pub fn is_plain(orders: &BTreeSet<Order>) -> bool {
    !orders.is_empty() && !orders.iter().any(|order| Elf::ALL.into_iter().any(|elf| order.has_second(elf)))
}

/// Everything that is wrong with a campaign; nothing if it is good.
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
    let count = |holds: &dyn Fn(u8, &BTreeSet<Order>) -> bool| {
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

fn faults_of_day(day: u8, puzzle: Puzzle, solved: &Solved) -> Vec<String> {
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
        (odds <= GREEDY, "it gives in to whoever always moves closest"),
    ]
    .into_iter()
    .filter(|(holds, _)| !holds)
    .map(|(_, fault)| format!("day {day}: {fault}"))
    .collect()
}
