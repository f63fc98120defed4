//! State of a game of Chips, and how a round advances once all seats have chosen.
//!
//! [`State::invariants`] lists what holds in every state. Two things are derived instead of stored: the bag is the 25
//! chips minus those drawn, and whether a seat has chosen follows from its cards.

use super::{
    cards::Cards,
    events::Event,
    moves::{Bet, CheckedMove},
    score::{self, Reason, Tally},
    types::{Counts, Flavour},
};
use crate::{Dice, Seat};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::{fmt::Write, sync::Arc};

/// The number of chips on each of the four boards.
pub const BOARDS: [usize; 4] = [5, 4, 3, 2];
/// The number of cards dealt to each seat.
pub const HAND: usize = 6;

/// A game of Chips with all its secrets.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct State {
    /// The number of tokens that ends the game.
    pub target: u32,
    /// Counted from 1.
    pub round: u32,
    pub dealer: Seat,
    #[serde(rename = "step")]
    pub phase: Phase,
    /// The chips drawn in this round, in order.
    pub chips: Vec<Flavour>,
    /// One for each seat.
    #[serde(rename = "places")]
    pub areas: Vec<Area>,
    /// Scored rounds, oldest first. Behind an `Arc`, because every move copies the state, but the list grows only once
    /// per round.
    pub past: Arc<Vec<Arc<PastRound>>>,
    pub ended: Option<Reason>,
}

/// The phase of a round: what the seats are choosing, or that the game is over.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename = "Step", rename_all = "SCREAMING_SNAKE_CASE")]
#[schemars(rename = "ChipsRoundStep")]
pub enum Phase {
    /// Board 1 is full; each seat discards two cards.
    DiscardTwo,
    /// Board 2 is full; each seat discards one card.
    DiscardOne,
    /// Board 3 is full; each seat bets two cards for and one against.
    Bet,
    /// The last round has been scored; the game is over.
    Scored,
}

impl Phase {
    pub const ALL: [Phase; 4] = [Phase::DiscardTwo, Phase::DiscardOne, Phase::Bet, Phase::Scored];

    pub const fn id(self) -> &'static str {
        match self {
            Phase::DiscardTwo => "DISCARD_TWO",
            Phase::DiscardOne => "DISCARD_ONE",
            Phase::Bet => "BET",
            Phase::Scored => "SCORED",
        }
    }

    /// The number of cards to discard in this phase, if it is a discard phase.
    pub const fn discards(self) -> Option<u8> {
        match self {
            Phase::DiscardTwo => Some(2),
            Phase::DiscardOne => Some(1),
            Phase::Bet | Phase::Scored => None,
        }
    }

    /// The number of cards a seat has discarded in total once it has chosen in this phase.
    const fn discarded(self) -> u32 {
        match self {
            Phase::DiscardTwo => 2,
            _ => 3,
        }
    }

    /// The number of full boards.
    const fn boards(self) -> usize {
        self as usize + 1
    }
}

/// The cards and tokens of one seat.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename = "Place")]
pub struct Area {
    pub tokens: u32,
    pub resigned: bool,
    pub hand: Cards,
    /// Cards discarded in this round, by a move or by resigning.
    pub discards: Cards,
    pub bet: Option<Bet>,
}

impl Area {
    /// Whether the seat has made its choice in this phase.
    pub fn has_chosen(&self, phase: Phase) -> bool {
        if phase < Phase::Bet { self.discards.len() >= phase.discarded() } else { self.bet.is_some() }
    }

    /// All cards of the seat: hand, discards and bet.
    pub fn cards(&self) -> Cards {
        self.hand.with(self.discards).with(self.bet.map_or(Cards::NONE, Bet::cards))
    }
}

/// A scored round.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename = "Past")]
pub struct PastRound {
    pub dealer: Seat,
    pub chips: Vec<Flavour>,
    /// One for each seat.
    #[serde(rename = "places")]
    pub areas: Vec<PastRoundSeat>,
}

/// What a seat did in a scored round. Seats that had resigned have no bet.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename = "PastPlace")]
pub struct PastRoundSeat {
    pub discards: Cards,
    pub bet: Option<Bet>,
    pub tally: Option<Tally>,
}

impl State {
    /// A new game before its first round is dealt.
    pub(super) fn new(target: u32, dealer: Seat, seats: u8) -> Self {
        Self {
            target,
            round: 0,
            dealer,
            phase: Phase::DiscardTwo,
            chips: Vec::new(),
            areas: vec![Area::default(); usize::from(seats)],
            past: Arc::default(),
            ended: None,
        }
    }

    /// The original number of seats. It selects the scoring table even after resignations.
    pub fn seats(&self) -> u8 {
        u8::try_from(self.areas.len()).expect("a table has few seats")
    }

    /// The seats that have not chosen yet, in order.
    pub fn choosing(&self) -> impl Iterator<Item = Seat> {
        let phase = self.phase;
        let choosing = self.areas.iter().map(move |area| !area.resigned && !area.has_chosen(phase));
        Seat::all(self.seats()).zip(choosing).filter_map(|(seat, choosing)| choosing.then_some(seat))
    }

    /// The seat's tally of the last scored round.
    pub(super) fn last_tally(&self, seat: usize) -> Option<&Tally> {
        self.past.last()?.areas.get(seat)?.tally.as_ref()
    }

    /// Puts the cards of a checked move face down.
    pub(super) fn seal(&mut self, seat: Seat, choice: CheckedMove, events: &mut Vec<Event>) {
        let area = &mut self.areas[seat.index()];
        match choice {
            CheckedMove::Discard(cards) => {
                area.hand = area.hand.without(cards);
                area.discards = area.discards.with(cards);
            }
            CheckedMove::Bet(bet) => {
                area.hand = area.hand.without(bet.cards());
                area.bet = Some(bet);
            }
        }
        events.push(Event::Chose { seat, choice });
    }

    /// If all seats have chosen, ends the phase: draws the chips of the next board. After the bets, it also scores the
    /// round and deals the next one.
    pub(super) fn advance(&mut self, dice: &mut Dice, events: &mut Vec<Event>) {
        if self.choosing().next().is_some() {
            return;
        }
        match self.phase {
            Phase::DiscardTwo => self.open_board(Phase::DiscardOne, dice, events),
            Phase::DiscardOne => self.open_board(Phase::Bet, dice, events),
            Phase::Bet => {
                let bets = Seat::all(self.seats()).zip(&self.areas);
                events.push(Event::Revealed { bets: bets.filter_map(|(seat, p)| Some((seat, p.bet?))).collect() });
                self.phase = Phase::Scored;
                self.draw(1, dice, events);
                self.draw(1, dice, events);
                self.score(events);
                if self.ended.is_none() {
                    self.dealer = self.left_of(self.dealer);
                    self.deal(dice, events);
                }
            }
            Phase::Scored => {}
        }
    }

    /// Starts a round: all chips in the bag, all cards shuffled.
    pub(super) fn deal(&mut self, dice: &mut Dice, events: &mut Vec<Event>) {
        self.round += 1;
        events.push(Event::RoundStarted { round: self.round, dealer: self.dealer });
        let deck = Cards::ALL.shuffled(dice);
        let mut hands = deck.chunks_exact(HAND).map(|hand| hand.iter().copied().collect::<Cards>());
        for (seat, area) in Seat::all(self.seats()).zip(&mut self.areas) {
            area.hand = Cards::NONE;
            area.discards = Cards::NONE;
            area.bet = None;
            if !area.resigned {
                area.hand = hands.next().expect("the deck has a hand for every seat");
                events.push(Event::Dealt { seat, cards: area.hand });
            }
        }
        self.chips.clear();
        self.open_board(Phase::DiscardTwo, dice, events);
    }

    /// Resigns the seats: all their cards are set aside face down, unrevealed bets included.
    pub(super) fn resign(&mut self, seats: &[Seat], dice: &mut Dice, events: &mut Vec<Event>) {
        for &seat in seats {
            let area = &mut self.areas[seat.index()];
            let cards = area.cards().without(area.discards);
            *area = Area { tokens: area.tokens, resigned: true, discards: area.cards(), ..Area::default() };
            events.push(Event::SetAside { seat, cards });
        }
        if self.areas.iter().filter(|area| !area.resigned).count() < 2 {
            self.ended = Some(Reason::Resigned);
        } else {
            self.advance(dice, events);
        }
    }

    fn open_board(&mut self, phase: Phase, dice: &mut Dice, events: &mut Vec<Event>) {
        self.phase = phase;
        self.draw(BOARDS[phase as usize], dice, events);
    }

    /// Draws chips onto the board of this phase.
    fn draw(&mut self, chips: usize, dice: &mut Dice, events: &mut Vec<Event>) {
        let before = self.chips.len();
        for _ in 0..chips {
            let bag = self.bag();
            let nth = u8::try_from(dice.below(u32::from(bag.total()))).expect("the bag holds at most 25 chips");
            self.chips.push(bag.nth(nth).expect("a chip that is in the bag"));
        }
        let board = u8::try_from(self.phase.boards()).expect("there are four boards");
        events.push(Event::Drew { board, chips: self.chips[before..].to_vec() });
    }

    /// The chips still in the bag.
    pub fn bag(&self) -> Counts {
        Counts::all().without(Counts::of(&self.chips)).expect("chips come from the bag")
    }

    /// Scores the round, awards its tokens and adds it to the history.
    fn score(&mut self, events: &mut Vec<Event>) {
        let bets: Vec<_> = self.areas.iter().filter_map(|area| Some((area.bet?, area.tokens))).collect();
        let mut tallies = score::tally(&self.chips, &bets, self.areas.len()).into_iter();
        let mut scored = Vec::with_capacity(bets.len());
        let mut areas = Vec::with_capacity(self.areas.len());
        for (seat, area) in Seat::all(self.seats()).zip(&mut self.areas) {
            let tally = area.bet.and_then(|_| tallies.next());
            if let Some(tally) = &tally {
                area.tokens = tally.tokens;
                scored.push((seat, tally.clone()));
            }
            areas.push(PastRoundSeat { discards: area.discards, bet: area.bet, tally });
        }
        let past = PastRound { dealer: self.dealer, chips: self.chips.clone(), areas };
        Arc::make_mut(&mut self.past).push(Arc::new(past));
        events.push(Event::Scored { tallies: scored });
        self.ended = score::ended(self);
    }

    /// The next seat to the left that has not resigned.
    fn left_of(&self, seat: Seat) -> Seat {
        let seats = self.seats();
        let round = (1..=seats).map(|n| Seat((seat.0 + n) % seats));
        round.into_iter().find(|seat| !self.areas[seat.index()].resigned).expect("somebody is still in")
    }

    /// Draws the state as text, with all its secrets.
    pub(super) fn drawing(&self) -> String {
        let mut text = format!("Round {} · {} · dealer {}", self.round, self.phase.id(), self.dealer);
        let mut line = |title: &str, rest: &str| {
            write!(text, "\n{title:7} {rest}").expect("a String takes everything");
        };
        let boards: Vec<String> = boards(&self.chips).map(letters).collect();
        line("Boards", &boards.join(" "));
        line("Bag", &letters(&(0..).map_while(|n| self.bag().nth(n)).collect::<Vec<_>>()));
        for (seat, area) in self.areas.iter().enumerate() {
            let mut parts = vec![format!("tokens {}/{}", area.tokens, self.target)];
            if area.resigned {
                parts.push("resigned".into());
            }
            if !area.hand.is_empty() {
                parts.push(format!("hand {}", area.hand));
            }
            if let Some(bet) = area.bet {
                parts.push(format!("bet {} {} against {}", bet.r#for[0], bet.r#for[1], bet.against));
            }
            if !area.discards.is_empty() {
                parts.push(format!("discarded {}", area.discards));
            }
            line(&format!("Seat {seat}"), &parts.join(" · "));
        }
        text
    }

    /// Checks what must hold between two steps; the error names what does not.
    pub(super) fn invariants(&self) -> Result<(), String> {
        let check = |holds: bool, what: &str| if holds { Ok(()) } else { Err(what.to_owned()) };
        let out: usize = BOARDS[..self.phase.boards()].iter().sum();
        check(self.chips.len() == out, "exactly the boards of the phase are full")?;
        check(Counts::all().without(Counts::of(&self.chips)).is_some(), "no flavour has more chips drawn than exist")?;
        let mut seen = Cards::NONE;
        for area in &self.areas {
            let cards = area.cards();
            check(!cards.overlaps(seen), "no card belongs to two seats")?;
            seen = seen.with(cards);
            let sum = area.hand.len() + area.discards.len() + area.bet.map_or(0, |_| 3);
            check(sum == cards.len(), "no card is twice in a seat's hand, discards and bet")?;
            if area.resigned {
                check(area.hand.is_empty() && area.bet.is_none(), "a seat that resigned has no hand and no bet")?;
                check(sum == 0 || sum == 6, "a seat that resigned has set six cards aside, or was dealt none")?;
            } else {
                let chosen = area.has_chosen(self.phase);
                let due = self.phase.discarded() - if chosen { 0 } else { self.phase.discards().unwrap_or(0).into() };
                check(
                    sum == 6 && area.discards.len() == due,
                    "a seat has six cards, and as many discards as the phase requires",
                )?;
            }
        }
        let rounds = self.past.len() + usize::from(self.phase != Phase::Scored);
        check(rounds == self.round as usize, "every scored round is in the history")?;
        let waiting = self.choosing().next().is_some();
        check(
            waiting == self.ended.is_none() || self.ended == Some(Reason::Resigned),
            "the game waits for a seat until it is over",
        )?;
        check((self.phase == Phase::Scored) <= self.ended.is_some(), "the phase is SCORED only when the game is over")
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
