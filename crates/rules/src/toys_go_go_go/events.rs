//! Events of Jouets à GO GO GO: [`Event`] is stored, [`EventView`] is what viewers see. Nothing in them is secret.

use super::{
    cells::Cell,
    types::{Register, Tile, ToyType},
    view::TileView,
    zones::Gains,
};
use crate::Seat;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A stored event. Old games keep these bytes, so add new variants at the end.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Event {
    Dealt { first: Seat, registers: Vec<Register>, open: Vec<Tile> },
    Laid { seat: Seat, tile: Tile, place: Cell, gains: Gains },
    CollectionTaken { seat: Seat, toy_type: ToyType },
    Opened { tile: Tile },
    ShowcaseWon { toy_type: ToyType, count: u8, seats: Vec<Seat> },
    Paid { seat: Seat, rewards: u32, coins: u32 },
}

/// An event as every viewer sees it.
#[derive(Debug, PartialEq, Serialize, JsonSchema)]
#[serde(tag = "type", rename_all = "SCREAMING_SNAKE_CASE", rename_all_fields = "camelCase")]
#[schemars(rename = "ToysGoGoGoEvent")]
pub enum EventView {
    /// The game was set up: every seat got a cash register, the tiles were shuffled, and the first ones were turned up.
    Dealt {
        /// The seat that goes first.
        first: Seat,
        /// For each seat, the colours around its register: eight half-sides, clockwise from the top left corner.
        registers: Vec<[ToyType; 8]>,
        /// The open tiles.
        open: Vec<TileView>,
    },
    /// A seat laid an open tile in its shop.
    Laid {
        /// The seat that laid it.
        seat: Seat,
        /// The tile that was laid.
        tile: Tile,
        /// How many tiles south of the register; negative if north of it.
        row: i8,
        /// How many tiles east of the register; negative if west of it.
        column: i8,
        /// The coins the tile earned.
        coins: u32,
        /// The coins by zone.
        zones: Vec<GainView>,
    },
    /// A seat took a Collection, as the first to have all five toys of a type.
    CollectionTaken {
        /// The seat that took it.
        seat: Seat,
        /// The type of the toys.
        toy_type: ToyType,
    },
    /// A tile was turned up from the stack.
    Opened {
        /// The tile, now the last of the open ones.
        new_tile: TileView,
    },
    /// All shops are full, and the Showcase of a type was awarded for the most copies of a single toy.
    ShowcaseWon {
        /// The type of the toys.
        toy_type: ToyType,
        /// How many copies of the toy the winners have.
        count: u8,
        /// The seats that won it; several if they are tied.
        winners: Vec<Seat>,
    },
    /// The game is over, and a seat was paid for its rewards.
    Paid {
        /// The seat that was paid.
        seat: Seat,
        /// The number of its rewards.
        rewards: u32,
        /// The coins it was paid.
        coins: u32,
    },
}

/// The coins that one zone earned.
#[derive(Debug, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "ToysGoGoGoGain")]
pub struct GainView {
    /// The type of the zone.
    pub toy_type: ToyType,
    /// The coins: one for each toy in the zone.
    pub coins: u8,
}

pub(super) fn tell(event: &Event) -> EventView {
    match event {
        Event::Dealt { first, registers, open } => EventView::Dealt {
            first: *first,
            registers: registers.iter().map(|register| register.border().colours()).collect(),
            open: open.iter().copied().map(TileView::from).collect(),
        },
        &Event::Laid { seat, tile, place: Cell { row, column }, gains } => EventView::Laid {
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
