//! Shipping: both choose at once what to complete, pay for it, and the cards lie open.

use super::{after, draw, line, moves, objectives, refusal, refusal_key, story, view, waiting};
use ludotheque_rules::{
    Eyes, Illegal, Rules, Seat,
    toy_rush::{EventView, Move, Phase, ToyRush},
};
use serde_json::json;

/// 1 is a pink train, 2 a boxed blue train, 8 a blue teddy.
const SHIPPING: &str = "
    step SHIP
    seat 0: stock 2, has pink,blue,train,train,box, hand 1,2,8
    seat 1: stock 2, hand 3
";

#[test]
fn each_player_may_complete_any_objectives_their_objects_pay_for_or_none() {
    assert_eq!(moves(&draw(SHIPPING), 0), ["ship none", "ship 1", "ship 1,2", "ship 2"]);
}

#[test]
fn both_are_always_asked_even_those_who_can_complete_nothing() {
    let state = draw(SHIPPING);
    assert_eq!((waiting(&state), moves(&state, 1)), (vec![0, 1], vec!["ship none".to_owned()]));
    let nothing = draw(
        "step SHIP
seat 0: stock 2
seat 1: stock 2",
    );
    assert_eq!(waiting(&nothing), [0, 1], "nor those who hold no objective");
}

#[test]
fn the_objects_go_back_to_their_piles_the_card_lies_open_and_the_points_count() {
    let state = draw(SHIPPING);
    let next = after(&state, "0 ship 1,2; 1 ship none");
    assert_eq!(line(&next.state, "Seat 0"), "points 5/17 · stock 2 reserve 10 · hand 8 · completed 1,2");
    assert_eq!(line(&next.state, "Piles"), "6 pink 6 blue 6 yellow 5 dots 5 stripes 6 train 5 teddy 4 horse 5 box");
    for eyes in [Eyes::Seat(Seat(1)), Eyes::Spectator] {
        let seen = &ToyRush::view(&next.state, eyes).seats[0];
        let children: Vec<_> = seen.completed.iter().map(|card| card.child.as_str()).collect();
        assert_eq!((children, seen.points, seen.hand_size), (vec!["Alba", "Bruno"], 5, 1));
    }
    let story = story(&next.events);
    assert_eq!(story[2..], ["0 shipped [1,2], 5 points", "1 shipped [], 0 points", "round 2, 0 first"]);
}

#[test]
fn answers_are_sealed_until_both_are_in() {
    let next = after(&draw(SHIPPING), "0 ship 1");
    assert_eq!((waiting(&next.state), next.state.phase), (vec![1], Phase::Ship));
    assert_eq!(next.state.areas[0].points(), 0);
    let seen = &view(&next.state, 1).seats[0];
    assert_eq!((seen.chosen, seen.choice, seen.hand_size, seen.points), (true, None, 3, 0));
    let chose = |objectives| [EventView::Chose { seat: Seat(0), objectives }];
    assert_eq!(super::told(&next.events, Eyes::Seat(Seat(1))), chose(None));
    assert_eq!(super::told(&next.events, Eyes::Spectator), chose(None));
    assert_eq!(super::told(&next.events, Eyes::Seat(Seat(0))), chose(Some(objectives("1"))));
    assert_eq!(view(&next.state, 0).seats[0].choice, Some(objectives("1")));
}

#[test]
fn an_answer_can_not_be_changed_once_sent() {
    let state = after(&draw(SHIPPING), "0 ship 1").state;
    assert!(matches!(refusal(&state, 0, "ship 2"), Illegal::NotYourTurn(why) if why.key == "toy_rush-refusal-chosen"));
}

#[test]
fn an_object_card_pays_for_one_objective_only() {
    let state = draw("step SHIP\nseat 0: stock 2, has pink,blue,train,box, hand 1,2\nseat 1: stock 2, hand 3");
    assert_eq!(moves(&state, 0), ["ship none", "ship 1", "ship 2"]);
    assert_eq!(refusal_key(&state, 0, "ship 1,2"), "unpaid");
}

#[test]
fn what_is_not_in_hand_or_not_paid_for_is_refused() {
    let state = draw(SHIPPING);
    for (notation, key) in [
        ("ship 8", "unpaid"),
        ("ship 1,1", "named-twice"),
        ("ship 3", "not-in-hand"),
        ("ship 12", "not-in-hand"),
        ("take pink", "ship-due"),
        ("keep 1", "ship-due"),
        ("place 1 x1", "ship-due"),
    ] {
        assert_eq!(refusal_key(&state, 0, notation), key, "{notation}");
    }
}

#[test]
fn objects_put_back_can_be_taken_again_from_the_next_round_on() {
    let all_trains = "train,train,train,train,train,train";
    let state = draw(&format!("step SHIP\nseat 0: stock 2, has pink,{all_trains}, hand 1,2\nseat 1: stock 2, hand 3"));
    let state = after(&state, "0 ship 1; 1 ship none").state;
    let state = after(&state, "0 place 1 x2; 1 place 6 x2").state;
    assert_eq!(line(&state, "Seat 1"), "points 0/17 · stock 2 reserve 10 · train · hand 3");
}

#[test]
fn what_one_ships_does_not_pay_for_the_other() {
    let state = draw("step SHIP\nseat 0: stock 2, has pink,train, hand 1\nseat 1: stock 2, has pink, hand 2");
    assert_eq!(moves(&after(&state, "0 ship 1").state, 1), ["ship none"]);
}

#[test]
fn a_preview_of_the_last_answer_stops_before_anything_is_unsealed() {
    let state = draw(SHIPPING);
    let preview = |state, seat, notation: &str| {
        let mv: Move = notation.parse().expect("a move");
        ToyRush::preview(state, Seat(seat), &mv, super::NOW).expect("a legal move")
    };
    assert!(preview(&state, 0, "ship 1").complete, "the other has yet to choose");
    let last = preview(&after(&state, "1 ship none").state, 0, "ship 1");
    assert!(!last.complete);
    assert_eq!((story(&last.events), last.state.phase), (vec!["0 chose 1".to_owned()], Phase::Ship));
}

#[test]
fn notation_is_read_in_any_order_and_written_in_one() {
    for (read, written) in [
        ("ship 12,7", "ship 7,12"),
        ("  keep   7 ", "keep 7"),
        ("ship none", "ship none"),
        ("take blue,pink,pink", "take pink,pink,blue"),
        ("take box", "take box"),
        ("take elf", "take elf"),
        ("place 5 x3", "place 5 x3"),
        ("ship 7,7", "ship 7,7"),
    ] {
        assert_eq!(read.parse::<Move>().map(|mv| mv.to_string()), Ok(written.to_owned()));
    }
    for nonsense in [
        "",
        "keep",
        "keep 0",
        "keep 19",
        "keep 3, 7",
        "keep 3,,7",
        "keep 3,none",
        "place 5",
        "place 0 x1",
        "place 10 x1",
        "place 5 x-1",
        "place 5 x+1",
        "place 5 3",
        "place 5 x256",
        "take",
        "take Pink",
        "take pink;blue",
        "take elf,elf",
        "ship",
        "Ship 7",
        "ship 7 12",
        "pass",
    ] {
        assert!(nonsense.parse::<Move>().is_err(), "{nonsense:?}");
    }
}

#[test]
fn a_move_in_json_says_what_its_notation_says() {
    for (notation, json) in [
        ("keep 3,7", json!({"type": "KEEP", "objectives": ["3", "7"]})),
        ("place 5 x3", json!({"type": "PLACE", "space": 5, "elves": 3})),
        ("take pink,pink,blue", json!({"type": "TAKE", "objects": ["PINK", "PINK", "BLUE"]})),
        ("take elf", json!({"type": "TAKE_ELF"})),
        ("ship none", json!({"type": "SHIP", "objectives": []})),
    ] {
        let mv: Move = notation.parse().expect("a move");
        assert_eq!(serde_json::to_value(&mv).expect("plain data"), json);
        assert_eq!(serde_json::from_value::<Move>(json).expect("a move"), mv);
    }
    for wrong in [
        json!({"type": "TAKE_ELF", "elves": 1}),
        json!({"type": "PLACE", "space": 10, "elves": 1}),
        json!({"type": "PLACE", "space": 5, "elves": 256}),
        json!({"type": "PLACE", "space": 5}),
        json!({"type": "KEEP", "objectives": [7]}),
        json!({"type": "SHIP", "objectives": vec!["7"; 19]}),
        json!({"type": "TAKE", "objects": vec!["PINK"; 300]}),
    ] {
        assert!(serde_json::from_value::<Move>(wrong.clone()).is_err(), "{wrong}");
    }
}
