//! Resolving the line, from left to right: the token, the goods, the choices, the elves that go home.

use super::{after, draw, gains, line, moves, refusal_key, story, waiting};
use ludotheque_rules::toy_rush::{Phase, State};

#[test]
fn the_strict_majority_on_primeur_takes_the_token() {
    for (token, line, holder) in [(0, "1:2+3", 1), (1, "1:3+2", 0), (0, "1:0+1", 1), (0, "1:3+2", 0)] {
        let state = draw(&format!("token {token}\nline {line}\nseat 0: stock 1, hand 1\nseat 1: stock 0, hand 3"));
        assert_eq!(after(&state, "0 place 6 x1").state.token.0, holder, "{line}");
    }
}

#[test]
fn a_tied_bid_changes_nothing() {
    for token in [0, 1] {
        let state = draw(&format!("token {token}\nline 1:2+2 2:0+1\nseat 0: stock 1, hand 1\nseat 1: stock 0, hand 3"));
        let next = after(&state, "0 place 6 x1");
        assert_eq!(next.state.token.0, token);
        assert!(!story(&next.events).iter().any(|event| event.contains("token")));
    }
}

#[test]
fn if_nobody_bid_the_owner_of_the_leftmost_occupied_space_takes_the_token() {
    for (token, line, placed, holder) in
        [(0, "4:0+2 9:0+1", "5 x1", 1), (1, "5:0+2 9:0+1", "4 x1", 0), (1, "9:0+3", "8 x1", 0), (1, "8:0+1", "9 x1", 1)]
    {
        let state = draw(&format!("token {token}\nline {line}\nseat 0: stock 1, hand 1\nseat 1: stock 0, hand 3"));
        assert_eq!(after(&state, &format!("0 place {placed}")).state.token.0, holder, "{line} and {placed}");
    }
}

#[test]
fn the_token_changes_hands_before_any_space_gives_its_goods() {
    let state = draw("line 1:0+1 6:0+1\nseat 0: stock 1, hand 1\nseat 1: stock 0, hand 3");
    let next = after(&state, "0 place 4 x1");
    let expected = [
        "0 placed 4 x1",
        "token to 1",
        "1 home 1 x1",
        "0 gained 1 elves at 4",
        "0 home 4 x1",
        "1 gained train at 6",
        "1 home 6 x1",
    ];
    assert_eq!(story(&next.events), expected);
}

#[test]
fn spaces_are_resolved_from_left_to_right_no_matter_who_owns_them() {
    let state = draw("line 4:1+0 6:0+2 8:2+0 9:0+3\nseat 0: stock 1, hand 1\nseat 1: stock 0, hand 3");
    let next = after(&state, "0 place 7 x1");
    assert_eq!(
        gains(&next.events),
        ["0 gained 1 elves at 4", "1 gained train,train at 6", "0 gained teddy at 8", "1 gained horse at 9"]
    );
}

#[test]
fn where_a_choice_exists_the_owner_is_asked_and_only_then_the_next_space_resolves() {
    let state = draw("line 5:0+1 6:0+1 7:2+0\nseat 0: stock 1, hand 1\nseat 1: stock 0, hand 3");
    let next = after(&state, "0 place 3 x1");
    assert_eq!((waiting(&next.state), gains(&next.events)), (vec![0], Vec::<String>::new()));
    let next = after(&next.state, "0 take box");
    assert_eq!((waiting(&next.state), next.state.phase), (vec![1], Phase::Resolve));
    assert_eq!(line(&next.state, "Line"), "1:- 2:- 3:- 4:- 5:0+1 6:0+1 7:2+0 8:- 9:-");
    let next = after(&next.state, "1 take blue");
    assert_eq!(gains(&next.events)[1..], ["1 gained train at 6"]);
    assert_eq!(waiting(&next.state), [0]);
    let next = after(&next.state, "0 take stripes");
    assert_eq!((waiting(&next.state), next.state.phase), (vec![0, 1], Phase::Ship));
}

#[test]
fn an_elf_on_objectives_draws_two_keeps_one_and_the_other_goes_under_the_deck() {
    let state = draw("deck 10,11,12,13\nseat 0: stock 1, hand 1,5,6,7\nseat 1: stock 0, hand 2,3,4,8,9,14,15,16,17,18");
    let next = after(&state, "0 place 2 x1");
    assert_eq!(moves(&next.state, 0), ["keep 10", "keep 11"]);
    let next = after(&next.state, "0 keep 11");
    assert_eq!(line(&next.state, "Deck"), "12,13,10");
    assert_eq!(line(&next.state, "Seat 0"), "points 0/17 · stock 1 reserve 11 · hand 1,5,6,7,11");
    assert_eq!(next.state.phase, Phase::Ship);
}

#[test]
fn two_elves_on_objectives_draw_one_after_the_other() {
    let state = draw("deck 10,11,12,13\nseat 0: stock 2, hand 1,5,6,7\nseat 1: stock 0, hand 2,3,4,8,9,14,15,16,17,18");
    let next = after(&state, "0 place 2 x2; 0 keep 10");
    assert_eq!(moves(&next.state, 0), ["keep 12", "keep 13"], "the card put back is not among them");
    assert_eq!(line(&next.state, "Line"), "1:- 2:1+0 3:- 4:- 5:- 6:- 7:- 8:- 9:-");
    let next = after(&next.state, "0 keep 13");
    assert_eq!(line(&next.state, "Deck"), "11,12");
}

#[test]
fn the_second_draw_sees_the_first_ones_discard_only_if_the_deck_is_that_short() {
    let state = draw("deck 10,11,12\nseat 0: stock 2, hand 1,5,6,7\nseat 1: stock 0, hand 2,3,4,8,9,13,14,15,16,17,18");
    let next = after(&state, "0 place 2 x2; 0 keep 10");
    assert_eq!(moves(&next.state, 0), ["keep 11", "keep 12"]);
}

#[test]
fn the_last_card_of_the_deck_is_taken_without_choice() {
    let state = draw("deck 10\nseat 0: stock 1, hand 1,5,6,7\nseat 1: stock 0, hand 2,3,4,8,9,11,12,13,14,15,16,17,18");
    let next = after(&state, "0 place 2 x1");
    assert_eq!(gains(&next.events), ["0 drew 10", "0 kept 10"]);
    assert_eq!((next.state.phase, next.state.deck.len()), (Phase::Ship, 0));
}

#[test]
fn an_empty_deck_gives_nothing() {
    let state =
        draw("deck none\nseat 0: stock 2, hand 1,5,6,7,10\nseat 1: stock 0, hand 2,3,4,8,9,11,12,13,14,15,16,17,18");
    let next = after(&state, "0 place 2 x2");
    assert_eq!((gains(&next.events), next.state.phase), (Vec::new(), Phase::Ship));
    assert_eq!(line(&next.state, "Seat 0"), "points 0/17 · stock 2 reserve 10 · hand 1,5,6,7,10");
}

#[test]
fn two_elves_on_objectives_find_a_deck_of_two_cards() {
    let state = draw("deck 10,11\nseat 0: stock 2, hand 1,5,6,7\nseat 1: stock 0, hand 2,3,4,8,9,12,13,14,15,16,17,18");
    let next = after(&state, "0 place 2 x2; 0 keep 10");
    assert_eq!(gains(&next.events)[2..], ["0 drew 11", "0 kept 11"], "its own discard is the last card");
}

#[test]
fn box_or_elf_gives_a_box_or_an_elf_from_the_reserve() {
    let state = draw("seat 0: stock 1, hand 1\nseat 1: stock 0, hand 3");
    let asked = after(&state, "0 place 3 x1").state;
    assert_eq!(moves(&asked, 0), ["take box", "take elf"]);
    let boxed = after(&asked, "0 take box").state;
    assert_eq!(line(&boxed, "Seat 0"), "points 0/17 · stock 1 reserve 11 · box · hand 1");
    let grown = after(&asked, "0 take elf").state;
    assert_eq!(line(&grown, "Seat 0"), "points 0/17 · stock 2 reserve 10 · hand 1");
    for (notation, key) in [
        ("take pink", "not-given"),
        ("take box,box", "take-count"),
        ("take none", "take-count"),
        ("place 1 x1", "take-due"),
        ("keep 1", "take-due"),
    ] {
        assert_eq!(refusal_key(&asked, 0, notation), key, "{notation}");
    }
}

#[test]
fn at_box_or_elf_only_the_possible_alternative_is_taken_without_asking() {
    let no_box = draw("seat 0: stock 1, has box,box, hand 1\nseat 1: stock 0, has box,box,box, hand 3");
    assert_eq!(gains(&after(&no_box, "0 place 3 x1").events), ["0 gained 1 elves at 3"]);
    let no_elf = draw("line 1:11+0\nseat 0: stock 1, hand 1\nseat 1: stock 0, hand 3");
    assert_eq!(gains(&after(&no_elf, "0 place 3 x1").events), ["0 gained box at 3"]);
    let neither = draw("line 1:11+0\nseat 0: stock 1, has box,box, hand 1\nseat 1: stock 0, has box,box,box, hand 3");
    assert_eq!(gains(&after(&neither, "0 place 3 x1").events), Vec::<String>::new());
}

#[test]
fn elves_gives_one_elf_from_the_reserve_per_elf() {
    for (elves, gained) in [(1, "0 gained 1 elves at 4"), (2, "0 gained 2 elves at 4")] {
        let state = draw(&format!("seat 0: stock {elves}, hand 1\nseat 1: stock 0, hand 3"));
        let next = after(&state, &format!("0 place 4 x{elves}"));
        assert_eq!(gains(&next.events), [gained]);
        assert_eq!(next.state.areas[0].stock, 2 * elves, "elves gained join the stock");
    }
}

#[test]
fn an_empty_reserve_gives_nothing_and_a_short_one_what_is_left() {
    let short = draw("line 1:9+0\nseat 0: stock 2, hand 1\nseat 1: stock 0, hand 3");
    assert_eq!(gains(&after(&short, "0 place 4 x2").events), ["0 gained 1 elves at 4"]);
    let empty = draw("line 1:10+0\nseat 0: stock 2, hand 1\nseat 1: stock 0, hand 3");
    assert_eq!(gains(&after(&empty, "0 place 4 x2").events), Vec::<String>::new());
}

#[test]
fn colours_gives_one_card_per_elf_each_of_the_owners_choice_answered_once() {
    let state = draw("seat 0: stock 3, hand 1\nseat 1: stock 0, hand 3");
    let asked = after(&state, "0 place 5 x3").state;
    assert_eq!(moves(&asked, 0).len(), 10, "3 cards of 3 colours: C(5,2) multisets");
    let next = after(&asked, "0 take pink,pink,blue");
    assert_eq!(line(&next.state, "Seat 0"), "points 0/17 · stock 3 reserve 9 · pink,pink,blue · hand 1");
    assert_eq!(next.state.phase, Phase::Ship, "one answer for all of them");
    assert_eq!(after(&asked, "0 take blue,pink,pink").state, next.state, "in any order");
}

#[test]
fn goods_are_compulsory() {
    let state = draw("seat 0: stock 3, hand 1\nseat 1: stock 0, hand 3");
    let asked = after(&state, "0 place 5 x3").state;
    for (notation, key) in [
        ("take pink", "take-count"),
        ("take none", "take-count"),
        ("take pink,pink,pink,pink", "take-count"),
        ("take pink,pink,dots", "not-given"),
        ("take elf", "no-elf-here"),
        ("ship none", "take-due"),
    ] {
        assert_eq!(refusal_key(&asked, 0, notation), key, "{notation}");
    }
}

#[test]
fn an_empty_pile_can_not_be_chosen() {
    let state = draw(
        "seat 0: stock 2, has pink,pink,pink,pink,pink,pink,blue,blue,blue,blue,blue, hand 1\nseat 1: stock 0, hand 3",
    );
    let asked = after(&state, "0 place 5 x2").state;
    assert_eq!(moves(&asked, 0), ["take yellow,yellow", "take blue,yellow"]);
    assert_eq!(refusal_key(&asked, 0, "take pink,blue"), "pile");
    assert_eq!(refusal_key(&asked, 0, "take blue,blue"), "pile");
}

#[test]
fn where_only_one_outcome_is_possible_the_server_takes_it_without_asking() {
    let one_colour = "pink,pink,pink,pink,pink,pink,blue,blue,blue,blue,blue,blue";
    let state = draw(&format!("seat 0: stock 2, has {one_colour}, hand 1\nseat 1: stock 0, hand 3"));
    assert_eq!(gains(&after(&state, "0 place 5 x2").events), ["0 gained yellow,yellow at 5"]);
    let all_that_is_left = "pink,pink,pink,pink,pink,pink,blue,blue,blue,blue,blue,yellow,yellow,yellow,yellow,yellow";
    let state = draw(&format!("seat 0: stock 2, has {all_that_is_left}, hand 1\nseat 1: stock 0, hand 3"));
    assert_eq!(gains(&after(&state, "0 place 5 x2").events), ["0 gained blue,yellow at 5"]);
    let state = draw(
        "seat 0: stock 4, has dots,dots,dots,dots, hand 1\nseat 1: stock 0, has stripes,stripes,stripes,stripes, hand 3",
    );
    assert_eq!(gains(&after(&state, "0 place 7 x4").events), ["0 gained dots,stripes at 7"]);
}

#[test]
fn a_short_pile_gives_what_is_left_and_an_empty_one_nothing() {
    let state = draw(
        "line 8:0+6\nseat 0: stock 4, has train,train,train, hand 1\nseat 1: stock 0, has teddy,teddy,teddy, hand 3",
    );
    assert_eq!(gains(&after(&state, "0 place 6 x4").events)[..1], ["0 gained train,train,train at 6"]);
    assert_eq!(gains(&after(&state, "0 place 6 x4").events)[1..], ["1 gained teddy,teddy at 8"]);
    let state = draw("line 9:0+6\nseat 0: stock 1, has horse,horse, hand 1\nseat 1: stock 0, has horse,horse, hand 3");
    assert_eq!(gains(&after(&state, "0 place 1 x1").events), Vec::<String>::new());
    let colours = "pink,pink,pink,pink,pink,pink,blue,blue,blue,blue,blue,blue,yellow,yellow,yellow,yellow,yellow";
    let state = draw(&format!("seat 0: stock 5, has {colours}, hand 1\nseat 1: stock 0, hand 3"));
    assert_eq!(gains(&after(&state, "0 place 5 x5").events), ["0 gained yellow at 5"]);
}

#[test]
fn trains_gives_one_train_per_elf() {
    for elves in 1..=6_u8 {
        let state = draw(&format!("seat 0: stock {elves}, hand 1\nseat 1: stock 0, hand 3"));
        let next = after(&state, &format!("0 place 6 x{elves}")).state;
        assert_eq!(next.areas[0].objects.total(), u16::from(elves));
    }
}

#[test]
fn patterns_gives_one_card_of_choice_per_full_2_elves_and_the_rest_is_wasted() {
    for (elves, answers) in [(1, 0), (2, 2), (3, 2), (4, 3), (5, 3), (6, 4)] {
        let state = draw(&format!("seat 0: stock {elves}, hand 1\nseat 1: stock 0, hand 3"));
        let next = after(&state, &format!("0 place 7 x{elves}")).state;
        let asked = moves(&next, 0).into_iter().filter(|mv| mv.starts_with("take ")).collect::<Vec<_>>();
        assert_eq!(asked.len(), answers, "{asked:?}");
    }
    let state = draw("seat 0: stock 5, hand 1\nseat 1: stock 0, hand 3");
    let next = after(&state, "0 place 7 x5; 0 take dots,stripes").state;
    assert_eq!(line(&next, "Seat 0"), "points 0/17 · stock 5 reserve 7 · dots,stripes · hand 1");
}

#[test]
fn teddies_gives_one_teddy_per_full_2_elves_and_horses_one_horse_per_full_3() {
    for (space, elves, cards) in
        [(8, 1, 0), (8, 2, 1), (8, 5, 2), (9, 2, 0), (9, 3, 1), (9, 5, 1), (9, 6, 2), (9, 12, 4)]
    {
        let state = draw(&format!("seat 0: stock {elves}, hand 1\nseat 1: stock 0, hand 3"));
        let next = after(&state, &format!("0 place {space} x{elves}")).state;
        assert_eq!(next.areas[0].objects.total(), cards, "{elves} on {space}");
        assert_eq!(next.areas[0].stock, elves, "all of them come home");
    }
}

#[test]
fn elves_return_to_the_stock_as_their_space_resolves() {
    let state = draw("line 1:1+0 6:2+0\nseat 0: stock 1, hand 1\nseat 1: stock 0, hand 3");
    let asked = after(&state, "0 place 5 x1").state;
    assert_eq!(asked.areas[0].stock, 1, "the one on Primeur is back, those to the right are not");
    assert_eq!(after(&asked, "0 take pink").state.areas[0].stock, 4);
}

#[test]
fn a_preview_goes_on_until_a_card_would_be_drawn() {
    use ludotheque_rules::{
        Rules, Seat,
        toy_rush::{Move, ToyRush},
    };
    let preview = |state: &State, notation: &str| {
        let mv: Move = notation.parse().expect("a move");
        ToyRush::preview(state, Seat(0), &mv, super::NOW).expect("a legal move")
    };
    let state = draw("line 6:0+1\nseat 0: stock 2, hand 1\nseat 1: stock 0, hand 3");
    let foreseen = preview(&state, "place 2 x2");
    assert!(!foreseen.complete);
    assert_eq!(story(&foreseen.events), ["0 placed 2 x2"]);
    let foreseen = preview(&state, "place 8 x2");
    assert!(foreseen.complete);
    assert_eq!(foreseen.state.phase, Phase::Ship);
    assert_eq!(gains(&foreseen.events), ["token to 1", "1 gained train at 6", "0 gained teddy at 8"]);
}
