//! Rollout policy: the heuristic value of each choice of a seat, from what that seat sees. It weighs what the greedy bot
//! weighs, but on a state, so that a search can afford it at every move of a play-out.

use super::super::{
    legal::{CheckedMove, list},
    state::State,
    types::{Object, Objects, Space},
};
use crate::{Dice, Seat};

/// The opportunity cost of an elf, in tenths of a point.
const ELF: i32 = 9;

/// One in this many choices of a play-out is random, so that play-outs from equal positions differ.
const EXPLORATION: u32 = 10;

/// What a seat wants and can get. All values are in tenths of a point.
pub(super) struct Outlook {
    /// The objects that the objectives in hand need and the seat does not hold.
    lacking: Objects,
    objects: Objects,
    piles: Objects,
    reserve: u8,
    has_token: bool,
    /// Points still missing to the target if all objectives in hand were completed.
    short_of: i32,
}

impl Outlook {
    pub fn new(state: &State, seat: Seat) -> Self {
        let area = &state.areas[seat.index()];
        let points = area.points() + area.hand.points();
        Self {
            lacking: area.objects.lack(area.hand.needs()),
            objects: area.objects,
            piles: state.piles(),
            reserve: area.reserve,
            has_token: state.token == seat,
            short_of: i32::from(state.target) - i32::from(points),
        }
    }

    /// The value of a choice. Comparable only among the choices of one decision.
    pub fn worth(&self, choice: CheckedMove) -> i32 {
        match choice {
            CheckedMove::Keep(cards) => {
                let cost: i32 = cost(self.objects.lack(cards.needs()));
                10 * i32::from(cards.points()) - cost * 8 / 10
            }
            CheckedMove::Place(space, elves) => self.placement(space, elves),
            CheckedMove::Take(objects) => self.useful(objects),
            CheckedMove::TakeElf => self.growth(1),
            CheckedMove::Ship(cards) => i32::from(cards.points()),
        }
    }

    /// Compares placements by value per elf first, then by total value.
    fn placement(&self, space: Space, elves: u8) -> i32 {
        let gain = self.yields(space, elves) - ELF * i32::from(elves);
        gain * 1_000 / i32::from(elves) + gain
    }

    /// The value of placing this many elves on a space.
    fn yields(&self, space: Space, elves: u8) -> i32 {
        match space {
            Space::Primeur => i32::from(!self.has_token) * 4,
            // One more objective for about every five points missing.
            Space::Objectives => i32::from(elves).min((self.short_of + 4) / 5).max(0) * 20,
            Space::BoxOrElf => self.growth(1).max(self.useful(Objects::of(Object::Box, 1))),
            Space::Elves => self.growth(elves),
            _ => {
                let (from, price_in_elves) = space.gives();
                let wanted = from.iter().map(|&object| self.lacking[object].min(self.piles[object])).sum();
                i32::from((elves / price_in_elves).min(wanted)) * price(from[0])
            }
        }
    }

    /// Cards that the objectives lack are worth their price; others almost nothing.
    fn useful(&self, objects: Objects) -> i32 {
        let unwanted = self.lacking.lack(objects);
        let wanted = objects.without(unwanted).expect("part of the cards");
        cost(wanted) + i32::from(unwanted.total())
    }

    /// An extra elf works in every later round, so early ones are worth more.
    fn growth(&self, elves: u8) -> i32 {
        let gained = elves.min(self.reserve);
        let worth = match 12 - self.reserve {
            0..=3 => 30,
            4..=5 => 22,
            6..=7 => 14,
            _ => 5,
        };
        i32::from(gained) * worth
    }
}

/// The sum of the prices of these cards.
fn cost(objects: Objects) -> i32 {
    Object::ALL.into_iter().map(|object| i32::from(objects[object]) * price(object)).sum()
}

/// The cost of a card in elves. Boxes are scarcer than their points suggest: both players together get one per round.
fn price(object: Object) -> i32 {
    match object {
        Object::Pink | Object::Blue | Object::Yellow | Object::Train => 10,
        Object::Box => 18,
        Object::Dots | Object::Stripes | Object::Teddy => 20,
        Object::Horse => 30,
    }
}

/// The choice of a seat in a play-out. `choices` is a buffer.
pub(super) fn choose(state: &State, seat: Seat, choices: &mut Vec<CheckedMove>, dice: &mut Dice) -> CheckedMove {
    list(state, seat, choices);
    if let [only] = choices[..] {
        return only;
    }
    if dice.below(EXPLORATION) == 0 {
        return choices[dice.index(choices.len())];
    }
    let outlook = Outlook::new(state, seat);
    let best = choices.iter().rev().max_by_key(|choice| outlook.worth(**choice));
    *best.expect("a seat that is waited for has a choice")
}
