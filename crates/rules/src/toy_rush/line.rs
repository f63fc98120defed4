//! The assembly line: who may place where, who gets the first-player token, and what each space gives its owner.

use super::{
    events::Event,
    state::{Ask, State, other},
    types::{Object, Objects, Space},
};
use crate::Seat;

impl State {
    /// Whether elves may be placed there: a space that holds some takes no more. Primeur is open to all.
    pub(super) fn is_open(&self, space: Space) -> bool {
        space == Space::Primeur || self.line[space as usize] == [0, 0]
    }

    /// The leftmost space that holds elves.
    pub(super) fn leftmost(&self) -> Option<Space> {
        Space::ALL.into_iter().find(|&space| self.line[space as usize] != [0, 0])
    }

    /// Whose elves stand on a space; on Primeur, one of those who bid.
    pub(super) fn owner(&self, space: Space) -> Seat {
        Seat(u8::from(self.line[space as usize][0] == 0))
    }

    fn elves(&self, space: Space) -> u8 {
        self.line[space as usize].iter().sum()
    }

    /// The token of the next round changes hands before any space gives its goods.
    pub(super) fn award_token(&mut self, events: &mut Vec<Event>) {
        let holder = match self.line[Space::Primeur as usize] {
            // Nobody bid: whoever is furthest to the left.
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

    /// What the owner of the space has to decide; nothing if only one outcome is possible.
    pub(super) fn question(&self, space: Space) -> Option<Ask> {
        let place = &self.places[self.owner(space).index()];
        match space {
            Space::Objectives => (!place.drawn.is_empty()).then_some(Ask::Keep { cards: 1 }),
            Space::BoxOrElf => (self.piles()[Object::Box] > 0 && place.reserve > 0).then_some(Ask::BoxOrElf),
            _ => {
                let ((from, _), cards, piles) = (space.gives(), self.due(space), self.piles());
                let left: u8 = from.iter().map(|&pile| piles[pile]).sum();
                let choice = from.iter().filter(|&&pile| piles[pile] > 0).count() > 1;
                (choice && (1..left).contains(&cards)).then_some(Ask::Take { from, cards })
            }
        }
    }

    /// How many cards the space gives: one for each full number of elves, as long as there are any.
    fn due(&self, space: Space) -> u8 {
        let ((from, price), piles) = (space.gives(), self.piles());
        let left = from.iter().map(|&pile| piles[pile]).sum();
        (self.elves(space) / price).min(left)
    }

    /// Resolves a space where there is nothing to decide, or draws what its owner will have to decide on.
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
                let drawn = self.place(owner).drawn;
                // The last card of the deck is taken without a choice.
                if drawn.len() == 1 {
                    self.keep(owner, drawn, events);
                    self.go_home(space, owner, 1, events);
                }
            }
            _ => {
                let (objects, reserve) = (self.only_outcome(space), self.place(owner).reserve);
                let gained = match space {
                    Space::Elves => elves.min(reserve),
                    Space::BoxOrElf if objects == Objects::NONE => reserve.min(1),
                    _ => 0,
                };
                self.answer(objects, gained, events);
            }
        }
    }

    /// The cards a space gives where there is no choice: all that are due, from whatever piles have them.
    fn only_outcome(&self, space: Space) -> Objects {
        let ((from, _), mut due, piles) = (space.gives(), self.due(space), self.piles());
        from.iter().fold(Objects::NONE, |objects, &pile| {
            let cards = due.min(piles[pile]);
            due -= cards;
            objects.with(Objects::of(pile, cards))
        })
    }

    /// The owner of the space being resolved gets these goods, and the elves on it go home.
    pub(super) fn answer(&mut self, objects: Objects, elves: u8, events: &mut Vec<Event>) {
        let space = self.leftmost().expect("a space is being resolved");
        let seat = self.owner(space);
        let place = self.place(seat);
        place.objects = place.objects.with(objects);
        place.reserve -= elves;
        place.stock += elves;
        if objects != Objects::NONE || elves > 0 {
            events.push(Event::Gained { seat, space, objects, elves });
        }
        self.go_home(space, seat, self.elves(space), events);
    }

    /// Elves go from a space back to the stock.
    pub(super) fn go_home(&mut self, space: Space, seat: Seat, elves: u8, events: &mut Vec<Event>) {
        if elves > 0 {
            self.line[space as usize][seat.index()] -= elves;
            self.place(seat).stock += elves;
            events.push(Event::WentHome { seat, space, elves });
        }
    }
}
