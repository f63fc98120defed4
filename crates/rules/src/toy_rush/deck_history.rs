//! History of the objective deck, and how to sample a different history that looks the same to a viewer.
//!
//! The deck is a queue that is never shuffled again, so players know more about it than the cards they hold. A player who
//! returns a card to the bottom of the deck knows its position until it is drawn again. When the opponent draws it, the
//! player knows that it is now either in the opponent's hand or back at the bottom, at a position that can be counted. A
//! completed objective was in its owner's hand before. [`DeckHistory::reconstruct`] samples a history that is consistent
//! with all of this.

use super::{
    objectives::{Objective, Objectives},
    types::Objects,
};
use crate::{Dice, Eyes, Seat};
use serde::{Deserialize, Serialize};
use std::collections::VecDeque;

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
    /// The deck was empty and the seats had these objects. Everyone saw whether the game had run dry: no seat could
    /// complete another objective.
    Judged { objects: [Objects; 2], dry: bool },
}

/// Where all objectives are at the end of a [`DeckHistory`].
pub(super) struct ObjectivePositions {
    pub history: DeckHistory,
    pub deck: Vec<Objective>,
    pub hands: [Objectives; 2],
    pub drawn: [Objectives; 2],
}

/// The number of attempts that choose the returned cards at random, before one that uses the actual ones.
const TRIES: usize = 32;

impl DeckHistory {
    /// Samples a history that the viewer can't tell from this one. `None` if no attempt was consistent.
    pub(super) fn reconstruct(&self, eyes: Eyes, dice: &mut Dice) -> Option<ObjectivePositions> {
        let mut attempts = (0..=TRIES).map(|attempt| {
            // The last attempt uses the cards that were actually returned. It swaps only cards that the viewer has
            // never seen, so it is almost always consistent.
            let returned = if attempt < TRIES { Returned::Random } else { Returned::Actual };
            Reconstruction::new(self, eyes, returned).replay(dice)
        });
        attempts.find_map(|attempt| attempt)
    }
}

/// How to choose the cards that other seats returned to the bottom of the deck.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Returned {
    Random,
    Actual,
}

/// A position in the shuffled deck, which stands for a card that may not be decided yet.
type DeckPosition = usize;

/// A history being sampled.
struct Reconstruction<'a> {
    real: &'a DeckHistory,
    eyes: Eyes,
    returned: Returned,
    /// The card at each position, if the viewer knows it or this sample has chosen it.
    decided: Vec<Option<Objective>>,
    deck: VecDeque<DeckPosition>,
    drawn: [Vec<DeckPosition>; 2],
    hands: [Vec<DeckPosition>; 2],
    /// The positions that each draw or return moved; empty for the other actions.
    moved: Vec<Vec<DeckPosition>>,
    /// For each [`DeckAction::Judged`]: the hands at that moment, the objects, and whether the game had run dry.
    judged: Vec<([Vec<DeckPosition>; 2], [Objects; 2], bool)>,
}

impl<'a> Reconstruction<'a> {
    fn new(real: &'a DeckHistory, eyes: Eyes, returned: Returned) -> Self {
        Self {
            real,
            eyes,
            returned,
            decided: vec![None; real.shuffled.len()],
            deck: (0..real.shuffled.len()).collect(),
            drawn: Default::default(),
            hands: Default::default(),
            moved: Vec::new(),
            judged: Vec::new(),
        }
    }

    /// Replays the whole history. `None` if it contradicts what the viewer has seen.
    fn replay(mut self, dice: &mut Dice) -> Option<ObjectivePositions> {
        for action in &self.real.actions {
            let moved = match *action {
                DeckAction::Drew { seat, cards } => self.draw(seat, cards)?,
                DeckAction::Kept { seat, back } => self.keep(seat, back, dice),
                DeckAction::Shipped { seat, objectives } => self.ship(seat, objectives, dice)?,
                DeckAction::Judged { objects, dry } => {
                    self.judged.push((self.hands.clone(), objects, dry));
                    Vec::new()
                }
            };
            self.moved.push(moved);
        }
        let seen: Objectives = self.decided.iter().flatten().copied().collect();
        let mut unseen = Objectives::ALL.without(seen).shuffled(dice).into_iter();
        let shuffled: Vec<_> = self
            .decided
            .iter()
            .map(|decided| decided.or_else(|| unseen.next()).expect("as many cards as positions"))
            .collect();
        let agrees = self.judged.iter().all(|(hands, objects, dry)| is_dry(hands, *objects, &shuffled) == *dry);
        agrees.then(|| self.into_cards(shuffled))
    }

    fn draw(&mut self, seat: Seat, cards: Objectives) -> Option<Vec<DeckPosition>> {
        let positions: Vec<_> = self.deck.drain(..usize::from(cards.len())).collect();
        self.drawn[seat.index()].clone_from(&positions);
        if self.eyes.see(seat) {
            let known: Objectives = positions.iter().filter_map(|&position| self.decided[position]).collect();
            let mut new = cards.without(known);
            if !known.without(cards).is_empty() || new.iter().any(|card| self.position_of(card).is_some()) {
                return None;
            }
            for &position in &positions {
                if self.decided[position].is_none() {
                    let real = self.real.shuffled[position];
                    let card = if new.contains(real) { real } else { new.iter().next()? };
                    new = new.without(card.into());
                    self.decided[position] = Some(card);
                }
            }
        }
        Some(positions)
    }

    fn keep(&mut self, seat: Seat, back: Option<Objective>, dice: &mut Dice) -> Vec<DeckPosition> {
        let mut kept = std::mem::take(&mut self.drawn[seat.index()]);
        let back = back.map(|card| {
            let is_returned = |&position: &DeckPosition| match self.returned {
                _ if self.eyes.see(seat) => self.decided[position] == Some(card),
                Returned::Actual => self.real.shuffled[position] == card,
                Returned::Random => false,
            };
            let at = kept.iter().position(is_returned).unwrap_or_else(|| dice.index(kept.len()));
            kept.remove(at)
        });
        self.hands[seat.index()].extend(kept);
        self.deck.extend(back);
        back.into_iter().collect()
    }

    fn ship(&mut self, seat: Seat, objectives: Objectives, dice: &mut Dice) -> Option<Vec<DeckPosition>> {
        for card in objectives.iter() {
            let hand = &self.hands[seat.index()];
            let position = match self.position_of(card) {
                Some(position) => position,
                None => {
                    let free: Vec<_> =
                        hand.iter().copied().filter(|&position| self.decided[position].is_none()).collect();
                    if free.is_empty() {
                        return None;
                    }
                    free[dice.index(free.len())]
                }
            };
            let at = hand.iter().position(|&held| held == position)?;
            self.hands[seat.index()].remove(at);
            self.decided[position] = Some(card);
        }
        Some(Vec::new())
    }

    fn position_of(&self, card: Objective) -> Option<DeckPosition> {
        self.decided.iter().position(|decided| *decided == Some(card))
    }

    /// Converts positions to cards.
    fn into_cards(self, shuffled: Vec<Objective>) -> ObjectivePositions {
        let cards = |positions: &Vec<DeckPosition>| {
            positions.iter().map(|&position| shuffled[position]).collect::<Objectives>()
        };
        let actions = self.real.actions.iter().zip(&self.moved).map(|(action, moved)| match *action {
            DeckAction::Drew { seat, .. } => DeckAction::Drew { seat, cards: cards(moved) },
            DeckAction::Kept { seat, .. } => {
                DeckAction::Kept { seat, back: moved.first().map(|&position| shuffled[position]) }
            }
            seen => seen,
        });
        let (actions, deck) = (actions.collect(), self.deck.iter().map(|&position| shuffled[position]).collect());
        let (hands, drawn) = (self.hands.each_ref().map(cards), self.drawn.each_ref().map(cards));
        ObjectivePositions { history: DeckHistory { shuffled, actions }, deck, hands, drawn }
    }
}

/// Whether, with the deck empty, neither seat can complete another objective.
fn is_dry(hands: &[Vec<DeckPosition>; 2], objects: [Objects; 2], shuffled: &[Objective]) -> bool {
    let piles = Objects::all().without(objects[0].with(objects[1])).expect("cards come from the piles");
    !hands.iter().zip(objects).any(|(hand, objects)| {
        let reach = objects.with(piles);
        hand.iter().any(|&position| reach.cover(shuffled[position].needs()))
    })
}
