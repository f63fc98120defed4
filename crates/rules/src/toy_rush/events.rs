//! What happens at the table: as it is stored, and as each pair of eyes is told of it.

use super::{
    objectives::{Objective, Objectives},
    types::{Objects, Space},
};
use crate::{Eyes, Seat};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// One thing that happened, with its secrets. Stored for ever: new variants go to the end.
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

/// One thing that happened, as one pair of eyes is told of it.
#[derive(Debug, PartialEq, Serialize, JsonSchema)]
#[serde(tag = "type", rename_all = "SCREAMING_SNAKE_CASE", rename_all_fields = "camelCase")]
#[schemars(rename = "ToyRushEvent")]
pub enum EventView {
    /// A seat drew objectives from the top of the deck.
    Drew {
        /// Who drew.
        seat: Seat,
        /// How many there were.
        count: u8,
        /// The objectives, for their owner only.
        objectives: Option<Objectives>,
    },
    /// A seat has chosen what to keep or to complete; it is sealed until the other one has chosen too.
    Chose {
        /// Who chose.
        seat: Seat,
        /// What was chosen, for its owner only.
        objectives: Option<Objectives>,
    },
    /// A seat took objectives into its hand; one it did not want went under the deck.
    Kept {
        /// Who kept them.
        seat: Seat,
        /// How many were kept.
        count: u8,
        /// Those kept, for their owner only.
        objectives: Option<Objectives>,
        /// How many went under the deck.
        back_count: u8,
        /// The one that went under the deck, for whoever put it there only.
        back: Option<Objective>,
    },
    /// A round began.
    RoundStarted {
        /// Counted from 1.
        round: u8,
        /// The seat that places first.
        first: Seat,
    },
    /// Elves were placed.
    Placed {
        /// Whose elves they are.
        seat: Seat,
        /// Where they stand.
        space: Space,
        /// How many there are.
        elves: u8,
    },
    /// The first-player token changed hands.
    TokenMoved {
        /// Who has it now.
        to: Seat,
    },
    /// A space gave its owner something.
    Gained {
        /// Who got it.
        seat: Seat,
        /// The space it came from.
        space: Space,
        /// Object cards taken from the piles.
        objects: Objects,
        /// Elves that came from the reserve into the stock.
        elves: u8,
    },
    /// Elves went from a space back into the stock.
    WentHome {
        /// Whose elves they are.
        seat: Seat,
        /// Where they stood.
        space: Space,
        /// How many there are.
        elves: u8,
    },
    /// A seat completed objectives, perhaps none; the objects they needed are on their piles again.
    Shipped {
        /// Who completed them.
        seat: Seat,
        /// The objectives, which lie open now.
        completed: Objectives,
        /// All points of the seat so far.
        points: u8,
    },
}

/// The event as those eyes see it. Nobody is kept from knowing that something happened, only from what it was.
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
