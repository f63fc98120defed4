//! Rollout policy: the heuristic value of each choice of a seat, from what that seat sees. It weighs what the greedy bot
//! weighs, but on a state, so that a search can afford it at every move of a play-out.
//!
//! The weights were found by random local search: a change was kept if the policy then won clearly more often than before
//! over about 10,000 play-outs, and not less often against earlier versions and the weights of the greedy bot.

use super::super::{
    legal::{CheckedMove, list},
    objectives::Objectives,
    state::{Area, ELVES, FIRST_STOCK, State},
    types::{Object, Objects, Space},
};
use crate::{Dice, Seat};

/// One in this many choices of a play-out is random, so that play-outs from equal positions differ.
const EXPLORATION: u32 = 10;

/// The opportunity cost of an elf. All values are in hundredths of a point, at the usual target.
const ELF: i32 = 90;

/// The value of the first-player token to the seat that does not hold it.
const TOKEN: i32 = 40;

/// The value of drawing an objective, while those in hand do not suffice to reach the target.
const OBJECTIVE: i32 = 173;

/// The number of points for which one more objective is wanted.
const POINTS_OF_AN_OBJECTIVE: i32 = 5;

/// How much an objective in hand is worth less for what it costs, in hundredths of the cost.
const COST_SHARE: i32 = 91;

/// The value of an extra elf while both seats have nothing.
const GROWTH: i32 = 350;

/// How much less an extra elf is worth for each that the seat has gained.
const GROWTH_LOSS_PER_ELF: i32 = 40;

/// How much less an extra elf is worth for each point of the seat that is ahead.
const GROWTH_LOSS_PER_POINT: i32 = 8;

/// The least value of an extra elf, except in the last round.
const LEAST_GROWTH: i32 = 4;

/// The value of an object card that no objective in hand needs.
const UNWANTED: i32 = 10;

/// The weight of a placement's value per elf, where its total value has weight 1.
const PER_ELF: i32 = 729;

/// What each space is worth in addition, for instance because the opponent may take it first.
const BIAS: [i32; 9] = [20, -48, 0, 0, 4, 4, 0, 0, 0];

/// The value of a card that an objective needs: about its cost in elves. Boxes are scarcer than their cost suggests, since
/// both players together get one per round.
const fn price(object: Object) -> i32 {
    match object {
        Object::Pink | Object::Train => 100,
        Object::Blue => 106,
        Object::Yellow => 120,
        Object::Dots | Object::Stripes | Object::Teddy => 200,
        Object::Horse => 276,
        Object::Box => 191,
    }
}

/// What a seat wants and can get.
pub(super) struct Outlook {
    hand: Objectives,
    objects: Objects,
    /// The objects that the objectives in hand need and the seat does not hold.
    lacking: Objects,
    piles: Objects,
    reserve: u8,
    has_token: bool,
    /// The number of objectives that the seat wants to draw.
    wanted: i32,
    /// The value of an extra elf.
    growth: i32,
}

impl Outlook {
    pub fn new(state: &State, seat: Seat) -> Self {
        let area = &state.areas[seat.index()];
        let target = i32::from(state.target);
        let missing = target - i32::from(area.points()) - i32::from(area.hand.points());
        let payable = area.hand.iter().filter(|card| area.objects.cover(card.needs()));
        let payable: i32 = payable.map(|card| i32::from(card.face().points)).sum();
        // If the seat can reach the target at the end of this round, what only pays off later is worth nothing.
        let is_last = i32::from(area.points()) + payable >= target;
        let ahead = state.areas.iter().map(Area::points).max().map_or(0, i32::from) * 17 / target;
        let gained = i32::from(ELVES - FIRST_STOCK - area.reserve);
        let growth = GROWTH - GROWTH_LOSS_PER_ELF * gained - GROWTH_LOSS_PER_POINT * ahead;
        let wanted = (missing + POINTS_OF_AN_OBJECTIVE - 1) / POINTS_OF_AN_OBJECTIVE;
        Self {
            hand: area.hand,
            objects: area.objects,
            lacking: area.objects.lack(area.hand.needs()),
            piles: state.piles(),
            reserve: area.reserve,
            has_token: state.token == seat,
            wanted: if is_last { 0 } else { wanted.max(0) },
            growth: if is_last { 0 } else { growth.max(LEAST_GROWTH) },
        }
    }

    /// The value of a choice. Comparable only among the choices of one decision.
    pub fn worth(&self, choice: CheckedMove) -> i32 {
        match choice {
            CheckedMove::Keep(cards) => {
                let more = cost(self.objects.lack(self.hand.with(cards).needs())) - cost(self.lacking);
                100 * i32::from(cards.points()) - more * COST_SHARE / 100
            }
            CheckedMove::Place(space, elves) => self.placement(space, elves),
            CheckedMove::Take(objects) => self.useful(objects),
            CheckedMove::TakeElf => self.growth(1),
            CheckedMove::Ship(cards) => 100 * i32::from(cards.points()),
        }
    }

    /// How much the worth of two choices of this decision differs if one is worth a tenth of a point more.
    pub fn tenth(choices: &[CheckedMove]) -> i32 {
        if matches!(choices, [CheckedMove::Place(..), ..]) { 10 * PER_ELF } else { 10 }
    }

    /// Compares placements by value per elf first, then by total value.
    fn placement(&self, space: Space, elves: u8) -> i32 {
        let gain = self.yields(space, elves) - ELF * i32::from(elves) + BIAS[space as usize];
        gain * PER_ELF / i32::from(elves) + gain
    }

    /// The value of placing this many elves on a space.
    fn yields(&self, space: Space, elves: u8) -> i32 {
        match space {
            Space::Primeur => i32::from(!self.has_token) * TOKEN,
            Space::Objectives => i32::from(elves).min(self.wanted) * OBJECTIVE,
            Space::BoxOrElf if self.piles[Object::Box] == 0 => self.growth(1),
            Space::BoxOrElf => self.growth(1).max(self.useful(Objects::of(Object::Box, 1))),
            Space::Elves => self.growth(elves),
            _ => {
                let (from, elves_per_card) = space.gives();
                let mut due = elves / elves_per_card;
                let mut value = 0;
                for &object in from {
                    let cards = self.lacking[object].min(self.piles[object]).min(due);
                    due -= cards;
                    value += i32::from(cards) * price(object);
                }
                value
            }
        }
    }

    /// Cards that the objectives lack are worth their price; others almost nothing.
    fn useful(&self, objects: Objects) -> i32 {
        let unwanted = self.lacking.lack(objects);
        let wanted = objects.without(unwanted).expect("unwanted cards are among these");
        cost(wanted) + i32::from(unwanted.total()) * UNWANTED
    }

    fn growth(&self, elves: u8) -> i32 {
        i32::from(elves.min(self.reserve)) * self.growth
    }
}

/// The sum of the prices of these cards.
fn cost(objects: Objects) -> i32 {
    Object::ALL.into_iter().map(|object| i32::from(objects[object]) * price(object)).sum()
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
    // Of equal choices the first.
    let best = choices.iter().rev().max_by_key(|choice| outlook.worth(**choice));
    *best.expect("a seat that is waited for has a choice")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Instant, Rules, Seed, toy_rush::ToyRush};

    fn dice(n: u8) -> Dice {
        Dice::new(Seed([n; 32]))
    }

    /// A game after this many choices of the policy.
    fn middle(moves: usize) -> State {
        let (mut dice, mut choices) = (dice(1), Vec::new());
        let mut state = ToyRush::setup(&crate::toy_rush::Options::default(), 2, Instant(0), &mut dice).state;
        for _ in 0..moves {
            let seat = state.waiting().next().expect("games are longer");
            let choice = choose(&state, seat, &mut choices, &mut dice);
            state.choose(seat, choice, &mut Vec::new());
            state.advance(super::super::super::state::StopAt::Asked, &mut Vec::new());
        }
        state
    }

    #[test]
    fn a_seat_chooses_alike_whatever_the_other_seat_holds() {
        for moves in 0..40 {
            let state = middle(moves);
            let seat = state.waiting().next().expect("not over");
            let mut other = state.clone();
            let area = &mut other.areas[1 - seat.index()];
            let cards = usize::from(area.hand.len());
            area.hand = other.deck.drain(..cards).collect();
            let choices = [&state, &other].map(|state| choose(state, seat, &mut Vec::new(), &mut dice(2)));
            assert_eq!(choices[0], choices[1], "after {moves} moves");
        }
    }

    #[test]
    fn cards_that_objectives_need_are_worth_more_than_others() {
        let mut state = middle(2);
        state.areas[0].hand = Objectives::from(super::super::super::objectives::Objective::all().next().expect("Alba"));
        state.areas[0].objects = Objects::NONE;
        let outlook = Outlook::new(&state, Seat(0));
        let take = |object| outlook.worth(CheckedMove::Take(Objects::of(object, 1)));
        assert_eq!([take(Object::Pink), take(Object::Blue)], [price(Object::Pink), UNWANTED]);
        assert_eq!(
            outlook.useful(Objects::of(Object::Pink, 3)),
            price(Object::Pink) + 2 * UNWANTED,
            "only one is needed"
        );
        assert_eq!(outlook.yields(Space::Trains, 3), price(Object::Train), "only one is needed");
        assert_eq!(outlook.yields(Space::Teddies, 2), 0, "nobody needs one");
    }

    #[test]
    fn elves_and_objectives_are_worth_nothing_in_the_round_in_which_the_seat_can_reach_the_target() {
        let mut state = middle(2);
        let before = Outlook::new(&state, Seat(0));
        assert!(before.yields(Space::Elves, 1) > 0 && before.yields(Space::Objectives, 1) > 0);
        state.areas[0].objects = state.areas[0].hand.needs();
        state.target = state.areas[0].hand.points();
        let last = Outlook::new(&state, Seat(0));
        assert_eq!([last.yields(Space::Elves, 1), last.yields(Space::Objectives, 1)], [0, 0]);
    }

    #[test]
    fn an_elf_is_worth_less_the_more_the_seat_has_and_nothing_without_a_reserve() {
        let mut state = middle(2);
        let mut worths = Vec::new();
        for reserve in (0..=10).rev() {
            state.areas[0].reserve = reserve;
            worths.push(Outlook::new(&state, Seat(0)).yields(Space::Elves, 1));
        }
        assert!(worths.is_sorted_by(|one, next| one >= next), "{worths:?}");
        assert_eq!((worths[0], worths[10]), (GROWTH, 0));
    }
}
