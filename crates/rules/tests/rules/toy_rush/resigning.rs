//! Giving up: the other player wins, at any moment.

use super::{after, begin, draw, ending, moves, resign, start, view};
use ludotheque_rules::{
    Eyes, Rules, Seat,
    toy_rush::{Options, ToyRush},
};

#[test]
fn the_other_player_wins_whatever_the_points() {
    let state = draw("seat 0: stock 2, hand 1, completed 17,18\nseat 1: stock 2, hand 3");
    assert_eq!(ending(&resign(&state, 0).state), "RESIGNED: 1 with 0, 0 with 13");
    assert_eq!(ending(&resign(&state, 1).state), "RESIGNED: 0 with 13, 1 with 0");
}

#[test]
fn it_is_over_at_once_in_every_step() {
    let keeping = start();
    let sealed = after(&keeping, &format!("0 {}", moves(&keeping, 0)[0])).state;
    let placing = draw("seat 0: stock 1, hand 1\nseat 1: stock 0, hand 3");
    let drawing = after(&placing, "0 place 2 x1").state;
    let taking = after(&placing, "0 place 5 x1").state;
    let shipping = after(&taking, "0 take pink").state;
    let shipped = after(&shipping, "1 ship none").state;
    for state in [keeping, sealed, placing, drawing, taking, shipping, shipped] {
        for seat in [0, 1] {
            let next = resign(&state, seat).state;
            ToyRush::invariants(&next).expect("a table");
            assert!(ending(&next).starts_with(&format!("RESIGNED: {} ", 1 - seat)));
            assert!(moves(&next, 0).is_empty() && moves(&next, 1).is_empty());
        }
    }
}

#[test]
fn nothing_is_turned_up_when_somebody_gives_up() {
    let state = begin(&Options::default(), 4).state;
    let state = after(&state, &format!("1 {}", moves(&state, 1)[0])).state;
    let next = resign(&state, 0);
    assert!(next.events.is_empty());
    let seen = &view(&next.state, 0).seats[1];
    assert_eq!((&seen.hand_objectives, &seen.drawn, seen.choice), (&None, &None, None));
    assert!(view(&next.state, 0).seats[0].resigned);
    let open = &ToyRush::view(&next.state, Eyes::Replay).seats[1];
    assert!(open.choice.is_some() && ToyRush::view(&next.state, Eyes::Seat(Seat(1))).seats[1].choice == open.choice);
}
