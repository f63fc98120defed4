//! A holder searches, then lays at most one card: on the own pile a higher one, on an opponent's exactly the next.

use super::{after, draw, lays, line, refusal, resign, story, view};
use ludotheque_rules::{Seat, loading::State};

/// Seat 0 holds 6, 9, 21 and 36; seat 2's hand is held out.
fn table() -> State {
    draw(
        "P1 at 0: 6 9 21 36
         P2 at 1: ...
         seat 0: pile 4 8
         seat 1: pile 20
         seat 2: pile 35",
    )
}

#[test]
fn the_holder_sees_every_card_in_the_packet_and_nobody_else_does() {
    let state = table();
    let cards =
        |seat| view(&state, seat).packets[0].cards.as_ref().map(|cards| cards.iter().map(|c| c.id.number()).collect());
    assert_eq!(cards(0), Some(vec![6, 9, 21, 36]));
    assert_eq!((cards(1), cards(2)), (None, None));
}

#[test]
fn any_card_goes_on_the_own_pile_if_it_is_empty() {
    let state = draw("P1 at 0: 6 9\nP2 at 1: ...\nseat 0: pile\nseat 1: pile 20\nseat 2: pile 35");
    assert_eq!(lays(&state, 0), ["6 on 0", "9 on 0"]);
}

#[test]
fn a_card_must_beat_the_top_of_the_own_pile_gaps_allowed() {
    assert_eq!(lays(&table(), 0), ["9 on 0", "21 on 0", "21 on 1", "36 on 0", "36 on 2"]);
    assert_eq!(refusal(&table(), 0, "lay 6 on 0"), "too-low");
    assert_eq!(line(&after(&table(), "0 lay 36 on 0").state, "Seat 0"), "pile 4 8 36 · boosts 1 · laid");
}

#[test]
fn on_an_opponents_pile_goes_exactly_the_tops_number_plus_one() {
    assert_eq!(refusal(&table(), 0, "lay 36 on 1"), "not-next");
    assert_eq!(refusal(&table(), 0, "lay 9 on 1"), "not-next");
    assert_eq!(line(&after(&table(), "0 lay 21 on 1").state, "Seat 1"), "pile 20 21 · boosts 0");
}

#[test]
fn an_opponents_pile_must_have_at_least_one_card() {
    let state = draw("P1 at 0: 1 9\nP2 at 1: ...\nseat 0: pile\nseat 1: pile\nseat 2: pile 8");
    assert_eq!(lays(&state, 0), ["1 on 0", "9 on 0", "9 on 2"]);
    assert_eq!(refusal(&state, 0, "lay 1 on 1"), "pile-empty");
}

#[test]
fn nothing_is_laid_on_a_pile_that_is_stopped() {
    let state = draw(
        "P1 at 0: 21 36
         P2 out: ...
         P3 at 3: 50
         seat 0: pile 4
         seat 1: pile 20, stop 2+
         seat 2: pile 35
         seat 3: pile 40",
    );
    assert_eq!(lays(&state, 0), ["21 on 0", "36 on 0", "36 on 2"]);
    assert_eq!(refusal(&state, 0, "lay 21 on 1"), "pile-closed");
}

#[test]
fn a_card_on_an_opponents_pile_stays_there_and_scores_for_that_opponent() {
    let next = after(&table(), "0 lay 21 on 1");
    // 20 has 1 bar and 21 has 2; the BOOST card with its 3 bars is gone.
    assert_eq!(view(&table(), 0).seats[1].bars, 1 + 3);
    assert_eq!(view(&next.state, 0).seats[1].bars, 1 + 2);
}

#[test]
fn the_layer_takes_one_boost_card_from_that_opponent() {
    let next = after(&table(), "0 lay 21 on 1");
    assert_eq!(story(&next.events), ["0 laid 21 of P1 on 1", "boost from 1 to 0"]);
    assert_eq!(next.state.areas.iter().map(|area| area.boosts).collect::<Vec<_>>(), [2, 0, 1]);
}

#[test]
fn no_boost_card_is_taken_if_none_is_left() {
    let state =
        draw("P1 at 0: 21 65\nP2 at 1: ...\nseat 0: pile 4, boosts 2\nseat 1: pile 20, boosts 0\nseat 2: pile 35");
    let next = after(&state, "0 lay 21 on 1");
    assert_eq!(story(&next.events), ["0 laid 21 of P1 on 1"]);
    assert_eq!(next.state.areas.iter().map(|area| area.boosts).collect::<Vec<_>>(), [2, 0, 1]);
}

#[test]
fn no_boost_card_moves_for_a_card_on_the_own_pile() {
    assert_eq!(story(&after(&table(), "0 lay 9 on 0").events), ["0 laid 9 of P1 on 0"]);
}

#[test]
fn at_most_one_card_is_laid_from_a_packet_while_it_is_held() {
    let state = after(&table(), "0 lay 9 on 0").state;
    assert_eq!(lays(&state, 0), [] as [&str; 0]);
    assert_eq!(refusal(&state, 0, "lay 36 on 0"), "laid");
}

#[test]
fn a_card_may_be_laid_from_the_next_packet_again() {
    let state = after(&table(), "0 lay 9 on 0; 0 give; 1 give; 2 give").state;
    assert_eq!(view(&state, 0).seats[0].packet, view(&table(), 1).seats[1].packet);
    assert!(!lays(&state, 0).is_empty());
}

#[test]
fn none_need_be_laid() {
    let next = after(&table(), "0 give");
    assert_eq!(story(&next.events), ["0 gave P1 to 2"]);
}

#[test]
fn a_card_that_is_not_in_the_packet_is_refused_alike_wherever_it_is() {
    for elsewhere in ["20", "4", "7", "8", "60"] {
        assert_eq!(refusal(&table(), 0, &format!("lay {elsewhere} on 0")), "not-in-packet");
    }
}

#[test]
fn a_player_who_holds_no_packet_lays_nothing() {
    assert_eq!(refusal(&table(), 2, "lay 36 on 2"), "not your turn: no-packet");
    assert_eq!(refusal(&table(), 0, "lay 9 on 3"), "no-such-pile");
}

#[test]
fn the_card_leaves_the_packet_for_good() {
    let state = after(&table(), "0 lay 9 on 0; 0 give").state;
    let packet = &view(&state, 2).packets[0];
    assert_eq!((packet.holder, packet.size), (Some(Seat(2)), 3));
    assert!(packet.cards.as_ref().expect("the holder looks").iter().all(|card| card.id.number() != 9));
}

#[test]
fn a_view_tells_of_a_card_laid_only_while_its_packet_is_held() {
    let laid = |state: &State| view(state, 0).seats[0].laid;
    let state = after(&table(), "0 lay 36 on 0").state;
    assert!(laid(&state));
    assert!(!laid(&after(&state, "0 give").state), "the packet is gone");
    assert!(!laid(&after(&state, "0 stop 2+").state), "and does not come back");
    assert!(!laid(&resign(&state, &[0]).state));
}
