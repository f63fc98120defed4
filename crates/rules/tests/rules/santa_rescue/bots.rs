//! The bot, a partner that makes no mistakes, and the greedy player.

use super::{NOW, after, begin, ended, legal, play, put, read, row, table, today};
use crate::kit::table::seed;
use ludotheque_rules::bots::{Knowledge, Level, Rating, pick};
use ludotheque_rules::capabilities::{Bot, FromLobby, Greedy, Scheduled};
use ludotheque_rules::santa_rescue::generator::{generate, seed_of};
use ludotheque_rules::santa_rescue::sheets::{Campaign, powers_on, row_length};
use ludotheque_rules::santa_rescue::solver::{Play, SolutionCounter, next_of_winning_line, solve, ways};
use ludotheque_rules::santa_rescue::{Calendar, Elf, Elves, Ending, Move, Options, Row, SantaRescue, State, Symbol};
use ludotheque_rules::{Dice, Instant, Lobby, Rules, Seat, Turn};
use serde_json::json;
use std::ops::ControlFlow;

fn level() -> &'static Level {
    let [level] = SantaRescue::LEVELS else { panic!("a partner has one level") };
    level
}

/// The legal moves of a seat with their ratings.
fn rated(state: &State, seat: Seat, now: Instant) -> (Vec<Move>, Vec<Rating>) {
    let moves = SantaRescue::legal(state, seat, now);
    let rate = |number| {
        let knowledge = Knowledge::<SantaRescue>::new(state, seat, now);
        SantaRescue::rate(&knowledge, &moves, level().effort, &mut Dice::new(seed(number)))
    };
    let ratings = rate(1);
    assert!([0, moves.len()].contains(&ratings.len()), "all moves are rated, or none");
    assert!(ratings.iter().all(|rating| (0..=1_000_000).contains(rating)), "{ratings:?}");
    assert_eq!(ratings, rate(2), "nothing is left to chance");
    (moves, ratings)
}

/// The move that the bot makes; `None` if it waits.
fn best(state: &State, seat: Seat, now: Instant) -> Option<Move> {
    let (moves, ratings) = rated(state, seat, now);
    (!ratings.is_empty()).then(|| moves[pick(&ratings, level(), &mut Dice::new(seed(3)))])
}

/// The rating of one move.
fn rating(state: &State, seat: u8, notation: &str) -> Rating {
    let (moves, ratings) = rated(state, Seat(seat), NOW);
    ratings[moves.iter().position(|mv| *mv == read(notation)).expect("a legal move")]
}

#[track_caller]
fn check_best(state: &State, seat: u8, expected: &str) {
    assert_eq!(best(state, Seat(seat), NOW), Some(read(expected)), "{}", SantaRescue::draw(state));
}

#[track_caller]
fn check_waits(state: &State, seat: u8) {
    assert_eq!(best(state, Seat(seat), NOW), None, "{}", SantaRescue::draw(state));
}

/// Whether the day that is open can still be won.
fn is_winnable(state: &State) -> bool {
    let (open, goal) = (today(state), state.campaign.puzzle(state.day).goal);
    next_of_winning_line(state.row(open), goal, &powers_on(state.day), open.unspent()).is_some()
}

/// Lets bots play a whole campaign. Chance decides which of them moves first.
fn play_on(mut state: State, chance: &mut Dice) -> State {
    let mut now = NOW;
    while let Turn::Waiting(mut waiting) = SantaRescue::turn(&state) {
        now = SantaRescue::waits_from(&state).map_or(now, |opens| now.max(opens));
        chance.shuffle(&mut waiting);
        let moves = waiting.into_iter().find_map(|seat| Some((seat, best(&state, seat, now)?)));
        let (seat, mv) = moves.expect("not all wait for each other");
        state = SantaRescue::play(&state, seat, &mv, now, chance).expect("a legal move").state;
    }
    state
}

#[track_caller]
fn check_all_won(state: &State) {
    for past in &state.past {
        assert_eq!(past.result, Ending::Won, "day {} of {:?}", past.day, state.campaign.puzzle(past.day));
    }
    assert_eq!(state.past.len(), usize::from(state.last_day + 1 - state.first_day));
}

/// A campaign in which every goal is the end of a random play-out. Unlike the generator's, these have easy days too.
fn random_campaign(chance: &mut Dice) -> Campaign {
    let symbols: Vec<_> = Symbol::all().collect();
    let ending = |start: Row, day, chance: &mut Dice| {
        (0..Elf::COUNT).try_fold((start, Elves::ALL), |(row, unspent), _| {
            let all: Vec<_> = ways(row, &powers_on(day), unspent).collect();
            let (play, next) = *all.get(chance.index(all.len().max(1)))?;
            Some((next, unspent.without(play.elf)))
        })
    };
    let puzzles = (1..=24).map(|day| {
        loop {
            let start = Row::new((0..row_length(day)).map(|_| symbols[chance.index(symbols.len())])).expect("a row");
            if let Some((goal, _)) = ending(start, day, chance) {
                break super::puzzle(&start.to_string(), &goal.to_string());
            }
        }
    });
    Campaign::new(puzzles.collect()).expect("24 puzzles")
}

#[test]
fn a_team_of_bots_wins_every_day() {
    let mut chance = Dice::new(seed(5));
    let generated = generate(seed_of(1), |_| ControlFlow::Continue(())).expect("nobody called it off");
    for campaign in [Campaign::built_in(), generated, random_campaign(&mut chance), random_campaign(&mut chance)] {
        for seats in 1..=4 {
            let state = begin(&Options::default(), seats).state;
            check_all_won(&play_on(State { campaign: campaign.clone(), ..state }, &mut chance));
        }
    }
}

#[test]
fn a_team_of_bots_wins_with_every_option() {
    let opens: Vec<_> = (1..=24).map(|day| Instant(day * 1_000_000)).collect();
    let prepared = json!({"opensAt": opens});
    let advent = Options { calendar: Calendar::Advent, ..Options::default() };
    for seats in 1..=4 {
        for (options, prepared) in [
            (Options { hints: true, ..Options::default() }, None),
            (Options { first_day: 17, last_day: 17, ..Options::default() }, None),
            (Options { first_day: 8, ..advent.clone() }, Some(&prepared)),
        ] {
            let (lobby, mut dice) = (Lobby { choices: &[], prepared }, Dice::new(seed(6)));
            let state = SantaRescue::begin(&options, &lobby, seats, NOW, &mut dice).state;
            check_all_won(&play_on(state, &mut dice));
        }
    }
}

#[test]
fn a_play_is_rated_by_the_number_of_solutions_that_start_with_it() {
    for day in [2, 7, 13, 18] {
        let state = begin(&Options { first_day: day, ..Options::default() }, 1).state;
        let solutions = solve(state.campaign.puzzle(day), &powers_on(day)).solutions;
        // Before the first play of the day and after one.
        for begun in [&[][..], &solutions[0][..1]] {
            let moves: Vec<_> = begun.iter().map(|play| Move::from(*play).to_string()).collect();
            let state = after(&state, &moves.iter().map(String::as_str).collect::<Vec<_>>());
            let starts_with = |mv: &Move| {
                let goes_on = |plays: &&[Play; 4]| plays.starts_with(begun) && Move::from(plays[begun.len()]) == *mv;
                solutions.iter().filter(goes_on).count()
            };
            let (moves, ratings) = rated(&state, Seat(0), NOW);
            let plays: Vec<_> = moves.iter().filter(|mv| matches!(mv, Move::Play { .. })).collect();
            let counts: Vec<_> = plays.iter().map(|mv| starts_with(mv)).collect();
            let most = *counts.iter().max().expect("there are plays");
            let expected = counts.iter().map(|count| match count {
                0 => 0,
                count => 900_000 + i32::try_from(100_000 * count / most).expect("at most all"),
            });
            assert!(most > 0 && counts.contains(&0), "day {day} has right and wrong plays");
            assert_eq!(ratings[..plays.len()], expected.collect::<Vec<_>>(), "day {day}");
        }
    }
}

#[test]
fn solutions_are_counted_as_the_solver_lists_them() {
    for (day, puzzle) in Campaign::built_in().puzzles() {
        let powers = powers_on(day);
        let counted = SolutionCounter::new(puzzle.goal, powers).count(puzzle.start, Elves::ALL);
        assert_eq!(counted, solve(puzzle, &powers).solutions.len() as u64, "day {day}");
    }
}

#[test]
fn the_picked_move_never_loses_a_day_that_a_move_of_the_seat_keeps_winnable() {
    let (mut kept, mut chance) = (0, Dice::new(seed(7)));
    for seats in 1..=4 {
        let mut state = begin(&Options::default(), seats).state;
        state.campaign = random_campaign(&mut chance);
        while let Turn::Waiting(waiting) = SantaRescue::turn(&state) {
            let mut keeps = |seat, mv: &Move| {
                let next = SantaRescue::play(&state, seat, mv, NOW, &mut chance).expect("a legal move").state;
                let past = next.past.get(state.past.len());
                past.map_or_else(|| is_winnable(&next), |past| past.result == Ending::Won)
            };
            for &seat in waiting.iter().filter(|_| is_winnable(&state)) {
                if SantaRescue::legal(&state, seat, NOW).iter().any(|mv| keeps(seat, mv)) {
                    let Some(picked) = best(&state, seat, NOW) else { continue };
                    assert!(keeps(seat, &picked), "{picked} by seat {seat} loses\n{}", SantaRescue::draw(&state));
                    kept += 1;
                }
            }
            let seat = waiting[chance.index(waiting.len())];
            let moves = SantaRescue::legal(&state, seat, NOW);
            let mv = moves[chance.index(moves.len())];
            state = SantaRescue::play(&state, seat, &mv, NOW, &mut chance).expect("a legal move").state;
        }
    }
    assert!(kept > 100, "only {kept} winnable positions");
}

/// Elf 2 has to make the heart a star before elf 1 inverts all stars. Seat 0 holds elf 1 only.
fn elf_2_before_elf_1() -> State {
    let mut state = table(2, 1, "hsbcm", "SSbmb");
    for (elf, holder) in state.elves.iter_mut().zip([0, 1, 1, 1]) {
        elf.holder = Seat(holder);
    }
    assert!(is_winnable(&state) && !is_winnable(&after(&state, &["elf 1 power 1"])));
    state
}

#[test]
fn a_bot_waits_for_another_seat_that_has_to_play_first() {
    let state = elf_2_before_elf_1();
    check_waits(&state, 0);
    check_best(&after(&state, &["elf 2 power 1 at 0"]), 0, "elf 1 power 1");
}

#[test]
fn a_bot_that_can_play_neither_waits_nor_gives_up() {
    let state = elf_2_before_elf_1();
    check_best(&state, 1, "elf 2 power 1 at 0");
    let asked = play(&state, 0, "wish").state;
    check_best(&asked, 1, "elf 2 power 1 at 0");
    assert!((rating(&state, 1, "wish"), rating(&asked, 1, "wish")) == (0, 0));
}

#[test]
fn a_bot_does_not_join_a_wish_to_give_up_a_day_that_can_be_won() {
    check_waits(&play(&elf_2_before_elf_1(), 1, "wish").state, 0);
}

#[test]
fn bots_give_a_lost_day_up_together() {
    let state = after(&table(2, 1, "hsbcm", "SSbmb"), &["elf 1 power 1"]);
    assert!(!is_winnable(&state));
    for first in [0, 1] {
        check_best(&state, first, "wish");
        let wished = play(&state, first, "wish").state;
        check_best(&wished, 1 - first, "wish");
        assert_eq!(ended(&play(&wished, 1 - first, "wish").state), Ending::GivenUp);
    }
    check_best(&after(&table(1, 1, "hsbcm", "SSbmb"), &["elf 1 power 1"]), 0, "wish");
}

#[test]
fn a_lost_day_is_played_to_its_end_if_a_seat_without_a_move_does_not_wish_to_give_up() {
    let lost = after(&elf_2_before_elf_1(), &["elf 1 power 1"]);
    assert!(!SantaRescue::turn(&lost).waits_for(Seat(0)), "its only elf is spent");
    assert_eq!(rating(&lost, 1, "wish"), 0);
    check_best(&lost, 1, &legal(&lost, 1)[0]);
    check_best(&play(&lost, 0, "wish").state, 1, "wish");
    // And where its own wish was not enough.
    let wished = play(&lost, 1, "wish").state;
    check_best(&wished, 1, &legal(&wished, 1)[0]);
}

#[test]
fn seats_that_resigned_are_not_asked_to_give_up() {
    let state = after(&table(3, 1, "hsbcm", "SSbmb"), &["elf 1 power 1"]);
    let left = SantaRescue::resign(&state, &[Seat(2)], NOW, &mut Dice::new(seed(1))).state;
    let wished = play(&left, 0, "wish").state;
    assert_eq!(rating(&wished, 1, "wish"), 1);
    assert_eq!(ended(&play(&wished, 1, "wish").state), Ending::GivenUp);
}

#[test]
fn the_greedy_player_leaves_the_fewest_wrong_places() {
    let mut state = table(1, 1, "hsbcm", "SSbmb");
    let pick = |state: &State| {
        let moves = SantaRescue::legal(state, Seat(0), NOW);
        moves[SantaRescue::pick(&Knowledge::new(state, Seat(0), NOW), &moves)].to_string()
    };
    // Four places are wrong. Only the star that elf 1 inverts becomes right, or the moon that elf 4 moves.
    assert_eq!(row("hsbcm").wrong(row("SSbmb")), 4);
    assert_eq!(pick(&state), "elf 1 power 1", "the first of those that leave three");
    put(&mut state, 1, "hsbcm", "hsbmc");
    assert_eq!(pick(&state), "elf 4 power 1 at 3");
}
