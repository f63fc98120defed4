//! What happens at the table: as it is stored, and as each pair of eyes is told of it.

use super::{
    cards::Cards,
    moves::{Bet, Choice, Move},
    score::Tally,
    types::Flavour,
};
use crate::{Eyes, Seat};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// One thing that happened, with its secrets. Stored for ever: new variants go to the end.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Event {
    RoundStarted { round: u32, dealer: Seat },
    Dealt { seat: Seat, cards: Cards },
    Drew { board: u8, chips: Vec<Flavour> },
    Chose { seat: Seat, choice: Choice },
    Revealed { bets: Vec<(Seat, Bet)> },
    Scored { tallies: Vec<(Seat, Tally)> },
    SetAside { seat: Seat, cards: Cards },
}

/// One thing that happened, as one pair of eyes is told of it.
#[derive(Debug, PartialEq, Serialize, JsonSchema)]
#[serde(tag = "type", rename_all = "SCREAMING_SNAKE_CASE", rename_all_fields = "camelCase")]
#[schemars(rename = "ChipsEvent")]
pub enum EventView {
    /// All chips went back into the bag and the objectives were shuffled.
    RoundStarted {
        /// Counted from 1.
        round: u32,
        /// The seat that deals.
        dealer: Seat,
    },
    /// A seat was dealt its cards.
    Dealt {
        /// Whose cards they are.
        seat: Seat,
        /// How many there are.
        count: u32,
        /// The cards, for their owner only.
        cards: Option<Cards>,
    },
    /// Chips were drawn from the bag. The two chips of board 4 come one after the other.
    Drew {
        /// The board they lie on, counted from 1.
        board: u8,
        /// The chips, in the order they were drawn.
        chips: Vec<Flavour>,
    },
    /// A seat has chosen.
    Chose {
        /// Who chose.
        seat: Seat,
        /// The move that was chosen, for its owner only.
        #[serde(rename = "move")]
        mv: Option<Move>,
    },
    /// All bets were turned face up.
    Revealed {
        /// The bets, by seat.
        bets: Vec<SeatBet>,
    },
    /// The round was scored and its tokens were handed out.
    Scored {
        /// What it brought, by seat.
        tallies: Vec<SeatTally>,
    },
    /// A seat gave up; the cards before it were set aside, a sealed bet included.
    SetAside {
        /// Who gave up.
        seat: Seat,
        /// The cards, for their owner only.
        cards: Option<Cards>,
    },
}

/// A seat's bet, face up.
#[derive(Debug, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "ChipsSeatBet")]
pub struct SeatBet {
    /// Whose bet it is.
    pub seat: Seat,
    /// Which cards lie on which side.
    pub bet: Bet,
}

/// What a round brought a seat.
#[derive(Debug, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "ChipsSeatTally")]
pub struct SeatTally {
    /// Whose tally it is.
    pub seat: Seat,
    /// Score, place and tokens.
    pub tally: Tally,
}

/// The event as those eyes see it. Nobody is kept from knowing that something happened, only from what it was.
pub(super) fn tell(event: &Event, eyes: Eyes) -> EventView {
    match event {
        &Event::RoundStarted { round, dealer } => EventView::RoundStarted { round, dealer },
        &Event::Dealt { seat, cards } => {
            EventView::Dealt { seat, count: cards.len(), cards: eyes.see(seat).then_some(cards) }
        }
        Event::Drew { board, chips } => EventView::Drew { board: *board, chips: chips.clone() },
        &Event::Chose { seat, choice } => EventView::Chose { seat, mv: eyes.see(seat).then(|| Move::from(choice)) },
        Event::Revealed { bets } => {
            EventView::Revealed { bets: bets.iter().map(|&(seat, bet)| SeatBet { seat, bet }).collect() }
        }
        Event::Scored { tallies } => EventView::Scored {
            tallies: tallies.iter().map(|(seat, tally)| SeatTally { seat: *seat, tally: tally.clone() }).collect(),
        },
        &Event::SetAside { seat, cards } => EventView::SetAside { seat, cards: eyes.see(seat).then_some(cards) },
    }
}
