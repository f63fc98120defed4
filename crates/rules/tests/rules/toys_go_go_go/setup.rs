//! Setting up, options, turns and what everybody sees.

use super::{NOW, after, begin, lay_any, start};
use crate::kit::table::seed;
use ludotheque_rules::{
    Dice, Eyes, Illegal, Rules, Seat, Turn,
    any::{Adapter, AnyRules},
    toys_go_go_go::{EventView, Options, Reason, Register, ToysGoGoGo},
};
use serde_json::json;
use std::collections::BTreeSet;

#[test]
fn two_to_four_may_play() {
    assert_eq!(ToysGoGoGo::INFO.seats, 2..=4);
    assert_eq!(start(4).shops.len(), 4);
}

#[test]
fn the_first_player_is_the_seat_named_in_the_options() {
    for seat in Seat::all(4) {
        let state = begin(&Options { first_seat: Some(seat), ..Options::default() }, 4, 1).state;
        assert_eq!((state.first, ToysGoGoGo::turn(&state)), (seat, Turn::Waiting(vec![seat])));
    }
}

#[test]
fn the_first_player_is_drawn_by_lot_unless_named() {
    let firsts: BTreeSet<_> = (0..40).map(|n| begin(&Options::default(), 4, n).state.first).collect();
    assert_eq!(firsts, Seat::all(4).collect());
}

#[test]
fn each_player_gets_a_register_by_lot() {
    let registers =
        |n| begin(&Options::default(), 4, n).state.shops.iter().map(|shop| shop.register).collect::<Vec<_>>();
    assert_eq!(registers(1).into_iter().collect::<BTreeSet<_>>(), Register::all().collect());
    let drawn: BTreeSet<_> = (0..400).map(registers).collect();
    assert_eq!(drawn.len(), 24, "in every order");
}

#[test]
fn the_tiles_are_shuffled_and_4_lie_open_on_the_table() {
    let state = start(2);
    assert_eq!((state.open.len(), state.stack.len()), (4, 60));
    assert!(!state.stack.is_sorted());
    assert_ne!(begin(&Options::default(), 2, 2).state.stack, state.stack);
    ToysGoGoGo::invariants(&state).expect("each of the 64 tiles is there once");
}

#[test]
fn turns_go_round_in_the_order_of_the_seats() {
    let mut state = begin(&Options { first_seat: Some(Seat(2)), ..Options::default() }, 4, 1).state;
    for seat in [2, 3, 0, 1, 2, 3] {
        assert_eq!(ToysGoGoGo::turn(&state), Turn::Waiting(vec![Seat(seat)]));
        for other in Seat::all(4).filter(|other| other.0 != seat) {
            assert!(ToysGoGoGo::legal(&state, other, NOW).is_empty());
        }
        state = lay_any(&state).state;
    }
}

#[test]
fn a_new_tile_is_opened_from_the_stack_and_joins_the_end_of_the_open_row() {
    let state = start(2);
    let taken = lay_any(&state).state.shops[state.turn.index()].laid()[0].tile;
    let mut expected = state.open.clone();
    expected.retain(|tile| *tile != taken);
    expected.extend(state.stack.last());
    assert_eq!(lay_any(&state).state.open, expected);
}

#[test]
fn a_tile_is_also_opened_after_the_last_turn_so_four_players_use_up_the_stack() {
    let state = after(60, start(4));
    assert_eq!((state.ended, state.open.len(), state.stack.len()), (Some(Reason::Full), 4, 0));
}

#[test]
fn a_short_game_has_shops_of_a_register_and_8_tiles() {
    let state = after(16, begin(&Options { shop_size: 3, ..Options::default() }, 2, 1).state);
    assert_eq!(state.ended, Some(Reason::Full));
    assert!(state.shops.iter().all(|shop| shop.laid().len() == 8));
}

#[test]
fn shops_are_4_by_4_unless_agreed_otherwise() {
    let rules = Adapter::<ToysGoGoGo>::new();
    let options = rules.read_options(&json!({}), 2).expect("the default options");
    assert_eq!(options, json!({"firstSeat": null, "shopSize": 4}));
}

#[test]
fn options_outside_their_limits_are_refused() {
    let refusal = |options: &Options| match ToysGoGoGo::check_options(options, 3) {
        Err(Illegal::Rule(message)) => message.key.into_owned(),
        other => panic!("{other:?}"),
    };
    for shop_size in [0, 2, 5, 255] {
        let options = Options { shop_size, ..Options::default() };
        assert_eq!(refusal(&options), "toys_go_go_go-refusal-shop-size");
    }
    let options = Options { first_seat: Some(Seat(3)), ..Options::default() };
    assert_eq!(refusal(&options), "toys_go_go_go-refusal-first-seat");
}

#[test]
fn everything_is_open_except_the_order_of_the_stack() {
    let state = after(11, start(3));
    let other = ToysGoGoGo::resample(&state, Eyes::Spectator, &mut Dice::new(seed(2)));
    assert_ne!(other.stack, state.stack);
    for eyes in [Eyes::Seat(Seat(0)), Eyes::Seat(Seat(2)), Eyes::Spectator] {
        assert_eq!(ToysGoGoGo::view(&other, eyes), ToysGoGoGo::view(&state, Eyes::Replay));
    }
    let view = ToysGoGoGo::view(&state, Eyes::Spectator);
    assert_eq!(view.stack_size, 60 - 11);
    assert_eq!(view.seats.iter().map(|seat| seat.shop.len() - 1).sum::<usize>(), 11);
}

#[test]
fn everybody_is_told_who_begins_which_registers_were_drawn_and_what_lies_open() {
    let next = begin(&Options::default(), 2, 1);
    let told = ToysGoGoGo::tell(&next.events[0], Eyes::Spectator).expect("told to all");
    let EventView::Dealt { first, registers, open } = told else { panic!("{told:?}") };
    let view = ToysGoGoGo::view(&next.state, Eyes::Spectator);
    assert_eq!((first, open), (view.first, view.open));
    assert_eq!(registers, view.seats.iter().map(|seat| seat.shop[0].border).collect::<Vec<_>>());
}
