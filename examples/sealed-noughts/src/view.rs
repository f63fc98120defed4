//! What a pair of eyes may see of the table, and be told of what happens at it.

use crate::state::{Cell, Move};
use ludotheque::rules::Seat;
use schemars::JsonSchema;
use serde::Serialize;

/// The table as one pair of eyes sees it.
#[derive(Serialize, JsonSchema)]
pub struct View {
    /// The nine cells, row by row.
    pub cells: [Cell; 9],
    /// Both seats, in order.
    pub seats: [SeatView; 2],
    /// The bids of the round before, by seat; null in the first round.
    pub last: Option<[Move; 2]>,
}

/// What is seen of one seat.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct SeatView {
    /// Its mark.
    pub mark: Cell,
    /// Its coins.
    pub purse: u8,
    /// Whether it has bid.
    pub has_bid: bool,
    /// Its sealed bid; null for everybody else.
    pub bid: Option<Move>,
    /// Whether it has given up.
    pub resigned: bool,
}

/// One thing that happened, as one viewer may see it.
#[derive(Serialize, JsonSchema)]
#[serde(tag = "type", rename_all = "SCREAMING_SNAKE_CASE")]
pub enum EventView {
    /// A seat has bid.
    Bid {
        /// Who bid.
        seat: Seat,
        /// The sealed bid; null for everybody else.
        bid: Option<Move>,
    },
    /// Both bids were opened: the winner's mark is on its cell, and its coins went to the other seat.
    Unsealed {
        /// Both bids, by seat.
        bids: [Move; 2],
        /// Who placed a mark.
        winner: Seat,
    },
}
