//! Before play: what is dealt, who holds a hand out, and CHARGE.

use super::{after, begin, moves, refusal, start, story, view, waiting};
use crate::kit::table::seed;
use ludotheque_rules::{
    Dice, Eyes, Rules, Seat,
    any::{Adapter, AnyRules},
    loading::{Loading, Options, Phase, State, Stop},
};
use serde_json::json;
use std::collections::BTreeSet;

fn sizes(state: &State) -> Vec<usize> {
    state.packets.iter().map(|packet| packet.cards.len()).collect()
}

#[test]
fn each_player_has_one_boost_card() {
    for seats in 2..=7 {
        assert!(start(seats).areas.iter().all(|area| area.boosts == 1));
    }
}

#[test]
fn the_stop_cards_marked_at_most_the_number_of_players_lie_in_the_centre() {
    for (seats, marks) in [(2, 2..=2), (3, 2..=3), (4, 2..=4), (5, 2..=5), (6, 2..=6)] {
        assert!(start(seats).stops.into_iter().map(Stop::mark).eq(marks));
    }
}

#[test]
fn with_7_players_all_five_stop_cards_lie_in_the_centre() {
    assert_eq!(start(7).stops, Stop::ALL);
}

#[test]
fn the_65_cards_are_cut_into_as_many_packets_as_players_minus_one_sizes_differing_by_at_most_one() {
    let due = [(3, vec![33, 32]), (4, vec![22, 22, 21]), (5, vec![17, 16, 16, 16]), (6, vec![13; 5])];
    for (seats, due) in due.into_iter().chain([(7, vec![11, 11, 11, 11, 11, 10])]) {
        assert_eq!(sizes(&start(seats)), due);
    }
}

#[test]
fn the_cards_are_shuffled() {
    let dealt: BTreeSet<_> = (0..20).map(|n| begin(&Options::default(), 4, n).state.packets[0].cards.clone()).collect();
    assert_eq!(dealt.len(), 20);
}

#[test]
fn the_longer_packets_go_to_the_earlier_seats_past_the_hand_held_out() {
    let options = Options { held_out_seat: Some(Seat(1)), ..Options::default() };
    let next = begin(&options, 4, 1);
    assert_eq!(story(&next.events), ["P1 to 0", "P2 to 2", "P3 to 3"]);
    assert_eq!(sizes(&next.state), [22, 22, 21]);
}

#[test]
fn the_one_without_a_packet_is_drawn_by_lot_unless_named() {
    let held_out = |options: &Options, n| view(&begin(options, 5, n).state, 0).held_out;
    let by_lot: BTreeSet<_> = (0..60).map(|n| held_out(&Options::default(), n)).collect();
    assert_eq!(by_lot.len(), 5);
    let named = Options { held_out_seat: Some(Seat(3)), ..Options::default() };
    assert!((0..10).all(|n| held_out(&named, n) == Some(Seat(3))));
}

#[test]
fn packets_are_closed_nobody_sees_their_cards() {
    let next = begin(&Options::default(), 4, 1);
    for eyes in Seat::all(4).map(Eyes::Seat).chain([Eyes::Spectator]) {
        assert!(Loading::view(&next.state, eyes).packets.iter().all(|packet| packet.cards.is_none()));
        let told = serde_json::to_value(next.events.iter().map(|event| Loading::tell(event, eyes)).collect::<Vec<_>>());
        assert!(told.expect("plain").as_array().expect("a list").iter().all(|event| event["cards"].is_null()));
    }
    assert_eq!(moves(&start(4), 1), [] as [&str; 0], "a closed packet is not played from");
    assert_eq!(refusal(&start(4), 1, "give"), "not your turn: closed");
}

#[test]
fn the_player_with_the_hand_held_out_calls_charge_and_nobody_else_does() {
    let state = start(4);
    assert_eq!((waiting(&state), moves(&state, 0)), (vec![0], vec!["charge".to_owned()]));
    assert_eq!(refusal(&state, 1, "charge"), "not your turn: not-yours-to-charge");
    assert_eq!(refusal(&state, 0, "give"), "charge-first");
}

#[test]
fn after_charge_every_holder_sees_the_packet_in_hand_and_play_begins() {
    let next = after(&start(4), "0 charge");
    assert_eq!((waiting(&next.state), next.state.phase), (vec![1, 2, 3], Phase::Play));
    assert_eq!(story(&next.events), ["0 charged", "1 opened P1", "2 opened P2", "3 opened P3"]);
    for seat in 1..4 {
        let seen = view(&next.state, seat).packets;
        let own = seen.iter().find(|packet| packet.cards.is_some()).expect("the own packet");
        assert_eq!((own.holder, own.cards.as_ref().map(Vec::len)), (Some(Seat(seat)), Some(own.size.into())));
    }
    assert_eq!(refusal(&next.state, 1, "charge"), "charged");
}

#[test]
fn options_that_make_no_sense_are_refused() {
    let rules = Adapter::<Loading>::new();
    for (options, seats) in [
        (json!({"heldOutSeat": 3}), 3),
        (json!({"heldOutSeat": 0}), 2),
        (json!({"idlePasses": 101}), 3),
        (json!({"idleSeconds": 86_401}), 3),
        (json!({"stopCall": "WHISPER"}), 3),
        (json!({"confirmed": 1}), 3),
    ] {
        assert!(rules.read_options(&options, seats).is_err(), "{options}");
    }
}

#[test]
fn left_out_options_are_the_ordinary_game() {
    let filled = Adapter::<Loading>::new().read_options(&json!({}), 3).expect("the default options");
    let due = json!({
        "heldOutSeat": null, "confirmed": false, "stopCall": "AUTOMATIC", "idlePasses": 5, "idleSeconds": 60,
    });
    assert_eq!(filled, due);
}

#[test]
fn nothing_but_the_set_up_throws_dice() {
    let mut dice = Dice::new(seed(1));
    let state = Loading::setup(&Options::default(), 3, super::NOW, &mut dice).state;
    let position = dice.position();
    let held_out = view(&state, 0).held_out.expect("three players");
    let mv = "charge".parse().expect("a move");
    Loading::play(&state, held_out, &mv, super::NOW, &mut dice).expect("a listed move");
    assert_eq!(dice.position(), position);
}
