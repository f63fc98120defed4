//! Events of Chips: [`Event`] is stored with all secrets, [`EventView`] is what one viewer may see of it.

use super::{
    cards::Cards,
    moves::{Bet, CheckedMove, Move},
    score::Tally,
    types::Flavour,
};
use crate::{Eyes, Seat};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A stored event, with its secrets. Old games keep these bytes, so add new variants at the end.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Event {
    RoundStarted { round: u32, dealer: Seat },
    Dealt { seat: Seat, cards: Cards },
    Drew { board: u8, chips: Vec<Flavour> },
    Chose { seat: Seat, choice: CheckedMove },
    Revealed { bets: Vec<(Seat, Bet)> },
    Scored { tallies: Vec<(Seat, Tally)> },
    SetAside { seat: Seat, cards: Cards },
}

/// An event as one viewer sees it.
#[derive(Debug, PartialEq, Serialize, JsonSchema)]
#[serde(tag = "type", rename_all = "SCREAMING_SNAKE_CASE", rename_all_fields = "camelCase")]
#[schemars(rename = "ChipsEvent")]
pub enum EventView {
    /// A round started: all chips were returned to the bag and the objective cards were shuffled.
    RoundStarted {
        /// The number of the round, counted from 1.
        round: u32,
        /// The seat that deals this round.
        dealer: Seat,
    },
    /// A seat was dealt its hand of objective cards.
    Dealt {
        /// The seat that received the cards.
        seat: Seat,
        /// The number of cards dealt.
        count: u32,
        /// The cards; null for everyone but their owner, except in a replay.
        cards: Option<Cards>,
    },
    /// Chips were drawn from the bag onto a board. The two chips of board 4 are drawn in two separate events.
    Drew {
        /// The board the chips were placed on, from 1 to 4.
        board: u8,
        /// The flavours of the chips, in the order they were drawn.
        chips: Vec<Flavour>,
    },
    /// A seat made its choice for this step. Others do not learn what it chose before the replay.
    Chose {
        /// The seat that chose.
        seat: Seat,
        /// The move it chose; null for everyone but that seat, except in a replay.
        #[serde(rename = "move")]
        mv: Option<Move>,
    },
    /// All bets were revealed.
    Revealed {
        /// One entry for each seat that bet.
        bets: Vec<SeatBet>,
    },
    /// The round was scored and tokens were awarded.
    Scored {
        /// The result of each seat that bet.
        tallies: Vec<SeatTally>,
    },
    /// A seat resigned. Its hand and any face-down bet were set aside.
    SetAside {
        /// The seat that resigned.
        seat: Seat,
        /// The cards; null for everyone but their owner, except in a replay.
        cards: Option<Cards>,
    },
}

/// The revealed bet of one seat.
#[derive(Debug, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "ChipsSeatBet")]
pub struct SeatBet {
    /// The seat that made the bet.
    pub seat: Seat,
    /// The cards of the bet.
    pub bet: Bet,
}

/// The result of one seat in a round.
#[derive(Debug, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "ChipsSeatTally")]
pub struct SeatTally {
    /// The seat's number, counted from 0.
    pub seat: Seat,
    /// Its score, rank and tokens.
    pub tally: Tally,
}

/// Converts a stored event for a viewer. Every viewer learns that it happened; only its secret fields are withheld.
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
