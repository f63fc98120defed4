//! Rules of five board games as pure functions: legal moves, hidden information, seeded chance, exact replays.
//!
//! ```
//! use ludotheque_rules::chips::{Chips, Options};
//! use ludotheque_rules::{Dice, Eyes, Instant, Rules, Seat, Seed};
//!
//! // Set a game up. The same seed deals the same cards for ever; the time is whatever you say it is.
//! let (seats, now, mut dice) = (3, Instant(0), Dice::new(Seed([7; 32])));
//! let options = Options { target_tokens: Some(2), ..Options::default() };
//! Chips::check_options(&options, seats)?;
//! let state = Chips::setup(&options, seats, now, &mut dice).state;
//!
//! // List the legal moves of a seat, and play one.
//! let seat = Seat(1);
//! let moves = Chips::legal(&state, seat, now);
//! assert_eq!(moves.len(), 15, "two of six cards to throw away");
//! let next = Chips::play(&state, seat, &moves[0], now, &mut dice)?;
//!
//! // View it as that seat, and as its neighbour, who does not see those cards.
//! let mine = Chips::view(&next.state, Eyes::Seat(seat));
//! let theirs = Chips::view(&next.state, Eyes::Seat(Seat(2)));
//! assert!(mine.seats[1].hand.is_some() && theirs.seats[1].hand.is_none());
//! println!("{}", serde_json::to_string_pretty(&mine)?);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! A kind is a type that implements [`Rules`], and those [`capabilities`] that it has. [`any::AnyRules`] is the object-safe
//! form of that trait, in which views and events are values that can be serialised; [`catalog`] lists all kinds in that form,
//! so that a program can play kinds it does not know:
//!
//! ```
//! use ludotheque_rules::{Dice, Eyes, Instant, Seed, Turn, catalog};
//! use serde_json::json;
//!
//! let rules = catalog::BUILT_IN.newest("TOY_RUSH").ok_or("no such kind")?;
//! let (now, mut dice) = (Instant(0), Dice::new(Seed([7; 32])));
//! let options = rules.read_options(&json!({"firstSeat": 1}), 2)?;
//! let mut state = rules.setup(&options, 2, now, &mut dice).state;
//! while let Turn::Waiting(seats) = rules.turn(&state) {
//!     let moves = rules.legal(&state, seats[0], now);
//!     state = rules.play(&state, seats[0], &moves[0], now, &mut dice)?.state;
//! }
//! println!("{}", rules.view(&state, Eyes::Spectator).to_json());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Nothing here reads a clock, starts a thread, or does input or output: a rule is a function of state, seat, move, time
//! and the [`Dice`] handed in.

pub mod any;
pub mod any_value;
pub mod bots;
pub mod capabilities;
pub mod catalog;
pub mod chips;
pub mod dice;
pub mod fault;
pub mod layout;
pub mod loading;
pub mod lobby;
pub mod reader;
pub mod santa_rescue;
pub mod simulate;
pub mod toy_rush;
pub mod toys_go_go_go;
pub mod types;
pub mod visible;

pub use any::Unreadable;
pub use dice::{Dice, Seed};
pub use fault::Fault;
pub use lobby::{Lobby, Outside, Unprepared};
pub use types::{Arg, Eyes, Illegal, Info, Instant, Message, Outcome, Seat, Sentences, Standing, Turn};

use schemars::JsonSchema;
use serde::{Serialize, de::DeserializeOwned};
use std::{fmt, str::FromStr};

/// The rules of one kind: what every kind implements. What only some have is a trait of its own, in [`capabilities`].
///
/// `State` and `Event` hold everything, secrets included: they are stored and never shown. `View` and `EventView` are
/// what one viewer may see. They are built field by field, never by removing secrets from the state.
pub trait Rules: Send + Sync + 'static {
    const INFO: Info;

    type Options: Clone + Default + Serialize + DeserializeOwned + JsonSchema;
    type State: Clone + PartialEq + fmt::Debug + Serialize + DeserializeOwned + Send + Sync;
    /// `Display` is the move's notation, which is its id in lists of legal moves; `FromStr` reads it back.
    type Move: Clone
        + Ord
        + fmt::Debug
        + fmt::Display
        + FromStr
        + Serialize
        + DeserializeOwned
        + JsonSchema
        + Send
        + Sync;
    type Event: Clone + PartialEq + fmt::Debug + Serialize + DeserializeOwned + Send + Sync;
    type View: Serialize + JsonSchema + Send + Sync;
    type EventView: Serialize + JsonSchema + Send + Sync;
    /// The effect of a legal move, in kinds where it is public; `()` in others.
    type Effect: Serialize + JsonSchema + Send + Sync;

    /// Checks that this number of seats can play with these options. By default, it can with all.
    fn check_options(_options: &Self::Options, _seats: u8) -> Result<(), Illegal> {
        Ok(())
    }

    /// Sets up a game. Only called with options that passed `check_options`.
    fn setup(options: &Self::Options, seats: u8, now: Instant, dice: &mut Dice) -> Next<Self>;

    /// The seats the game waits for (often several), or its outcome.
    fn turn(state: &Self::State) -> Turn;

    /// Every legal move of the seat, sorted; empty if it has none.
    fn legal(state: &Self::State, seat: Seat, now: Instant) -> Vec<Self::Move>;

    /// Plays a move, or names the rule that forbids it.
    fn play(
        state: &Self::State,
        seat: Seat,
        mv: &Self::Move,
        now: Instant,
        dice: &mut Dice,
    ) -> Result<Next<Self>, Illegal>;

    /// What the move would do, as far as its player can tell. It stops before the first draw, reveal or card that is
    /// new to the player. Where it stops may only depend on what that player sees.
    fn preview(state: &Self::State, seat: Seat, mv: &Self::Move, now: Instant) -> Result<Foreseen<Self>, Illegal>;

    /// Resigns the seats, all at once. Never called for a seat that has already resigned, nor for all remaining seats.
    fn resign(state: &Self::State, seats: &[Seat], now: Instant, dice: &mut Dice) -> Next<Self>;

    /// Marks all remaining seats as resigned. Nobody plays on, so only the flag in views changes.
    fn mark_resigned(state: &mut Self::State, seats: &[Seat]);

    fn view(state: &Self::State, eyes: Eyes) -> Self::View;

    /// The event as a viewer sees it; `None` if they may not know of it.
    fn tell(event: &Self::Event, eyes: Eyes) -> Option<Self::EventView>;

    fn effect(_state: &Self::State, _seat: Seat, _mv: &Self::Move) -> Option<Self::Effect> {
        None
    }

    /// A sentence that describes the move.
    fn label(mv: &Self::Move) -> Message;

    /// The names of all pieces that views and events mention by id, for clients without knowledge of the game.
    fn glossary() -> Vec<(String, Message)>;

    /// Draws the state as text, with all its secrets: for tests and debugging.
    fn draw(state: &Self::State) -> String {
        format!("{state:?}")
    }

    /// Checks what must hold in every state, for example that no piece is lost; the error names what does not.
    fn invariants(state: &Self::State) -> Result<(), String>;

    /// Replaces everything the viewer can't know by a random alternative that is consistent with what they have seen.
    /// The result is canonical: two states with equal views and told events, resampled with equal dice, give equal bytes.
    /// So a search over resampled states can't use hidden information. Tests also use it to show that views do not leak
    /// any. [`Eyes::Replay`] sees everything, so its state is unchanged. The default is for kinds that hide nothing; tests
    /// refuse it for others.
    fn resample(state: &Self::State, _eyes: Eyes, _dice: &mut Dice) -> Self::State {
        state.clone()
    }
}

/// The state after a step, with the events of the step.
pub struct Next<R: Rules + ?Sized> {
    pub state: R::State,
    pub events: Vec<R::Event>,
}

/// The result of a preview. `complete` is false if chance or another player's secret would decide the rest.
pub struct Foreseen<R: Rules + ?Sized> {
    pub state: R::State,
    pub events: Vec<R::Event>,
    pub complete: bool,
}
