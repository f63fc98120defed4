//! The solver, against small puzzles whose solutions can be seen.

use super::{elf, puzzle, row};
use ludotheque_rules::santa_rescue::solver::{
    Play, PowerOrder, Powers, WinRate, greedy_odds, next_of_winning_line, solve,
};
use ludotheque_rules::santa_rescue::{Elves, PowerSlot, sheets};

/// One power for each elf.
fn powers(lines: [&str; 4]) -> Powers {
    lines.map(|line| [Some(line.parse().expect("a power")), None])
}

/// Four powers that never get into each other's way: each turns a symbol of its own.
const APART: [&str; 4] = ["invert-all bell", "invert-all heart", "invert-all moon", "invert-all cloud"];

#[test]
fn all_solutions_are_found_in_every_order() {
    let solved = solve(puzzle("bhmc", "BHMC"), &powers(APART));
    assert_eq!((solved.play_outs, solved.solutions.len(), solved.orders().len()), (24, 24, 24));
    assert_eq!(solved.shortest.map(|plays| plays.len()), Some(4));
}

#[test]
fn a_goal_that_is_reached_too_early_has_no_solution_but_a_shortest_list() {
    let solved = solve(puzzle("bhmc", "BhMc"), &powers(APART));
    assert_eq!((solved.play_outs, solved.solutions.len()), (24, 0));
    let shortest: Vec<_> = solved.shortest.expect("two powers do").iter().map(|play| play.elf).collect();
    assert_eq!(shortest, [elf(1), elf(3)]);
}

#[test]
fn play_outs_that_get_stuck_are_left_out() {
    let solved = solve(puzzle("bhms", "BHMs"), &powers(APART));
    assert_eq!((solved.play_outs, solved.solutions.len()), (0, 0), "without a cloud elf 4 can never be played");
}

#[test]
fn play_outs_are_counted_by_order_power_and_target() {
    // One symbol of four is turned, and three powers turn the rest: 24 orders, 4 targets each.
    let solved = solve(puzzle("bhmc", "BHMC"), &powers(["invert", APART[1], APART[2], APART[3]]));
    assert_eq!((solved.play_outs, solved.solutions.len(), solved.orders().len()), (96, 24, 24));
    // And two powers of one elf are two ways.
    let mut two = powers(APART);
    two[0][1] = Some("invert".parse().expect("a power"));
    assert_eq!(solve(puzzle("bhmc", "BHMC"), &two).play_outs, 24 + 96);
}

#[test]
fn a_greedy_player_wins_as_often_as_chance_among_the_closest_moves_lets_them() {
    let odds = |lines| greedy_odds(row("bhmc"), row("BHMC"), &powers(lines), Elves::ALL);
    assert!((odds(APART) - 1.0).abs() < 1e-9, "every move is right");
    // With k of the others still to turn, 2k + 1 moves look equally good: aiming at the bell wins, each of the k powers
    // goes on, aiming elsewhere loses. So p(0) = 1 and p(k) = (1 + k p(k-1)) / (2k + 1): 2/3, 7/15, 12/35.
    assert!((odds(["invert", APART[1], APART[2], APART[3]]) - 12.0 / 35.0).abs() < 1e-9);
    let stuck = greedy_odds(row("bhms"), row("BHMs"), &powers(APART), Elves::ALL);
    assert!(stuck.abs() < 1e-9, "stuck is lost");
}

#[test]
fn every_solution_leads_to_the_goal_by_the_rules() {
    for day in [1, 8, 16, 24] {
        let campaign = sheets::Campaign::built_in();
        let (powers, puzzle) = (sheets::powers_on(day), campaign.puzzle(day));
        let solved = solve(puzzle, &powers);
        assert!(!solved.solutions.is_empty());
        assert!(solved.solutions.is_sorted_by(|one, next| one < next), "each once, in order");
        for plays in &solved.solutions {
            let end = plays.iter().fold(puzzle.start, |row, play| {
                let power = powers[play.elf.index()][play.slot as usize].expect("unlocked");
                power.apply(row, play.target).expect("playable")
            });
            assert_eq!(end, puzzle.goal);
        }
        let first = solved.solutions[0][0];
        assert_eq!(next_of_winning_line(puzzle.start, puzzle.goal, &powers, Elves::ALL), Some(first));
    }
}

#[test]
fn an_order_tells_its_powers_wherever_they_were_aimed() {
    let play = |number, slot, target| Play { elf: elf(number), slot, target };
    let plays = [
        play(3, PowerSlot::First, Some(2)),
        play(1, PowerSlot::Second, None),
        play(4, PowerSlot::First, Some(0)),
        play(2, PowerSlot::First, None),
    ];
    let order = PowerOrder::of(&plays);
    assert_eq!(order.powers(), plays.map(|play| (play.elf, play.slot)));
    assert!(order.has_second(elf(1)) && !order.has_second(elf(3)));
    let mut elsewhere = plays;
    elsewhere[0].target = Some(3);
    assert_eq!(PowerOrder::of(&elsewhere), order);
}

#[test]
fn shares_compare_without_rounding() {
    let share = |wins, of| WinRate { wins, of };
    assert!(share(1, 3).is_at_most(share(2, 6)) && share(2, 6).is_at_most(share(1, 3)));
    assert!(!share(1_000_001, 3_000_000).is_at_most(share(1, 3)));
}
