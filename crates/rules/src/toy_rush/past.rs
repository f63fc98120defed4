//! Which way the objectives went, and its counterpart: every other way that would look the same to some eyes.
//!
//! The deck is a queue that is never shuffled again, so there is more to know of it than what one holds. Whoever puts a
//! card under the deck knows its place until it is drawn again; and when the opponent draws it, that it is now either in
//! the opponent's hand or back under the deck, at a place one can count out. An objective that somebody completes was in
//! their hand all along. [`Past::imagine`] makes up a past that agrees with all of this.

use super::{
    objectives::{Objective, Objectives},
    types::Objects,
};
use crate::{Dice, Eyes, Seat};
use serde::{Deserialize, Serialize};
use std::collections::VecDeque;

/// The deck as it was shuffled, the top one first, and all that was done to it.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Past {
    pub shuffled: Vec<Objective>,
    pub passages: Vec<Passage>,
}

/// One thing that was done to the objectives.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub enum Passage {
    /// A seat drew from the top of the deck.
    Drew { seat: Seat, cards: Objectives },
    /// It kept what it had drawn, except for the card it put under the deck.
    Kept { seat: Seat, back: Option<Objective> },
    /// It completed some of its hand, which everybody saw.
    Shipped { seat: Seat, objectives: Objectives },
    /// The deck was empty, and everybody saw whether the game had run dry, with these objects in the hands.
    Judged { objects: [Objects; 2], dry: bool },
}

/// Where all objectives lie at the end of a [`Past`].
pub(super) struct Whereabouts {
    pub past: Past,
    pub deck: Vec<Objective>,
    pub hands: [Objectives; 2],
    pub drawn: [Objectives; 2],
}

/// How often a past is made up before the safest one is taken.
const TRIES: usize = 32;

impl Past {
    /// Makes up a past that these eyes can't tell from this one. Nothing if there seems to be no other.
    pub(super) fn imagine(&self, eyes: Eyes, dice: &mut Dice) -> Option<Whereabouts> {
        let mut attempts = (0..=TRIES).map(|attempt| {
            // With the choices as they were, only cards never seen change places: that hardly ever contradicts itself.
            let choices = if attempt < TRIES { Choices::MadeUp } else { Choices::AsTheyWere };
            Imagined::new(self, eyes, choices).live(dice)
        });
        attempts.find_map(|attempt| attempt)
    }
}

/// Which card the others put under the deck whenever they did.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Choices {
    MadeUp,
    AsTheyWere,
}

/// A card known by its place in the shuffled deck, as long as it is open what it shows.
type Slot = usize;

/// A past being made up.
struct Imagined<'a> {
    real: &'a Past,
    eyes: Eyes,
    choices: Choices,
    /// What each slot shows, as far as these eyes know, or as it was made up.
    shown: Vec<Option<Objective>>,
    deck: VecDeque<Slot>,
    drawn: [Vec<Slot>; 2],
    hands: [Vec<Slot>; 2],
    /// Which slots each passage moved, where that is not for all to see.
    moved: Vec<Vec<Slot>>,
    /// The hands at each moment when everybody saw whether the game had run dry, the objects then, and whether it had.
    judged: Vec<([Vec<Slot>; 2], [Objects; 2], bool)>,
}

impl<'a> Imagined<'a> {
    fn new(real: &'a Past, eyes: Eyes, choices: Choices) -> Self {
        Self {
            real,
            eyes,
            choices,
            shown: vec![None; real.shuffled.len()],
            deck: (0..real.shuffled.len()).collect(),
            drawn: Default::default(),
            hands: Default::default(),
            moved: Vec::new(),
            judged: Vec::new(),
        }
    }

    /// Goes through the whole past; nothing if it comes to contradict what the eyes have seen.
    fn live(mut self, dice: &mut Dice) -> Option<Whereabouts> {
        for passage in &self.real.passages {
            let moved = match *passage {
                Passage::Drew { seat, cards } => self.draw(seat, cards)?,
                Passage::Kept { seat, back } => self.keep(seat, back, dice),
                Passage::Shipped { seat, objectives } => self.ship(seat, objectives, dice)?,
                Passage::Judged { objects, dry } => {
                    self.judged.push((self.hands.clone(), objects, dry));
                    Vec::new()
                }
            };
            self.moved.push(moved);
        }
        let seen: Objectives = self.shown.iter().flatten().copied().collect();
        let mut unseen = Objectives::ALL.without(seen).shuffled(dice).into_iter();
        let shuffled: Vec<_> =
            self.shown.iter().map(|shown| shown.or_else(|| unseen.next()).expect("as many cards as slots")).collect();
        let agrees = self.judged.iter().all(|(hands, objects, dry)| is_dry(hands, *objects, &shuffled) == *dry);
        agrees.then(|| self.tell(shuffled))
    }

    fn draw(&mut self, seat: Seat, cards: Objectives) -> Option<Vec<Slot>> {
        let slots: Vec<_> = self.deck.drain(..usize::from(cards.len())).collect();
        self.drawn[seat.index()].clone_from(&slots);
        if self.eyes.see(seat) {
            let known: Objectives = slots.iter().filter_map(|&slot| self.shown[slot]).collect();
            let mut new = cards.without(known);
            if !known.without(cards).is_empty() || new.iter().any(|card| self.slot_of(card).is_some()) {
                return None;
            }
            for &slot in &slots {
                if self.shown[slot].is_none() {
                    let real = self.real.shuffled[slot];
                    let card = if new.contains(real) { real } else { new.iter().next()? };
                    new = new.without(card.into());
                    self.shown[slot] = Some(card);
                }
            }
        }
        Some(slots)
    }

    fn keep(&mut self, seat: Seat, back: Option<Objective>, dice: &mut Dice) -> Vec<Slot> {
        let mut kept = std::mem::take(&mut self.drawn[seat.index()]);
        let back = back.map(|card| {
            let is_it = |&slot: &Slot| match self.choices {
                _ if self.eyes.see(seat) => self.shown[slot] == Some(card),
                Choices::AsTheyWere => self.real.shuffled[slot] == card,
                Choices::MadeUp => false,
            };
            let at = kept.iter().position(is_it).unwrap_or_else(|| dice.index(kept.len()));
            kept.remove(at)
        });
        self.hands[seat.index()].extend(kept);
        self.deck.extend(back);
        back.into_iter().collect()
    }

    fn ship(&mut self, seat: Seat, objectives: Objectives, dice: &mut Dice) -> Option<Vec<Slot>> {
        for card in objectives.iter() {
            let hand = &self.hands[seat.index()];
            let slot = match self.slot_of(card) {
                Some(slot) => slot,
                None => {
                    let free: Vec<_> = hand.iter().copied().filter(|&slot| self.shown[slot].is_none()).collect();
                    if free.is_empty() {
                        return None;
                    }
                    free[dice.index(free.len())]
                }
            };
            let at = hand.iter().position(|&held| held == slot)?;
            self.hands[seat.index()].remove(at);
            self.shown[slot] = Some(card);
        }
        Some(Vec::new())
    }

    fn slot_of(&self, card: Objective) -> Option<Slot> {
        self.shown.iter().position(|shown| *shown == Some(card))
    }

    /// The past in cards again.
    fn tell(self, shuffled: Vec<Objective>) -> Whereabouts {
        let cards = |slots: &Vec<Slot>| slots.iter().map(|&slot| shuffled[slot]).collect::<Objectives>();
        let passages = self.real.passages.iter().zip(&self.moved).map(|(passage, moved)| match *passage {
            Passage::Drew { seat, .. } => Passage::Drew { seat, cards: cards(moved) },
            Passage::Kept { seat, .. } => Passage::Kept { seat, back: moved.first().map(|&slot| shuffled[slot]) },
            seen => seen,
        });
        let (passages, deck) = (passages.collect(), self.deck.iter().map(|&slot| shuffled[slot]).collect());
        let (hands, drawn) = (self.hands.each_ref().map(cards), self.drawn.each_ref().map(cards));
        Whereabouts { past: Past { shuffled, passages }, deck, hands, drawn }
    }
}

/// Whether nobody could complete anything any more, with the deck empty.
fn is_dry(hands: &[Vec<Slot>; 2], objects: [Objects; 2], shuffled: &[Objective]) -> bool {
    let piles = Objects::all().without(objects[0].with(objects[1])).expect("cards come from the piles");
    !hands.iter().zip(objects).any(|(hand, objects)| {
        let reach = objects.with(piles);
        hand.iter().any(|&slot| reach.cover(shuffled[slot].needs()))
    })
}
