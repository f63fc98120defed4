//! Greedy bot for Toy Rush: takes what its objectives lack, gains elves while that pays off, and completes whatever it
//! can.
//!
//! It looks one move ahead and uses only the view, like any client. It is not strong, but plays well enough to measure
//! whether games have the right length and whether going first is an advantage.

use super::{Move, Object, Objects, SeatView, Space, View};
use crate::Seat;

/// The index of the move with the highest value.
pub(super) fn pick(view: &View, seat: Seat, moves: &[Move]) -> usize {
    let judge = Evaluation::new(view, seat);
    let best = moves.iter().map(|mv| judge.worth(mv)).enumerate().rev().max_by_key(|(_, worth)| *worth);
    best.map_or(0, |(index, _)| index)
}

/// The opportunity cost of an elf, in tenths of a point.
const ELF: i32 = 9;

/// Heuristic evaluation of a view for one seat. All values are in tenths of a point.
struct Evaluation<'a> {
    view: &'a View,
    own: &'a SeatView,
    /// The objects that the objectives in hand need and the seat does not hold.
    lacking: Objects,
    /// Points still missing to the target if all objectives in hand were completed.
    short_of: i32,
}

impl<'a> Evaluation<'a> {
    fn new(view: &'a View, seat: Seat) -> Self {
        let own = &view.seats[seat.index()];
        let hand = own.hand_objectives.as_deref().unwrap_or_default();
        let needs = hand.iter().fold(Objects::NONE, |sum, card| sum.with(card.needs));
        let points: i32 = hand.iter().map(|card| i32::from(card.points)).sum();
        Self {
            view,
            own,
            lacking: lacking(needs, own.objects),
            short_of: i32::from(view.target_points) - i32::from(own.points) - points,
        }
    }

    fn worth(&self, mv: &Move) -> i32 {
        match mv {
            Move::Keep { objectives } => {
                objectives.as_slice().iter().map(|card| self.promise(card.needs(), card.face().points)).sum()
            }
            Move::Place { space, elves } => self.placement(*space, *elves),
            Move::Take { objects } => self.useful(*objects),
            Move::TakeElf {} => self.growth(1),
            Move::Ship { objectives } => objectives.as_slice().iter().map(|card| i32::from(card.face().points)).sum(),
        }
    }

    /// The value of an objective: its points minus the cost of what it still lacks.
    fn promise(&self, needs: Objects, points: u8) -> i32 {
        10 * i32::from(points) - lacking(needs, self.own.objects).iter().map(price).sum::<i32>() * 8 / 10
    }

    /// Compares placements by value per elf first, then by total value.
    fn placement(&self, space: Space, elves: u8) -> i32 {
        let gain = self.yields(space, elves) - ELF * i32::from(elves);
        gain * 1_000 / i32::from(elves) + gain
    }

    /// The value of placing this many elves on a space.
    fn yields(&self, space: Space, elves: u8) -> i32 {
        let (from, cost) = space.gives();
        match space {
            Space::Primeur => i32::from(self.view.token != self.own.seat) * 4,
            // One more objective for about every five points missing.
            Space::Objectives => i32::from(elves).min((self.short_of + 4) / 5).max(0) * 20,
            Space::BoxOrElf => self.growth(1).max(self.useful(Objects::of(Object::Box, 1))),
            Space::Elves => self.growth(elves),
            _ => {
                let wanted = from.iter().map(|&object| self.lacking[object].min(self.left(object))).sum();
                i32::from((elves / cost).min(wanted)) * from.first().copied().map_or(0, price)
            }
        }
    }

    fn left(&self, object: Object) -> u8 {
        self.view.piles.iter().find(|pile| pile.object == object).map_or(0, |pile| pile.left)
    }

    /// Cards that the objectives lack are worth their price; others almost nothing.
    fn useful(&self, objects: Objects) -> i32 {
        Object::ALL
            .into_iter()
            .map(|object| {
                let wanted = objects[object].min(self.lacking[object]);
                i32::from(wanted) * price(object) + i32::from(objects[object] - wanted)
            })
            .sum()
    }

    /// An extra elf works in every later round, so early ones are worth more.
    fn growth(&self, elves: u8) -> i32 {
        let gained = elves.min(self.own.reserve);
        let worth = match 12 - self.own.reserve {
            0..=3 => 30,
            4..=5 => 22,
            6..=7 => 14,
            _ => 5,
        };
        i32::from(gained) * worth
    }
}

fn lacking(needs: Objects, held: Objects) -> Objects {
    Object::ALL
        .into_iter()
        .fold(Objects::NONE, |sum, object| sum.with(Objects::of(object, needs[object].saturating_sub(held[object]))))
}

/// The cost of a card in elves, which is also what it adds to the points of an objective. Boxes are scarcer than their
/// points suggest: both players together get one per round.
fn price(object: Object) -> i32 {
    match object {
        Object::Pink | Object::Blue | Object::Yellow | Object::Train => 10,
        Object::Box => 18,
        Object::Dots | Object::Stripes | Object::Teddy => 20,
        Object::Horse => 30,
    }
}
