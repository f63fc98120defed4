//! Nudging: a player who keeps the others waiting may be nudged.

use super::{NOW, after, after_at, draw, ending, line, moves_at, refusal_at, start, story, view, waiting};
use ludotheque_rules::capabilities::Resigning;
use ludotheque_rules::{
    Instant, Rules, Seat,
    loading::{Loading, Options, PacketId, State},
};

/// Four players who last did something at `NOW`; seat 3's hand is held out.
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

fn later(seconds: i64) -> Instant {
    Instant(NOW.0 + seconds * 1000)
}

#[test]
fn a_holder_who_has_not_acted_for_idle_seconds_may_be_nudged_by_any_other_player_still_in() {
    for by in [0, 2, 3] {
        assert_eq!(refusal_at(&table(), by, "nudge 1", later(59)), "nudge-early");
        assert!(moves_at(&table(), by, later(60)).contains(&"nudge 1".to_owned()));
        assert!(!moves_at(&table(), by, Instant(later(60).0 - 1)).contains(&"nudge 1".to_owned()));
    }
    assert_eq!(refusal_at(&table(), 1, "nudge 1", later(60)), "nudge-oneself");
    let state = after(&table(), "0 stop 2+").state;
    assert_eq!(refusal_at(&state, 0, "nudge 1", later(60)), "not your turn: done");
}

#[test]
fn the_packet_is_then_given_on_to_the_held_out_hand_without_laying() {
    let next = after_at(&table(), "0 nudge 1", later(60));
    assert_eq!(story(&next.events), ["0 nudged 1", "1 gave P2 to 3"]);
    assert_eq!(line(&next.state, "Seat 1"), "pile 20 · boosts 1 · nudged 1");
    assert_eq!(waiting(&next.state), [0, 2, 3]);
}

#[test]
fn the_nudger_gets_the_packet_if_it_is_the_nudgers_hand_that_is_held_out() {
    let next = after_at(&table(), "3 nudge 1", later(60));
    assert_eq!(view(&next.state, 3).seats[3].packet.map(PacketId::id), Some("P2"));
}

#[test]
fn two_players_packets_are_swapped() {
    let state = draw("P1 at 0: 6 21\nP2 at 1: 9 61\nP3 centre: ...\nseat 0: pile 4\nseat 1: pile 20");
    let next = after_at(&state, "0 nudge 1", later(60));
    assert_eq!(story(&next.events), ["0 nudged 1", "1 swapped P2 for P3"]);
}

#[test]
fn the_time_is_counted_from_charge() {
    let state = after_at(&start(4), "0 charge", later(1000)).state;
    assert_eq!(view(&state, 0).seats[1].nudge_from, Some(later(1060)));
}

#[test]
fn the_time_is_counted_from_receiving_the_packet() {
    let state = after_at(&table(), "1 give", later(7)).state;
    assert_eq!(view(&state, 0).seats[3].nudge_from, Some(later(67)));
    assert_eq!(view(&state, 0).seats[1].nudge_from, None, "a hand held out keeps nobody waiting");
    assert_eq!(refusal_at(&state, 0, "nudge 1", later(500)), "nudge-nobody");
}

#[test]
fn the_time_is_counted_from_the_holders_last_lay() {
    let state = after_at(&table(), "1 lay 21 on 1", later(9)).state;
    assert_eq!(view(&state, 0).seats[1].nudge_from, Some(later(69)));
    assert_eq!(view(&state, 0).seats[2].nudge_from, Some(later(60)), "only the holder's own counts");
}

#[test]
fn a_charge_that_does_not_come_can_be_nudged_and_is_then_called_in_that_players_place() {
    let state = start(4);
    assert_eq!(view(&state, 1).seats[0].nudge_from, Some(later(60)));
    assert_eq!(refusal_at(&state, 1, "nudge 0", later(59)), "nudge-early");
    assert_eq!(moves_at(&state, 1, later(60)), ["nudge 0"]);
    let next = after_at(&state, "1 nudge 0", later(60));
    assert_eq!(story(&next.events)[..2], ["1 nudged 0", "0 charged"]);
    assert_eq!(waiting(&next.state), [1, 2, 3]);
}

#[test]
fn either_of_two_may_call_charge_so_nobody_is_nudged_for_it() {
    assert_eq!(view(&start(2), 0).seats[1].nudge_from, None);
    assert_eq!(moves_at(&start(2), 0, later(600)), ["charge"]);
}

#[test]
fn before_charge_a_new_hand_held_out_has_its_own_time() {
    let state = Loading::resign(&start(4), &[Seat(0)], later(50), &mut super::Dice::new(super::seed(7))).state;
    assert_eq!(view(&state, 1).seats[3].nudge_from, Some(later(110)));
}

#[test]
fn a_third_nudge_in_a_row_resigns_the_seat_and_its_packet_leaves_the_game() {
    // Seat 1 is nudged, gets another packet, is nudged, gets another, is nudged.
    let state = after_at(&table(), "0 nudge 1; 0 give", later(60)).state;
    let state = after_at(&state, "2 nudge 1; 2 give", later(120)).state;
    let next = after_at(&state, "3 nudge 1", later(180));
    assert_eq!(story(&next.events), ["3 nudged 1", "P3 out"]);
    assert_eq!((Loading::resigned(&next.state), waiting(&next.state)), (vec![Seat(1)], vec![0, 3]));
}

#[test]
fn a_player_who_does_anything_in_between_is_no_longer_nudged_in_a_row() {
    let state = after_at(&table(), "0 nudge 1; 0 give", later(60)).state;
    let state = after_at(&state, "2 nudge 1; 2 give; 1 give", later(120)).state;
    assert_eq!(view(&state, 0).seats[1].nudges, 0);
}

#[test]
fn between_two_the_third_nudge_ends_the_game() {
    let state = draw("P1 at 0: 6 21\nP2 at 1: 9 61\nP3 centre: ...\nseat 0: pile 4\nseat 1: pile 20, nudged 2");
    assert!(ending(&after_at(&state, "0 nudge 1", later(60)).state).starts_with("RESIGNED: 1. seat 0"));
}

#[test]
fn a_nudged_packet_counts_as_received_by_its_new_holder() {
    let state = after_at(&table(), "0 nudge 1", later(60)).state;
    assert_eq!(state.areas.iter().map(|area| area.received).collect::<Vec<_>>(), [0, 0, 0, 1]);
}

#[test]
fn how_long_is_too_long_can_be_agreed_on_and_0_is_off() {
    let begin = |idle_seconds| {
        let options = Options { idle_seconds, held_out_seat: Some(Seat(0)), ..Options::default() };
        super::begin(&options, 3, 1).state
    };
    assert_eq!(view(&begin(5), 1).seats[0].nudge_from, Some(later(5)));
    assert_eq!(view(&begin(0), 1).seats[0].nudge_from, None);
    assert_eq!(refusal_at(&begin(0), 1, "nudge 0", later(100_000)), "nudge-off");
    assert_eq!(moves_at(&begin(0), 1, later(100_000)), [] as [&str; 0]);
}

#[test]
fn the_right_to_nudge_makes_nobody_awaited() {
    assert_eq!(waiting(&table()), [0, 1, 2]);
    assert_eq!(moves_at(&table(), 3, later(60)), ["nudge 0", "nudge 1", "nudge 2"]);
}

#[test]
fn an_empty_packet_can_be_nudged_on_while_the_end_is_armed() {
    let state = draw("options shout\nP1 at 0: 5\nP2 at 1: ...\nseat 0: pile 4\nseat 1: pile\nseat 2: pile");
    let state = after(&state, "0 lay 5 on 0").state;
    assert_eq!(story(&after_at(&state, "1 nudge 0", later(60)).events), ["1 nudged 0", "0 gave P1 to 2"]);
}

#[test]
fn a_view_does_not_depend_on_the_time_but_carries_it() {
    let state = table();
    assert_eq!(view(&state, 0), view(&state, 0));
    assert_ne!(moves_at(&state, 0, later(0)), moves_at(&state, 0, later(60)));
}
