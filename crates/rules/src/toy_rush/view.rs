//! Views of Toy Rush: what a viewer may see of a state, and resampling, which redraws everything the viewer can't know.

use super::{
    deck_reconstruction::reconstruct,
    legal::payable,
    objectives::{Objective, Objectives},
    state::{Area, FIRST_HAND, Phase, State},
    types::{Object, Objects, Space},
};
use crate::{Dice, Eyes, Seat};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// A game of Toy Rush as one viewer sees it.
#[derive(Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "ToyRushView")]
pub struct View {
    /// The current round, counted from 1; 0 while the first objectives are chosen.
    pub round: u8,
    /// The phase of the game: what it waits for.
    pub phase: Phase,
    /// The seat that holds the first-player token.
    pub token: Seat,
    /// The number of points that ends the game.
    pub target_points: u8,
    /// The number of the last round.
    pub max_rounds: u8,
    /// The assembly line, from left to right.
    pub line: Vec<SpaceView>,
    /// The seat whose turn it is; null while both seats choose, and once the game is over.
    pub active: Option<Seat>,
    /// The space whose owner has a choice to make now; null otherwise.
    pub resolving: Option<Space>,
    /// The piles of object cards.
    pub piles: Vec<PileView>,
    /// The number of objectives left in the deck.
    pub deck_size: u8,
    /// Both seats, in seat order.
    pub seats: Vec<SeatView>,
}

/// A space of the assembly line.
#[derive(Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "ToyRushLine")]
pub struct SpaceView {
    /// Its number.
    pub space: Space,
    /// The id of its name in the glossary.
    pub name: String,
    /// The number of elves of each seat there, in seat order.
    pub elves: [u8; 2],
}

/// A pile of object cards.
#[derive(Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "ToyRushPile")]
pub struct PileView {
    /// What its cards show.
    pub object: Object,
    /// The number of cards left.
    pub left: u8,
}

/// The elves and cards of one seat.
#[derive(Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "ToyRushSeat")]
pub struct SeatView {
    /// The seat's number, counted from 0.
    pub seat: Seat,
    /// Whether the seat has resigned.
    pub resigned: bool,
    /// The points of its completed objectives.
    pub points: u8,
    /// The number of elves available to place.
    pub stock: u8,
    /// The number of elves not yet gained.
    pub reserve: u8,
    /// The object cards held. They are public.
    pub objects: Objects,
    /// The objectives completed.
    pub completed: Vec<ObjectiveView>,
    /// The number of objectives in hand.
    pub hand_size: u8,
    /// The objectives in hand; null for everyone but their owner.
    pub hand_objectives: Option<Vec<ObjectiveView>>,
    /// The number of objectives just drawn that the seat still has to choose from.
    pub drawn_size: u8,
    /// The objectives just drawn; null for everyone but their owner.
    pub drawn: Option<Vec<ObjectiveView>>,
    /// Whether the seat has chosen and waits for the other one.
    pub chosen: bool,
    /// The objectives it has chosen to keep or to complete; null for everyone but that seat, and until it has chosen.
    pub choice: Option<Objectives>,
}

/// An objective card, face up.
#[derive(Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "ToyRushObjective")]
pub struct ObjectiveView {
    /// Its number, which is its id in moves and events.
    pub id: Objective,
    /// The first name of the child who waits for the toys.
    pub child: String,
    /// The object cards it needs.
    pub needs: Objects,
    /// The points for completing it.
    pub points: u8,
}

impl From<Objective> for ObjectiveView {
    fn from(id: Objective) -> Self {
        let face = id.face();
        Self { id, child: face.child.clone(), needs: face.needs, points: face.points }
    }
}

pub(super) fn view(state: &State, eyes: Eyes) -> View {
    let piles = state.piles();
    let resolving = state.leftmost().filter(|_| state.phase == Phase::Resolve);
    let line = Space::ALL.into_iter().zip(state.line);
    View {
        round: state.round,
        phase: state.phase,
        token: state.token,
        target_points: state.target,
        max_rounds: state.max_rounds,
        line: line.map(|(space, elves)| SpaceView { space, name: space.id().to_owned(), elves }).collect(),
        active: match state.phase {
            Phase::Place => Some(state.active),
            _ => resolving.map(|space| state.owner(space)),
        },
        resolving,
        piles: Object::ALL.map(|object| PileView { object, left: piles[object] }).into(),
        deck_size: u8::try_from(state.deck.len()).expect("18 cards at most"),
        seats: Seat::all(2).zip(&state.areas).map(|(seat, area)| view_seat(seat, area, eyes)).collect(),
    }
}

fn view_seat(seat: Seat, area: &Area, eyes: Eyes) -> SeatView {
    let own = eyes.see(seat);
    let face_up = |cards: Objectives| cards.iter().map(ObjectiveView::from).collect();
    SeatView {
        seat,
        resigned: area.resigned,
        points: area.points(),
        stock: area.stock,
        reserve: area.reserve,
        objects: area.objects,
        completed: face_up(area.completed),
        hand_size: area.hand.len(),
        hand_objectives: own.then(|| face_up(area.hand)),
        drawn_size: area.drawn.len(),
        drawn: own.then(|| face_up(area.drawn)),
        chosen: area.sealed.is_some(),
        choice: area.sealed.filter(|_| own),
    }
}

/// Redraws everything the viewer can't know: the deck, the other hand, and secret choices. A state whose history no game
/// could have, such as one drawn for a test, keeps its cards.
pub(super) fn resample(state: &State, eyes: Eyes, dice: &mut Dice) -> State {
    let mut state = state.clone();
    if eyes == Eyes::Replay {
        return state;
    }
    if let Some(other) = reconstruct(&state.history.seen_by(eyes), state.history.shuffled.len(), dice) {
        for (area, (hand, drawn)) in state.areas.iter_mut().zip(other.hands.into_iter().zip(other.drawn)) {
            (area.hand, area.drawn) = (hand, drawn);
        }
        (state.deck, state.history) = (other.deck, Arc::new(other.history));
    }
    for (seat, area) in Seat::all(2).zip(&mut state.areas) {
        if !eyes.see(seat) && area.sealed.is_some() {
            area.sealed = Some(sealed(area, dice));
        }
    }
    state
}

/// A random choice the seat might have made: what to keep if it has just drawn, else what to complete.
fn sealed(area: &Area, dice: &mut Dice) -> Objectives {
    if !area.drawn.is_empty() {
        return area.drawn.shuffled(dice).into_iter().take(FIRST_HAND.into()).collect();
    }
    let mut possible = Vec::new();
    payable(area, &mut |objectives| possible.push(objectives));
    possible[dice.index(possible.len())]
}
