//! What one pair of eyes may see of the table, and its counterpart: every table that would look the same to them.

use super::{
    legal::payable,
    objectives::{Objective, Objectives},
    state::{FIRST_HAND, Place, State, Step},
    types::{Object, Objects, Space},
};
use crate::{Dice, Eyes, Seat};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// The table as one pair of eyes sees it.
#[derive(Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "ToyRushView")]
pub struct View {
    /// The round being played, counted from 1; 0 while the first objectives are chosen.
    pub round: u8,
    /// What the table waits for.
    pub phase: Step,
    /// The seat that holds the first-player token.
    pub token: Seat,
    /// Points that end the game.
    pub target_points: u8,
    /// The round after which the game ends in any case.
    pub max_rounds: u8,
    /// The assembly line, from left to right.
    pub line: Vec<SpaceView>,
    /// Whose turn it is; nobody's while both choose.
    pub active: Option<Seat>,
    /// The space whose owner has a choice now.
    pub resolving: Option<Space>,
    /// The piles of object cards.
    pub piles: Vec<PileView>,
    /// How many objectives are left in the deck.
    pub deck_size: u8,
    /// Both seats, in order.
    pub seats: Vec<SeatView>,
}

/// A space of the assembly line.
#[derive(Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "ToyRushLine")]
pub struct SpaceView {
    /// Its number.
    pub space: Space,
    /// The id of its name.
    pub name: String,
    /// How many elves each seat has there, in the order of the seats.
    pub elves: [u8; 2],
}

/// A pile of object cards.
#[derive(Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "ToyRushPile")]
pub struct PileView {
    /// What its cards show.
    pub object: Object,
    /// How many are left.
    pub left: u8,
}

/// What lies before a seat.
#[derive(Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "ToyRushSeat")]
pub struct SeatView {
    /// The seat.
    pub seat: Seat,
    /// Whether the seat has given up.
    pub resigned: bool,
    /// Points of the completed objectives.
    pub points: u8,
    /// Elves still to be placed.
    pub stock: u8,
    /// Elves that can still be gained.
    pub reserve: u8,
    /// The object cards in hand, which all have seen.
    pub objects: Objects,
    /// The objectives completed.
    pub completed: Vec<ObjectiveView>,
    /// How many objectives the seat has in hand.
    pub hand_size: u8,
    /// The objectives in hand, for their owner only.
    pub hand_objectives: Option<Vec<ObjectiveView>>,
    /// How many objectives the seat has drawn and still has to choose from.
    pub drawn_size: u8,
    /// The objectives drawn, for their owner only.
    pub drawn: Option<Vec<ObjectiveView>>,
    /// Whether the seat has chosen and waits for the other one.
    pub chosen: bool,
    /// What it has chosen to keep or to complete, for its owner only.
    pub choice: Option<Objectives>,
}

/// An objective card, face up.
#[derive(Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "ToyRushObjective")]
pub struct ObjectiveView {
    /// The number on it, by which moves and events call it.
    pub id: Objective,
    /// The first name of the child who waits for it.
    pub child: String,
    /// The object cards it needs.
    pub needs: Objects,
    /// What it is worth.
    pub points: u8,
}

impl From<Objective> for ObjectiveView {
    fn from(id: Objective) -> Self {
        let printed = id.printed();
        Self { id, child: printed.child.clone(), needs: printed.needs, points: printed.points }
    }
}

pub(super) fn view(state: &State, eyes: Eyes) -> View {
    let piles = state.piles();
    let resolving = state.leftmost().filter(|_| state.step == Step::Resolve);
    let line = Space::ALL.into_iter().zip(state.line);
    View {
        round: state.round,
        phase: state.step,
        token: state.token,
        target_points: state.target,
        max_rounds: state.max_rounds,
        line: line.map(|(space, elves)| SpaceView { space, name: space.id().to_owned(), elves }).collect(),
        active: match state.step {
            Step::Place => Some(state.active),
            _ => resolving.map(|space| state.owner(space)),
        },
        resolving,
        piles: Object::ALL.map(|object| PileView { object, left: piles[object] }).into(),
        deck_size: u8::try_from(state.deck.len()).expect("18 cards at most"),
        seats: Seat::all(2).zip(&state.places).map(|(seat, place)| view_seat(seat, place, eyes)).collect(),
    }
}

fn view_seat(seat: Seat, place: &Place, eyes: Eyes) -> SeatView {
    let own = eyes.see(seat);
    let face_up = |cards: Objectives| cards.iter().map(ObjectiveView::from).collect();
    SeatView {
        seat,
        resigned: place.resigned,
        points: place.points(),
        stock: place.stock,
        reserve: place.reserve,
        objects: place.objects,
        completed: face_up(place.completed),
        hand_size: place.hand.len(),
        hand_objectives: own.then(|| face_up(place.hand)),
        drawn_size: place.drawn.len(),
        drawn: own.then(|| face_up(place.drawn)),
        chosen: place.sealed.is_some(),
        choice: place.sealed.filter(|_| own),
    }
}

/// Makes up all that these eyes can't know: the deck, the other hand, and what was chosen face down.
pub(super) fn resample(state: &State, eyes: Eyes, dice: &mut Dice) -> State {
    let mut state = state.clone();
    if eyes == Eyes::Replay {
        return state;
    }
    if let Some(other) = state.past.imagine(eyes, dice) {
        for (place, (hand, drawn)) in state.places.iter_mut().zip(other.hands.into_iter().zip(other.drawn)) {
            (place.hand, place.drawn) = (hand, drawn);
        }
        (state.deck, state.past) = (other.deck, Arc::new(other.past));
    }
    for (seat, place) in Seat::all(2).zip(&mut state.places) {
        if !eyes.see(seat) && place.sealed.is_some() {
            place.sealed = Some(sealed(place, dice));
        }
    }
    state
}

/// Anything the seat might have chosen: what to keep if it has just drawn, else what to complete.
fn sealed(place: &Place, dice: &mut Dice) -> Objectives {
    if !place.drawn.is_empty() {
        return place.drawn.shuffled(dice).into_iter().take(FIRST_HAND.into()).collect();
    }
    let mut possible = Vec::new();
    payable(place, &mut |objectives| possible.push(objectives));
    possible[dice.index(possible.len())]
}
