//! State of a game of Toy Rush, and how a round advances after each move.
//!
//! [`State::invariants`] lists what holds in every state. Some things are derived instead of stored: a pile is what
//! neither player holds of it, points are those of the completed objectives, and the space being resolved is the
//! leftmost that still holds elves.

use super::{
    deck_history::{DeckAction, DeckHistory},
    events::Event,
    legal::CheckedMove,
    objectives::{Objective, Objectives},
    score::{self, Reason},
    types::{Object, Objects, Space},
};
use crate::{Dice, Seat};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::{fmt::Write, sync::Arc};

/// The number of elves of each player: in stock, in reserve and on the line.
pub const ELVES: u8 = 12;
/// The number of elves in the stock at the start.
pub const FIRST_STOCK: u8 = 2;
/// The number of objectives each player draws at the start.
pub const FIRST_DRAW: u8 = 3;
/// The number of those that each player keeps.
pub const FIRST_HAND: u8 = 2;

/// A game of Toy Rush with all its secrets.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct State {
    /// The number of points that ends the game.
    pub target: u8,
    /// The number of the last round.
    pub max_rounds: u8,
    /// Counted from 1; 0 while the first objectives are chosen.
    pub round: u8,
    /// The seat that holds the first-player token.
    pub token: Seat,
    #[serde(rename = "step")]
    pub phase: Phase,
    /// The seat to place next, while elves are placed.
    pub active: Seat,
    /// The number of elves of each seat on each space.
    pub line: [[u8; 2]; 9],
    /// The objectives in the deck, top card first.
    pub deck: Vec<Objective>,
    /// One for each seat.
    #[serde(rename = "places")]
    pub areas: [Area; 2],
    /// All draws and returns of objectives. Behind an `Arc`, because every move copies the state and few change it.
    #[serde(rename = "past")]
    pub history: Arc<DeckHistory>,
    pub ended: Option<Reason>,
}

/// The phase of the game: what it waits for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename = "Step", rename_all = "SCREAMING_SNAKE_CASE")]
#[schemars(rename = "ToyRushPhase")]
pub enum Phase {
    /// Before the first round: both seats choose which objectives to keep.
    Keep,
    /// The seats place elves in turn.
    Place,
    /// Spaces are resolved from left to right; the owner of one of them has a choice to make.
    Resolve,
    /// Both seats choose which objectives to complete.
    Ship,
    /// The game is over.
    Over,
}

impl Phase {
    pub const ALL: [Phase; 5] = [Phase::Keep, Phase::Place, Phase::Resolve, Phase::Ship, Phase::Over];

    pub const fn id(self) -> &'static str {
        match self {
            Phase::Keep => "KEEP",
            Phase::Place => "PLACE",
            Phase::Resolve => "RESOLVE",
            Phase::Ship => "SHIP",
            Phase::Over => "OVER",
        }
    }
}

/// The elves and cards of one seat.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename = "Place")]
pub struct Area {
    pub resigned: bool,
    /// Elves available to place.
    pub stock: u8,
    /// Elves not yet in the game.
    pub reserve: u8,
    pub objects: Objects,
    /// Objectives to complete.
    pub hand: Objectives,
    /// Objectives just drawn, some of which will be kept.
    pub drawn: Objectives,
    pub completed: Objectives,
    /// The secret choice of what to keep or to complete, until both seats have chosen.
    pub sealed: Option<Objectives>,
}

impl Area {
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

/// A decision that a seat has to make.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Decision {
    /// Which objectives just drawn to keep: `cards` of them.
    Keep {
        cards: u8,
    },
    Place,
    BoxOrElf,
    /// Which object cards to take: `cards` of them, from the piles `from`.
    Take {
        from: &'static [Object],
        cards: u8,
    },
    Ship,
}

/// How far [`State::advance`] goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum StopAt {
    /// Until a seat has to decide, or until a card would be drawn or a secret choice revealed.
    Foreseeable,
    /// Until a seat has to decide.
    Asked,
}

impl State {
    /// Sets up a game and draws the first objectives.
    pub(super) fn new(target: u8, max_rounds: u8, first: Seat, dice: &mut Dice, events: &mut Vec<Event>) -> Self {
        let shuffled = Objectives::ALL.shuffled(dice);
        let mut state = Self {
            target,
            max_rounds,
            round: 0,
            token: first,
            phase: Phase::Keep,
            active: first,
            line: Default::default(),
            deck: shuffled.clone(),
            areas: [Area::new(), Area::new()],
            history: Arc::new(DeckHistory { shuffled, actions: Vec::new() }),
            ended: None,
        };
        for seat in state.by_token() {
            state.draw(seat, FIRST_DRAW, events);
        }
        state
    }

    pub(super) fn area_mut(&mut self, seat: Seat) -> &mut Area {
        &mut self.areas[seat.index()]
    }

    /// Both seats, the holder of the token first.
    fn by_token(&self) -> [Seat; 2] {
        [self.token, other(self.token)]
    }

    /// The cards left on the piles.
    pub fn piles(&self) -> Objects {
        let [one, two] = &self.areas;
        Objects::all().without(one.objects.with(two.objects)).expect("cards come from the piles")
    }

    /// The decision the seat has to make, if the game waits for it.
    pub(super) fn asks(&self, seat: Seat) -> Option<Decision> {
        let sealed = self.areas[seat.index()].sealed.is_some();
        match self.phase {
            Phase::Keep if !sealed => Some(Decision::Keep { cards: FIRST_HAND }),
            Phase::Place if self.active == seat => Some(Decision::Place),
            Phase::Resolve => {
                let space = self.leftmost().filter(|&space| self.owner(space) == seat)?;
                self.question(space)
            }
            Phase::Ship if !sealed => Some(Decision::Ship),
            _ => None,
        }
    }

    /// The seats being waited for, in order.
    pub(super) fn waiting(&self) -> impl Iterator<Item = Seat> {
        Seat::all(2).filter(|&seat| self.asks(seat).is_some())
    }

    /// Applies a checked move. [`State::advance`] then continues the game.
    pub(super) fn choose(&mut self, seat: Seat, choice: CheckedMove, events: &mut Vec<Event>) {
        match choice {
            CheckedMove::Keep(objectives) if self.phase == Phase::Resolve => {
                self.keep(seat, objectives, events);
                self.go_home(Space::Objectives, seat, 1, events);
            }
            CheckedMove::Keep(objectives) | CheckedMove::Ship(objectives) => {
                self.area_mut(seat).sealed = Some(objectives);
                events.push(Event::Chose { seat, objectives });
            }
            CheckedMove::Place(space, elves) => {
                self.area_mut(seat).stock -= elves;
                self.line[space as usize][seat.index()] += elves;
                events.push(Event::Placed { seat, space, elves });
                // A seat without elves to place is skipped.
                if self.area_mut(other(seat)).stock > 0 {
                    self.active = other(seat);
                }
            }
            CheckedMove::Take(objects) => self.answer(objects, 0, events),
            CheckedMove::TakeElf => self.answer(Objects::NONE, 1, events),
        }
    }

    /// Advances until a seat has to decide. Returns false if `StopAt::Foreseeable` stopped it before.
    pub(super) fn advance(&mut self, stop_at: StopAt, events: &mut Vec<Event>) -> bool {
        loop {
            match self.phase {
                Phase::Keep | Phase::Ship if self.areas.iter().any(|area| area.sealed.is_none()) => return true,
                Phase::Keep | Phase::Ship if stop_at == StopAt::Foreseeable => return false,
                Phase::Keep => self.unseal_first_hands(events),
                Phase::Ship => self.ship(events),
                Phase::Place if self.areas.iter().any(|area| area.stock > 0) => return true,
                Phase::Place => {
                    self.phase = Phase::Resolve;
                    self.award_token(events);
                }
                Phase::Resolve => match self.leftmost() {
                    None => self.phase = Phase::Ship,
                    Some(space) if self.question(space).is_some() => return true,
                    Some(Space::Objectives) if stop_at == StopAt::Foreseeable && !self.deck.is_empty() => return false,
                    Some(space) => self.resolve(space, events),
                },
                Phase::Over => return true,
            }
        }
    }

    /// Draws up to this many objectives from the top of the deck.
    pub(super) fn draw(&mut self, seat: Seat, cards: u8, events: &mut Vec<Event>) {
        let cards: Objectives = self.deck.drain(..self.deck.len().min(cards.into())).collect();
        self.area_mut(seat).drawn = cards;
        self.record(DeckAction::Drew { seat, cards });
        events.push(Event::Drew { seat, cards });
    }

    /// Moves the kept objectives to the hand and returns the one left over, if any, to the bottom of the deck.
    pub(super) fn keep(&mut self, seat: Seat, kept: Objectives, events: &mut Vec<Event>) {
        let area = self.area_mut(seat);
        let back = area.drawn.without(kept).iter().next();
        area.hand = area.hand.with(kept);
        area.drawn = Objectives::NONE;
        self.deck.extend(back);
        self.record(DeckAction::Kept { seat, back });
        events.push(Event::Kept { seat, kept, back });
    }

    fn unseal_first_hands(&mut self, events: &mut Vec<Event>) {
        for seat in self.by_token() {
            if let Some(kept) = self.area_mut(seat).sealed.take() {
                self.keep(seat, kept, events);
            }
        }
        self.start_round(events);
    }

    fn start_round(&mut self, events: &mut Vec<Event>) {
        self.round += 1;
        self.phase = Phase::Place;
        self.active = self.token;
        events.push(Event::RoundStarted { round: self.round, first: self.token });
    }

    /// Reveals what both seats complete, then ends the game or starts the next round.
    fn ship(&mut self, events: &mut Vec<Event>) {
        for seat in self.by_token() {
            let area = self.area_mut(seat);
            let objectives = area.sealed.take().unwrap_or_default();
            area.objects = area.objects.without(objectives.needs()).expect("what is completed is paid for");
            area.hand = area.hand.without(objectives);
            area.completed = area.completed.with(objectives);
            let points = area.points();
            self.record(DeckAction::Shipped { seat, objectives });
            events.push(Event::Shipped { seat, objectives, points });
        }
        let ended = score::ended(self);
        // With the deck empty, whether the game continues tells everyone something about the hands, so record it.
        if self.deck.is_empty() && ended != Some(Reason::Target) {
            let objects = self.areas.each_ref().map(|area| area.objects);
            self.record(DeckAction::Judged { objects, dry: ended == Some(Reason::Dry) });
        }
        match ended {
            Some(reason) => self.end(reason),
            None => self.start_round(events),
        }
    }

    fn end(&mut self, reason: Reason) {
        self.phase = Phase::Over;
        self.ended = Some(reason);
    }

    /// Resigns the seat: the other one wins. Everything stays where it is.
    pub(super) fn resign(&mut self, seats: &[Seat]) {
        for &seat in seats {
            self.area_mut(seat).resigned = true;
        }
        self.end(Reason::Resigned);
    }

    fn record(&mut self, action: DeckAction) {
        Arc::make_mut(&mut self.history).actions.push(action);
    }

    /// Draws the state as text, with all its secrets.
    pub(super) fn drawing(&self) -> String {
        let mut text = format!("Round {} · {} · token {}", self.round, self.phase.id(), self.token);
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
        for (seat, area) in Seat::all(2).zip(&self.areas) {
            let mut parts = vec![
                format!("points {}/{}", area.points(), self.target),
                format!("stock {} reserve {}", area.stock, area.reserve),
            ];
            parts.extend(area.resigned.then(|| "resigned".to_owned()));
            parts.extend((area.objects != Objects::NONE).then(|| area.objects.to_string()));
            let cards = [("hand", area.hand), ("drawn", area.drawn), ("completed", area.completed)];
            let some = cards.into_iter().filter(|(_, cards)| !cards.is_empty());
            parts.extend(some.map(|(name, cards)| format!("{name} {cards}")));
            parts.extend(area.sealed.map(|cards| format!("sealed [{cards}]")));
            line(&format!("Seat {seat}"), &parts.join(" · "));
        }
        text
    }

    /// Checks what must hold between two steps; the error names what does not.
    pub(super) fn invariants(&self) -> Result<(), String> {
        let check = |holds: bool, what: &str| if holds { Ok(()) } else { Err(what.to_owned()) };
        let held = self.areas[0].objects.with(self.areas[1].objects);
        check(Objects::all().cover(held), "no more cards of a pile are out than there are")?;
        let mut seen: Objectives = self.deck.iter().copied().collect();
        let mut cards = self.deck.len();
        for (seat, area) in self.areas.iter().enumerate() {
            let elves: u8 = self.line.iter().map(|space| space[seat]).sum();
            check(area.stock + area.reserve + elves == ELVES, "every player has 12 elves")?;
            for set in [area.hand, area.drawn, area.completed] {
                cards += usize::from(set.len());
                seen = seen.with(set);
            }
            let due = match self.phase {
                Phase::Keep => area.drawn.len() == FIRST_DRAW && area.hand.is_empty(),
                Phase::Resolve => area.drawn.is_empty() || area.drawn.len() == 2,
                Phase::Place | Phase::Ship => area.drawn.is_empty(),
                Phase::Over => true,
            };
            check(due, "objectives are drawn when it is time to")?;
            check(self.may_be_sealed(area), "only what may be chosen is sealed")?;
        }
        check(seen == Objectives::ALL && cards == 18, "each of the 18 objectives is in one place")?;
        for (space, elves) in Space::ALL.into_iter().zip(self.line) {
            let (owners, most) = (elves.iter().filter(|&&elves| elves > 0).count(), elves[0].max(elves[1]));
            check(space == Space::Primeur || owners < 2, "a space has one owner")?;
            check(space.most().is_none_or(|limit| most <= limit), "a space takes no more elves than it may")?;
        }
        let ended = self.ended.is_some();
        check(ended == (self.phase == Phase::Over), "a game is over when it has ended")?;
        check(ended != self.waiting().next().is_some(), "it waits until it is over")?;
        let resigned = self.areas.iter().any(|area| area.resigned);
        check(resigned == (self.ended == Some(Reason::Resigned)), "it ends when somebody gives up")?;
        let empty = self.line == [[0; 2]; 9];
        check(
            empty || matches!(self.phase, Phase::Place | Phase::Resolve | Phase::Over),
            "elves stand on the line in their time",
        )
    }

    fn may_be_sealed(&self, area: &Area) -> bool {
        match (self.phase, area.sealed) {
            (Phase::Keep, Some(kept)) => kept.len() == FIRST_HAND && kept.without(area.drawn).is_empty(),
            (Phase::Ship, Some(shipped)) => {
                shipped.without(area.hand).is_empty() && area.objects.cover(shipped.needs())
            }
            (Phase::Place | Phase::Resolve, sealed) => sealed.is_none(),
            _ => true,
        }
    }
}

/// The opponent.
pub(super) fn other(seat: Seat) -> Seat {
    Seat(1 - seat.0)
}
