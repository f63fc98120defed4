//! Giving up: the seat is skipped, the others play on to full shops, and with one left it is over.

use super::{NOW, after, begin, ending, lay_any, refusal, start};
use crate::kit::table::seed;
use ludotheque_rules::{
    Dice, Next, Rules, Seat,
    toys_go_go_go::{Event, Options, Reason, State, ToyType, ToysGoGoGo},
};
use std::sync::Arc;

fn resign(state: &State, seats: &[u8]) -> Next<ToysGoGoGo> {
    let seats: Vec<_> = seats.iter().copied().map(Seat).collect();
    ToysGoGoGo::resign(state, &seats, NOW, &mut Dice::new(seed(7)))
}

/// A table where seat 0 begins.
fn first_is_0(seats: u8) -> State {
    begin(&Options { first_seat: Some(Seat(0)), ..Options::default() }, seats, 1).state
}

#[test]
fn a_player_who_gives_up_is_skipped() {
    let mut state = resign(&first_is_0(4), &[1, 2]).state;
    for seat in [0, 3, 0, 3] {
        assert_eq!(ending(&state), format!("turn of [Seat({seat})]"));
        state = lay_any(&state).state;
    }
    assert!(ToysGoGoGo::legal(&state, Seat(1), NOW).is_empty());
    assert_eq!(refusal(&state, 1, "lay 1 at 0,1"), "not your turn: toys_go_go_go-refusal-resigned");
}

#[test]
fn the_turn_passes_on_when_the_player_who_has_it_gives_up_and_the_open_tiles_stay() {
    let state = first_is_0(3);
    let next = resign(&state, &[0]);
    assert_eq!(ending(&next.state), "turn of [Seat(1)]");
    assert_eq!((&next.state.open, &next.state.stack), (&state.open, &state.stack));
    assert!(next.events.is_empty());
}

#[test]
fn the_turn_stays_when_somebody_else_gives_up() {
    let next = resign(&first_is_0(3), &[2]);
    assert_eq!(ending(&next.state), "turn of [Seat(0)]");
}

#[test]
fn the_game_ends_when_the_shops_of_the_others_are_full() {
    let state = resign(&after(7, first_is_0(3)), &[1]).state;
    let laid = state.shops[0].laid().len() + state.shops[2].laid().len();
    let state = after(30 - laid, state);
    assert_eq!(state.ended, Some(Reason::Full));
    assert_eq!(state.shops.iter().map(|shop| shop.laid().len()).collect::<Vec<_>>(), [15, 2, 15]);
}

#[test]
fn the_game_ends_at_once_when_the_last_shop_that_grows_is_given_up() {
    let state = after(3 * 15 - 1, first_is_0(3));
    assert_eq!(ending(&state), "turn of [Seat(2)]");
    let next = resign(&state, &[2]);
    assert_eq!(next.state.ended, Some(Reason::Full));
    assert!(next.events.iter().any(|event| matches!(event, Event::ShowcaseWon { .. })));
}

#[test]
fn a_player_who_gave_up_wins_no_showcase() {
    let state = resign(&after(3 * 15 - 1, first_is_0(3)), &[1]).state;
    assert_eq!(state.shops[1].laid().len(), 15);
    let next = lay_any(&state);
    assert_eq!(next.state.ended, Some(Reason::Full));
    let mut beaten = 0;
    for event in &next.events {
        if let Event::ShowcaseWon { toy_type, count, seats } = event {
            assert!(!seats.contains(&Seat(1)));
            beaten += usize::from(next.state.shops[1].showcase(*toy_type) >= *count);
        }
    }
    assert!(beaten > 0, "it would have won one");
}

#[test]
fn a_collection_stays_with_the_player_who_took_it_and_gave_up() {
    let mut state = after(3 * 15 - 1, first_is_0(3));
    state.collections = [Some(Seat(1)); ToyType::ALL.len()];
    Arc::make_mut(&mut state.shops[1]).coins = 3;
    let next = lay_any(&resign(&state, &[1]).state);
    assert_eq!(next.state.shops[1].coins, 3 + 4 * 5);
    assert!(ending(&next.state).ends_with("> 1"));
}

#[test]
fn with_one_left_the_game_is_over_and_that_one_wins_whatever_the_coins() {
    let mut state = first_is_0(2);
    Arc::make_mut(&mut state.shops[0]).coins = 50;
    assert_eq!(ending(&resign(&state, &[0]).state), "RESIGNED: 1 > 0");
}

#[test]
fn a_game_given_up_pays_collections_but_no_showcases() {
    let mut state = after(12, first_is_0(2));
    state.collections[0] = Some(Seat(0));
    let before = state.shops[0].coins;
    let next = resign(&state, &[1]);
    assert_eq!(next.events, [Event::Paid { seat: Seat(0), rewards: 1, coins: 5 }]);
    assert_eq!(next.state.shops[0].coins, before + 5);
}

#[test]
fn several_may_give_up_at_once_and_share_the_last_place() {
    let mut state = start(4);
    Arc::make_mut(&mut state.shops[1]).coins = 30;
    let next = resign(&state, &[1, 2]);
    assert!(next.state.ended.is_none());
    assert_eq!(ending(&resign(&state, &[0, 1, 2]).state), "RESIGNED: 3 > 0 = 1 = 2");
}
