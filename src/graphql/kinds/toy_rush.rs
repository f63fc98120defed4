//! Toy Rush.

use super::shape::tagged;
use super::{Chosen, KindId};
use async_graphql::{Enum, ID, InputObject, OneofObject, SimpleObject};
use serde::{Deserialize, Serialize};

pub use self::{
    ToyRushEvent as Event, ToyRushMove as Move, ToyRushMoveInput as MoveInput, ToyRushOptions as Options,
    ToyRushOptionsInput as OptionsInput, ToyRushView as View,
};

/// What a card of a pile shows.
#[derive(Clone, Copy, Enum, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum ToyRushObject {
    /// A colour.
    Pink,
    /// A colour.
    Blue,
    /// A colour.
    Yellow,
    /// A pattern.
    Dots,
    /// A pattern.
    Stripes,
    /// A toy.
    Train,
    /// A toy.
    Teddy,
    /// A toy.
    Horse,
    /// What a toy is sent in.
    Box,
}

/// What the table waits for.
#[derive(Clone, Copy, Enum, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum ToyRushStep {
    /// Before the first round: both choose which objectives to keep.
    Keep,
    /// Elves are placed, in turn.
    Place,
    /// The spaces give their goods, from left to right; the owner of one of them has a choice.
    Resolve,
    /// Both choose which objectives to complete.
    Ship,
    /// The game is over.
    Over,
}

/// What was agreed before a game of Toy Rush.
#[derive(Deserialize, SimpleObject)]
#[serde(rename_all = "camelCase")]
pub struct ToyRushOptions {
    /// What is played.
    pub kind: KindId,
    /// Seconds that a seat may take for a move; 0 for as long as it likes.
    pub move_seconds: i32,
    /// Points that end the game.
    target_points: i32,
    /// The seat that holds the first-player token at the start; null if it is drawn by lot.
    first_seat: Option<i32>,
    /// The round after which the game ends in any case.
    max_rounds: i32,
}

/// What to agree before a game of Toy Rush.
#[derive(InputObject, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ToyRushOptionsInput {
    /// Seconds that a seat may take for a move; 0, or nothing, for as long as it likes.
    #[serde(skip_serializing_if = "Option::is_none")]
    move_seconds: Option<i32>,
    /// Points that end the game, 1 to 80; 17 unless said otherwise.
    #[serde(skip_serializing_if = "Option::is_none")]
    target_points: Option<i32>,
    /// The seat that holds the first-player token at the start; drawn by lot unless said otherwise.
    #[serde(skip_serializing_if = "Option::is_none")]
    first_seat: Option<i32>,
    /// The round after which the game ends in any case, 1 to 200; 40 unless said otherwise.
    #[serde(skip_serializing_if = "Option::is_none")]
    max_rounds: Option<i32>,
}

/// A game of Toy Rush as one pair of eyes sees it.
#[derive(Deserialize, SimpleObject)]
#[serde(rename_all = "camelCase")]
pub struct ToyRushView {
    /// What is played.
    pub kind: KindId,
    /// The round being played, counted from 1; 0 while the first objectives are chosen.
    round: i32,
    /// What the table waits for.
    step: ToyRushStep,
    /// The seat that holds the first-player token.
    token: i32,
    /// Points that end the game.
    target_points: i32,
    /// The round after which the game ends in any case.
    max_rounds: i32,
    /// The assembly line, from left to right.
    line: Vec<ToyRushLine>,
    /// Whose turn it is; nobody's while both choose.
    active: Option<i32>,
    /// The space whose owner has a choice now.
    resolving: Option<i32>,
    /// The piles of object cards.
    piles: Vec<ToyRushPile>,
    /// How many objectives are left in the deck.
    deck_size: i32,
    /// Both seats, in order.
    seats: Vec<ToyRushSeat>,
}

/// A space of the assembly line.
#[derive(Deserialize, SimpleObject)]
pub struct ToyRushLine {
    /// Its number, 1 to 9, from left to right.
    space: i32,
    /// The id of its name.
    name: String,
    /// How many elves each seat has there, in the order of the seats.
    elves: Vec<i32>,
}

/// A pile of object cards.
#[derive(Deserialize, SimpleObject)]
pub struct ToyRushPile {
    /// What its cards show.
    object: ToyRushObject,
    /// How many are left.
    left: i32,
}

/// What lies before a seat.
#[derive(Deserialize, SimpleObject)]
#[serde(rename_all = "camelCase")]
pub struct ToyRushSeat {
    /// The seat.
    seat: i32,
    /// Whether the seat has given up.
    resigned: bool,
    /// Points of the completed objectives.
    points: i32,
    /// Elves still to be placed.
    stock: i32,
    /// Elves that can still be gained.
    reserve: i32,
    /// The object cards in hand, which all have seen; two that are alike are listed twice.
    objects: Vec<ToyRushObject>,
    /// The objectives completed.
    completed: Vec<ToyRushObjective>,
    /// How many objectives the seat has in hand.
    hand_size: i32,
    /// The objectives in hand, for their owner only.
    hand: Option<Vec<ToyRushObjective>>,
    /// How many objectives the seat has drawn and still has to choose from.
    drawn_size: i32,
    /// The objectives drawn, for their owner only.
    drawn: Option<Vec<ToyRushObjective>>,
    /// Whether the seat has chosen and waits for the other one.
    chosen: bool,
    /// What it has chosen to keep or to complete, for its owner only.
    choice: Option<Vec<ID>>,
}

/// An objective card, face up.
#[derive(Deserialize, SimpleObject)]
pub struct ToyRushObjective {
    /// The number on it, by which moves and events call it.
    id: ID,
    /// The first name of the child who waits for it.
    child: String,
    /// The object cards it needs.
    needs: Vec<ToyRushObject>,
    /// What it is worth.
    points: i32,
}

tagged! {
    /// What a seat chooses in Toy Rush.
    ToyRushMove {
        /// Keep some of the objectives just drawn: two of three at the start, later one of two.
        "KEEP" => ToyRushKeepMove {
            /// The objectives to keep.
            objectives: Vec<ID>,
        },
        /// Put elves from the stock on one space of the line.
        "PLACE" => ToyRushPlaceMove {
            /// The space they go to.
            space: i32,
            /// How many they are.
            elves: i32,
        },
        /// Take object cards: the box of space 3, or the colours or patterns that spaces 5 and 7 give, all at once.
        "TAKE" => ToyRushTakeMove {
            /// The cards to take.
            objects: Vec<ToyRushObject>,
        },
        /// Take an elf from the reserve, at space 3.
        "TAKE_ELF" => ToyRushTakeElfMove {},
        /// Complete objectives, at the end of a round; none is possible too.
        "SHIP" => ToyRushShipMove {
            /// The objectives to complete.
            objectives: Vec<ID>,
        },
    }
}

/// What to choose in Toy Rush. In a list the order does not matter.
#[derive(OneofObject, Serialize)]
#[serde(tag = "type", rename_all = "SCREAMING_SNAKE_CASE")]
pub enum ToyRushMoveInput {
    /// Keep some of the objectives just drawn: two of three at the start, later one of two.
    Keep(ToyRushObjectivesInput),
    /// Put elves from the stock on one space of the line.
    Place(ToyRushPlaceInput),
    /// Take object cards: the box of space 3, or the colours or patterns that spaces 5 and 7 give, all at once.
    Take(ToyRushTakeInput),
    /// Take an elf from the reserve, at space 3.
    TakeElf(Chosen),
    /// Complete objectives, at the end of a round; none is possible too.
    Ship(ToyRushObjectivesInput),
}

/// Which objectives.
#[derive(InputObject, Serialize)]
pub struct ToyRushObjectivesInput {
    /// The numbers of the objectives.
    objectives: Vec<ID>,
}

/// How many elves to place where.
#[derive(InputObject, Serialize)]
pub struct ToyRushPlaceInput {
    /// The space they go to, 1 to 9.
    space: i32,
    /// How many they are.
    elves: i32,
}

/// Which object cards to take.
#[derive(InputObject, Serialize)]
pub struct ToyRushTakeInput {
    /// The cards to take.
    objects: Vec<ToyRushObject>,
}

tagged! {
    /// One thing that happened in a game of Toy Rush, as one pair of eyes is told of it.
    ToyRushEvent {
        /// A seat drew objectives from the top of the deck.
        "DREW" => ToyRushDrewEvent {
            /// Who drew.
            seat: i32,
            /// How many there were.
            count: i32,
            /// The objectives, for their owner only.
            objectives: Option<Vec<ID>>,
        },
        /// A seat has chosen what to keep or to complete; it is sealed until the other one has chosen too.
        "CHOSE" => ToyRushChoseEvent {
            /// Who chose.
            seat: i32,
            /// What was chosen, for its owner only.
            objectives: Option<Vec<ID>>,
        },
        /// A seat took objectives into its hand; one it did not want went under the deck.
        "KEPT" => ToyRushKeptEvent {
            /// Who kept them.
            seat: i32,
            /// How many were kept.
            count: i32,
            /// Those kept, for their owner only.
            objectives: Option<Vec<ID>>,
            /// How many went under the deck.
            back_count: i32,
            /// The one that went under the deck, for whoever put it there only.
            back: Option<ID>,
        },
        /// A round began.
        "ROUND_STARTED" => ToyRushRoundStartedEvent {
            /// Counted from 1.
            round: i32,
            /// The seat that places first.
            first: i32,
        },
        /// Elves were placed.
        "PLACED" => ToyRushPlacedEvent {
            /// Whose elves they are.
            seat: i32,
            /// Where they stand.
            space: i32,
            /// How many there are.
            elves: i32,
        },
        /// The first-player token changed hands.
        "TOKEN_MOVED" => ToyRushTokenMovedEvent {
            /// Who has it now.
            to: i32,
        },
        /// A space gave its owner something.
        "GAINED" => ToyRushGainedEvent {
            /// Who got it.
            seat: i32,
            /// The space it came from.
            space: i32,
            /// Object cards taken from the piles.
            objects: Vec<ToyRushObject>,
            /// Elves that came from the reserve into the stock.
            elves: i32,
        },
        /// Elves went from a space back into the stock.
        "WENT_HOME" => ToyRushWentHomeEvent {
            /// Whose elves they are.
            seat: i32,
            /// Where they stood.
            space: i32,
            /// How many there are.
            elves: i32,
        },
        /// A seat completed objectives, perhaps none; the objects they needed are on their piles again.
        "SHIPPED" => ToyRushShippedEvent {
            /// Who completed them.
            seat: i32,
            /// The objectives, which lie open now.
            objectives: Vec<ID>,
            /// All points of the seat so far.
            points: i32,
        },
    }
}
