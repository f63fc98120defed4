//! Two players: a packet in the centre, SWAP, and what the STOP card costs.

use super::{after, begin, draw, ending, line, moves, refusal, start, story, view, waiting};
use ludotheque_rules::{
    Rules,
    loading::{Loading, Options, PacketId, PacketPlace, State, Stop},
};
use std::collections::BTreeSet;

fn table(options: &str) -> State {
    draw(&format!(
        "options {options}
         P1 at 0: 6 21 22
         P2 at 1: 9 61
         P3 centre: 23 ...
         seat 0: pile 4 19
         seat 1: pile 20"
    ))
}

#[test]
fn ten_random_cards_are_set_aside_unseen() {
    let state = start(2);
    assert_eq!(state.aside.len(), 10);
    let seen = view(&state, 0);
    assert_eq!((seen.aside_size, seen.aside), (10, None));
    let aside: BTreeSet<_> = (0..20).map(|n| begin(&Options::default(), 2, n).state.aside).collect();
    assert_eq!(aside.len(), 20);
}

#[test]
fn the_rest_is_cut_into_3_packets_one_each_and_the_last_one_in_the_centre() {
    let next = begin(&Options::default(), 2, 1);
    assert_eq!(story(&next.events), ["P1 to 0", "P2 to 1", "P3 to the centre", "10 aside"]);
    assert_eq!(next.state.packets.iter().map(|packet| packet.cards.len()).collect::<Vec<_>>(), [19, 18, 18]);
}

#[test]
fn the_stop_card_is_2_plus() {
    assert_eq!(start(2).stops, [Stop::Two]);
}

#[test]
fn either_player_calls_charge() {
    let state = start(2);
    assert_eq!(waiting(&state), [0, 1]);
    for seat in [0, 1] {
        assert_eq!(moves(&state, seat), ["charge"]);
        let next = after(&state, &format!("{seat} charge"));
        assert_eq!((waiting(&next.state), next.events.len()), (vec![0, 1], 3));
    }
    assert_eq!(refusal(&after(&state, "0 charge").state, 1, "charge"), "charged");
}

#[test]
fn nobody_sees_the_packet_in_the_centre() {
    let state = after(&start(2), "0 charge").state;
    for seat in [0, 1] {
        let seen = view(&state, seat).packets;
        assert_eq!((seen[2].place, seen[2].cards.is_none()), (PacketPlace::Centre, true));
        assert_eq!(seen.iter().filter(|packet| packet.cards.is_some()).count(), 1);
    }
}

#[test]
fn swap_puts_the_packet_down_and_takes_the_other_one_that_was_lying_there() {
    let next = after(&table("passes 5"), "0 swap P1");
    assert_eq!(story(&next.events), ["0 swapped P1 for P3"]);
    assert_eq!(line(&next.state, "P1"), "centre: 6 21 22");
    assert_eq!(view(&next.state, 0).seats[0].packet.map(PacketId::id), Some("P3"));
    assert!(view(&next.state, 0).packets[2].cards.is_some());
    assert_eq!(waiting(&next.state), [0, 1]);
}

#[test]
fn there_is_no_give_between_two() {
    assert_eq!(refusal(&table("passes 5"), 0, "give"), "swap-here");
    assert!(!moves(&table("passes 5"), 0).iter().any(|mv| mv.starts_with("give")));
}

#[test]
fn after_a_swap_another_card_may_be_laid() {
    let state = after(&table("passes 5"), "0 lay 21 on 1; 0 swap; 0 lay 23 on 0").state;
    assert_eq!(line(&state, "Seat 0"), "pile 4 19 23 · boosts 2 · laid");
}

#[test]
fn as_it_was_the_only_stop_card_this_ends_the_game() {
    assert_eq!(ending(&after(&table("passes 5"), "0 stop 2+").state).split(':').next(), Some("LAST_STOP"));
}

#[test]
fn under_shout_the_stop_arms_the_end_and_the_other_one_plays_on() {
    let next = after(&table("shout"), "0 stop 2+");
    assert_eq!(story(&next.events), ["0 stopped P1 with 2+", "P1 out", "armed by LAST_STOP"]);
    assert_eq!(waiting(&next.state), [1]);
    let state = after(&next.state, "1 swap; 1 lay 54 on 1").state;
    assert_eq!(ending(&state), "goes on");
    assert_eq!(ending(&after(&state, "0 stop-call").state).split(':').next(), Some("CALLED"));
}

/// Seat 0 is about to take the STOP card with those cards in the pile.
fn stops_with(pile: &str) -> State {
    let state = draw(&format!("P1 at 0: 64 65\nP2 at 1: 63\nP3 centre: ...\nseat 0: pile {pile}\nseat 1: pile 20"));
    let next = after(&state, "0 stop 2+").state;
    Loading::invariants(&next).expect("a table");
    next
}

#[test]
fn with_9_cards_or_fewer_the_stop_costs_one_of_those_worth_the_most_bars_the_lowest_number_of_equals() {
    // 8 and 19 have 3 bars, the others fewer.
    let state = stops_with("1 2 3 4 5 8 19 23 24");
    assert_eq!(line(&state, "Seat 0"), "pile 1 2 3 4 5 19 23 24 · boosts 1 · STOP 2+");
    assert_eq!(line(&state, "Seat 1"), "pile 20 8 · boosts 1");
}

#[test]
fn with_10_cards_the_stop_costs_nothing() {
    let state = stops_with("1 2 3 4 5 8 19 23 24 25");
    assert_eq!(line(&state, "Seat 1"), "pile 20 · boosts 1");
}

#[test]
fn the_card_given_counts_as_the_opponents_before_the_count() {
    // Seat 0: 3 stays behind with 1 bar, BOOST 3, STOP 1. Seat 1: 20 with 1, 33 with 4, BOOST 3.
    assert_eq!(ending(&stops_with("3 33")), "LAST_STOP: 1. seat 1 with 8, 2. seat 0 with 5");
}

#[test]
fn the_card_given_counts_for_the_tie_break_too() {
    // Seat 0: 1, 3 and 5 with 1 bar each stay behind, with BOOST and STOP 7. Seat 1: 20, 22 and 23 with 1 bar each and
    // the card given with 1 bar, BOOST 3: 7 as well, with four cards against three.
    let state = draw("P1 at 0: 64 65\nP2 at 1: 63\nP3 centre: ...\nseat 0: pile 1 3 5 6\nseat 1: pile 20 22 23");
    let next = after(&state, "0 stop 2+");
    assert_eq!(story(&next.events).last().expect("an event"), "1 from 0 to 1");
    assert_eq!(ending(&next.state), "LAST_STOP: 1. seat 1 with 7, 2. seat 0 with 7");
}

#[test]
fn a_player_who_did_not_take_the_stop_card_gives_nothing() {
    let state = draw("P1 at 0: 62\nP2 at 1: 63\nP3 centre: ...\nseat 0: pile 1\nseat 1: pile 20");
    let next = after(&state, "0 lay 62 on 0");
    assert_eq!(ending(&next.state).split(':').next(), Some("EMPTY"));
    assert_eq!(line(&next.state, "Seat 0"), "pile 1 62 · boosts 1 · laid");
}
