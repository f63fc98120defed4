//! The table: whose cards lie where, which chips are out, and how a round goes on once everybody has chosen.
//!
//! What always holds is written out in [`State::invariants`]. Two things are not kept because they follow from the
//! rest: the bag is the 25 chips less those that are out, and a seat has chosen when its cards say so.

use super::{
    cards::Cards,
    events::Event,
    moves::{Bet, Choice},
    score::{self, Reason, Tally},
    types::{Counts, Flavour},
};
use crate::{Dice, Seat};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::{fmt::Write, sync::Arc};

/// How many chips the four boards hold.
pub const BOARDS: [usize; 4] = [5, 4, 3, 2];
/// How many cards each seat is dealt.
pub const HAND: usize = 6;

/// A game of Chips with all its secrets.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct State {
    /// Tokens that end the game.
    pub target: u32,
    /// Counted from 1.
    pub round: u32,
    pub dealer: Seat,
    pub step: Step,
    /// The chips that are out, in the order they were drawn.
    pub chips: Vec<Flavour>,
    /// One for each seat.
    pub places: Vec<Place>,
    /// Rounds that were scored. Shared, because every move copies the state and no move changes them.
    pub past: Arc<Vec<Arc<Past>>>,
    pub ended: Option<Reason>,
}

/// Where a round stands: what everybody is choosing, or that nobody chooses any more.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
#[schemars(rename = "ChipsRoundStep")]
pub enum Step {
    /// Board 1 is full; everybody throws two cards away.
    DiscardTwo,
    /// Board 2 is full; everybody throws one card away.
    DiscardOne,
    /// Board 3 is full; everybody bets two cards for and one against.
    Bet,
    /// The game's last round has been scored.
    Scored,
}

impl Step {
    pub const ALL: [Step; 4] = [Step::DiscardTwo, Step::DiscardOne, Step::Bet, Step::Scored];

    pub const fn id(self) -> &'static str {
        match self {
            Step::DiscardTwo => "DISCARD_TWO",
            Step::DiscardOne => "DISCARD_ONE",
            Step::Bet => "BET",
            Step::Scored => "SCORED",
        }
    }

    /// How many cards are to be thrown away now, if that is what is due.
    pub const fn discards(self) -> Option<u8> {
        match self {
            Step::DiscardTwo => Some(2),
            Step::DiscardOne => Some(1),
            Step::Bet | Step::Scored => None,
        }
    }

    /// How many cards a seat has thrown away once it has chosen.
    const fn discarded(self) -> u32 {
        match self {
            Step::DiscardTwo => 2,
            _ => 3,
        }
    }

    /// How many boards are full.
    const fn boards(self) -> usize {
        self as usize + 1
    }
}

/// What lies before a seat.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Place {
    pub tokens: u32,
    pub resigned: bool,
    pub hand: Cards,
    /// Thrown away in this round, by choice or by giving up.
    pub discards: Cards,
    pub bet: Option<Bet>,
}

impl Place {
    /// Whether the seat has sent what this step asks for.
    pub fn has_chosen(&self, step: Step) -> bool {
        if step < Step::Bet { self.discards.len() >= step.discarded() } else { self.bet.is_some() }
    }

    /// All cards before the seat.
    pub fn cards(&self) -> Cards {
        self.hand.with(self.discards).with(self.bet.map_or(Cards::NONE, Bet::cards))
    }
}

/// A round that was scored.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Past {
    pub dealer: Seat,
    pub chips: Vec<Flavour>,
    /// One for each seat.
    pub places: Vec<PastPlace>,
}

/// What a seat did in a past round; those who had given up bet nothing.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PastPlace {
    pub discards: Cards,
    pub bet: Option<Bet>,
    pub tally: Option<Tally>,
}

impl State {
    /// An empty table; the first round is yet to be dealt.
    pub(super) fn new(target: u32, dealer: Seat, seats: u8) -> Self {
        Self {
            target,
            round: 0,
            dealer,
            step: Step::DiscardTwo,
            chips: Vec::new(),
            places: vec![Place::default(); usize::from(seats)],
            past: Arc::default(),
            ended: None,
        }
    }

    /// How many sat down; it decides the scoring table even when some have given up.
    pub fn seats(&self) -> u8 {
        u8::try_from(self.places.len()).expect("a table has few seats")
    }

    /// The seats still to choose, in order.
    pub fn choosing(&self) -> impl Iterator<Item = Seat> {
        let step = self.step;
        let choosing = self.places.iter().map(move |place| !place.resigned && !place.has_chosen(step));
        Seat::all(self.seats()).zip(choosing).filter_map(|(seat, choosing)| choosing.then_some(seat))
    }

    /// What the last round that was scored brought the seat.
    pub(super) fn last_tally(&self, seat: usize) -> Option<&Tally> {
        self.past.last()?.places.get(seat)?.tally.as_ref()
    }

    /// Lays the choice down, face down.
    pub(super) fn seal(&mut self, seat: Seat, choice: Choice, events: &mut Vec<Event>) {
        let place = &mut self.places[seat.index()];
        match choice {
            Choice::Discard(cards) => {
                place.hand = place.hand.without(cards);
                place.discards = place.discards.with(cards);
            }
            Choice::Bet(bet) => {
                place.hand = place.hand.without(bet.cards());
                place.bet = Some(bet);
            }
        }
        events.push(Event::Chose { seat, choice });
    }

    /// Goes on if everybody has chosen: draws, and after the bets scores the round and deals the next one.
    pub(super) fn advance(&mut self, dice: &mut Dice, events: &mut Vec<Event>) {
        if self.choosing().next().is_some() {
            return;
        }
        match self.step {
            Step::DiscardTwo => self.open_board(Step::DiscardOne, dice, events),
            Step::DiscardOne => self.open_board(Step::Bet, dice, events),
            Step::Bet => {
                let bets = Seat::all(self.seats()).zip(&self.places);
                events.push(Event::Revealed { bets: bets.filter_map(|(seat, p)| Some((seat, p.bet?))).collect() });
                self.step = Step::Scored;
                self.draw(1, dice, events);
                self.draw(1, dice, events);
                self.score(events);
                if self.ended.is_none() {
                    self.dealer = self.left_of(self.dealer);
                    self.deal(dice, events);
                }
            }
            Step::Scored => {}
        }
    }

    /// Starts a round: all chips in the bag, all cards shuffled.
    pub(super) fn deal(&mut self, dice: &mut Dice, events: &mut Vec<Event>) {
        self.round += 1;
        events.push(Event::RoundStarted { round: self.round, dealer: self.dealer });
        let deck = Cards::ALL.shuffled(dice);
        let mut hands = deck.chunks_exact(HAND).map(|hand| hand.iter().copied().collect::<Cards>());
        for (seat, place) in Seat::all(self.seats()).zip(&mut self.places) {
            place.hand = Cards::NONE;
            place.discards = Cards::NONE;
            place.bet = None;
            if !place.resigned {
                place.hand = hands.next().expect("the deck has a hand for every seat");
                events.push(Event::Dealt { seat, cards: place.hand });
            }
        }
        self.chips.clear();
        self.open_board(Step::DiscardTwo, dice, events);
    }

    /// The seats give up: all cards before them are set aside, face down, sealed bets included.
    pub(super) fn resign(&mut self, seats: &[Seat], dice: &mut Dice, events: &mut Vec<Event>) {
        for &seat in seats {
            let place = &mut self.places[seat.index()];
            let cards = place.cards().without(place.discards);
            *place = Place { tokens: place.tokens, resigned: true, discards: place.cards(), ..Place::default() };
            events.push(Event::SetAside { seat, cards });
        }
        if self.places.iter().filter(|place| !place.resigned).count() < 2 {
            self.ended = Some(Reason::Resigned);
        } else {
            self.advance(dice, events);
        }
    }

    fn open_board(&mut self, step: Step, dice: &mut Dice, events: &mut Vec<Event>) {
        self.step = step;
        self.draw(BOARDS[step as usize], dice, events);
    }

    /// Draws chips onto the board of this step, one after the other.
    fn draw(&mut self, chips: usize, dice: &mut Dice, events: &mut Vec<Event>) {
        let before = self.chips.len();
        for _ in 0..chips {
            let bag = self.bag();
            let nth = u8::try_from(dice.below(u32::from(bag.total()))).expect("the bag holds 25 chips");
            self.chips.push(bag.nth(nth).expect("a chip that is in the bag"));
        }
        let board = u8::try_from(self.step.boards()).expect("there are four boards");
        events.push(Event::Drew { board, chips: self.chips[before..].to_vec() });
    }

    /// The chips still in the bag.
    pub fn bag(&self) -> Counts {
        Counts::all().without(Counts::of(&self.chips)).expect("chips come from the bag")
    }

    /// Hands out the round's tokens and puts the round on record.
    fn score(&mut self, events: &mut Vec<Event>) {
        let bets: Vec<_> = self.places.iter().filter_map(|place| Some((place.bet?, place.tokens))).collect();
        let mut tallies = score::tally(&self.chips, &bets, self.places.len()).into_iter();
        let mut scored = Vec::with_capacity(bets.len());
        let mut places = Vec::with_capacity(self.places.len());
        for (seat, place) in Seat::all(self.seats()).zip(&mut self.places) {
            let tally = place.bet.and_then(|_| tallies.next());
            if let Some(tally) = &tally {
                place.tokens = tally.tokens;
                scored.push((seat, tally.clone()));
            }
            places.push(PastPlace { discards: place.discards, bet: place.bet, tally });
        }
        let past = Past { dealer: self.dealer, chips: self.chips.clone(), places };
        Arc::make_mut(&mut self.past).push(Arc::new(past));
        events.push(Event::Scored { tallies: scored });
        self.ended = score::ended(self);
    }

    /// The next seat that is still in.
    fn left_of(&self, seat: Seat) -> Seat {
        let seats = self.seats();
        let round = (1..=seats).map(|n| Seat((seat.0 + n) % seats));
        round.into_iter().find(|seat| !self.places[seat.index()].resigned).expect("somebody is still in")
    }

    /// The table as text, with all its secrets.
    pub(super) fn drawing(&self) -> String {
        let mut text = format!("Round {} · {} · dealer {}", self.round, self.step.id(), self.dealer);
        let mut line = |title: &str, rest: &str| {
            write!(text, "\n{title:7} {rest}").expect("a String takes everything");
        };
        let boards: Vec<String> = boards(&self.chips).map(letters).collect();
        line("Boards", &boards.join(" "));
        line("Bag", &letters(&(0..).map_while(|n| self.bag().nth(n)).collect::<Vec<_>>()));
        for (seat, place) in self.places.iter().enumerate() {
            let mut parts = vec![format!("tokens {}/{}", place.tokens, self.target)];
            if place.resigned {
                parts.push("resigned".into());
            }
            if !place.hand.is_empty() {
                parts.push(format!("hand {}", place.hand));
            }
            if let Some(bet) = place.bet {
                parts.push(format!("bet {} {} against {}", bet.r#for[0], bet.r#for[1], bet.against));
            }
            if !place.discards.is_empty() {
                parts.push(format!("discarded {}", place.discards));
            }
            line(&format!("Seat {seat}"), &parts.join(" · "));
        }
        text
    }

    /// What holds between two steps; the text says what does not.
    pub(super) fn invariants(&self) -> Result<(), String> {
        let check = |holds: bool, what: &str| if holds { Ok(()) } else { Err(what.to_owned()) };
        let out: usize = BOARDS[..self.step.boards()].iter().sum();
        check(self.chips.len() == out, "the boards of the step are full and no other")?;
        check(Counts::all().without(Counts::of(&self.chips)).is_some(), "no more chips are out than there are")?;
        let mut seen = Cards::NONE;
        for place in &self.places {
            let cards = place.cards();
            check(!cards.overlaps(seen), "no card is in two places")?;
            seen = seen.with(cards);
            let sum = place.hand.len() + place.discards.len() + place.bet.map_or(0, |_| 3);
            check(sum == cards.len(), "no card is twice before a seat")?;
            if place.resigned {
                check(place.hand.is_empty() && place.bet.is_none(), "whoever gave up has no hand and no bet")?;
                check(sum == 0 || sum == 6, "whoever gave up has set six cards aside, or was dealt none")?;
            } else {
                let chosen = place.has_chosen(self.step);
                let due = self.step.discarded() - if chosen { 0 } else { self.step.discards().unwrap_or(0).into() };
                check(sum == 6 && place.discards.len() == due, "a seat has its six cards where the step puts them")?;
            }
        }
        let rounds = self.past.len() + usize::from(self.step != Step::Scored);
        check(rounds == self.round as usize, "every round before this one is on record")?;
        let waiting = self.choosing().next().is_some();
        check(waiting == self.ended.is_none() || self.ended == Some(Reason::Resigned), "it waits until it is over")?;
        check((self.step == Step::Scored) <= self.ended.is_some(), "a scored round is followed by another, or the end")
    }
}

/// The chips of each board that has any.
pub(super) fn boards(chips: &[Flavour]) -> impl Iterator<Item = &[Flavour]> {
    let mut rest = chips;
    BOARDS.into_iter().map_while(move |size| {
        let (board, after) = rest.split_at(size.min(rest.len()));
        rest = after;
        (!board.is_empty()).then_some(board)
    })
}

fn letters(chips: &[Flavour]) -> String {
    chips.iter().map(|chip| chip.letter()).collect()
}
