//! History of the objective deck, and what each viewer saw of it.
//!
//! The deck is a queue that is never shuffled again, so players know more about it than the cards they hold. A player who
//! returns a card to the bottom of the deck knows its position until it is drawn again. When the opponent draws it, the
//! player knows that it is now either in the opponent's hand or back at the bottom, at a position that can be counted. A
//! completed objective was in its owner's hand before. `deck_reconstruction.rs` samples a history that is consistent with
//! all of this.

use super::{
    objectives::{Objective, Objectives},
    types::Objects,
};
use crate::{Eyes, Seat};
use serde::{Deserialize, Serialize};

/// The deck as it was shuffled, top card first, and every action on it since.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename = "Past")]
pub struct DeckHistory {
    pub shuffled: Vec<Objective>,
    #[serde(rename = "passages")]
    pub actions: Vec<DeckAction>,
}

/// One action on the objectives.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename = "Passage")]
pub enum DeckAction {
    /// A seat drew from the top of the deck.
    Drew { seat: Seat, cards: Objectives },
    /// The seat kept what it had drawn, except for a card it returned to the bottom of the deck.
    Kept { seat: Seat, back: Option<Objective> },
    /// The seat completed objectives from its hand, which everyone saw.
    Shipped { seat: Seat, objectives: Objectives },
    /// With the deck empty and these objects in the hands, everyone saw whether the game had run dry.
    Judged { objects: [Objects; 2], dry: bool },
}

/// A [`DeckAction`] as one viewer saw it. `None` stands for a card or cards that the viewer did not see.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum SeenAction {
    Drew { seat: Seat, count: u8, cards: Option<Objectives> },
    KeptAll { seat: Seat },
    Returned { seat: Seat, card: Option<Objective> },
    Shipped { seat: Seat, objectives: Objectives },
    Judged { objects: [Objects; 2], dry: bool },
}

impl DeckAction {
    fn seen_by(self, eyes: Eyes) -> SeenAction {
        match self {
            DeckAction::Drew { seat, cards } => {
                SeenAction::Drew { seat, count: cards.len(), cards: eyes.see(seat).then_some(cards) }
            }
            DeckAction::Kept { seat, back: None } => SeenAction::KeptAll { seat },
            DeckAction::Kept { seat, back: Some(card) } => {
                SeenAction::Returned { seat, card: eyes.see(seat).then_some(card) }
            }
            DeckAction::Shipped { seat, objectives } => SeenAction::Shipped { seat, objectives },
            DeckAction::Judged { objects, dry } => SeenAction::Judged { objects, dry },
        }
    }
}

impl DeckHistory {
    /// All actions as the viewer saw them.
    pub(super) fn seen_by(&self, eyes: Eyes) -> Vec<SeenAction> {
        self.actions.iter().map(|action| action.seen_by(eyes)).collect()
    }
}
