//! Chips (Mathieu Aubert, Théo Rivière; Mixlore): 2–5 players bet on which objectives the drawn chips will meet.
//!
//! A round: everybody is dealt 6 of 36 objectives. 5 chips are drawn from a bag of 25, everybody throws 2 cards away;
//! 4 chips, 1 card; 3 chips, then everybody bets the last 3 cards: 2 for, 1 against. All bets are turned up, the last 2
//! chips are drawn, and the 14 chips decide: met cards earn their value on the one side and cost it on the other. Best
//! score 2 tokens, second 1 (two players: 1 and none). When somebody reaches 4 tokens (two players: 3), the player with
//! the most tokens wins. All players choose at the same time and in secret.
//!
//! Our rulings where the rules are silent:
//! - A choice leaves the hand when it is sent: the owner sees it among the discards, or as the bet.
//! - A player who resigns sets all cards aside: the hand, and a bet that is still face down, which therefore never
//!   scores. They join the seat's discards: visible to their owner, and to others only in the replay.
//! - Seats that resigned share the last rank, however many tokens they had. Their tokens no longer end the game.
//! - The dealer's role skips seats that resigned; a dealer who resigns keeps it until the round is over.
//! - If resignations leave two players of a larger game, the scoring table of the original number of players still
//!   applies. A player who then loses the round by the jackpot is second of two and gets nothing.

mod bot;
mod cards;
mod events;
mod greedy;
mod lookahead;
mod moves;
mod odds;
mod score;
mod state;
mod types;
mod view;

pub use cards::Cards;
pub use events::{Event, EventView, SeatBet, SeatTally};
pub use moves::{Bet, CheckedMove, Move, MoveParseError, Picks};
pub use score::{Jackpot, Reason, Tally};
pub use state::{Area, BOARDS, HAND, PastRound, PastRoundSeat, Phase, State};
pub use types::{Card, CardFace, Condition, Counts, Flavour};
pub use view::{ChipsLeft, RoundSeatView, RoundView, SeatView, View};

use crate::bots::{Knowledge, Level, Rating};
use crate::capabilities::{Bot, Greedy};
use crate::types::sentences;
use crate::{Dice, Eyes, Foreseen, Illegal, Info, Instant, Message, Next, Rules, Seat, Turn};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::ops::RangeInclusive;

/// The rules of Chips.
pub struct Chips;

/// The allowed range of `target_tokens`.
const TARGETS: RangeInclusive<u8> = 1..=20;

/// Options of a game of Chips.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", default, deny_unknown_fields)]
#[schemars(rename = "ChipsOptions")]
pub struct Options {
    /// The number of tokens that ends the game, 1 to 20. Defaults to 4, or to 3 with two players.
    #[schemars(range(min = *TARGETS.start(), max = *TARGETS.end()))]
    pub target_tokens: Option<u8>,
    /// The seat that deals first. Drawn at random if omitted.
    pub first_dealer: Option<Seat>,
}

impl Rules for Chips {
    const INFO: Info = Info {
        kind: "CHIPS",
        slug: "chips",
        rules_version: 1,
        seats: 2..=5,
        hidden: true,
        simultaneous: true,
        minutes: 15..=20,
        sentences: sentences!("chips"),
    };

    type Options = Options;
    type State = State;
    type Move = Move;
    type Event = Event;
    type View = View;
    type EventView = EventView;
    type Effect = ();

    fn check_options(options: &Options, seats: u8) -> Result<(), Illegal> {
        let refused = |message| Err(Illegal::Rule(message));
        match options {
            Options { target_tokens: Some(tokens), .. } if !TARGETS.contains(tokens) => refused(
                Message::new("chips-refusal-target").with("least", *TARGETS.start()).with("most", *TARGETS.end()),
            ),
            Options { first_dealer: Some(dealer), .. } if dealer.0 >= seats => {
                refused(Message::new("chips-refusal-dealer").with("last", seats - 1))
            }
            _ => Ok(()),
        }
    }

    fn setup(options: &Options, seats: u8, _now: Instant, dice: &mut Dice) -> Next<Self> {
        let target = options.target_tokens.unwrap_or(if seats == 2 { 3 } else { 4 });
        let by_lot = |dice: &mut Dice| Seat(u8::try_from(dice.below(u32::from(seats))).expect("a seat of the table"));
        let dealer = options.first_dealer.unwrap_or_else(|| by_lot(dice));
        let mut state = State::new(u32::from(target), dealer, seats);
        let mut events = Vec::new();
        state.deal(dice, &mut events);
        Next { state, events }
    }

    fn turn(state: &State) -> Turn {
        match state.ended {
            Some(reason) => Turn::Over(score::outcome(state, reason)),
            None => Turn::Waiting(state.choosing().collect()),
        }
    }

    fn legal(state: &State, seat: Seat, _now: Instant) -> Vec<Move> {
        moves::legal(state, seat)
    }

    fn play(state: &State, seat: Seat, mv: &Move, now: Instant, dice: &mut Dice) -> Result<Next<Self>, Illegal> {
        let Foreseen { mut state, mut events, complete } = Self::preview(state, seat, mv, now)?;
        if !complete {
            state.advance(dice, &mut events);
        }
        Ok(Next { state, events })
    }

    /// The last choice of a phase reveals hidden cards or draws chips, so its preview stops there. Everyone sees who is
    /// still choosing, so stopping there leaks nothing.
    fn preview(state: &State, seat: Seat, mv: &Move, _now: Instant) -> Result<Foreseen<Self>, Illegal> {
        let choice = moves::judge(state, seat, mv)?;
        let (mut state, mut events) = (state.clone(), Vec::new());
        state.seal(seat, choice, &mut events);
        let complete = state.choosing().next().is_some();
        Ok(Foreseen { state, events, complete })
    }

    fn resign(state: &State, seats: &[Seat], _now: Instant, dice: &mut Dice) -> Next<Self> {
        let (mut state, mut events) = (state.clone(), Vec::new());
        state.resign(seats, dice, &mut events);
        Next { state, events }
    }

    fn mark_resigned(state: &mut State, seats: &[Seat]) {
        for seat in seats {
            state.areas[seat.index()].resigned = true;
        }
    }

    fn view(state: &State, eyes: Eyes) -> View {
        view::view(state, eyes)
    }

    fn tell(event: &Event, eyes: Eyes) -> Option<EventView> {
        Some(events::tell(event, eyes))
    }

    fn label(mv: &Move) -> Message {
        mv.label()
    }

    fn glossary() -> Vec<(String, Message)> {
        let named = |what: &'static str, id: &'static str| {
            (id.to_owned(), Message::new(format!("chips-{what}-{}", id.to_lowercase().replace('_', "-"))))
        };
        let cards = Card::all().map(|card| (card.slug().to_owned(), card.name()));
        let flavours = Flavour::ALL.map(|flavour| named("flavour", flavour.id()));
        let steps = Phase::ALL.map(|phase| named("step", phase.id()));
        let reasons = Reason::ALL.map(|reason| named("reason", reason.id()));
        cards.chain(flavours).chain(steps).chain(reasons).collect()
    }

    fn draw(state: &State) -> String {
        state.drawing()
    }

    fn invariants(state: &State) -> Result<(), String> {
        state.invariants()
    }

    fn resample(state: &State, eyes: Eyes, dice: &mut Dice) -> State {
        view::resample(state, eyes, dice)
    }
}

impl Greedy for Chips {
    fn pick(knowledge: &Knowledge<'_, Self>, moves: &[Move]) -> usize {
        greedy::pick(&knowledge.view(), knowledge.seat(), moves)
    }
}

impl Bot for Chips {
    const VERSION: u8 = 1;

    const LEVELS: &[Level] = bot::LEVELS;

    fn rate(knowledge: &Knowledge<'_, Self>, moves: &[Move], effort: u32, dice: &mut Dice) -> Vec<Rating> {
        bot::rate(&knowledge.view(), knowledge.seat(), moves, effort, dice)
    }
}
