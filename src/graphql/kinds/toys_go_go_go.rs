//! Jouets à GO GO GO.

use super::KindId;
use super::shape::tagged;
use async_graphql::{Enum, InputObject, OneofObject, SimpleObject};
use serde::{Deserialize, Serialize};

pub use self::{
    ToysGoGoGoEvent as Event, ToysGoGoGoMove as Move, ToysGoGoGoMoveInput as MoveInput, ToysGoGoGoOptions as Options,
    ToysGoGoGoOptionsInput as OptionsInput, ToysGoGoGoView as View,
};

/// The four types of toys. Each has a colour of its own, so colours are told by the type.
#[derive(Clone, Copy, Enum, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum ToysGoGoGoToyType {
    /// Soft toys.
    Plush,
    /// Dolls and figures.
    Dolls,
    /// Whatever drives or flies.
    Vehicles,
    /// For outside.
    Sports,
}

/// The twenty toys, five of each type, type by type.
#[derive(Clone, Copy, Enum, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum ToysGoGoGoToy {
    /// A soft toy.
    Bear,
    /// A soft toy.
    Unicorn,
    /// A soft toy.
    Cat,
    /// A soft toy.
    Rabbit,
    /// A soft toy.
    Dog,
    /// A doll.
    Princess,
    /// A doll.
    Nurse,
    /// A doll.
    Ballerina,
    /// A figure.
    Robot,
    /// A doll.
    Mermaid,
    /// A vehicle.
    Train,
    /// A vehicle.
    Car,
    /// A vehicle.
    Crane,
    /// A vehicle.
    FireEngine,
    /// A vehicle.
    Rocket,
    /// For outside.
    Ball,
    /// For outside.
    RollerSkates,
    /// For outside.
    Rackets,
    /// For outside.
    Tricycle,
    /// For outside.
    FlamingoRing,
}

/// What was agreed before a game of Jouets à GO GO GO.
#[derive(Deserialize, SimpleObject)]
#[serde(rename_all = "camelCase")]
pub struct ToysGoGoGoOptions {
    /// What is played.
    pub kind: KindId,
    /// Seconds that a seat may take for a move; 0 for as long as it likes.
    pub move_seconds: i32,
    /// The seat that begins; null if it is drawn by lot.
    first_seat: Option<i32>,
    /// How many tiles a full shop has along each side.
    shop_size: i32,
}

/// What to agree before a game of Jouets à GO GO GO.
#[derive(InputObject, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ToysGoGoGoOptionsInput {
    /// Seconds that a seat may take for a move; 0, or nothing, for as long as it likes.
    #[serde(skip_serializing_if = "Option::is_none")]
    move_seconds: Option<i32>,
    /// The seat that begins; drawn by lot unless said otherwise.
    #[serde(skip_serializing_if = "Option::is_none")]
    first_seat: Option<i32>,
    /// How many tiles a full shop has along each side: 4, or 3 for a short game.
    #[serde(skip_serializing_if = "Option::is_none")]
    shop_size: Option<i32>,
}

/// A game of Jouets à GO GO GO, as everybody sees it.
#[derive(Deserialize, SimpleObject)]
#[serde(rename_all = "camelCase")]
pub struct ToysGoGoGoView {
    /// What is played.
    pub kind: KindId,
    /// How many tiles a full shop has along each side.
    shop_size: i32,
    /// The seat that began.
    first: i32,
    /// The seat to lay a tile; nobody once the game is over.
    turn: Option<i32>,
    /// The tiles to choose from; the newest is the last.
    open: Vec<ToysGoGoGoTile>,
    /// How many tiles are left face down.
    stack_size: i32,
    /// The rewards of each type.
    rewards: Vec<ToysGoGoGoRewards>,
    /// Every seat, in order.
    seats: Vec<ToysGoGoGoSeat>,
}

/// A toy tile.
#[derive(Deserialize, SimpleObject)]
pub struct ToysGoGoGoTile {
    /// Its number.
    tile: i32,
    /// Its three toys, each in a zone of its type's colour.
    toys: Vec<ToysGoGoGoToy>,
    /// The colours along its edge: eight half-sides, clockwise from the top left corner.
    border: Vec<ToysGoGoGoToyType>,
}

/// Who has the rewards of a type.
#[derive(Deserialize, SimpleObject)]
#[serde(rename_all = "camelCase")]
pub struct ToysGoGoGoRewards {
    /// The type.
    toy_type: ToysGoGoGoToyType,
    /// Who took the Collection, if anybody did yet.
    collection: Option<i32>,
    /// Who won the Showcase; nobody before all shops are full.
    showcase: Vec<i32>,
}

/// A seat with its shop.
#[derive(Deserialize, SimpleObject)]
#[serde(rename_all = "camelCase")]
pub struct ToysGoGoGoSeat {
    /// The seat.
    seat: i32,
    /// Whether the seat has given up.
    resigned: bool,
    /// All coins, those of banknotes included.
    coins: i32,
    /// One for every ten coins.
    banknotes: i32,
    /// The place on the score track, from 1 to 10: further for each coin that is not in a banknote.
    track_place: i32,
    /// The register, then the tiles in the order they were laid.
    shop: Vec<ToysGoGoGoPiece>,
    /// The continuous zones, colour by colour; the one with the oldest piece comes first.
    zones: Vec<ToysGoGoGoZone>,
    /// How many toys there are of each type.
    stock: Vec<ToysGoGoGoStock>,
}

/// A piece of a shop: the register, or a tile.
#[derive(Deserialize, SimpleObject)]
pub struct ToysGoGoGoPiece {
    /// The tile's number; none for the register.
    tile: Option<i32>,
    /// How far south of the register; north of it is negative.
    row: i32,
    /// How far east of the register; west of it is negative.
    column: i32,
    /// Its toys; the register has none.
    toys: Vec<ToysGoGoGoToy>,
    /// The colours along its edge: eight half-sides, clockwise from the top left corner.
    border: Vec<ToysGoGoGoToyType>,
}

/// A zone of one colour that runs on from piece to piece.
#[derive(Deserialize, SimpleObject)]
#[serde(rename_all = "camelCase")]
pub struct ToysGoGoGoZone {
    /// The type of the toys in it.
    toy_type: ToysGoGoGoToyType,
    /// The tiles it runs over, in the order they were laid. Each has one toy in it.
    tiles: Vec<i32>,
    /// Whether it runs over the register.
    register: bool,
}

/// The toys of one type in a shop.
#[derive(Deserialize, SimpleObject)]
#[serde(rename_all = "camelCase")]
pub struct ToysGoGoGoStock {
    /// The type.
    toy_type: ToysGoGoGoToyType,
    /// How many different toys there are; five make a Collection.
    different: i32,
    /// How often the most frequent toy is there: the count for the Showcase.
    showcase: i32,
    /// The five toys.
    toys: Vec<ToysGoGoGoToyCount>,
}

/// How often a toy is in a shop.
#[derive(Deserialize, SimpleObject)]
pub struct ToysGoGoGoToyCount {
    /// The toy.
    toy: ToysGoGoGoToy,
    /// How often it is there.
    count: i32,
}

tagged! {
    /// What a seat does in its turn.
    ToysGoGoGoMove {
        /// Take one of the open tiles and put it edge to edge with a piece of the own shop.
        "LAY" => ToysGoGoGoLayMove {
            /// The tile to take.
            tile: i32,
            /// How far south of the register; north of it is negative.
            row: i32,
            /// How far east of the register; west of it is negative.
            column: i32,
        },
    }
}

/// What to do in a turn.
#[derive(OneofObject, Serialize)]
#[serde(tag = "type", rename_all = "SCREAMING_SNAKE_CASE")]
pub enum ToysGoGoGoMoveInput {
    /// Take one of the open tiles and put it edge to edge with a piece of the own shop.
    Lay(ToysGoGoGoLayInput),
}

/// Which tile to lay where.
#[derive(InputObject, Serialize)]
pub struct ToysGoGoGoLayInput {
    /// The tile to take.
    tile: i32,
    /// How far south of the register; north of it is negative.
    row: i32,
    /// How far east of the register; west of it is negative.
    column: i32,
}

/// What laying a tile would bring.
#[derive(Deserialize, SimpleObject)]
pub struct ToysGoGoGoEffect {
    /// The coins the tile would earn there.
    coins: i32,
}

tagged! {
    /// One thing that happened in a game of Jouets à GO GO GO. Nothing of it is hidden from anybody.
    ToysGoGoGoEvent {
        /// Every seat got a cash register, the tiles were shuffled and the first of them opened.
        "DEALT" => ToysGoGoGoDealtEvent {
            /// The seat that begins.
            first: i32,
            /// The colours around the register of each seat: eight half-sides, clockwise from the top left corner.
            registers: Vec<Vec<ToysGoGoGoToyType>>,
            /// The open tiles.
            open: Vec<ToysGoGoGoTile>,
        },
        /// A seat took an open tile and put it into its shop.
        "LAID" => ToysGoGoGoLaidEvent {
            /// Whose shop it is.
            seat: i32,
            /// The tile.
            tile: i32,
            /// How far south of the register; north of it is negative.
            row: i32,
            /// How far east of the register; west of it is negative.
            column: i32,
            /// The coins the tile earned.
            coins: i32,
            /// The zones that earned them.
            zones: Vec<ToysGoGoGoGain>,
        },
        /// A seat was the first to have all five toys of a type.
        "COLLECTION_TAKEN" => ToysGoGoGoCollectionTakenEvent {
            /// Who took the reward.
            seat: i32,
            /// The type.
            toy_type: ToysGoGoGoToyType,
        },
        /// A tile was turned up from the stack.
        "OPENED" => ToysGoGoGoOpenedEvent {
            /// The tile; it lies at the end of the open row.
            tile: ToysGoGoGoTile,
        },
        /// The shops are full, and somebody has the most of a single toy of a type.
        "SHOWCASE_WON" => ToysGoGoGoShowcaseWonEvent {
            /// The type.
            toy_type: ToysGoGoGoToyType,
            /// How often the winners have the toy.
            count: i32,
            /// Who won: all that are tied.
            seats: Vec<i32>,
        },
        /// The game is over and the seat's rewards were turned into coins.
        "PAID" => ToysGoGoGoPaidEvent {
            /// Who was paid.
            seat: i32,
            /// How many rewards the seat has.
            rewards: i32,
            /// The coins they brought.
            coins: i32,
        },
    }
}

/// The coins of one zone.
#[derive(Deserialize, SimpleObject)]
#[serde(rename_all = "camelCase")]
pub struct ToysGoGoGoGain {
    /// The type of the zone.
    toy_type: ToysGoGoGoToyType,
    /// One coin for each toy in it.
    coins: i32,
}
