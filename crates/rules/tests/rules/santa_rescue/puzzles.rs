//! The built-in puzzles and the generated ones meet the criteria.

use ludotheque_rules::santa_rescue::generator::{generate, seed_of};
use ludotheque_rules::santa_rescue::sheets::{Campaign, card, powers_on, row_length};
use ludotheque_rules::santa_rescue::solver::{Analysis, PowerOrder, Puzzle, greedy_odds, solve};
use ludotheque_rules::santa_rescue::{Elf, Elves, Row, SymbolShape, criteria};
use std::collections::BTreeSet;
use std::ops::ControlFlow;

/// The number that our own campaign was made from.
const OURS: u32 = 24;

fn made(number: u32) -> Campaign {
    generate(seed_of(number), |_| ControlFlow::Continue(())).expect("nobody called it off")
}

/// A day with its solutions, for the checks below, which do not share code with the generator.
struct Sheet {
    day: u8,
    puzzle: Puzzle,
    solved: Analysis,
    orders: BTreeSet<PowerOrder>,
}

fn days(campaign: &Campaign) -> Vec<Sheet> {
    let solve = |(day, puzzle)| {
        let solved = solve(puzzle, &powers_on(day));
        let orders = solved.orders();
        Sheet { day, puzzle, solved, orders }
    };
    campaign.puzzles().map(solve).collect()
}

/// All criteria.
fn check(campaign: &Campaign) {
    let days = days(campaign);
    assert_eq!(days.len(), 24);
    days.iter().for_each(check_shares);
    days.iter().for_each(check_dullness);
    check_variety(&days);
    check_second_powers(&days);
    assert_eq!(criteria::faults(campaign), [] as [String; 0], "the criteria find nothing either");
}

fn check_shares(of: &Sheet) {
    let Sheet { day, orders, solved, .. } = of;
    let (wins, of) = (solved.solutions.len() as u64, solved.play_outs);
    assert!(wins > 0, "day {day} can be won");
    // In thousandths of the play-outs.
    let (least, most, most_orders) = match day {
        1..=3 => (50, 150, 6),
        4..=8 => (0, 50, 6),
        9..=16 => (0, 20, 4),
        _ => (0, 5, 3),
    };
    assert!((least * of..=most * of).contains(&(1000 * wins)), "day {day}: {wins} of {of}");
    assert!(*day > 8 || solved.play_outs >= 48, "day {day} has {} play-outs", solved.play_outs);
    assert!(orders.len() <= most_orders, "day {day} is won by {} orders", orders.len());
}

fn check_dullness(of: &Sheet) {
    let Puzzle { start, goal } = of.puzzle;
    let day = of.day;
    assert_eq!([start.length(), goal.length()], [row_length(day); 2]);
    let changed = start.symbols().zip(goal.symbols()).filter(|(one, other)| one != other).count();
    assert!(changed >= 3, "day {day}: {changed} symbols change");
    for row in [start, goal] {
        let shapes =
            SymbolShape::ALL.iter().filter(|shape| row.symbols().any(|symbol| symbol.shape == **shape)).count();
        assert!(shapes >= 3, "day {day}: {row}");
        assert!(most_of_one(row) * 2 <= usize::from(row.length()), "day {day}: {row}");
    }
    let greedy = greedy_odds(start, goal, &powers_on(day), Elves::ALL);
    assert!(greedy <= 0.2 + 1e-9, "day {day}: a greedy player wins {greedy} of the time");
}

fn most_of_one(row: Row) -> usize {
    row.symbols().map(|one| row.symbols().filter(|other| *other == one).count()).max().unwrap_or_default()
}

fn check_variety(days: &[Sheet]) {
    for (n, day) in days.iter().enumerate() {
        let easier = |day: &Sheet, last: &Sheet| {
            let [wins, won] = [day, last].map(|day| day.solved.solutions.len() as u64);
            wins * last.solved.play_outs > won * day.solved.play_outs
        };
        assert!(day.day <= 4 || !easier(day, &days[n - 1]), "day {} is easier than the last", day.day);
        for other in &days[..n] {
            assert_ne!(day.puzzle.start, other.puzzle.start);
            assert_ne!(day.puzzle.goal, other.puzzle.goal);
            assert_ne!(day.orders, other.orders, "days {} and {}", day.day, other.day);
        }
    }
}

fn check_second_powers(days: &[Sheet]) {
    let needs = |day: &Sheet, elf| day.orders.iter().all(|order| order.has_second(elf));
    for elf in Elf::ALL {
        let after = card(elf).unlocked_after;
        let early = days.iter().filter(|day| day.day <= after);
        assert_eq!(early.filter(|day| day.orders.iter().any(|order| order.has_second(elf))).count(), 0);
        let needed = days.iter().filter(|day| day.day > after && needs(day, elf)).count();
        assert!(needed >= 2, "the second power of elf {elf} is indispensable on {needed} days");
    }
    let without = |day: &&Sheet| !day.orders.iter().any(|order| Elf::ALL.iter().any(|elf| order.has_second(*elf)));
    assert!(days.iter().filter(|day| day.day > 15).filter(without).count() >= 2);
    let all_four = days.iter().filter(|day| Elf::ALL.into_iter().all(|elf| needs(day, elf)));
    assert!(all_four.count() <= 2);
}

#[test]
fn all_24_days_of_our_campaign_keep_every_condition_of_the_page() {
    check(&Campaign::built_in());
}

#[test]
fn three_campaigns_that_the_generator_makes_keep_them_too() {
    for number in [1, 3, 5] {
        check(&made(number));
    }
}

#[test]
fn our_campaign_is_what_the_generator_makes_of_its_number() {
    assert_eq!(made(OURS), Campaign::built_in());
    let written = include_str!("../../../content/santa_rescue/campaign.json");
    assert_eq!(Campaign::built_in().content(), written, "`ludotheque content santa-rescue --seed {OURS}` prints it");
}

#[test]
fn rows_have_5_symbols_in_the_first_days_and_8_in_the_last() {
    let lengths: Vec<_> = (1..=24).map(row_length).collect();
    assert_eq!(lengths, [vec![5; 4], vec![6; 6], vec![7; 7], vec![8; 7]].concat());
}

#[test]
fn the_criteria_tell_a_bad_campaign_from_a_good_one() {
    let ours = Campaign::built_in();
    let with = |day: u8, start: &str, goal: &str| {
        let puzzle = super::puzzle(start, goal);
        let other = |(of, old)| if of == day { puzzle } else { old };
        criteria::faults(&Campaign::new(ours.puzzles().map(other).collect()).expect("24 puzzles"))
    };
    for (faults, because) in [
        (with(1, "sgbhg", "mmmmm"), "day 1: it can't be won"),
        (with(1, "sgbhg", "mmmmm"), "day 1: its rows are dull"),
        (with(2, "sgbhg", "SgbbS"), "days 1 and 2 start alike"),
        (with(2, "sgbhg", "SgbbS"), "days 1 and 2 end alike"),
        (with(2, "sgbhg", "SgbbS"), "days 1 and 2 are won by the same orders"),
        (with(5, "sgbhg", "SgbbS"), "day 5: its rows have the wrong length"),
        (with(24, "hscgbBGs", "GSgggBSg"), "day 24 is easier than the day before"),
        (with(1, "sgbhg", "Sgbsg"), "day 1: too few symbols change"),
    ] {
        assert!(faults.iter().any(|fault| fault == because), "{because}: {faults:?}");
    }
}
