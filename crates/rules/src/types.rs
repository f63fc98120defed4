//! Types that all kinds share: seats, viewers, turns, outcomes, refusals, and sentences to be localized.

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error, ser::SerializeStruct};
use std::{borrow::Cow, fmt, ops::RangeInclusive};

/// The metadata of a kind.
#[derive(Debug)]
pub struct Info {
    /// The id in the API: `MY_KIND`.
    pub kind: &'static str,
    /// The folder of its rules and content, and the prefix of its Fluent keys: `my_kind`.
    pub slug: &'static str,
    /// Increased when the same moves would lead to a different state. A game keeps the version it started with.
    pub rules_version: u32,
    pub seats: RangeInclusive<u8>,
    /// Whether any of the state is hidden from any player.
    pub hidden: bool,
    /// Whether the game may wait for several seats at once.
    pub simultaneous: bool,
    /// The usual duration of a game at a real table, in minutes.
    pub minutes: RangeInclusive<u8>,
    /// The texts of the kind, in each language.
    pub sentences: Sentences,
}

/// Fluent resources: the source of each language.
#[derive(Clone, Copy, Debug)]
pub struct Sentences {
    pub en: &'static str,
    pub fr: &'static str,
}

/// The Fluent resources of a built-in kind, by its slug.
macro_rules! sentences {
    ($slug:literal) => {
        $crate::Sentences {
            en: include_str!(concat!("../../content/", $slug, "/en.ftl")),
            fr: include_str!(concat!("../../content/", $slug, "/fr.ftl")),
        }
    };
}

pub(crate) use sentences;

impl Info {
    /// The name of the kind.
    pub fn name(&self) -> Message {
        Message::new(format!("{}-name", self.slug))
    }

    /// A short description of how it is played.
    pub fn summary(&self) -> Message {
        Message::new(format!("{}-summary", self.slug))
    }
}

/// The number of a seat, counted from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(transparent)]
pub struct Seat(pub u8);

impl Seat {
    pub fn index(self) -> usize {
        usize::from(self.0)
    }

    /// The number of the seat in sentences, counted from 1.
    pub fn number(self) -> i64 {
        i64::from(self.0) + 1
    }

    /// All seats of a table, in order.
    pub fn all(seats: u8) -> impl DoubleEndedIterator<Item = Seat> + Clone {
        (0..seats).map(Seat)
    }
}

impl fmt::Display for Seat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// A viewer: whose eyes a view is made for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Eyes {
    Seat(Seat),
    Spectator,
    /// The reader of a finished game's replay, from whom nothing is hidden.
    Replay,
}

impl Eyes {
    /// Whether the viewer may see the private information of `seat`. For what no seat sees, compare with
    /// [`Eyes::Replay`].
    pub fn see(self, seat: Seat) -> bool {
        self == Eyes::Replay || self == Eyes::Seat(seat)
    }
}

/// A moment in milliseconds since 1970 (UTC). Rules compare moments but never read a clock.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Instant(pub i64);

impl fmt::Display for Instant {
    /// RFC 3339 with exactly three fractional digits, so that strings sort like the moments.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let moment = jiff::Timestamp::from_millisecond(self.0).unwrap_or(jiff::Timestamp::MAX);
        write!(f, "{moment:.3}")
    }
}

/// A string in RFC 3339 in JSON, a plain number in the store.
impl Serialize for Instant {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        if serializer.is_human_readable() { serializer.collect_str(self) } else { self.0.serialize(serializer) }
    }
}

impl<'de> Deserialize<'de> for Instant {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        if deserializer.is_human_readable() {
            let moment: jiff::Timestamp = String::deserialize(deserializer)?.parse().map_err(D::Error::custom)?;
            Ok(Instant(moment.as_millisecond()))
        } else {
            i64::deserialize(deserializer).map(Instant)
        }
    }
}

impl JsonSchema for Instant {
    fn schema_name() -> Cow<'static, str> {
        "Instant".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({"type": "string", "format": "date-time"})
    }
}

/// The seats a game waits for, or its outcome.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Turn {
    /// At least one seat, in order.
    Waiting(Vec<Seat>),
    Over(Outcome),
}

impl Turn {
    pub fn waits_for(&self, seat: Seat) -> bool {
        matches!(self, Turn::Waiting(seats) if seats.contains(&seat))
    }
}

/// The outcome of a finished game.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Outcome {
    /// The seats that won: one, several that share the victory, or none.
    pub winners: Vec<Seat>,
    /// The standing of every seat, best first.
    pub standings: Vec<Standing>,
    /// Why the game ended: an id that the kind defines, for example `TOKENS` or `RESIGNED`. The glossary has its name.
    pub reason: Cow<'static, str>,
    /// The stage that the players reached together; only in cooperative kinds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stage: Option<u8>,
}

/// JSON omits the stage where there is none; the store's encoding always has all fields.
impl Serialize for Outcome {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let brief = self.stage.is_none() && serializer.is_human_readable();
        let mut fields = serializer.serialize_struct("Outcome", if brief { 3 } else { 4 })?;
        fields.serialize_field("winners", &self.winners)?;
        fields.serialize_field("standings", &self.standings)?;
        fields.serialize_field("reason", &self.reason)?;
        if brief {
            fields.skip_field("stage")?;
        } else {
            fields.serialize_field("stage", &self.stage)?;
        }
        fields.end()
    }
}

/// The rank and score of one seat.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Standing {
    /// The seat's number, counted from 0.
    pub seat: Seat,
    /// Its rank, from 1. Tied seats share a rank.
    pub rank: u8,
    /// Its score, as the kind counts it.
    pub score: i32,
}

/// Why the rules refuse a move or options.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum Illegal {
    /// The game does not wait for this seat: it is another seat's turn, or the seat has already chosen.
    #[error("not this seat's turn: {0}")]
    NotYourTurn(Message),
    /// A rule forbids it.
    #[error("against a rule: {0}")]
    Rule(Message),
}

/// A sentence to be localized: a Fluent key and its arguments.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Message {
    pub key: Cow<'static, str>,
    pub args: Vec<(&'static str, Arg)>,
}

/// An argument of a [`Message`].
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Arg {
    Number(i64),
    Text(String),
    Message(Message),
    /// Joined as the language does it: with commas and an "and".
    List(Vec<Message>),
}

impl Message {
    pub fn new(key: impl Into<Cow<'static, str>>) -> Self {
        Self { key: key.into(), args: Vec::new() }
    }

    pub fn with(mut self, name: &'static str, arg: impl Into<Arg>) -> Self {
        self.args.push((name, arg.into()));
        self
    }
}

/// The key and its arguments, for logs, which are not localized.
impl fmt::Display for Message {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.key)?;
        for (at, (name, arg)) in self.args.iter().enumerate() {
            write!(f, "{} {name} {arg}", if at == 0 { ":" } else { "," })?;
        }
        Ok(())
    }
}

impl fmt::Display for Arg {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Number(number) => write!(f, "{number}"),
            Self::Text(text) => f.write_str(text),
            Self::Message(message) => write!(f, "({message})"),
            Self::List(messages) => messages.iter().try_for_each(|message| write!(f, "({message})")),
        }
    }
}

macro_rules! arg_from {
    ($($from:ty => $make:expr),* $(,)?) => {
        $(impl From<$from> for Arg {
            fn from(value: $from) -> Self {
                $make(value)
            }
        })*
    };
}

arg_from! {
    i64 => Arg::Number,
    u8 => |n| Arg::Number(i64::from(n)),
    String => Arg::Text,
    &str => |text: &str| Arg::Text(text.to_owned()),
    Message => Arg::Message,
    Vec<Message> => Arg::List,
}
