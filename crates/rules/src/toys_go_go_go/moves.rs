//! What a seat may do: lay a tile. The notation of it, the list of it, and why something else is refused.

use super::{
    cells::{Cells, Place},
    shop::{Laid, Shop},
    state::State,
    types::{Tile, Toy},
    zones::Gains,
};
use crate::{Illegal, Message, Seat};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::{fmt, str::FromStr};

/// What a seat does in its turn: `lay 17 at 0,-1` puts tile 17 west of the register.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "type", rename_all = "SCREAMING_SNAKE_CASE", rename_all_fields = "camelCase", deny_unknown_fields)]
#[schemars(rename = "ToysGoGoGoMove")]
pub enum Move {
    /// Take one of the open tiles and put it edge to edge with a piece of the own shop.
    Lay {
        /// The tile to take.
        tile: Tile,
        /// How far south of the register; north of it is negative.
        row: i8,
        /// How far east of the register; west of it is negative.
        column: i8,
    },
}

/// What a legal move would bring.
#[derive(Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "ToysGoGoGoEffect")]
pub struct Effect {
    /// The coins the tile would earn there.
    pub coins: u32,
}

impl Move {
    fn laid(self) -> Laid {
        let Move::Lay { tile, row, column } = self;
        Laid { tile, place: Place { row, column } }
    }

    /// The move in words.
    pub fn label(self) -> Message {
        let Laid { tile, place } = self.laid();
        let ways = [
            (place.row, "toys_go_go_go-way-up", "toys_go_go_go-way-down"),
            (place.column, "toys_go_go_go-way-left", "toys_go_go_go-way-right"),
        ];
        let ways = ways.into_iter().filter(|(steps, ..)| *steps != 0).map(|(steps, back, on)| {
            Message::new(if steps < 0 { back } else { on }).with("steps", steps.unsigned_abs())
        });
        Message::new("toys_go_go_go-move-lay")
            .with("tile", tile.number())
            .with("toys", tile.printed().toys.map(Toy::name).to_vec())
            .with("ways", ways.collect::<Vec<_>>())
    }
}

impl fmt::Display for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Laid { tile, place } = self.laid();
        write!(f, "lay {tile} at {place}")
    }
}

/// A text that no move is written like.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a move is written `lay TILE at ROW,COLUMN`")]
pub struct NotAMove;

impl FromStr for Move {
    type Err = NotAMove;

    fn from_str(notation: &str) -> Result<Self, NotAMove> {
        let mut words = notation.split_ascii_whitespace();
        let (Some("lay"), Some(tile), Some("at"), Some(place), None) =
            (words.next(), words.next(), words.next(), words.next(), words.next())
        else {
            return Err(NotAMove);
        };
        let (row, column) = place.split_once(',').ok_or(NotAMove)?;
        let steps = |text: &str| text.parse().map_err(|_| NotAMove);
        Ok(Move::Lay { tile: tile.parse().map_err(|_| NotAMove)?, row: steps(row)?, column: steps(column)? })
    }
}

/// Every move of the seat, sorted: each open tile on each place where a tile may lie.
pub(super) fn legal(state: &State, seat: Seat) -> Vec<Move> {
    let Ok(shop) = awaited(state, seat) else { return Vec::new() };
    let places = shop.places(state.size);
    let mut tiles = state.open.clone();
    tiles.sort_unstable();
    let mut moves = Vec::with_capacity(tiles.len() * places.len() as usize);
    for tile in tiles {
        moves.extend(places.iter().map(|Place { row, column }| Move::Lay { tile, row, column }));
    }
    moves
}

/// What the move would lay and earn, or the rule it breaks.
pub(super) fn judge(state: &State, seat: Seat, mv: Move) -> Result<(Laid, Gains), Illegal> {
    let shop = awaited(state, seat)?;
    let laid = mv.laid();
    if !state.open.contains(&laid.tile) {
        return rule(Message::new("toys_go_go_go-refusal-not-open").with("tile", laid.tile.number()));
    }
    // The order matters where several rules are broken: the first that speaks is the easiest to understand.
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
