//! The rulebook of Jouets à GO GO GO, sentence by sentence.

use ludotheque::rules::Seat;
use serde_json::Value;
use std::collections::BTreeSet;

/// The moves of a seat, written once more from the rules page: each open tile on each free place edge to edge with the
/// shop, as long as no two pieces are further apart than the square is wide.
pub fn naive_moves(view: &Value, seat: Seat) -> BTreeSet<String> {
    let mut moves = BTreeSet::new();
    if view["turn"] != seat.0 {
        return moves;
    }
    let number = |json: &Value| json.as_i64().expect("a number");
    let pieces = view["seats"][seat.index()]["shop"].as_array().expect("a list");
    let taken: Vec<_> = pieces.iter().map(|piece| (number(&piece["row"]), number(&piece["column"]))).collect();
    for (row, column) in (-9..=9).flat_map(|row| (-9..=9).map(move |column| (row, column))) {
        let apart = |one: i64, other: i64| (one - other).abs();
        let free = !taken.contains(&(row, column));
        let beside = taken.iter().any(|(r, c)| apart(*r, row) + apart(*c, column) == 1);
        let fits = taken.iter().all(|(r, c)| apart(*r, row).max(apart(*c, column)) < number(&view["shopSize"]));
        if free && beside && fits {
            let tiles = view["open"].as_array().expect("a list").iter().map(|tile| number(&tile["tile"]));
            moves.extend(tiles.map(|tile| format!("lay {tile} at {row},{column}")));
        }
    }
    moves
}
