//! The assembly line: which spaces are open, who gets the first-player token, and what each space gives its owner.

use super::{
    events::Event,
    state::{Decision, State, other},
    types::{Object, Objects, Space},
};
use crate::Seat;

impl State {
    /// Whether elves may be placed on the space: it must be empty, except for Primeur, which is always open.
    pub(super) fn is_open(&self, space: Space) -> bool {
        space == Space::Primeur || self.line[space as usize] == [0, 0]
    }

    /// The leftmost space with elves on it.
    pub(super) fn leftmost(&self) -> Option<Space> {
        Space::ALL.into_iter().find(|&space| self.line[space as usize] != [0, 0])
    }

    /// The seat whose elves stand on a space; on Primeur, where both seats may bid, one of the bidders.
    pub(super) fn owner(&self, space: Space) -> Seat {
        Seat(u8::from(self.line[space as usize][0] == 0))
    }

    fn elves(&self, space: Space) -> u8 {
        self.line[space as usize].iter().sum()
    }

    /// Awards the first-player token of the next round, before any space gives its goods.
    pub(super) fn award_token(&mut self, events: &mut Vec<Event>) {
        let holder = match self.line[Space::Primeur as usize] {
            // Nobody bid: the seat with the leftmost elves gets it.
            [0, 0] => self.leftmost().map_or(self.token, |space| self.owner(space)),
            [one, two] if one > two => Seat(0),
            [one, two] if one < two => Seat(1),
            // A tied bid leaves the token where it is.
            _ => self.token,
        };
        if holder != self.token {
            self.token = holder;
            events.push(Event::TokenMoved { to: holder });
        }
    }

    /// The decision the owner of the space has to make. `None` if there is none, or if the objectives to choose from
    /// are not drawn yet.
    pub(super) fn question(&self, space: Space) -> Option<Decision> {
        let area = &self.areas[self.owner(space).index()];
        match space {
            Space::Objectives => (!area.drawn.is_empty()).then_some(Decision::Keep { cards: 1 }),
            Space::BoxOrElf => (self.piles()[Object::Box] > 0 && area.reserve > 0).then_some(Decision::BoxOrElf),
            _ => {
                let ((from, _), cards, piles) = (space.gives(), self.due(space), self.piles());
                let left: u8 = from.iter().map(|&pile| piles[pile]).sum();
                let choice = from.iter().filter(|&&pile| piles[pile] > 0).count() > 1;
                (choice && (1..left).contains(&cards)).then_some(Decision::Take { from, cards })
            }
        }
    }

    /// The number of cards the space gives: its elves divided by the price of a card, at most what the piles hold.
    fn due(&self, space: Space) -> u8 {
        let ((from, price), piles) = (space.gives(), self.piles());
        let left = from.iter().map(|&pile| piles[pile]).sum();
        (self.elves(space) / price).min(left)
    }

    /// Resolves a space that needs no decision, or draws the objectives its owner has to choose from.
    pub(super) fn resolve(&mut self, space: Space, events: &mut Vec<Event>) {
        let (owner, elves) = (self.owner(space), self.elves(space));
        match space {
            Space::Primeur => {
                for seat in [owner, other(owner)] {
                    self.go_home(space, seat, self.line[space as usize][seat.index()], events);
                }
            }
            Space::Objectives if self.deck.is_empty() => self.go_home(space, owner, elves, events),
            Space::Objectives => {
                self.draw(owner, 2, events);
                let drawn = self.area_mut(owner).drawn;
                // If only one card was left in the deck, the seat keeps it without a choice.
                if drawn.len() == 1 {
                    self.keep(owner, drawn, events);
                    self.go_home(space, owner, 1, events);
                }
            }
            _ => {
                let (objects, reserve) = (self.only_outcome(space), self.area_mut(owner).reserve);
                let gained = match space {
                    Space::Elves => elves.min(reserve),
                    Space::BoxOrElf if objects == Objects::NONE => reserve.min(1),
                    _ => 0,
                };
                self.answer(objects, gained, events);
            }
        }
    }

    /// The cards a space gives when there is nothing to choose: all that are due, from the piles that have them.
    fn only_outcome(&self, space: Space) -> Objects {
        let ((from, _), mut due, piles) = (space.gives(), self.due(space), self.piles());
        from.iter().fold(Objects::NONE, |objects, &pile| {
            let cards = due.min(piles[pile]);
            due -= cards;
            objects.with(Objects::of(pile, cards))
        })
    }

    /// Gives object cards, and elves from the reserve, to the owner of the space being resolved. Then the elves on the
    /// space go back to the owner's stock.
    pub(super) fn answer(&mut self, objects: Objects, elves: u8, events: &mut Vec<Event>) {
        let space = self.leftmost().expect("a space is being resolved");
        let seat = self.owner(space);
        let area = self.area_mut(seat);
        area.objects = area.objects.with(objects);
        area.reserve -= elves;
        area.stock += elves;
        if objects != Objects::NONE || elves > 0 {
            events.push(Event::Gained { seat, space, objects, elves });
        }
        self.go_home(space, seat, self.elves(space), events);
    }

    /// Returns elves from a space to the seat's stock.
    pub(super) fn go_home(&mut self, space: Space, seat: Seat, elves: u8, events: &mut Vec<Event>) {
        if elves > 0 {
            self.line[space as usize][seat.index()] -= elves;
            self.area_mut(seat).stock += elves;
            events.push(Event::WentHome { seat, space, elves });
        }
    }
}
