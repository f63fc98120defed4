//! Events of Toy Rush: [`Event`] is stored with all secrets, [`EventView`] is what one viewer may see of it.

use super::{
    objectives::{Objective, Objectives},
    types::{Objects, Space},
};
use crate::{Eyes, Seat};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A stored event, with its secrets. Old games keep these bytes, so add new variants at the end.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Event {
    Drew { seat: Seat, cards: Objectives },
    Chose { seat: Seat, objectives: Objectives },
    Kept { seat: Seat, kept: Objectives, back: Option<Objective> },
    RoundStarted { round: u8, first: Seat },
    Placed { seat: Seat, space: Space, elves: u8 },
    TokenMoved { to: Seat },
    Gained { seat: Seat, space: Space, objects: Objects, elves: u8 },
    WentHome { seat: Seat, space: Space, elves: u8 },
    Shipped { seat: Seat, objectives: Objectives, points: u8 },
}

/// An event as one viewer sees it.
#[derive(Debug, PartialEq, Serialize, JsonSchema)]
#[serde(tag = "type", rename_all = "SCREAMING_SNAKE_CASE", rename_all_fields = "camelCase")]
#[schemars(rename = "ToyRushEvent")]
pub enum EventView {
    /// A seat drew objectives from the top of the deck.
    Drew {
        /// The seat that drew.
        seat: Seat,
        /// The number of objectives drawn.
        count: u8,
        /// The objectives; null for everyone but their owner, except in a replay.
        objectives: Option<Objectives>,
    },
    /// A seat chose what to keep or to complete. Its choice stays secret until the other seat has chosen too.
    Chose {
        /// The seat that chose.
        seat: Seat,
        /// The objectives it chose; null for everyone but that seat, except in a replay.
        objectives: Option<Objectives>,
    },
    /// A seat kept objectives in its hand. If it returned one, that went to the bottom of the deck.
    Kept {
        /// The seat that kept them.
        seat: Seat,
        /// The number of objectives kept.
        count: u8,
        /// The objectives kept; null for everyone but their owner, except in a replay.
        objectives: Option<Objectives>,
        /// The number of objectives returned to the bottom of the deck: 0 or 1.
        back_count: u8,
        /// The objective returned to the bottom of the deck; null for everyone but the seat that returned it, except in
        /// a replay.
        back: Option<Objective>,
    },
    /// A round began.
    RoundStarted {
        /// The number of the round, counted from 1.
        round: u8,
        /// The seat that places elves first.
        first: Seat,
    },
    /// A seat placed elves on a space.
    Placed {
        /// The seat that owns the elves.
        seat: Seat,
        /// The space they stand on.
        space: Space,
        /// The number of elves.
        elves: u8,
    },
    /// The first-player token changed hands.
    TokenMoved {
        /// The seat that holds it now.
        to: Seat,
    },
    /// A seat received the goods of a space.
    Gained {
        /// The seat that received them.
        seat: Seat,
        /// The space they came from.
        space: Space,
        /// The object cards taken from the piles.
        objects: Objects,
        /// The number of elves that moved from the reserve to the stock.
        elves: u8,
    },
    /// Elves returned from a space to their owner's stock.
    WentHome {
        /// The seat that owns the elves.
        seat: Seat,
        /// The space they stood on.
        space: Space,
        /// The number of elves.
        elves: u8,
    },
    /// A seat completed objectives, possibly none. The object cards they needed are back on their piles.
    Shipped {
        /// The seat that completed them.
        seat: Seat,
        /// The completed objectives, which are public from now on.
        completed: Objectives,
        /// The seat's points after this.
        points: u8,
    },
}

/// Converts a stored event for a viewer. Every viewer learns that it happened; only its secret fields are withheld.
pub(super) fn tell(event: &Event, eyes: Eyes) -> EventView {
    match *event {
        Event::Drew { seat, cards } => {
            EventView::Drew { seat, count: cards.len(), objectives: eyes.see(seat).then_some(cards) }
        }
        Event::Chose { seat, objectives } => {
            EventView::Chose { seat, objectives: eyes.see(seat).then_some(objectives) }
        }
        Event::Kept { seat, kept, back } => EventView::Kept {
            seat,
            count: kept.len(),
            objectives: eyes.see(seat).then_some(kept),
            back_count: back.is_some().into(),
            back: back.filter(|_| eyes.see(seat)),
        },
        Event::RoundStarted { round, first } => EventView::RoundStarted { round, first },
        Event::Placed { seat, space, elves } => EventView::Placed { seat, space, elves },
        Event::TokenMoved { to } => EventView::TokenMoved { to },
        Event::Gained { seat, space, objects, elves } => EventView::Gained { seat, space, objects, elves },
        Event::WentHome { seat, space, elves } => EventView::WentHome { seat, space, elves },
        Event::Shipped { seat, objectives, points } => EventView::Shipped { seat, completed: objectives, points },
    }
}
