//! Visibility: who sees what, and what can be deduced.

use super::{after, draw, start, view};
use crate::kit::table::seed;
use ludotheque_rules::{
    Dice, Eyes, Rules, Seat,
    loading::{Card, Loading, Packet, State, View},
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

/// The view without the cards in packets.
fn open(state: &State, eyes: Eyes) -> View {
    let mut view = Loading::view(state, eyes);
    view.packets.iter_mut().for_each(|packet| packet.cards = None);
    view.aside = None;
    view
}

#[test]
fn piles_boost_and_stop_cards_packet_sizes_and_who_holds_which_packet_are_open() {
    let state = after(&table(), "0 lay 21 on 1; 0 stop 3+; 1 give").state;
    let spectator = open(&state, Eyes::Spectator);
    for seat in Seat::all(4) {
        assert_eq!(open(&state, Eyes::Seat(seat)), spectator);
    }
    assert_eq!(
        spectator.packets.iter().map(|packet| (packet.holder, packet.size)).collect::<Vec<_>>()[..2],
        [(None, 1), (Some(Seat(3)), 3)]
    );
}

#[test]
fn a_packets_cards_are_seen_only_by_its_holder_only_while_held() {
    let seen_by = |state: &State, packet: usize| -> Vec<u8> {
        (0..4).filter(|seat| view(state, *seat).packets[packet].cards.is_some()).collect()
    };
    assert_eq!(seen_by(&table(), 1), [1]);
    let state = after(&table(), "1 give").state;
    assert_eq!(seen_by(&state, 1), [3]);
    assert!(Loading::view(&state, Eyes::Spectator).packets.iter().all(|packet| packet.cards.is_none()));
}

#[test]
fn packets_thrown_away_and_cards_set_aside_are_seen_only_in_the_replay() {
    let state = after(&table(), "0 stop 2+").state;
    assert!((0..4).all(|seat| view(&state, seat).packets[0].cards.is_none()));
    assert_eq!(Loading::view(&state, Eyes::Replay).packets[0].cards.as_ref().map(Vec::len), Some(2));
    let two = start(2);
    assert_eq!(Loading::view(&two, Eyes::Replay).aside.map(|cards| cards.len()), Some(10));
}

fn cards(packet: &Packet) -> &[Card] {
    &packet.cards
}

#[test]
fn a_player_who_once_looked_into_a_packet_knows_it_for_ever() {
    let state = after(&table(), "1 lay 22 on 1; 1 give; 3 lay 9 on 3").state;
    let mut dice = Dice::new(seed(1));
    let mut others_changed = false;
    for _ in 0..20 {
        let other = Loading::resample(&state, Eyes::Seat(Seat(1)), &mut dice);
        assert_eq!(cards(&other.packets[1]), cards(&state.packets[1]), "every card that left it was laid openly");
        others_changed |= cards(&other.packets[0]) != cards(&state.packets[0]);
    }
    assert!(others_changed);
}

#[test]
fn a_player_who_never_looked_into_a_packet_knows_its_size_only() {
    let state = after(&table(), "0 stop 2+").state;
    let mut dice = Dice::new(seed(1));
    let other = Loading::resample(&state, Eyes::Seat(Seat(3)), &mut dice);
    assert!(other.packets.iter().zip(&state.packets).all(|(one, two)| one.cards.len() == two.cards.len()));
    assert_ne!(cards(&other.packets[0]), cards(&state.packets[0]), "a packet thrown away is as unknown as any");
}

#[test]
fn closed_packets_are_known_to_nobody() {
    let state = start(3);
    let mut dice = Dice::new(seed(1));
    let other = Loading::resample(&state, Eyes::Seat(Seat(1)), &mut dice);
    assert!(other.packets.iter().zip(&state.packets).all(|(one, two)| one.cards != two.cards));
}

#[test]
fn a_preview_of_a_swap_or_of_charge_between_two_shows_no_new_card() {
    let preview = |state: &State, seat, mv: &str| {
        let mv = mv.parse().expect("a move");
        Loading::preview(state, Seat(seat), &mv, super::NOW).unwrap_or_else(|why| panic!("{why}"))
    };
    let two = start(2);
    let foreseen = preview(&two, 0, "charge");
    assert_eq!((foreseen.complete, foreseen.state == two), (false, true));
    let playing = after(&two, "0 charge").state;
    assert!(!preview(&playing, 0, "swap").complete);
    assert!(preview(&start(3), 0, "charge").complete, "a hand held out sees nothing new");
    assert!(preview(&table(), 0, "give").complete);
}
