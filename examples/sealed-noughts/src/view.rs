//! Views of states and events: what one viewer may see.

use crate::state::{Cell, Move};
use ludotheque::rules::Seat;
use schemars::JsonSchema;
use serde::Serialize;

/// A game of Sealed Noughts as one viewer sees it.
#[derive(Serialize, JsonSchema)]
pub struct View {
    /// The nine cells, row by row.
    pub cells: [Cell; 9],
    /// Both seats, in seat order.
    pub seats: [SeatView; 2],
    /// The bids of the previous round, by seat; null in the first round.
    pub last: Option<[Move; 2]>,
}

/// One seat as the viewer sees it.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct SeatView {
    /// Its mark.
    pub mark: Cell,
    /// Its coins.
    pub purse: u8,
    /// Whether it has bid in this round.
    pub has_bid: bool,
    /// Its secret bid; null for everyone but that seat, and before it has bid.
    pub bid: Option<Move>,
    /// Whether it has resigned.
    pub resigned: bool,
}

/// An event as one viewer sees it.
#[derive(Serialize, JsonSchema)]
#[serde(tag = "type", rename_all = "SCREAMING_SNAKE_CASE")]
pub enum EventView {
    /// A seat made a secret bid.
    Bid {
        /// The seat that bid.
        seat: Seat,
        /// The bid; null for everyone but that seat, except in a replay.
        bid: Option<Move>,
    },
    /// Both bids were revealed. The winner's mark was placed on its cell, and its coins went to the other seat.
    Unsealed {
        /// Both bids, by seat.
        bids: [Move; 2],
        /// The seat that placed a mark.
        winner: Seat,
    },
}
