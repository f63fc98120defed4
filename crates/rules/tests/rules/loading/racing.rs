//! Races: a move is judged on the state it meets, never refused merely because another player moved first.

use super::{after, draw, moves, refusal, story, view, waiting};
use ludotheque_rules::{
    Rules, Seat,
    loading::{Loading, PacketId, State},
};

/// Four players; seat 3's hand is held out.
fn table() -> State {
    draw(
        "P1 at 0: 5 21
         P2 at 1: 9 22 61
         P3 at 2: ...
         seat 0: pile 4
         seat 1: pile 20
         seat 2: pile 1
         seat 3: pile 8",
    )
}

#[test]
fn two_who_give_to_the_same_hand_both_succeed_if_another_hand_is_held_out_by_then() {
    let next = after(&table(), "0 give P1; 1 give P2");
    assert_eq!(story(&next.events), ["0 gave P1 to 3", "1 gave P2 to 0"]);
    let next = after(&table(), "1 give P2; 0 give P1");
    assert_eq!(story(&next.events), ["1 gave P2 to 3", "0 gave P1 to 1"]);
}

#[test]
fn a_stop_card_that_is_gone_is_refused_and_the_packet_stays_in_hand() {
    let state = after(&table(), "1 stop 3+").state;
    assert_eq!(refusal(&state, 0, "stop 3+ with P1"), "stop-gone");
    assert_eq!(view(&state, 0).seats[0].packet.map(PacketId::id), Some("P1"));
    assert!(moves(&state, 0).contains(&"stop 2+ with P1".to_owned()));
}

#[test]
fn a_late_or_repeated_message_never_gives_away_a_packet_unseen() {
    let state = after(&table(), "0 give P1; 1 give P2").state;
    for late in ["give P1", "stop 2+ with P1"] {
        assert_eq!(refusal(&state, 0, late), "other-packet");
    }
    let two = draw("P1 at 0: 6 21\nP2 at 1: 9 61\nP3 centre: ...\nseat 0: pile 4\nseat 1: pile 20");
    assert_eq!(refusal(&after(&two, "0 swap P1").state, 0, "swap P1"), "other-packet");
}

#[test]
fn without_a_packet_named_whatever_is_in_hand_is_meant() {
    let state = after(&table(), "0 give P1; 1 give P2").state;
    assert_eq!(story(&after(&state, "0 give").events), ["0 gave P2 to 1"]);
    assert_eq!(story(&after(&state, "0 stop 2+").events)[0], "0 stopped P2 with 2+");
}

#[test]
fn listed_give_swap_and_stop_moves_carry_the_packet() {
    let passing = |state: &State, seat| -> Vec<_> {
        let passing = ["give", "swap", "stop"];
        moves(state, seat).into_iter().filter(|mv| passing.iter().any(|verb| mv.starts_with(verb))).collect()
    };
    let due = ["give P1", "stop 2+ with P1", "stop 3+ with P1", "stop 4+ with P1"];
    assert_eq!(passing(&table(), 0), due);
    let two = draw("P1 at 0: 6 21\nP2 at 1: 9 61\nP3 centre: ...\nseat 0: pile 4\nseat 1: pile 20");
    assert_eq!(passing(&two, 1), ["swap P2", "stop 2+ with P2"]);
}

#[test]
fn a_lay_is_refused_if_the_piles_top_changed_so_that_the_card_no_longer_fits() {
    assert!(moves(&table(), 0).contains(&"lay 21 on 1".to_owned()));
    let state = after(&table(), "1 lay 22 on 1").state;
    assert_eq!(refusal(&state, 0, "lay 21 on 1"), "not-next");
    assert!(moves(&state, 0).contains(&"lay 21 on 0".to_owned()), "the packet is still in hand");
}

#[test]
fn a_lay_stands_if_the_pile_changed_and_the_card_still_fits() {
    let state = after(&table(), "0 lay 21 on 1").state;
    assert_eq!(story(&after(&state, "1 lay 22 on 1").events), ["1 laid 22 of P2 on 1"]);
}

#[test]
fn all_holders_are_awaited_at_once() {
    assert_eq!(waiting(&table()), [0, 1, 2]);
}

#[test]
fn the_event_tells_who_got_what() {
    let next = after(&table(), "1 give P2");
    let told = |seat| {
        let told = Loading::tell(&next.events[0], ludotheque_rules::Eyes::Seat(Seat(seat)));
        serde_json::to_value(told.expect("everybody hears of it")).expect("plain")
    };
    let open = serde_json::json!({"type": "GAVE", "from": 1, "to": 3, "packet": "P2", "size": 3, "cards": null});
    assert_eq!(told(0), open);
    assert_eq!(told(1), open, "the giver has seen them, and is not told again");
    assert_eq!(told(3)["cards"], serde_json::json!(["9", "22", "61"]));
}

#[test]
fn a_move_has_one_notation() {
    use ludotheque_rules::loading::Move;
    for wrong in
        ["lay 05 on 0", "lay 5 on 00", "lay 5 0", "give 1", "give P7", "stop 7+", "stop", "nudge +1", "charge 1"]
    {
        assert!(wrong.parse::<Move>().is_err(), "{wrong}");
    }
    for right in [
        "charge",
        "lay 65 on 6",
        "give",
        "give P6",
        "swap",
        "swap P1",
        "stop 6+",
        "stop 2+ with P1",
        "stop-call",
        "nudge 3",
    ] {
        assert_eq!(right.parse::<Move>().expect("a move").to_string(), right);
    }
}
