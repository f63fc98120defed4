//! Type erasure: [`AnyRules`] is the object-safe form of [`Rules`], so that the service can handle all kinds alike.
//!
//! States, moves, events and views stay typed values behind erased types. They are serialized only where needed: to
//! JSON for clients ([`AnyValue`]), to bytes for the store.

pub use super::any_value::{AnyEvent, AnyValue};
use super::any_value::{EventForm, WithKind};
use super::bots::{Knowledge, Level, Rating, search::WIN};
use super::capabilities::{Capabilities, Preparations, no_such_aside};
use super::{
    Dice, Eyes, Fault, Foreseen, Illegal, Info, Instant, Lobby, Message, Next, Outside, Rules, Seat, Turn, Unprepared,
    layout, reader,
};
use schemars::{JsonSchema, SchemaGenerator};
use serde::{Serialize, de::DeserializeOwned};
use serde_json::Value;
use std::{any::Any, fmt, str::FromStr, sync::Arc};

/// A type-erased state. Cheap to clone.
#[derive(Clone)]
pub struct AnyState(Arc<dyn Any + Send + Sync>);

impl fmt::Debug for AnyState {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("AnyState(secret)")
    }
}

/// A type-erased move, parsed but not yet checked against the rules.
#[derive(Clone, Debug)]
pub struct AnyMove {
    /// The canonical notation of the move.
    pub id: String,
    typed: Arc<dyn Any + Send + Sync>,
}

/// Type-erased [`Next`].
pub struct AnyNext {
    pub state: AnyState,
    pub events: Vec<AnyEvent>,
}

/// A legal move as clients get it, ready to be displayed and sent back.
pub struct Described {
    pub id: String,
    pub label: Message,
    pub mv: AnyValue,
    pub effect: Option<AnyValue>,
}

/// Why a JSON value can't be read as a move, options, a choice or an aside of the kind.
#[derive(Debug, thiserror::Error)]
pub enum Unreadable {
    /// It does not match the schema.
    #[error(transparent)]
    Shape(#[from] Fault),
    /// It matches the schema but breaks a rule.
    #[error(transparent)]
    Illegal(#[from] Illegal),
}

/// Stored bytes that can't be decoded.
#[derive(Debug, thiserror::Error)]
#[error("{what} of {kind} can't be read back: {why}")]
pub struct Corrupt {
    pub kind: &'static str,
    pub what: &'static str,
    pub why: String,
}

/// Object-safe form of [`Rules`] and of all [`capabilities`](super::capabilities). [`Adapter`] implements it for every
/// kind.
pub trait AnyRules: Send + Sync {
    fn info(&self) -> &'static Info;
    /// The JSON Schema of one part; types it refers to are added to the generator.
    fn schema(&self, part: Part, generator: &mut SchemaGenerator) -> schemars::Schema;
    fn glossary(&self) -> Vec<(String, Message)>;
    /// Reads options, fills in defaults, and checks that this number of seats can play with them.
    fn read_options(&self, options: &Value, seats: u8) -> Result<Value, Unreadable>;
    /// Sets up a game. The options must come from `read_options`; this holds for every function below that takes
    /// options.
    fn setup(&self, options: &Value, seats: u8, now: Instant, dice: &mut Dice) -> AnyNext;
    /// Like `setup`, with what was chosen and prepared in the lobby.
    fn begin(&self, options: &Value, lobby: &Lobby<'_>, seats: u8, now: Instant, dice: &mut Dice) -> AnyNext;
    /// The time zone named in the options, if any.
    fn time_zone(&self, options: &Value) -> Option<String>;
    fn prepare(&self, options: &Value, created: Instant, outside: &dyn Outside) -> Result<Option<Value>, Unprepared>;
    fn takes_long_to_prepare(&self, options: &Value) -> bool;
    /// Reads and checks a choice. `None` if the kind has no choices in the lobby.
    fn read_choice(
        &self,
        options: &Value,
        seats: u8,
        others: &[Value],
        choice: &Value,
    ) -> Option<Result<Value, Unreadable>>;
    fn reveal(&self, prepared: &Value, state: &AnyState) -> Value;
    fn turn(&self, state: &AnyState) -> Turn;
    fn legal(&self, state: &AnyState, seat: Seat, now: Instant) -> Vec<AnyMove>;
    fn describe(&self, state: &AnyState, seat: Seat, mv: &AnyMove) -> Described;
    /// Parses the notation of a move; `None` if it is not valid.
    fn parse_move(&self, notation: &str) -> Option<AnyMove>;
    fn read_move(&self, json: &Value) -> Result<AnyMove, Unreadable>;
    fn play(
        &self,
        state: &AnyState,
        seat: Seat,
        mv: &AnyMove,
        now: Instant,
        dice: &mut Dice,
    ) -> Result<AnyNext, Illegal>;
    /// The foreseeable result of the move, and whether it is complete.
    fn preview(&self, state: &AnyState, seat: Seat, mv: &AnyMove, now: Instant) -> Result<(AnyNext, bool), Illegal>;
    /// The seat whose right to the move a preview checks. In a team, it may be another player's seat.
    fn tries_as(&self, state: &AnyState, seat: Seat, mv: &AnyMove) -> Seat;
    fn resign(&self, state: &AnyState, seats: &[Seat], now: Instant, dice: &mut Dice) -> AnyNext;
    fn resigned(&self, state: &AnyState) -> Vec<Seat>;
    fn mark_resigned(&self, state: &AnyState, seats: &[Seat]) -> AnyState;
    /// Reads and checks an aside. `None` if the kind has no asides.
    fn read_aside(&self, aside: &Value) -> Option<Result<String, Unreadable>>;
    fn aside(&self, state: &AnyState, seat: Seat, aside: &str, now: Instant) -> Result<AnyNext, Illegal>;
    fn waits_from(&self, state: &AnyState) -> Option<Instant>;
    fn view(&self, state: &AnyState, eyes: Eyes) -> AnyValue;
    fn tell(&self, event: &AnyEvent, eyes: Eyes) -> Result<Option<AnyValue>, Corrupt>;
    fn encode_state(&self, state: &AnyState) -> Vec<u8>;
    fn decode_state(&self, bytes: &[u8]) -> Result<AnyState, Corrupt>;
    /// The [fingerprint](super::layout) of the state's layout: store it beside the bytes, and compare it after
    /// decoding.
    fn layout(&self, state: &AnyState) -> u64;
    fn draw(&self, state: &AnyState) -> String;
    fn invariants(&self, state: &AnyState) -> Result<(), String>;
    fn resample(&self, state: &AnyState, eyes: Eyes, dice: &mut Dice) -> AnyState;
    /// Whether the kind has a greedy player, which picks the move that looks best at the moment.
    fn has_greedy(&self) -> bool;
    /// The index of the move that the greedy player picks.
    fn greedy(&self, state: &AnyState, seat: Seat, moves: &[AnyMove], now: Instant) -> Option<usize>;
    /// The version of the kind's bot: equal versions make equal moves.
    fn bot_version(&self) -> u8;
    /// The levels of the kind's bot, weakest first.
    fn bot_levels(&self) -> &'static [Level];
    /// The value that the kind's bot gives each of the seat's legal moves; none if the bot waits for other seats.
    fn rate(
        &self,
        state: &AnyState,
        seat: Seat,
        moves: &[AnyMove],
        now: Instant,
        effort: u32,
        dice: &mut Dice,
    ) -> Vec<Rating>;
}

/// The parts of a kind that have a JSON Schema.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Part {
    Options,
    View,
    Move,
    Event,
    /// The schema is `false` for kinds without effects; likewise for the parts below.
    Effect,
    Choice,
    Aside,
    Preparation,
}

impl Part {
    pub const ALL: [Part; 8] = [
        Part::Options,
        Part::View,
        Part::Move,
        Part::Event,
        Part::Effect,
        Part::Choice,
        Part::Aside,
        Part::Preparation,
    ];
}

/// Implements [`AnyRules`] for a kind and the [capabilities](super::capabilities) it was registered with.
pub struct Adapter<R: Rules> {
    pub(super) has: Capabilities<R>,
}

impl<R: Rules> Adapter<R> {
    /// A kind without any capabilities.
    pub const fn new() -> Self {
        Self { has: Capabilities::NONE }
    }
}

impl<R: Rules> Default for Adapter<R> {
    fn default() -> Self {
        Self::new()
    }
}

impl<R: Rules> Adapter<R> {
    fn state(state: &AnyState) -> &R::State {
        state.0.downcast_ref().expect("a game's state belongs to its own kind")
    }

    fn options(options: &Value) -> R::Options {
        R::Options::deserialize_input(options).expect("options were read before")
    }

    fn wrap_move(typed: R::Move) -> AnyMove {
        AnyMove { id: typed.to_string(), typed: Arc::new(typed) }
    }

    fn typed_move(mv: &AnyMove) -> &R::Move {
        mv.typed.downcast_ref().expect("a move is read by its own kind")
    }

    fn typed_moves(moves: &[AnyMove]) -> Vec<R::Move> {
        moves.iter().map(|mv| Self::typed_move(mv).clone()).collect()
    }

    fn wrap(state: R::State, events: Vec<R::Event>) -> AnyNext {
        AnyNext { state: AnyState(Arc::new(state)), events: events.into_iter().map(Self::wrap_event).collect() }
    }

    fn wrap_event(event: R::Event) -> AnyEvent {
        let encode =
            |event: &dyn Any| encode(event.downcast_ref::<R::Event>().expect("it is wrapped with its own type"));
        AnyEvent(EventForm::Typed { event: Arc::new(event), encode })
    }

    fn next(Next { state, events }: Next<R>) -> AnyNext {
        Self::wrap(state, events)
    }
}

impl<R: Rules> AnyRules for Adapter<R> {
    fn info(&self) -> &'static Info {
        const { &R::INFO }
    }

    fn schema(&self, part: Part, generator: &mut SchemaGenerator) -> schemars::Schema {
        match part {
            Part::Options => <R::Options as JsonSchema>::json_schema(generator),
            Part::View => with_kind(<R::View as JsonSchema>::json_schema(generator), R::INFO.kind, true),
            Part::Move => <R::Move as JsonSchema>::json_schema(generator),
            Part::Event => <R::EventView as JsonSchema>::json_schema(generator),
            Part::Effect => <R::Effect as JsonSchema>::json_schema(generator),
            Part::Choice => self.has.choices.as_ref().map_or(false.into(), |choices| (choices.schema)(generator)),
            Part::Aside => self.has.asides.as_ref().map_or(false.into(), |asides| (asides.schema)(generator)),
            Part::Preparation => {
                self.has.preparation.as_ref().map_or(false.into(), |preparation| (preparation.schema)(generator))
            }
        }
    }

    fn glossary(&self) -> Vec<(String, Message)> {
        R::glossary()
    }

    fn read_options(&self, options: &Value, seats: u8) -> Result<Value, Unreadable> {
        let typed: R::Options = R::Options::deserialize_input(options)?;
        R::check_options(&typed, seats)?;
        Ok(serde_json::to_value(&typed).expect("options are plain data"))
    }

    fn setup(&self, options: &Value, seats: u8, now: Instant, dice: &mut Dice) -> AnyNext {
        Self::next(R::setup(&Self::options(options), seats, now, dice))
    }

    fn begin(&self, options: &Value, lobby: &Lobby<'_>, seats: u8, now: Instant, dice: &mut Dice) -> AnyNext {
        let options = Self::options(options);
        Self::next(match self.has.begin {
            Some(begin) => begin(&options, lobby, seats, now, dice),
            None => R::setup(&options, seats, now, dice),
        })
    }

    fn time_zone(&self, options: &Value) -> Option<String> {
        (self.has.schedule.as_ref()?.time_zone)(&Self::options(options)).map(str::to_owned)
    }

    fn prepare(&self, options: &Value, created: Instant, outside: &dyn Outside) -> Result<Option<Value>, Unprepared> {
        match &self.has.preparation {
            Some(preparation) => (preparation.prepare)(&Self::options(options), created, outside),
            None => Ok(None),
        }
    }

    fn takes_long_to_prepare(&self, options: &Value) -> bool {
        self.has.preparation.as_ref().is_some_and(|preparation| (preparation.takes_long)(&Self::options(options)))
    }

    fn read_choice(
        &self,
        options: &Value,
        seats: u8,
        others: &[Value],
        choice: &Value,
    ) -> Option<Result<Value, Unreadable>> {
        Some((self.has.choices.as_ref()?.read)(&Self::options(options), seats, others, choice))
    }

    fn reveal(&self, prepared: &Value, state: &AnyState) -> Value {
        let reveal = |preparation: &Preparations<R>| (preparation.reveal)(prepared, Self::state(state));
        self.has.preparation.as_ref().map_or(Value::Null, reveal)
    }

    fn turn(&self, state: &AnyState) -> Turn {
        R::turn(Self::state(state))
    }

    fn legal(&self, state: &AnyState, seat: Seat, now: Instant) -> Vec<AnyMove> {
        let moves = R::legal(Self::state(state), seat, now);
        debug_assert!(moves.is_sorted_by(|one, next| one < next), "legal moves are sorted, and each is listed once");
        moves.into_iter().map(Self::wrap_move).collect()
    }

    fn describe(&self, state: &AnyState, seat: Seat, mv: &AnyMove) -> Described {
        let typed = Self::typed_move(mv);
        let effect = R::effect(Self::state(state), seat, typed);
        Described {
            id: mv.id.clone(),
            label: R::label(typed),
            mv: AnyValue::new(typed.clone()),
            effect: effect.map(AnyValue::new),
        }
    }

    fn parse_move(&self, notation: &str) -> Option<AnyMove> {
        R::Move::from_str(notation).ok().map(Self::wrap_move)
    }

    fn read_move(&self, json: &Value) -> Result<AnyMove, Unreadable> {
        R::Move::deserialize_input(json).map(Self::wrap_move)
    }

    fn play(
        &self,
        state: &AnyState,
        seat: Seat,
        mv: &AnyMove,
        now: Instant,
        dice: &mut Dice,
    ) -> Result<AnyNext, Illegal> {
        R::play(Self::state(state), seat, Self::typed_move(mv), now, dice).map(Self::next)
    }

    fn preview(&self, state: &AnyState, seat: Seat, mv: &AnyMove, now: Instant) -> Result<(AnyNext, bool), Illegal> {
        let Foreseen { state, events, complete } = R::preview(Self::state(state), seat, Self::typed_move(mv), now)?;
        Ok((Self::wrap(state, events), complete))
    }

    fn tries_as(&self, state: &AnyState, seat: Seat, mv: &AnyMove) -> Seat {
        self.has.tries_as.map_or(seat, |tries_as| tries_as(Self::state(state), seat, Self::typed_move(mv)))
    }

    fn read_aside(&self, aside: &Value) -> Option<Result<String, Unreadable>> {
        Some((self.has.asides.as_ref()?.read)(aside))
    }

    fn aside(&self, state: &AnyState, seat: Seat, aside: &str, now: Instant) -> Result<AnyNext, Illegal> {
        let asides = self.has.asides.as_ref().ok_or_else(no_such_aside)?;
        (asides.make)(Self::state(state), seat, aside, now).map(Self::next)
    }

    fn waits_from(&self, state: &AnyState) -> Option<Instant> {
        (self.has.schedule.as_ref()?.waits_from)(Self::state(state))
    }

    fn resign(&self, state: &AnyState, seats: &[Seat], now: Instant, dice: &mut Dice) -> AnyNext {
        Self::next(R::resign(Self::state(state), seats, now, dice))
    }

    fn resigned(&self, state: &AnyState) -> Vec<Seat> {
        self.has.resigned.map_or_else(Vec::new, |resigned| resigned(Self::state(state)))
    }

    fn mark_resigned(&self, state: &AnyState, seats: &[Seat]) -> AnyState {
        let mut state = Self::state(state).clone();
        R::mark_resigned(&mut state, seats);
        AnyState(Arc::new(state))
    }

    fn view(&self, state: &AnyState, eyes: Eyes) -> AnyValue {
        AnyValue::new(WithKind { kind: R::INFO.kind, value: R::view(Self::state(state), eyes) })
    }

    fn tell(&self, event: &AnyEvent, eyes: Eyes) -> Result<Option<AnyValue>, Corrupt> {
        let told = match &event.0 {
            EventForm::Typed { event, .. } => {
                R::tell(event.downcast_ref().expect("a game's events belong to its own kind"), eyes)
            }
            EventForm::Encoded(bytes) => R::tell(&decode(bytes, R::INFO.kind, "an event")?, eyes),
        };
        Ok(told.map(AnyValue::new))
    }

    fn encode_state(&self, state: &AnyState) -> Vec<u8> {
        encode(Self::state(state))
    }

    fn decode_state(&self, bytes: &[u8]) -> Result<AnyState, Corrupt> {
        let typed: R::State = decode(bytes, R::INFO.kind, "a state")?;
        Ok(AnyState(Arc::new(typed)))
    }

    fn layout(&self, state: &AnyState) -> u64 {
        layout::fingerprint(Self::state(state))
    }

    fn draw(&self, state: &AnyState) -> String {
        R::draw(Self::state(state))
    }

    fn invariants(&self, state: &AnyState) -> Result<(), String> {
        R::invariants(Self::state(state))
    }

    fn resample(&self, state: &AnyState, eyes: Eyes, dice: &mut Dice) -> AnyState {
        AnyState(Arc::new(R::resample(Self::state(state), eyes, dice)))
    }

    fn has_greedy(&self) -> bool {
        self.has.greedy.is_some()
    }

    fn greedy(&self, state: &AnyState, seat: Seat, moves: &[AnyMove], now: Instant) -> Option<usize> {
        let pick = self.has.greedy?;
        Some(pick(&Knowledge::new(Self::state(state), seat, now), &Self::typed_moves(moves)))
    }

    fn bot_version(&self) -> u8 {
        self.has.bot.version
    }

    fn bot_levels(&self) -> &'static [Level] {
        self.has.bot.levels
    }

    fn rate(
        &self,
        state: &AnyState,
        seat: Seat,
        moves: &[AnyMove],
        now: Instant,
        effort: u32,
        dice: &mut Dice,
    ) -> Vec<Rating> {
        if moves.len() == 1 && self.has.tries_as.is_none() {
            return vec![WIN / 2]; // nothing to choose, and only a team waits for others
        }
        let knowledge = Knowledge::new(Self::state(state), seat, now);
        (self.has.bot.rate)(&knowledge, &Self::typed_moves(moves), effort, dice)
    }
}

/// Deserializes what a client sent; every failure is the client's error.
pub(super) trait DeserializeInput: DeserializeOwned {
    fn deserialize_input(json: &Value) -> Result<Self, Unreadable> {
        // Serde would also accept a tagged enum as a list of its fields.
        if !json.is_object() {
            return Err(Fault::not_an_object().into());
        }
        Ok(reader::read(json)?)
    }
}

impl<T: DeserializeOwned> DeserializeInput for T {}

/// Adds the field `kind` to a schema.
pub fn with_kind(mut schema: schemars::Schema, kind: &str, is_required: bool) -> schemars::Schema {
    let tag = serde_json::json!({
        "description": "The kind of the game.", "type": "string", "const": kind, "x-graphql": "KindId",
    });
    let fields = schema.ensure_object();
    if let Some(Value::Object(properties)) = fields.get_mut("properties") {
        properties.insert("kind".to_owned(), tag);
    }
    if let (true, Some(Value::Array(required))) = (is_required, fields.get_mut("required")) {
        required.insert(0, "kind".into());
    }
    schema
}

fn encode<T: Serialize>(value: &T) -> Vec<u8> {
    postcard::to_stdvec(value).expect("states and events are plain data")
}

fn decode<T: DeserializeOwned>(bytes: &[u8], kind: &'static str, what: &'static str) -> Result<T, Corrupt> {
    postcard::from_bytes(bytes).map_err(|error| Corrupt { kind, what, why: error.to_string() })
}
