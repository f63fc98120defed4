//! Resigning: a packet leaves the game with the player.

use super::{after, draw, ending, lays, line, moves, refusal, resign, start, story, view, waiting};
use ludotheque_rules::capabilities::Resigning;
use ludotheque_rules::{
    Seat,
    loading::{Loading, State},
};

/// Four players; seat 3's hand is held out; P2 and P3 are the smallest packets, of three cards each.
fn table() -> State {
    draw(
        "P1 at 0: ...
         P2 at 1: 21 22 23
         P3 at 2: 9 10 11
         seat 0: pile 4
         seat 1: pile 20
         seat 2: pile 8
         seat 3: pile 30",
    )
}

#[test]
fn the_packet_held_leaves_the_game() {
    let next = resign(&table(), &[0]);
    assert_eq!(story(&next.events), ["P1 out"]);
    assert_eq!((waiting(&next.state), view(&next.state, 1).held_out), (vec![1, 2], Some(Seat(3))));
}

#[test]
fn if_the_resigner_held_none_the_smallest_packet_leaves_and_its_holders_hand_is_held_out() {
    let next = resign(&table(), &[3]);
    assert_eq!(story(&next.events), ["P2 out", "1 holds out"], "of equals, the lowest seat's");
    assert_eq!((waiting(&next.state), view(&next.state, 1).held_out), (vec![0, 2], Some(Seat(1))));
}

#[test]
fn before_charge_the_new_hand_held_out_calls_it() {
    let next = resign(&start(4), &[0]);
    // P3 is shorter than the others.
    assert_eq!(story(&next.events), ["P3 out", "3 holds out"]);
    assert_eq!((waiting(&next.state), moves(&next.state, 3)), (vec![3], vec!["charge".to_owned()]));
}

#[test]
fn a_player_who_gave_up_acts_no_more_and_is_left_alone() {
    let state = resign(&table(), &[1]).state;
    assert_eq!(moves(&state, 1), [] as [&str; 0]);
    assert_eq!(refusal(&state, 1, "give"), "not your turn: resigned");
    let state = resign(&table(), &[2]).state;
    assert_eq!(refusal(&state, 0, "lay 9 on 2"), "not-in-packet");
    assert_eq!(refusal(&state, 1, "lay 21 on 2"), "pile-closed");
    assert_eq!(lays(&state, 1), ["21 on 1", "22 on 1", "23 on 1"]);
}

#[test]
fn those_who_are_done_take_no_packet_with_them() {
    let state = after(&table(), "1 stop 2+").state;
    let next = resign(&state, &[1]);
    assert_eq!((story(&next.events), waiting(&next.state)), (vec![], vec![0, 2]));
    assert_eq!(Loading::resigned(&next.state), [Seat(1)]);
}

#[test]
fn several_may_go_at_once_and_a_packet_goes_with_each() {
    let next = resign(&table(), &[1, 3]);
    assert_eq!(story(&next.events), ["P2 out", "P3 out", "2 holds out"]);
    assert_eq!(waiting(&next.state), [0]);
}

#[test]
fn with_one_left_the_game_is_over_and_that_one_wins() {
    // 8 with 3 bars and a BOOST card.
    let due = "RESIGNED: 1. seat 2 with 6, 2. seat 0 with 5, 2. seat 1 with 4, 2. seat 3 with 6";
    assert_eq!(ending(&resign(&table(), &[0, 1, 3]).state), due);
}

#[test]
fn when_no_packet_is_left_in_play_after_resignations_the_game_is_over() {
    for options in ["passes 5", "shout"] {
        let state = draw(&format!(
            "options {options}\nP1 out: ...\nP2 at 2: 41 42\nseat 0: pile 5, stop 2+\nseat 1: pile 6\nseat 2: pile 40"
        ));
        for gone in [1, 2] {
            assert!(ending(&resign(&state, &[gone]).state).starts_with("NO_MOVE: "));
        }
    }
}

#[test]
fn a_player_who_had_not_received_enough_no_longer_holds_up_an_idle_game() {
    let state = draw(
        "options passes 2
         P1 at 0: ...
         P2 at 1: 21 22
         P3 at 2: 9 10
         seat 0: pile 4, received 2
         seat 1: pile 20, received 3
         seat 2: pile 8
         seat 3: pile 30, received 2",
    );
    assert!(ending(&resign(&state, &[2]).state).starts_with("IDLE: "));
}

#[test]
fn between_two_a_player_who_gives_up_loses_whatever_the_bars() {
    let state = draw("P1 at 0: 6 21\nP2 at 1: 9 61\nP3 centre: ...\nseat 0: pile 33\nseat 1: pile 20");
    assert_eq!(ending(&resign(&state, &[0]).state), "RESIGNED: 1. seat 1 with 4, 2. seat 0 with 7");
    assert!(line(&resign(&state, &[0]).state, "P3").starts_with("out:"));
}

#[test]
fn resigned_seats_rank_last_whatever_their_bars() {
    let state = resign(&table(), &[2]).state;
    // Seat 2 had 3 bars and a BOOST card, more than anybody.
    let state = after(&state, "0 stop 2+; 1 stop 3+").state;
    assert!(ending(&state).ends_with("4. seat 2 with 6"), "{}", ending(&state));
}
