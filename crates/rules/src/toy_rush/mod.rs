//! Toy Rush: 2 players send elves to an assembly line that makes toys, and toys to the children who wait for them.
//!
//! At the start both draw 3 of 18 objectives and keep 2. A round: in turn, elves are placed on the nine spaces of the
//! line, each space for one owner, except for Primeur, where both may bid for the first-player token. Then the spaces
//! give their goods from left to right: objectives, boxes, elves, colours, trains, patterns, teddies, horses; an owner
//! who has a choice makes a move. Then both choose in secret which objectives to complete with the objects they hold.
//! Once a player has 17 points, the game is over: most points win, a tie goes to the holder of the token.
//!
//! Our rulings where the rules are silent:
//! - Elves on Objectives return one by one, each after its draw, so the number of elves there is the number of draws
//!   still due.
//! - If the game runs dry in its last round, the reason of its end is that it ran dry.
//! - When a player resigns, the game is over at once. Nothing moves, and face-down cards stay face down.
//! - Both players' completed objectives are revealed at the same time; the events list the holder of the token first.
//! - The first player is drawn at random before the objectives are shuffled.

mod assembly_line;
mod bot;
mod deck_history;
mod deck_reconstruction;
mod events;
mod greedy;
mod legal;
mod moves;
mod objectives;
mod score;
mod state;
mod types;
mod view;

pub use deck_history::{DeckAction, DeckHistory};
pub use events::{Event, EventView};
pub use moves::{Move, MoveParseError, Picks};
pub use objectives::{Objective, ObjectiveFace, Objectives};
pub use score::Reason;
pub use state::{Area, ELVES, FIRST_DRAW, FIRST_HAND, FIRST_STOCK, Phase, State};
pub use types::{Object, Objects, Space};
pub use view::{ObjectiveView, PileView, SeatView, SpaceView, View};

use crate::bots::{Knowledge, Level, Rating};
use crate::capabilities::{Bot, Greedy};
use crate::types::sentences;
use crate::{Dice, Eyes, Foreseen, Illegal, Info, Instant, Message, Next, Rules, Seat, Turn};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use state::StopAt;
use std::ops::RangeInclusive;

/// The rules of Toy Rush.
pub struct ToyRush;

/// The allowed range of `target_points`.
const TARGETS: RangeInclusive<u8> = 1..=80;
/// The allowed range of `max_rounds`.
const ROUNDS: RangeInclusive<u8> = 1..=200;

/// Options of a game of Toy Rush.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", default, deny_unknown_fields)]
#[schemars(rename = "ToyRushOptions")]
pub struct Options {
    /// The number of points that ends the game, 1 to 80; by default 17.
    #[schemars(range(min = *TARGETS.start(), max = *TARGETS.end()))]
    pub target_points: u8,
    /// The seat that holds the first-player token at the start. Drawn at random if omitted.
    pub first_seat: Option<Seat>,
    /// The number of the last round, 1 to 200; by default 40. The game ends after it even if no player has reached the
    /// target.
    #[schemars(range(min = *ROUNDS.start(), max = *ROUNDS.end()))]
    pub max_rounds: u8,
}

impl Default for Options {
    fn default() -> Self {
        Self { target_points: 17, first_seat: None, max_rounds: 40 }
    }
}

impl Rules for ToyRush {
    const INFO: Info = Info {
        kind: "TOY_RUSH",
        slug: "toy_rush",
        rules_version: 1,
        seats: 2..=2,
        hidden: true,
        simultaneous: true,
        minutes: 30..=30,
        sentences: sentences!("toy_rush"),
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
        let outside = |key, limits: RangeInclusive<u8>| {
            refused(Message::new(key).with("least", *limits.start()).with("most", *limits.end()))
        };
        match options {
            Options { target_points, .. } if !TARGETS.contains(target_points) => {
                outside("toy_rush-refusal-target", TARGETS)
            }
            Options { max_rounds, .. } if !ROUNDS.contains(max_rounds) => outside("toy_rush-refusal-rounds", ROUNDS),
            Options { first_seat: Some(seat), .. } if seat.0 >= seats => {
                refused(Message::new("toy_rush-refusal-first-seat").with("last", seats - 1))
            }
            _ => Ok(()),
        }
    }

    fn setup(options: &Options, _seats: u8, _now: Instant, dice: &mut Dice) -> Next<Self> {
        let first = options.first_seat.unwrap_or_else(|| Seat(dice.below(2).try_into().expect("0 or 1")));
        let mut events = Vec::new();
        let state = State::new(options.target_points, options.max_rounds, first, dice, &mut events);
        Next { state, events }
    }

    fn turn(state: &State) -> Turn {
        match state.ended {
            Some(reason) => Turn::Over(score::outcome(state, reason)),
            None => Turn::Waiting(state.waiting().collect()),
        }
    }

    fn legal(state: &State, seat: Seat, _now: Instant) -> Vec<Move> {
        legal::legal(state, seat)
    }

    /// Uses no dice: the deck is shuffled once, during setup.
    fn play(state: &State, seat: Seat, mv: &Move, now: Instant, _dice: &mut Dice) -> Result<Next<Self>, Illegal> {
        let Foreseen { mut state, mut events, complete } = Self::preview(state, seat, mv, now)?;
        if !complete {
            state.advance(StopAt::Asked, &mut events);
        }
        Ok(Next { state, events })
    }

    /// Where a preview stops depends only on the line, the size of the deck and who has chosen, which everyone sees.
    fn preview(state: &State, seat: Seat, mv: &Move, _now: Instant) -> Result<Foreseen<Self>, Illegal> {
        let choice = legal::judge(state, seat, mv)?;
        let (mut state, mut events) = (state.clone(), Vec::new());
        state.choose(seat, choice, &mut events);
        let complete = state.advance(StopAt::Foreseeable, &mut events);
        Ok(Foreseen { state, events, complete })
    }

    fn resign(state: &State, seats: &[Seat], _now: Instant, _dice: &mut Dice) -> Next<Self> {
        let mut state = state.clone();
        state.resign(seats);
        Next { state, events: Vec::new() }
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
            (id.to_owned(), Message::new(format!("toy_rush-{what}-{}", id.to_lowercase())))
        };
        let objectives = Objective::all().map(|card| (card.to_string(), card.name()));
        let objects = Object::ALL.map(|object| (object.id().to_owned(), object.name()));
        let spaces = Space::ALL.map(|space| (space.id().to_owned(), space.name()));
        let steps = Phase::ALL.map(|phase| named("step", phase.id()));
        let reasons = Reason::ALL.map(|reason| named("reason", reason.id()));
        objectives.chain(objects).chain(spaces).chain(steps).chain(reasons).collect()
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

impl Greedy for ToyRush {
    fn pick(knowledge: &Knowledge<'_, Self>, moves: &[Move]) -> usize {
        greedy::pick(&knowledge.view(), knowledge.seat(), moves)
    }
}

impl Bot for ToyRush {
    const VERSION: u8 = 1;

    const LEVELS: &[Level] = bot::LEVELS;

    fn rate(knowledge: &Knowledge<'_, Self>, moves: &[Move], effort: u32, dice: &mut Dice) -> Vec<Rating> {
        bot::rate(knowledge, moves, effort, dice)
    }
}
