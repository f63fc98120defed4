//! Capabilities: what only some kinds have, each a trait of its own beside [`Rules`].
//!
//! A kind implements the traits it needs, and says so where it is registered in [`catalog`](super::catalog), by the
//! builder methods of [`Adapter`] at the end of this file. Of a kind that does not, [`AnyRules`](super::any::AnyRules)
//! behaves as if there were nothing of the sort.

use super::any::{Adapter, DeserializeOrShape};
use super::{Dice, Illegal, Instant, Lobby, Message, Next, Outside, Rules, Seat, Unprepared, Unreadable};
use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::{Deserialize, Serialize, de::DeserializeOwned};
use serde_json::Value;
use std::{fmt, str::FromStr};

/// The set-up depends on more than the options: on what was chosen or prepared in the lobby.
pub trait FromLobby: Rules {
    /// Like [`Rules::setup`], which is called where there is no lobby. The lobby may come from a replay that anybody
    /// wrote, so it may lack what it should have.
    fn begin(options: &Self::Options, lobby: &Lobby<'_>, seats: u8, now: Instant, dice: &mut Dice) -> Next<Self>;
}

/// Seats choose something in the lobby.
pub trait Choosing: FromLobby {
    type Choice: Serialize + DeserializeOwned + JsonSchema;

    /// Checks what a seat chooses beside what the others chose, and returns it the way it is kept.
    fn choose(
        options: &Self::Options,
        seats: u8,
        others: &[Self::Choice],
        choice: Self::Choice,
    ) -> Result<Self::Choice, Illegal>;
}

/// Something is worked out before the start: what takes a time zone, or longer than rules may take. It is kept with the
/// game, so that a replay never has to work it out again.
pub trait Preparing: FromLobby {
    type Preparation: Serialize + DeserializeOwned + JsonSchema;

    /// Nothing if these options need no preparation.
    fn prepare(
        options: &Self::Options,
        created: Instant,
        outside: &dyn Outside,
    ) -> Result<Option<Self::Preparation>, Unprepared>;

    /// Whether preparing takes long with these options: then it has to wait for its turn.
    fn takes_long_to_prepare(_options: &Self::Options) -> bool {
        false
    }

    /// What of the preparation may be shown once the game is over as it stands, and nothing that was not prepared. What
    /// may not be shown is an item of one of its lists and becomes null; a replay verifies with it all the same.
    fn reveal(prepared: Self::Preparation, state: &Self::State) -> Option<Self::Preparation>;
}

/// Seats may do something beside their moves: a note, a name, a question. An *aside* is a step with events, but never a
/// legal move, and the seats that are waited for stay so.
pub trait Asides: Rules {
    /// `Display` writes it as one line, which is how it is stored and shown in replays; `FromStr` reads that line back.
    type Aside: fmt::Display + FromStr + DeserializeOwned + JsonSchema;

    /// Checks what a client sent, beyond its shape, and returns it the way it is kept. What is refused here only may
    /// still stand in games that were played before.
    fn check_aside(aside: Self::Aside) -> Result<Self::Aside, Illegal> {
        Ok(aside)
    }

    /// Carries it out, or says by which rule it can't be.
    fn make_aside(state: &Self::State, seat: Seat, aside: &Self::Aside, now: Instant) -> Result<Next<Self>, Illegal>;
}

/// The rules themselves resign seats. In other kinds only players do.
pub trait Resigning: Rules {
    /// The seats that gave up, in order, by whatever way.
    fn resigned(state: &Self::State) -> Vec<Seat>;
}

/// Time opens something: until then nobody can act.
pub trait Scheduled: Rules {
    /// From which moment on the seats that [`Rules::turn`] names can act at all; nothing if they can already. Until a
    /// step lets them act, games wait for nobody.
    fn waits_from(state: &Self::State) -> Option<Instant>;

    /// The time zone that the options name, if they do. Games make sure that there is one of that name.
    fn time_zone(_options: &Self::Options) -> Option<&str> {
        None
    }
}

/// The players are a team, and try out each other's moves.
pub trait Team: Rules {
    /// As which seat a preview of the move is judged.
    fn tries_as(state: &Self::State, seat: Seat, mv: &Self::Move) -> Seat;
}

/// A player of the program's own, who takes what looks best at the moment.
pub trait Greedy: Rules {
    /// Picks one of the seat's moves, by its index, from nothing but what the seat sees.
    fn pick(view: &Self::View, seat: Seat, moves: &[Self::Move]) -> usize;
}

/// Reads a choice that a client sent; the result is what [`Lobby::choices`] holds.
pub fn read_choice<R: Choosing>(
    options: &R::Options,
    seats: u8,
    others: &[Value],
    choice: &Value,
) -> Result<Value, Unreadable> {
    let choice = R::Choice::deserialize_or_shape(choice)?;
    let others: Vec<_> = others.iter().filter_map(|other| R::Choice::deserialize(other).ok()).collect();
    let kept = R::choose(options, seats, &others, choice)?;
    Ok(to_value(&kept))
}

/// Prepares a game; the result is what [`Lobby::prepared`] holds.
pub fn prepare<R: Preparing>(
    options: &R::Options,
    created: Instant,
    outside: &dyn Outside,
) -> Result<Option<Value>, Unprepared> {
    Ok(R::prepare(options, created, outside)?.as_ref().map(to_value))
}

/// What may be shown of a preparation; null if there is nothing.
pub fn reveal<R: Preparing>(prepared: &Value, state: &R::State) -> Value {
    let prepared = R::Preparation::deserialize(prepared).ok();
    prepared.and_then(|prepared| R::reveal(prepared, state)).as_ref().map_or(Value::Null, to_value)
}

/// Reads an aside that a client sent, and writes it as the line that is stored.
pub fn read_aside<R: Asides>(aside: &Value) -> Result<String, Unreadable> {
    Ok(R::check_aside(R::Aside::deserialize_or_shape(aside)?)?.to_string())
}

/// Carries out an aside that `read_aside` wrote down.
pub fn make_aside<R: Asides>(state: &R::State, seat: Seat, line: &str, now: Instant) -> Result<Next<R>, Illegal> {
    // A replay may hold any line, but only one spelling of each aside is accepted.
    let aside = line.parse::<R::Aside>().ok().filter(|aside| aside.to_string() == line);
    let aside = aside.ok_or_else(no_such_aside)?;
    R::make_aside(state, seat, &aside, now)
}

pub(super) fn no_such_aside() -> Illegal {
    Illegal::Rule(Message::new("game-no-such-aside"))
}

fn to_value<T: Serialize>(value: &T) -> Value {
    serde_json::to_value(value).expect("choices and preparations are plain data")
}

impl Lobby<'_> {
    /// What each seat chose, seat by seat. What can't be read is as if the seat had not chosen.
    pub fn choices_of<R: Choosing>(&self) -> impl Iterator<Item = Option<R::Choice>> {
        self.choices.iter().map(|choice| R::Choice::deserialize(choice.as_ref()?).ok())
    }

    /// What was prepared. What can't be read is as if it were not there.
    pub fn preparation_of<R: Preparing>(&self) -> Option<R::Preparation> {
        R::Preparation::deserialize(self.prepared?).ok()
    }
}

/// The capabilities of a kind as functions of its own types, nothing where it lacks one: what [`Adapter`] calls.
pub(super) struct Capabilities<R: Rules> {
    pub begin: Option<Begin<R>>,
    pub choices: Option<Choices<R>>,
    pub preparation: Option<Preparations<R>>,
    pub asides: Option<AsideFns<R>>,
    pub resigned: Option<Resigned<R>>,
    pub schedule: Option<Schedule<R>>,
    pub tries_as: Option<TriesAs<R>>,
    pub greedy: Option<Pick<R>>,
}

type Begin<R> = fn(&<R as Rules>::Options, &Lobby<'_>, u8, Instant, &mut Dice) -> Next<R>;
type ReadChoice<R> = fn(&<R as Rules>::Options, u8, &[Value], &Value) -> Result<Value, Unreadable>;
type Prepare<R> = fn(&<R as Rules>::Options, Instant, &dyn Outside) -> Result<Option<Value>, Unprepared>;
type MakeAside<R> = fn(&<R as Rules>::State, Seat, &str, Instant) -> Result<Next<R>, Illegal>;
type Resigned<R> = fn(&<R as Rules>::State) -> Vec<Seat>;
type TriesAs<R> = fn(&<R as Rules>::State, Seat, &<R as Rules>::Move) -> Seat;
type Pick<R> = fn(&<R as Rules>::View, Seat, &[<R as Rules>::Move]) -> usize;
type SchemaFn = fn(&mut SchemaGenerator) -> Schema;

pub(super) struct Choices<R: Rules> {
    pub read: ReadChoice<R>,
    pub schema: SchemaFn,
}

pub(super) struct Preparations<R: Rules> {
    pub prepare: Prepare<R>,
    pub takes_long: fn(&R::Options) -> bool,
    pub reveal: fn(&Value, &R::State) -> Value,
    pub schema: SchemaFn,
}

pub(super) struct AsideFns<R: Rules> {
    pub read: fn(&Value) -> Result<String, Unreadable>,
    pub make: MakeAside<R>,
    pub schema: SchemaFn,
}

pub(super) struct Schedule<R: Rules> {
    pub waits_from: fn(&R::State) -> Option<Instant>,
    pub time_zone: fn(&R::Options) -> Option<&str>,
}

impl<R: Rules> Capabilities<R> {
    pub const NONE: Self = Self {
        begin: None,
        choices: None,
        preparation: None,
        asides: None,
        resigned: None,
        schedule: None,
        tries_as: None,
        greedy: None,
    };
}

impl<R: Choosing> Adapter<R> {
    /// Seats choose something in the lobby.
    pub const fn choosing(mut self) -> Self {
        self.has.begin = Some(R::begin);
        self.has.choices = Some(Choices { read: read_choice::<R>, schema: R::Choice::json_schema });
        self
    }
}

impl<R: Preparing> Adapter<R> {
    /// Something is worked out before the start.
    pub const fn preparing(mut self) -> Self {
        self.has.begin = Some(R::begin);
        self.has.preparation = Some(Preparations {
            prepare: prepare::<R>,
            takes_long: R::takes_long_to_prepare,
            reveal: reveal::<R>,
            schema: R::Preparation::json_schema,
        });
        self
    }
}

impl<R: Asides> Adapter<R> {
    /// Seats may do something beside their moves.
    pub const fn with_asides(mut self) -> Self {
        self.has.asides =
            Some(AsideFns { read: read_aside::<R>, make: make_aside::<R>, schema: R::Aside::json_schema });
        self
    }
}

impl<R: Resigning> Adapter<R> {
    /// The rules themselves resign seats.
    pub const fn resigning(mut self) -> Self {
        self.has.resigned = Some(R::resigned);
        self
    }
}

impl<R: Scheduled> Adapter<R> {
    /// Time opens something.
    pub const fn scheduled(mut self) -> Self {
        self.has.schedule = Some(Schedule { waits_from: R::waits_from, time_zone: R::time_zone });
        self
    }
}

impl<R: Team> Adapter<R> {
    /// The players are a team.
    pub const fn as_team(mut self) -> Self {
        self.has.tries_as = Some(R::tries_as);
        self
    }
}

impl<R: Greedy> Adapter<R> {
    /// The program can play it greedily.
    pub const fn with_greedy_player(mut self) -> Self {
        self.has.greedy = Some(R::pick);
        self
    }
}
