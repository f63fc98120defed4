//! Moves of Jouets à GO GO GO: their notation, the list of legal moves, and the check that refuses all others.

use super::{
    cells::{Cell, Cells},
    shop::{LaidTile, Shop},
    state::State,
    types::{Tile, Toy},
    zones::Gains,
};
use crate::{Illegal, Message, Seat};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::{fmt, str::FromStr};

/// A move. Its notation is, for example, `lay 17 at 0,-1`: lay tile 17 directly west of the register.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "type", rename_all = "SCREAMING_SNAKE_CASE", rename_all_fields = "camelCase", deny_unknown_fields)]
#[schemars(rename = "ToysGoGoGoMove")]
pub enum Move {
    /// Lay one of the open tiles edge to edge with a piece of your shop.
    Lay {
        /// The tile to lay.
        tile: Tile,
        /// How many tiles south of the register; negative if north of it.
        row: i8,
        /// How many tiles east of the register; negative if west of it.
        column: i8,
    },
}

/// The effect of a legal move.
#[derive(Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "ToysGoGoGoEffect")]
pub struct Effect {
    /// The coins the tile would earn there.
    pub coins: u32,
}

impl Move {
    fn laid(self) -> LaidTile {
        let Move::Lay { tile, row, column } = self;
        LaidTile { tile, place: Cell { row, column } }
    }

    /// A sentence that describes the move.
    pub fn label(self) -> Message {
        let LaidTile { tile, place } = self.laid();
        let ways = [
            (place.row, "toys_go_go_go-way-up", "toys_go_go_go-way-down"),
            (place.column, "toys_go_go_go-way-left", "toys_go_go_go-way-right"),
        ];
        let ways = ways.into_iter().filter(|(steps, ..)| *steps != 0).map(|(steps, back, on)| {
            Message::new(if steps < 0 { back } else { on }).with("steps", steps.unsigned_abs())
        });
        Message::new("toys_go_go_go-move-lay")
            .with("tile", tile.number())
            .with("toys", tile.face().toys.map(Toy::name).to_vec())
            .with("ways", ways.collect::<Vec<_>>())
    }
}

impl fmt::Display for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let LaidTile { tile, place } = self.laid();
        write!(f, "lay {tile} at {place}")
    }
}

/// The text is not the notation of a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a move is written `lay TILE at ROW,COLUMN`")]
pub struct MoveParseError;

impl FromStr for Move {
    type Err = MoveParseError;

    fn from_str(notation: &str) -> Result<Self, MoveParseError> {
        let mut words = notation.split_ascii_whitespace();
        let (Some("lay"), Some(tile), Some("at"), Some(place), None) =
            (words.next(), words.next(), words.next(), words.next(), words.next())
        else {
            return Err(MoveParseError);
        };
        let (row, column) = place.split_once(',').ok_or(MoveParseError)?;
        let steps = |text: &str| text.parse().map_err(|_| MoveParseError);
        Ok(Move::Lay { tile: tile.parse().map_err(|_| MoveParseError)?, row: steps(row)?, column: steps(column)? })
    }
}

/// Every legal move of the seat, sorted: each open tile on each cell where a tile may be laid.
pub(super) fn legal(state: &State, seat: Seat) -> Vec<Move> {
    let Ok(shop) = awaited(state, seat) else { return Vec::new() };
    let places = shop.places(state.size);
    let mut tiles = state.open.clone();
    tiles.sort_unstable();
    let mut moves = Vec::with_capacity(tiles.len() * places.len() as usize);
    for tile in tiles {
        moves.extend(places.iter().map(|Cell { row, column }| Move::Lay { tile, row, column }));
    }
    moves
}

/// Checks a move against the rules, and returns what it would lay and earn.
pub(super) fn judge(state: &State, seat: Seat, mv: Move) -> Result<(LaidTile, Gains), Illegal> {
    let shop = awaited(state, seat)?;
    let laid = mv.laid();
    if !state.open.contains(&laid.tile) {
        return rule(Message::new("toys_go_go_go-refusal-not-open").with("tile", laid.tile.number()));
    }
    // If several rules are broken, report the one that is easiest to understand.
    let Some(cell) = Cells::at(laid.place).filter(|cell| cell.overlaps(shop.room(state.size))) else {
        return rule(Message::new("toys_go_go_go-refusal-outside").with("size", state.size));
    };
    if cell.overlaps(shop.zones().occupied()) {
        return rule(Message::new("toys_go_go_go-refusal-taken"));
    }
    if !cell.overlaps(shop.places(state.size)) {
        return rule(Message::new("toys_go_go_go-refusal-apart"));
    }
    Ok((laid, shop.gains(laid.tile, cell)))
}

/// The seat's shop, if it is that seat's turn.
fn awaited(state: &State, seat: Seat) -> Result<&Shop, Illegal> {
    let refused = |key| Err(Illegal::NotYourTurn(Message::new(key)));
    match state.shops.get(seat.index()) {
        _ if state.ended.is_some() => refused("toys_go_go_go-refusal-over"),
        None => refused("toys_go_go_go-refusal-no-such-seat"),
        Some(shop) if shop.resigned => refused("toys_go_go_go-refusal-resigned"),
        Some(_) if state.turn != seat => refused("toys_go_go_go-refusal-turn"),
        Some(shop) => Ok(shop),
    }
}

fn rule<T>(message: Message) -> Result<T, Illegal> {
    Err(Illegal::Rule(message))
}
