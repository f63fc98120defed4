//! Laying a tile: where it may go, how that is written, what is refused, and what a preview tells.

use super::{NOW, after, draw, finished, lay_any, play, read, refusal, start, table};
use ludotheque_rules::{
    Eyes, Rules, Seat,
    any::{Adapter, AnyRules},
    toys_go_go_go::{Cell, Event, Move, State, ToysGoGoGo},
};
use serde_json::json;
use std::collections::BTreeSet;

/// Just a register.
const REGISTER: &str = "
     PD
    P$$D
    S  V
     SV
";

/// Four pieces from north to south, the register at the end.
const COLUMN: &str = "
     PP
    V 1P
    V  P
     DD
     PP
    P 7D
    P  D
     VV
     PD
    P 6D
    P  V
     PV
     PD
    P$$D
    S  V
     SV
";

/// Where the tile may be laid by seat 0.
fn places(state: &State, number: u8) -> String {
    let moves = ToysGoGoGo::legal(state, Seat(0), NOW);
    let places = moves.iter().filter_map(|mv| {
        let Move::Lay { tile, row, column } = *mv;
        (tile.number() == number).then(|| Cell { row, column }.to_string())
    });
    places.collect::<Vec<_>>().join(" ")
}

#[test]
fn one_of_the_4_open_tiles_is_taken() {
    let state = table(draw(REGISTER), &[12, 34, 50, 62]);
    assert_eq!(ToysGoGoGo::legal(&state, Seat(0), NOW).len(), 4 * 4);
    let next = play(&state, 0, "lay 34 at 0,1").state;
    assert_eq!(next.shops[0].laid().len(), 1);
    assert!(!next.open.contains(&super::tile(34)));
}

#[test]
fn a_tile_that_is_not_open_can_not_be_taken() {
    let state = table(draw(REGISTER), &[12, 34, 50, 62]);
    assert_eq!(refusal(&state, 0, "lay 13 at 0,1"), "toys_go_go_go-refusal-not-open");
}

#[test]
fn a_tile_lies_edge_to_edge_with_a_piece_of_the_own_shop() {
    assert_eq!(places(&table(draw(REGISTER), &[12]), 12), "-1,0 0,-1 0,1 1,0");
}

#[test]
fn diagonal_contact_is_not_enough() {
    let state = table(draw(REGISTER), &[12]);
    for place in ["1,1", "1,-1", "-1,1", "-1,-1", "3,3"] {
        assert_eq!(refusal(&state, 0, &format!("lay 12 at {place}")), "toys_go_go_go-refusal-apart");
    }
}

#[test]
fn a_tile_can_not_lie_on_another_piece() {
    let state = table(draw(COLUMN), &[12]);
    for place in ["0,0", "-2,0"] {
        assert_eq!(refusal(&state, 0, &format!("lay 12 at {place}")), "toys_go_go_go-refusal-taken");
    }
}

#[test]
fn the_whole_shop_has_to_fit_a_4_by_4_square() {
    let state = table(draw(COLUMN), &[12]);
    assert_eq!(places(&state, 12), "-3,-1 -3,1 -2,-1 -2,1 -1,-1 -1,1 0,-1 0,1");
    for place in ["1,0", "-4,0", "0,4", "0,-128", "127,127"] {
        assert_eq!(refusal(&state, 0, &format!("lay 12 at {place}")), "toys_go_go_go-refusal-outside");
    }
}

#[test]
fn the_whole_shop_of_a_short_game_has_to_fit_a_3_by_3_square() {
    let mut state = table(draw(REGISTER), &[12, 34, 50, 62]);
    state.size = 3;
    let mut state = play(&play(&state, 0, "lay 12 at 0,1").state, 1, "lay 34 at 0,1").state;
    state = play(&play(&state, 0, "lay 50 at 0,2").state, 1, "lay 62 at 0,2").state;
    let open = state.open[0];
    for place in ["0,3", "0,-1"] {
        assert_eq!(refusal(&state, 0, &format!("lay {open} at {place}")), "toys_go_go_go-refusal-outside");
    }
}

#[test]
fn the_register_may_end_up_anywhere_in_the_square() {
    let mut corners = BTreeSet::new();
    for game in 0..100 {
        for shop in &finished(2, game).state.shops {
            let places = || shop.laid().iter().map(|laid| laid.place);
            corners.insert((places().map(|place| place.row).min(), places().map(|place| place.column).min()));
        }
    }
    assert_eq!(corners.len(), 16, "{corners:?}");
}

#[test]
fn a_full_shop_is_15_tiles_around_the_register() {
    let state = after(30, start(2));
    for shop in &state.shops {
        assert_eq!((shop.laid().len(), shop.is_full(4)), (15, true));
        assert!(shop.places(4).is_empty());
    }
}

#[test]
fn a_tile_is_never_turned() {
    let state = table(draw(REGISTER), &[12]);
    for place in ["-1,0", "0,-1", "0,1", "1,0"] {
        let next = play(&state, 0, &format!("lay 12 at {place}")).state;
        let seen = &ToysGoGoGo::view(&next, Eyes::Spectator).seats[0].shop[1];
        assert_eq!(seen.border, super::tile(12).face().border.colours());
    }
    let turned = json!({"type": "LAY", "tile": 12, "row": 0, "column": 1, "turned": 1});
    assert!(Adapter::<ToysGoGoGo>::new().read_move(&turned).is_err());
}

#[test]
fn a_move_names_the_tile_and_its_place_from_the_register_rows_growing_southwards() {
    let state = table(draw(REGISTER), &[12, 34]);
    let south = play(&state, 0, "lay 12 at 1,0").state.shops[0].drawing();
    assert!(south.find("$$") < south.find("12"), "{south}");
    let west = play(&state, 0, "lay 12 at 0,-1").state.shops[0].drawing();
    assert!(west.contains("12") && west.find("12") < west.find("$$"), "{west}");
    let rules = Adapter::<ToysGoGoGo>::new();
    let read = rules.read_move(&json!({"type": "LAY", "tile": 12, "row": 0, "column": -1})).expect("a move");
    assert_eq!(read.id, "lay 12 at 0,-1");
}

#[test]
fn notation_is_written_in_one_way_and_other_texts_are_no_moves() {
    for (sloppy, canonical) in [("lay 7 at 0,-1", "lay 7 at 0,-1"), ("  lay  07 at +1,-0 ", "lay 7 at 1,0")] {
        assert_eq!(read(sloppy).to_string(), canonical);
    }
    for text in
        ["lay 0 at 0,1", "lay 65 at 0,1", "lay 7", "lay 7 at 1", "lay 7 at 0,1,2", "lay 7 at 0,200", "lay 7 at 0,1 x"]
    {
        assert!(text.parse::<Move>().is_err(), "{text}");
    }
    let rules = Adapter::<ToysGoGoGo>::new();
    for tile in [json!(0), json!(65), json!("7"), json!(-1), json!(7.5)] {
        assert!(rules.read_move(&json!({"type": "LAY", "tile": tile, "row": 0, "column": 1})).is_err());
    }
}

#[test]
fn nobody_lays_out_of_turn() {
    let state = table(draw(REGISTER), &[12]);
    assert_eq!(refusal(&state, 1, "lay 12 at 0,1"), "not your turn: toys_go_go_go-refusal-turn");
    assert_eq!(refusal(&state, 2, "lay 12 at 0,1"), "not your turn: toys_go_go_go-refusal-no-such-seat");
    let over = after(30, start(2));
    assert_eq!(refusal(&over, 0, "lay 12 at 0,1"), "not your turn: toys_go_go_go-refusal-over");
}

#[test]
fn a_preview_stops_before_the_newly_opened_tile() {
    let state = table(draw(REGISTER), &[12]);
    let foreseen = ToysGoGoGo::preview(&state, Seat(0), &read("lay 12 at 0,1"), NOW).expect("a legal move");
    assert!(!foreseen.complete);
    assert!(matches!(foreseen.events[..], [Event::Laid { .. }]));
    assert_eq!((foreseen.state.open.len(), foreseen.state.stack.len()), (3, state.stack.len()));
    assert_eq!(foreseen.state.turn, Seat(0), "the turn is not over");
}

#[test]
fn every_legal_move_tells_the_coins_it_then_earns() {
    let mut state = start(3);
    for _ in 0..45 {
        for mv in ToysGoGoGo::legal(&state, state.turn, NOW) {
            let effect = ToysGoGoGo::effect(&state, state.turn, &mv).expect("a listed move");
            let next = play(&state, state.turn.0, &mv.to_string());
            let Event::Laid { gains, .. } = &next.events[0] else { panic!("{:?}", next.events) };
            assert_eq!(effect.coins, gains.total());
        }
        assert_eq!(ToysGoGoGo::effect(&state, state.turn, &read("lay 1 at 0,0")), None, "no legal move, no effect");
        state = lay_any(&state).state;
    }
}
