//! The table: who has which elves and cards, how far the round is, and how it goes on once somebody has chosen.
//!
//! What always holds is written out in [`State::invariants`]. Some things are not kept because they follow from the
//! rest: a pile is what neither player holds of it, points are those of the completed objectives, and the space being
//! resolved is the leftmost that still holds elves.

use super::{
    events::Event,
    legal::Choice,
    objectives::{Objective, Objectives},
    past::{Passage, Past},
    score::{self, Reason},
    types::{Object, Objects, Space},
};
use crate::{Dice, Seat};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::{fmt::Write, sync::Arc};

/// How many elves each player has, wherever they are.
pub const ELVES: u8 = 12;
/// How many of them are in the stock at the start.
pub const FIRST_STOCK: u8 = 2;
/// How many objectives each player draws at the start.
pub const FIRST_DRAW: u8 = 3;
/// How many of those each player keeps.
pub const FIRST_HAND: u8 = 2;

/// A game of Toy Rush with all its secrets.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct State {
    /// Points that end the game.
    pub target: u8,
    /// The round after which the game ends in any case.
    pub max_rounds: u8,
    /// Counted from 1; 0 while the first objectives are chosen.
    pub round: u8,
    /// Who holds the first-player token.
    pub token: Seat,
    pub step: Step,
    /// Whose turn it is to place, while elves are placed.
    pub active: Seat,
    /// How many elves of each seat stand on each space.
    pub line: [[u8; 2]; 9],
    /// The objectives nobody has drawn, the top one first.
    pub deck: Vec<Objective>,
    /// One for each seat.
    pub places: [Place; 2],
    /// Which way the objectives went. Shared, because every move copies the state and few moves change it.
    pub past: Arc<Past>,
    pub ended: Option<Reason>,
}

/// What the table waits for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
#[schemars(rename = "ToyRushPhase")]
pub enum Step {
    /// Before the first round: both choose which objectives to keep.
    Keep,
    /// Elves are placed, in turn.
    Place,
    /// The spaces give their goods, from left to right; the owner of one of them has a choice.
    Resolve,
    /// Both choose which objectives to complete.
    Ship,
    /// The game is over.
    Over,
}

impl Step {
    pub const ALL: [Step; 5] = [Step::Keep, Step::Place, Step::Resolve, Step::Ship, Step::Over];

    pub const fn id(self) -> &'static str {
        match self {
            Step::Keep => "KEEP",
            Step::Place => "PLACE",
            Step::Resolve => "RESOLVE",
            Step::Ship => "SHIP",
            Step::Over => "OVER",
        }
    }
}

/// What lies before a seat.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Place {
    pub resigned: bool,
    /// Elves to place.
    pub stock: u8,
    /// Elves not yet in the game.
    pub reserve: u8,
    pub objects: Objects,
    /// Objectives to complete.
    pub hand: Objectives,
    /// Objectives drawn, some of which will be kept.
    pub drawn: Objectives,
    pub completed: Objectives,
    /// What the seat has chosen to keep or to complete, until both have chosen.
    pub sealed: Option<Objectives>,
}

impl Place {
    fn new() -> Self {
        Self {
            resigned: false,
            stock: FIRST_STOCK,
            reserve: ELVES - FIRST_STOCK,
            objects: Objects::NONE,
            hand: Objectives::NONE,
            drawn: Objectives::NONE,
            completed: Objectives::NONE,
            sealed: None,
        }
    }

    pub fn points(&self) -> u8 {
        self.completed.points()
    }
}

/// What a seat is asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Ask {
    /// Which of the objectives just drawn to keep, so many.
    Keep {
        cards: u8,
    },
    Place,
    BoxOrElf,
    /// Which cards to take from those piles, so many.
    Take {
        from: &'static [Object],
        cards: u8,
    },
    Ship,
}

/// How far to go on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Reach {
    /// Until somebody is asked, or until a card would be drawn or a choice unsealed.
    Foreseeable,
    /// Until somebody is asked.
    Asked,
}

impl State {
    /// The table laid, the first objectives drawn.
    pub(super) fn new(target: u8, max_rounds: u8, first: Seat, dice: &mut Dice, events: &mut Vec<Event>) -> Self {
        let shuffled = Objectives::ALL.shuffled(dice);
        let mut state = Self {
            target,
            max_rounds,
            round: 0,
            token: first,
            step: Step::Keep,
            active: first,
            line: Default::default(),
            deck: shuffled.clone(),
            places: [Place::new(), Place::new()],
            past: Arc::new(Past { shuffled, passages: Vec::new() }),
            ended: None,
        };
        for seat in state.by_token() {
            state.draw(seat, FIRST_DRAW, events);
        }
        state
    }

    pub(super) fn place(&mut self, seat: Seat) -> &mut Place {
        &mut self.places[seat.index()]
    }

    /// Both seats, the holder of the token first.
    fn by_token(&self) -> [Seat; 2] {
        [self.token, other(self.token)]
    }

    /// The cards left on the piles.
    pub fn piles(&self) -> Objects {
        let [one, two] = &self.places;
        Objects::all().without(one.objects.with(two.objects)).expect("cards come from the piles")
    }

    /// What the seat is asked, if the table waits for it.
    pub(super) fn asks(&self, seat: Seat) -> Option<Ask> {
        let sealed = self.places[seat.index()].sealed.is_some();
        match self.step {
            Step::Keep if !sealed => Some(Ask::Keep { cards: FIRST_HAND }),
            Step::Place if self.active == seat => Some(Ask::Place),
            Step::Resolve => {
                let space = self.leftmost().filter(|&space| self.owner(space) == seat)?;
                self.question(space)
            }
            Step::Ship if !sealed => Some(Ask::Ship),
            _ => None,
        }
    }

    /// The seats being waited for, in order.
    pub(super) fn waiting(&self) -> impl Iterator<Item = Seat> {
        Seat::all(2).filter(|&seat| self.asks(seat).is_some())
    }

    /// Does what the seat has chosen; [`State::advance`] says what follows.
    pub(super) fn choose(&mut self, seat: Seat, choice: Choice, events: &mut Vec<Event>) {
        match choice {
            Choice::Keep(objectives) if self.step == Step::Resolve => {
                self.keep(seat, objectives, events);
                self.go_home(Space::Objectives, seat, 1, events);
            }
            Choice::Keep(objectives) | Choice::Ship(objectives) => {
                self.place(seat).sealed = Some(objectives);
                events.push(Event::Chose { seat, objectives });
            }
            Choice::Place(space, elves) => {
                self.place(seat).stock -= elves;
                self.line[space as usize][seat.index()] += elves;
                events.push(Event::Placed { seat, space, elves });
                // Whoever has no elves left is passed over.
                if self.place(other(seat)).stock > 0 {
                    self.active = other(seat);
                }
            }
            Choice::Take(objects) => self.answer(objects, 0, events),
            Choice::TakeElf => self.answer(Objects::NONE, 1, events),
        }
    }

    /// Goes on until somebody has to choose; answers whether it got there.
    pub(super) fn advance(&mut self, reach: Reach, events: &mut Vec<Event>) -> bool {
        loop {
            match self.step {
                Step::Keep | Step::Ship if self.places.iter().any(|place| place.sealed.is_none()) => return true,
                Step::Keep | Step::Ship if reach == Reach::Foreseeable => return false,
                Step::Keep => self.unseal_first_hands(events),
                Step::Ship => self.ship(events),
                Step::Place if self.places.iter().any(|place| place.stock > 0) => return true,
                Step::Place => {
                    self.step = Step::Resolve;
                    self.award_token(events);
                }
                Step::Resolve => match self.leftmost() {
                    None => self.step = Step::Ship,
                    Some(space) if self.question(space).is_some() => return true,
                    Some(Space::Objectives) if reach == Reach::Foreseeable && !self.deck.is_empty() => return false,
                    Some(space) => self.resolve(space, events),
                },
                Step::Over => return true,
            }
        }
    }

    /// Takes cards from the top of the deck, as far as there are any.
    pub(super) fn draw(&mut self, seat: Seat, cards: u8, events: &mut Vec<Event>) {
        let cards: Objectives = self.deck.drain(..self.deck.len().min(cards.into())).collect();
        self.place(seat).drawn = cards;
        self.record(Passage::Drew { seat, cards });
        events.push(Event::Drew { seat, cards });
    }

    /// Keeps those of the cards drawn; the one left over goes under the deck.
    pub(super) fn keep(&mut self, seat: Seat, kept: Objectives, events: &mut Vec<Event>) {
        let place = self.place(seat);
        let back = place.drawn.without(kept).iter().next();
        place.hand = place.hand.with(kept);
        place.drawn = Objectives::NONE;
        self.deck.extend(back);
        self.record(Passage::Kept { seat, back });
        events.push(Event::Kept { seat, kept, back });
    }

    fn unseal_first_hands(&mut self, events: &mut Vec<Event>) {
        for seat in self.by_token() {
            if let Some(kept) = self.place(seat).sealed.take() {
                self.keep(seat, kept, events);
            }
        }
        self.start_round(events);
    }

    fn start_round(&mut self, events: &mut Vec<Event>) {
        self.round += 1;
        self.step = Step::Place;
        self.active = self.token;
        events.push(Event::RoundStarted { round: self.round, first: self.token });
    }

    /// Unseals what both complete, then ends the game or starts the next round.
    fn ship(&mut self, events: &mut Vec<Event>) {
        for seat in self.by_token() {
            let place = self.place(seat);
            let objectives = place.sealed.take().unwrap_or_default();
            place.objects = place.objects.without(objectives.needs()).expect("what is completed is paid for");
            place.hand = place.hand.without(objectives);
            place.completed = place.completed.with(objectives);
            let points = place.points();
            self.record(Passage::Shipped { seat, objectives });
            events.push(Event::Shipped { seat, objectives, points });
        }
        let ended = score::ended(self);
        // With the deck empty, going on or not tells everybody something of the hands.
        if self.deck.is_empty() && ended != Some(Reason::Target) {
            let objects = self.places.each_ref().map(|place| place.objects);
            self.record(Passage::Judged { objects, dry: ended == Some(Reason::Dry) });
        }
        match ended {
            Some(reason) => self.end(reason),
            None => self.start_round(events),
        }
    }

    fn end(&mut self, reason: Reason) {
        self.step = Step::Over;
        self.ended = Some(reason);
    }

    /// The seat gives up, and the other one wins. Everything stays where it is.
    pub(super) fn resign(&mut self, seats: &[Seat]) {
        for &seat in seats {
            self.place(seat).resigned = true;
        }
        self.end(Reason::Resigned);
    }

    fn record(&mut self, passage: Passage) {
        Arc::make_mut(&mut self.past).passages.push(passage);
    }

    /// The table as text, with all its secrets.
    pub(super) fn drawing(&self) -> String {
        let mut text = format!("Round {} · {} · token {}", self.round, self.step.id(), self.token);
        let mut line = |title: &str, rest: &str| {
            write!(text, "\n{title:7} {rest}").expect("a String takes everything");
        };
        let spaces = Space::ALL.iter().zip(self.line).map(|(space, elves)| match elves {
            [0, 0] => format!("{}:-", space.number()),
            [one, two] => format!("{}:{one}+{two}", space.number()),
        });
        line("Line", &spaces.collect::<Vec<_>>().join(" "));
        let piles = Object::ALL.map(|object| format!("{} {}", self.piles()[object], object.word()));
        line("Piles", &piles.join(" "));
        line("Deck", &self.deck.iter().map(Objective::to_string).collect::<Vec<_>>().join(","));
        for (seat, place) in Seat::all(2).zip(&self.places) {
            let mut parts = vec![
                format!("points {}/{}", place.points(), self.target),
                format!("stock {} reserve {}", place.stock, place.reserve),
            ];
            parts.extend(place.resigned.then(|| "resigned".to_owned()));
            parts.extend((place.objects != Objects::NONE).then(|| place.objects.to_string()));
            let cards = [("hand", place.hand), ("drawn", place.drawn), ("completed", place.completed)];
            let some = cards.into_iter().filter(|(_, cards)| !cards.is_empty());
            parts.extend(some.map(|(name, cards)| format!("{name} {cards}")));
            parts.extend(place.sealed.map(|cards| format!("sealed [{cards}]")));
            line(&format!("Seat {seat}"), &parts.join(" · "));
        }
        text
    }

    /// What holds between two steps; the text says what does not.
    pub(super) fn invariants(&self) -> Result<(), String> {
        let check = |holds: bool, what: &str| if holds { Ok(()) } else { Err(what.to_owned()) };
        let held = self.places[0].objects.with(self.places[1].objects);
        check(Objects::all().cover(held), "no more cards of a pile are out than there are")?;
        let mut seen: Objectives = self.deck.iter().copied().collect();
        let mut cards = self.deck.len();
        for (seat, place) in self.places.iter().enumerate() {
            let elves: u8 = self.line.iter().map(|space| space[seat]).sum();
            check(place.stock + place.reserve + elves == ELVES, "every player has 12 elves")?;
            for set in [place.hand, place.drawn, place.completed] {
                cards += usize::from(set.len());
                seen = seen.with(set);
            }
            let due = match self.step {
                Step::Keep => place.drawn.len() == FIRST_DRAW && place.hand.is_empty(),
                Step::Resolve => place.drawn.is_empty() || place.drawn.len() == 2,
                Step::Place | Step::Ship => place.drawn.is_empty(),
                Step::Over => true,
            };
            check(due, "objectives are drawn when it is time to")?;
            check(self.may_be_sealed(place), "only what may be chosen is sealed")?;
        }
        check(seen == Objectives::ALL && cards == 18, "each of the 18 objectives is in one place")?;
        for (space, elves) in Space::ALL.into_iter().zip(self.line) {
            let (owners, most) = (elves.iter().filter(|&&elves| elves > 0).count(), elves[0].max(elves[1]));
            check(space == Space::Primeur || owners < 2, "a space has one owner")?;
            check(space.most().is_none_or(|limit| most <= limit), "a space takes no more elves than it may")?;
        }
        let ended = self.ended.is_some();
        check(ended == (self.step == Step::Over), "a game is over when it has ended")?;
        check(ended != self.waiting().next().is_some(), "it waits until it is over")?;
        let resigned = self.places.iter().any(|place| place.resigned);
        check(resigned == (self.ended == Some(Reason::Resigned)), "it ends when somebody gives up")?;
        let empty = self.line == [[0; 2]; 9];
        check(
            empty || matches!(self.step, Step::Place | Step::Resolve | Step::Over),
            "elves stand on the line in their time",
        )
    }

    fn may_be_sealed(&self, place: &Place) -> bool {
        match (self.step, place.sealed) {
            (Step::Keep, Some(kept)) => kept.len() == FIRST_HAND && kept.without(place.drawn).is_empty(),
            (Step::Ship, Some(shipped)) => {
                shipped.without(place.hand).is_empty() && place.objects.cover(shipped.needs())
            }
            (Step::Place | Step::Resolve, sealed) => sealed.is_none(),
            _ => true,
        }
    }
}

/// The opponent.
pub(super) fn other(seat: Seat) -> Seat {
    Seat(1 - seat.0)
}
