//! A greedy player of Toy Rush: takes what its objectives lack, grows while it pays, and completes whatever it can.
//!
//! It looks one move ahead and at nothing but the view, like any client. It is no good player; it plays sensibly enough
//! to show whether the objectives make for games of the right length, and whether beginning is an advantage.

use super::{Move, Object, Objects, SeatView, Space, View};
use crate::Seat;

/// The move that is worth the most.
pub(super) fn pick(view: &View, seat: Seat, moves: &[Move]) -> usize {
    let judge = Judge::new(view, seat);
    let best = moves.iter().map(|mv| judge.worth(mv)).enumerate().rev().max_by_key(|(_, worth)| *worth);
    best.map_or(0, |(index, _)| index)
}

/// What an elf could earn elsewhere, in tenths of a point.
const ELF: i32 = 9;

/// What a seat thinks of the table. All worths are in tenths of a point.
struct Judge<'a> {
    view: &'a View,
    own: &'a SeatView,
    /// What the objectives in hand need beyond the objects held.
    lacking: Objects,
    /// Points missing to the target if all objectives in hand were completed.
    short_of: i32,
}

impl<'a> Judge<'a> {
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
                objectives.as_slice().iter().map(|card| self.promise(card.needs(), card.printed().points)).sum()
            }
            Move::Place { space, elves } => self.placement(*space, *elves),
            Move::Take { objects } => self.useful(*objects),
            Move::TakeElf {} => self.growth(1),
            Move::Ship { objectives } => {
                objectives.as_slice().iter().map(|card| i32::from(card.printed().points)).sum()
            }
        }
    }

    /// An objective is worth its points, less what is still to be done for it.
    fn promise(&self, needs: Objects, points: u8) -> i32 {
        10 * i32::from(points) - lacking(needs, self.own.objects).iter().map(price).sum::<i32>() * 8 / 10
    }

    /// The best use of each elf comes first; then the use of many.
    fn placement(&self, space: Space, elves: u8) -> i32 {
        let gain = self.yields(space, elves) - ELF * i32::from(elves);
        gain * 1_000 / i32::from(elves) + gain
    }

    /// What so many elves on a space would bring.
    fn yields(&self, space: Space, elves: u8) -> i32 {
        let (from, cost) = space.gives();
        match space {
            Space::Primeur => i32::from(self.view.token != self.own.seat) * 4,
            // About every five points missing call for another objective.
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

    /// Cards that the objectives lack are worth their price; another hardly anything.
    fn useful(&self, objects: Objects) -> i32 {
        Object::ALL
            .into_iter()
            .map(|object| {
                let wanted = objects[object].min(self.lacking[object]);
                i32::from(wanted) * price(object) + i32::from(objects[object] - wanted)
            })
            .sum()
    }

    /// An elf pays back in every round to come, so early ones are worth more.
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

/// What a card costs in elves, which is what it adds to the points of an objective. A box is harder to come by than its
/// points say: there is one a round for both players.
fn price(object: Object) -> i32 {
    match object {
        Object::Pink | Object::Blue | Object::Yellow | Object::Train => 10,
        Object::Box => 18,
        Object::Dots | Object::Stripes | Object::Teddy => 20,
        Object::Horse => 30,
    }
}
