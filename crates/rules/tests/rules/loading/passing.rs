//! Getting rid of the packet: GIVE it to the hand held out, or STOP.

use super::{after, draw, lays, line, moves, refusal, story, view, waiting};
use ludotheque_rules::{
    Seat,
    loading::{PacketId, State},
};

/// Four players; seat 3's hand is held out.
fn table() -> State {
    draw(
        "P1 at 0: 5 21
         P2 at 1: 9 61
         P3 at 2: ...
         seat 0: pile 4
         seat 1: pile 20
         seat 2: pile
         seat 3: pile 8",
    )
}

#[test]
fn give_hands_the_packet_to_the_held_out_hand_and_the_givers_hand_is_now_held_out() {
    let next = after(&table(), "1 give P2");
    assert_eq!(story(&next.events), ["1 gave P2 to 3"]);
    let seen = view(&next.state, 3);
    assert_eq!((seen.held_out, seen.seats[3].packet.map(PacketId::id)), (Some(Seat(1)), Some("P2")));
    assert_eq!(waiting(&next.state), [0, 2, 3]);
}

#[test]
fn a_player_never_holds_two_packets_and_exactly_one_player_still_in_has_none() {
    // `after` checks what always holds after every move.
    let state = after(&table(), "0 give; 1 give; 2 give; 3 give; 0 give").state;
    assert_eq!(view(&state, 0).held_out, Some(Seat(0)));
    assert_eq!(refusal(&state, 0, "give"), "not your turn: no-packet");
}

#[test]
fn a_player_who_stops_takes_a_named_stop_card_and_the_packet_is_out_of_the_game_for_good() {
    let next = after(&table(), "0 stop 4+ with P1");
    assert_eq!(story(&next.events), ["0 stopped P1 with 4+", "P1 out"]);
    assert_eq!(line(&next.state, "P1"), "out: 5 21");
    assert_eq!(line(&next.state, "Seat 0"), "pile 4 · boosts 1 · STOP 4+");
    assert_eq!(view(&next.state, 0).stops.iter().map(|stop| stop.id.id()).collect::<Vec<_>>(), ["2+", "3+"]);
}

#[test]
fn any_stop_card_in_the_centre_may_be_named() {
    let stops: Vec<_> = moves(&table(), 0).into_iter().filter(|mv| mv.starts_with("stop")).collect();
    assert_eq!(stops, ["stop 2+ with P1", "stop 3+ with P1", "stop 4+ with P1"]);
    assert_eq!(refusal(&table(), 0, "stop 5+"), "stop-gone");
}

#[test]
fn stop_needs_at_least_one_card_in_the_own_pile() {
    assert!(!moves(&table(), 2).iter().any(|mv| mv.starts_with("stop")));
    assert_eq!(refusal(&table(), 2, "stop 2+"), "stop-without-pile");
}

#[test]
fn a_player_who_has_stopped_lays_nothing_and_holds_out_no_hand() {
    let state = after(&table(), "0 stop 2+; 1 give").state;
    assert_eq!(view(&state, 0).held_out, Some(Seat(1)));
    assert_eq!(moves(&state, 0), [] as [&str; 0]);
    for mv in ["lay 5 on 0", "give", "stop 3+", "charge"] {
        assert_eq!(refusal(&state, 0, mv), "not your turn: done");
    }
}

#[test]
fn neither_pile_nor_boost_cards_of_a_player_who_stopped_can_be_touched() {
    let open = after(&table(), "0 give; 3 give; 0 stop 2+");
    assert_eq!(lays(&table(), 0), ["5 on 0", "21 on 0", "21 on 1"]);
    let state = after(&table(), "1 stop 2+").state;
    assert_eq!(lays(&state, 0), ["5 on 0", "21 on 0"]);
    assert_eq!(refusal(&state, 0, "lay 21 on 1"), "pile-closed");
    assert_eq!(open.state.areas[0].boosts, 1);
}

#[test]
fn the_game_goes_on_for_the_others() {
    let state = after(&table(), "0 stop 2+").state;
    assert_eq!(waiting(&state), [1, 2]);
    assert_eq!(story(&after(&state, "2 give").events), ["2 gave P3 to 3"]);
}

#[test]
fn a_player_who_has_laid_may_still_give_or_stop() {
    let state = after(&table(), "0 lay 5 on 0").state;
    assert_eq!(moves(&state, 0), ["give P1", "stop 2+ with P1", "stop 3+ with P1", "stop 4+ with P1"]);
}

#[test]
fn there_is_no_swap_with_three_or_more() {
    assert_eq!(refusal(&table(), 0, "swap"), "give-here");
}
