//! Placing elves: whose turn it is, which spaces are open, how many elves they take.

use super::{after, draw, line, moves, refusal, refusal_key, start, story, waiting};
use ludotheque_rules::{Illegal, toy_rush::Phase};

const TWO_EACH: &str = "
    seat 0: stock 2, hand 1,2
    seat 1: stock 2, hand 3,4
";

#[test]
fn players_place_in_turn_from_the_first_player_on() {
    for first in [0, 1] {
        let state = draw(&format!("token {first}\nplacing {first}\n{TWO_EACH}"));
        assert_eq!(waiting(&state), [first]);
        let second = 1 - first;
        let state = after(&state, &format!("{first} place 1 x1")).state;
        assert_eq!(waiting(&state), [second]);
        let state = after(&state, &format!("{second} place 5 x1")).state;
        assert_eq!(waiting(&state), [first]);
    }
}

#[test]
fn placing_out_of_turn_is_refused() {
    let refused = refusal(&draw(TWO_EACH), 1, "place 1 x1");
    assert!(matches!(refused, Illegal::NotYourTurn(message) if message.key == "toy_rush-refusal-not-your-turn"));
}

#[test]
fn one_or_more_elves_go_from_the_stock_to_one_space() {
    let state = draw("seat 0: stock 5, hand 1\nseat 1: stock 2, hand 3");
    let next = after(&state, "0 place 5 x3");
    assert_eq!(line(&next.state, "Seat 0"), "points 0/17 · stock 2 reserve 7 · hand 1");
    assert_eq!(line(&next.state, "Line"), "1:- 2:- 3:- 4:- 5:3+0 6:- 7:- 8:- 9:-");
    assert_eq!(story(&next.events), ["0 placed 5 x3"]);
    assert_eq!(refusal_key(&state, 0, "place 5 x0"), "no-elves");
    assert_eq!(refusal_key(&state, 0, "place 5 x6"), "stock");
}

#[test]
fn a_player_whose_stock_is_empty_is_passed_over() {
    let state = draw("seat 0: stock 4, hand 1\nseat 1: stock 1, hand 3");
    let state = after(&state, "0 place 5 x1; 1 place 6 x1; 0 place 7 x1").state;
    assert_eq!((waiting(&state), state.phase), (vec![0], Phase::Place));
}

#[test]
fn placement_ends_when_both_stocks_are_empty() {
    let state = after(&draw(TWO_EACH), "0 place 8 x2; 1 place 6 x1").state;
    assert_eq!(state.phase, Phase::Place);
    let state = after(&state, "1 place 1 x1").state;
    assert_eq!(state.phase, Phase::Ship);
}

#[test]
fn all_elves_must_be_placed() {
    let state = after(&draw(TWO_EACH), "0 place 8 x2; 1 place 6 x1").state;
    assert!(moves(&state, 1).iter().all(|mv| mv.starts_with("place ")));
    assert_eq!(refusal_key(&state, 1, "ship none"), "place-due");
    assert_eq!(refusal_key(&state, 1, "take box"), "place-due");
    assert_eq!(refusal_key(&state, 1, "keep 3"), "place-due");
}

#[test]
fn a_placement_is_asked_for_even_where_only_one_is_legal() {
    let state = draw(
        "
        line 2:1+0 3:1+0 4:1+0 5:1+0 6:1+0 7:0+1 8:0+1 9:0+1
        placing 1
        seat 0: stock 0, hand 1
        seat 1: stock 1, hand 3
        ",
    );
    assert_eq!((waiting(&state), moves(&state, 1)), (vec![1], vec!["place 1 x1".to_owned()]));
}

#[test]
fn a_space_that_holds_elves_takes_no_more_not_even_the_owners() {
    let state = draw("seat 0: stock 4, hand 1\nseat 1: stock 4, hand 3");
    let state = after(&state, "0 place 5 x1").state;
    assert_eq!(refusal_key(&state, 1, "place 5 x1"), "occupied");
    let state = after(&state, "1 place 6 x1").state;
    assert_eq!(refusal_key(&state, 0, "place 5 x1"), "occupied");
    assert!(!moves(&state, 0).iter().any(|mv| mv.starts_with("place 5 ")));
}

#[test]
fn on_primeur_both_may_add_at_every_turn() {
    let state = draw("seat 0: stock 3, hand 1\nseat 1: stock 3, hand 3");
    let state = after(&state, "0 place 1 x1; 1 place 1 x2; 0 place 1 x1").state;
    assert_eq!(line(&state, "Line"), "1:2+2 2:- 3:- 4:- 5:- 6:- 7:- 8:- 9:-");
    assert!(moves(&state, 1).contains(&"place 1 x1".to_owned()));
}

#[test]
fn each_space_accepts_its_number_of_elves() {
    let state = draw("seat 0: stock 12, hand 1\nseat 1: stock 2, hand 3");
    let most = |space: u8| moves(&state, 0).iter().filter(|mv| mv.starts_with(&format!("place {space} "))).count();
    assert_eq!([1, 2, 3, 4, 5, 6, 7, 8, 9].map(most), [12, 2, 1, 2, 12, 12, 12, 12, 12]);
    for (space, elves) in [(2, 3), (3, 2), (3, 3), (4, 3), (4, 12)] {
        assert_eq!(refusal_key(&state, 0, &format!("place {space} x{elves}")), "too-many-elves");
    }
}

#[test]
fn an_amount_that_is_not_a_multiple_is_legal_on_patterns_teddies_and_horses() {
    let state = draw("seat 0: stock 5, hand 1\nseat 1: stock 2, hand 3");
    for placement in ["place 7 x1", "place 7 x3", "place 8 x5", "place 9 x2", "place 9 x4"] {
        after(&state, &format!("0 {placement}"));
    }
}

#[test]
fn every_later_round_starts_with_the_holder_of_the_token() {
    let state = draw("token 1\nplacing 0\nline 1:0+3\nseat 0: stock 1, hand 1\nseat 1: stock 0, hand 3");
    let next = after(&state, "0 place 5 x1; 0 take pink; 0 ship none; 1 ship none").state;
    assert_eq!((next.round, next.token.0, waiting(&next)), (2, 1, vec![1]));
}

#[test]
fn two_elves_can_be_placed_in_17_ways_at_the_start() {
    let state = start();
    let first = |seat: u8| format!("{seat} {}", moves(&state, seat)[0]);
    let state = after(&state, &format!("{}; {}", first(0), first(1))).state;
    // 9 spaces with one elf, and all but space 3 with two.
    assert_eq!(moves(&state, 0).len(), 9 + 8);
}
