//! What happens at the table: as it is stored, and as it is told. Nothing of it is hidden from anybody.

use super::{
    cells::Place,
    types::{Register, Tile, ToyType},
    view::TileView,
    zones::Gains,
};
use crate::Seat;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// One thing that happened. Stored for ever: new variants go to the end.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Event {
    Dealt { first: Seat, registers: Vec<Register>, open: Vec<Tile> },
    Laid { seat: Seat, tile: Tile, place: Place, gains: Gains },
    CollectionTaken { seat: Seat, toy_type: ToyType },
    Opened { tile: Tile },
    ShowcaseWon { toy_type: ToyType, count: u8, seats: Vec<Seat> },
    Paid { seat: Seat, rewards: u32, coins: u32 },
}

/// One thing that happened, as everybody is told of it.
#[derive(Debug, PartialEq, Serialize, JsonSchema)]
#[serde(tag = "type", rename_all = "SCREAMING_SNAKE_CASE", rename_all_fields = "camelCase")]
#[schemars(rename = "ToysGoGoGoEvent")]
pub enum EventView {
    /// Every seat got a cash register, the tiles were shuffled and the first of them opened.
    Dealt {
        /// The seat that begins.
        first: Seat,
        /// The colours around the register of each seat: eight half-sides, clockwise from the top left corner.
        registers: Vec<[ToyType; 8]>,
        /// The open tiles.
        open: Vec<TileView>,
    },
    /// A seat took an open tile and put it into its shop.
    Laid {
        /// Whose shop it is.
        seat: Seat,
        /// The tile.
        tile: Tile,
        /// How far south of the register; north of it is negative.
        row: i8,
        /// How far east of the register; west of it is negative.
        column: i8,
        /// The coins the tile earned.
        coins: u32,
        /// The zones that earned them.
        zones: Vec<GainView>,
    },
    /// A seat was the first to have all five toys of a type.
    CollectionTaken {
        /// Who took the reward.
        seat: Seat,
        /// The type.
        toy_type: ToyType,
    },
    /// A tile was turned up from the stack.
    Opened {
        /// The tile; it lies at the end of the open row.
        new_tile: TileView,
    },
    /// The shops are full, and somebody has the most of a single toy of a type.
    ShowcaseWon {
        /// The type.
        toy_type: ToyType,
        /// How often the winners have the toy.
        count: u8,
        /// Who won: all that are tied.
        winners: Vec<Seat>,
    },
    /// The game is over and the seat's rewards were turned into coins.
    Paid {
        /// Who was paid.
        seat: Seat,
        /// How many rewards the seat has.
        rewards: u32,
        /// The coins they brought.
        coins: u32,
    },
}

/// The coins of one zone.
#[derive(Debug, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "ToysGoGoGoGain")]
pub struct GainView {
    /// The type of the zone.
    pub toy_type: ToyType,
    /// One coin for each toy in it.
    pub coins: u8,
}

pub(super) fn tell(event: &Event) -> EventView {
    match event {
        Event::Dealt { first, registers, open } => EventView::Dealt {
            first: *first,
            registers: registers.iter().map(|register| register.border().colours()).collect(),
            open: open.iter().copied().map(TileView::from).collect(),
        },
        &Event::Laid { seat, tile, place: Place { row, column }, gains } => EventView::Laid {
            seat,
            tile,
            row,
            column,
            coins: gains.total(),
            zones: gains.iter().map(|(toy_type, coins)| GainView { toy_type, coins }).collect(),
        },
        &Event::CollectionTaken { seat, toy_type } => EventView::CollectionTaken { seat, toy_type },
        &Event::Opened { tile } => EventView::Opened { new_tile: tile.into() },
        Event::ShowcaseWon { toy_type, count, seats } => {
            EventView::ShowcaseWon { toy_type: *toy_type, count: *count, winners: seats.clone() }
        }
        &Event::Paid { seat, rewards, coins } => EventView::Paid { seat, rewards, coins },
    }
}
