//! Capabilities: optional traits beside [`Rules`], for features that only some kinds have.
//!
//! A kind implements the traits it needs, and is registered with them in a [`catalog`](super::catalog) through the
//! builder methods of [`Adapter`] at the end of this file. For kinds without a capability,
//! [`AnyRules`](super::any::AnyRules) returns neutral defaults.

use super::any::{Adapter, DeserializeInput};
use super::bots::{Knowledge, Level, Rating, search};
use super::{Dice, Illegal, Instant, Lobby, Message, Next, Outside, Rules, Seat, Unprepared, Unreadable};
use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::{Deserialize, Serialize, de::DeserializeOwned};
use serde_json::Value;
use std::{fmt, str::FromStr};

/// Kinds whose setup also depends on what was chosen or prepared in the lobby.
pub trait FromLobby: Rules {
    /// Like [`Rules::setup`], which is called where there is no lobby. The lobby may come from an untrusted replay, so
    /// parts of it may be missing.
    fn begin(options: &Self::Options, lobby: &Lobby<'_>, seats: u8, now: Instant, dice: &mut Dice) -> Next<Self>;
}

/// Kinds in which seats choose something in the lobby.
pub trait Choosing: FromLobby {
    type Choice: Serialize + DeserializeOwned + JsonSchema;

    /// Checks a seat's choice against those of the others, and returns it in the form that is stored.
    fn choose(
        options: &Self::Options,
        seats: u8,
        others: &[Self::Choice],
        choice: Self::Choice,
    ) -> Result<Self::Choice, Illegal>;
}

/// Kinds that compute something before the start that needs a time zone or takes long. The result is stored with the
/// game, so that a replay does not compute it again.
pub trait Preparing: FromLobby {
    type Preparation: Serialize + DeserializeOwned + JsonSchema;

    /// Computes the preparation; `None` if these options need none.
    fn prepare(
        options: &Self::Options,
        created: Instant,
        outside: &dyn Outside,
    ) -> Result<Option<Self::Preparation>, Unprepared>;

    /// Whether the preparation takes long with these options, so that it has to be queued.
    fn takes_long_to_prepare(_options: &Self::Options) -> bool {
        false
    }

    /// The part of the preparation that a replay of the finished game may show. Items of its lists that must stay
    /// secret become null; the replay still verifies without them.
    fn reveal(prepared: Self::Preparation, state: &Self::State) -> Option<Self::Preparation>;
}

/// Kinds with asides: actions beside moves, for example a note, a name or a question. An *aside* is a step with events.
/// It is never listed as a legal move, and does not change which seats the game waits for.
pub trait Asides: Rules {
    /// `Display` writes the single line that is stored and shown in replays; `FromStr` parses it.
    type Aside: fmt::Display + FromStr + DeserializeOwned + JsonSchema;

    /// Checks a client's aside beyond its schema, and returns it in the form that is stored. Only new asides are
    /// checked here: rules added to it do not invalidate older games.
    fn check_aside(aside: Self::Aside) -> Result<Self::Aside, Illegal> {
        Ok(aside)
    }

    /// Applies an aside, or names the rule that forbids it.
    fn make_aside(state: &Self::State, seat: Seat, aside: &Self::Aside, now: Instant) -> Result<Next<Self>, Illegal>;
}

/// Kinds whose rules may resign a seat. In others only players resign.
pub trait Resigning: Rules {
    /// All seats that have resigned or were resigned, in order.
    fn resigned(state: &Self::State) -> Vec<Seat>;
}

/// Kinds in which nobody can act before a certain moment.
pub trait Scheduled: Rules {
    /// The moment from which the seats that [`Rules::turn`] names can act; `None` if they already can. Until then,
    /// deadlines do not run.
    fn waits_from(state: &Self::State) -> Option<Instant>;

    /// The time zone that the options name, if they do. The service refuses unknown ones.
    fn time_zone(_options: &Self::Options) -> Option<&str> {
        None
    }
}

/// Kinds in which the players are a team and may preview each other's moves.
pub trait Team: Rules {
    /// The seat whose right to the move a preview checks; it may be another player's.
    fn tries_as(state: &Self::State, seat: Seat, mv: &Self::Move) -> Seat;
}

/// Kinds with a greedy bot, which picks the move that looks best at the moment. It is the yardstick of other bots, so it
/// stays as it is.
pub trait Greedy: Rules {
    /// The index of the picked move.
    fn pick(knowledge: &Knowledge<'_, Self>, moves: &[Self::Move]) -> usize
    where
        Self: Sized;
}

/// Kinds with a bot of their own. Others are played by [`bots::search`](crate::bots::search).
pub trait Bot: Rules {
    /// Increased when the same knowledge and dice would lead to another move. A game stores the version of its bots.
    const VERSION: u8;

    /// The levels, weakest first: five, or one where strength is not the point.
    const LEVELS: &[Level];

    /// The value of each of the moves, which are the legal moves of the seat. In a team: none at all if the seat waits for
    /// others, until the next step. The effort is that of the level.
    fn rate(knowledge: &Knowledge<'_, Self>, moves: &[Self::Move], effort: u32, dice: &mut Dice) -> Vec<Rating>
    where
        Self: Sized;
}

/// Reads a choice that a client sent, for [`Lobby::choices`].
pub fn read_choice<R: Choosing>(
    options: &R::Options,
    seats: u8,
    others: &[Value],
    choice: &Value,
) -> Result<Value, Unreadable> {
    let choice = R::Choice::deserialize_input(choice)?;
    let others: Vec<_> = others.iter().filter_map(|other| R::Choice::deserialize(other).ok()).collect();
    let kept = R::choose(options, seats, &others, choice)?;
    Ok(to_value(&kept))
}

/// Prepares a game, for [`Lobby::prepared`].
pub fn prepare<R: Preparing>(
    options: &R::Options,
    created: Instant,
    outside: &dyn Outside,
) -> Result<Option<Value>, Unprepared> {
    Ok(R::prepare(options, created, outside)?.as_ref().map(to_value))
}

/// The part of a preparation that may be shown; null if there is none.
pub fn reveal<R: Preparing>(prepared: &Value, state: &R::State) -> Value {
    let prepared = R::Preparation::deserialize(prepared).ok();
    prepared.and_then(|prepared| R::reveal(prepared, state)).as_ref().map_or(Value::Null, to_value)
}

/// Reads an aside that a client sent, and writes it as the line that is stored.
pub fn read_aside<R: Asides>(aside: &Value) -> Result<String, Unreadable> {
    Ok(R::check_aside(R::Aside::deserialize_input(aside)?)?.to_string())
}

/// Applies an aside in the form that `read_aside` returned.
pub fn make_aside<R: Asides>(state: &R::State, seat: Seat, line: &str, now: Instant) -> Result<Next<R>, Illegal> {
    // A replay may contain any text. Accept only the canonical spelling of an aside.
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
    /// The choice of each seat. An unreadable choice counts as none.
    pub fn choices_of<R: Choosing>(&self) -> impl Iterator<Item = Option<R::Choice>> {
        self.choices.iter().map(|choice| R::Choice::deserialize(choice.as_ref()?).ok())
    }

    /// The preparation. An unreadable one counts as none.
    pub fn preparation_of<R: Preparing>(&self) -> Option<R::Preparation> {
        R::Preparation::deserialize(self.prepared?).ok()
    }
}

/// The capabilities of a kind as function pointers for [`Adapter`]; `None` where the kind lacks one.
pub(super) struct Capabilities<R: Rules> {
    pub begin: Option<Begin<R>>,
    pub choices: Option<Choices<R>>,
    pub preparation: Option<Preparations<R>>,
    pub asides: Option<AsideFns<R>>,
    pub resigned: Option<Resigned<R>>,
    pub schedule: Option<Schedule<R>>,
    pub tries_as: Option<TriesAs<R>>,
    pub greedy: Option<Pick<R>>,
    pub bot: BotFns<R>,
}

type Begin<R> = fn(&<R as Rules>::Options, &Lobby<'_>, u8, Instant, &mut Dice) -> Next<R>;
type ReadChoice<R> = fn(&<R as Rules>::Options, u8, &[Value], &Value) -> Result<Value, Unreadable>;
type Prepare<R> = fn(&<R as Rules>::Options, Instant, &dyn Outside) -> Result<Option<Value>, Unprepared>;
type MakeAside<R> = fn(&<R as Rules>::State, Seat, &str, Instant) -> Result<Next<R>, Illegal>;
type Resigned<R> = fn(&<R as Rules>::State) -> Vec<Seat>;
type TriesAs<R> = fn(&<R as Rules>::State, Seat, &<R as Rules>::Move) -> Seat;
type Pick<R> = fn(&Knowledge<'_, R>, &[<R as Rules>::Move]) -> usize;
type Rate<R> = fn(&Knowledge<'_, R>, &[<R as Rules>::Move], u32, &mut Dice) -> Vec<Rating>;
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

pub(super) struct BotFns<R: Rules> {
    pub version: u8,
    pub levels: &'static [Level],
    pub rate: Rate<R>,
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
        bot: BotFns { version: search::VERSION, levels: search::LEVELS, rate: search::rate::<R> },
    };
}

impl<R: Choosing> Adapter<R> {
    /// Kinds in which seats choose something in the lobby.
    pub const fn choosing(mut self) -> Self {
        self.has.begin = Some(R::begin);
        self.has.choices = Some(Choices { read: read_choice::<R>, schema: R::Choice::json_schema });
        self
    }
}

impl<R: Preparing> Adapter<R> {
    /// Registers [`Preparing`].
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
    /// Registers [`Asides`].
    pub const fn with_asides(mut self) -> Self {
        self.has.asides =
            Some(AsideFns { read: read_aside::<R>, make: make_aside::<R>, schema: R::Aside::json_schema });
        self
    }
}

impl<R: Resigning> Adapter<R> {
    /// Registers [`Resigning`].
    pub const fn resigning(mut self) -> Self {
        self.has.resigned = Some(R::resigned);
        self
    }
}

impl<R: Scheduled> Adapter<R> {
    /// Registers [`Scheduled`].
    pub const fn scheduled(mut self) -> Self {
        self.has.schedule = Some(Schedule { waits_from: R::waits_from, time_zone: R::time_zone });
        self
    }
}

impl<R: Team> Adapter<R> {
    /// Registers [`Team`].
    pub const fn as_team(mut self) -> Self {
        self.has.tries_as = Some(R::tries_as);
        self
    }
}

impl<R: Greedy> Adapter<R> {
    /// Registers [`Greedy`].
    pub const fn with_greedy_player(mut self) -> Self {
        self.has.greedy = Some(R::pick);
        self
    }
}

impl<R: Bot> Adapter<R> {
    /// Registers [`Bot`].
    pub const fn with_bot(mut self) -> Self {
        self.has.bot = BotFns { version: R::VERSION, levels: R::LEVELS, rate: R::rate };
        self
    }
}
