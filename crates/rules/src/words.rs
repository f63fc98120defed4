//! The words every kind shares: seats, eyes, turns, outcomes, refusals, and sentences still to be put into a language.

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error, ser::SerializeStruct};
use std::{borrow::Cow, fmt, ops::RangeInclusive};

/// What there is to know of a kind before it is played.
#[derive(Debug)]
pub struct Info {
    /// The id in the API: `MY_KIND`.
    pub kind: &'static str,
    /// The folder of its rules and content, and the prefix of its Fluent keys: `my_kind`.
    pub slug: &'static str,
    /// Raised when the same moves would lead elsewhere; a game keeps the version it started with.
    pub rules_version: u32,
    pub seats: RangeInclusive<u8>,
    /// Whether some of the state is hidden from somebody.
    pub hidden: bool,
    /// Whether several seats may be waited for at once.
    pub simultaneous: bool,
    /// How long a game takes at a real table.
    pub minutes: RangeInclusive<u8>,
    /// All that is said of it, in each language.
    pub sentences: Sentences,
}

/// Fluent resources: the source text of each language.
#[derive(Clone, Copy, Debug)]
pub struct Sentences {
    pub en: &'static str,
    pub fr: &'static str,
}

/// The sentences of a kind of this crate, by its slug.
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
    /// What the kind is called.
    pub fn name(&self) -> Message {
        Message::new(format!("{}-name", self.slug))
    }

    /// How it is played, in short.
    pub fn summary(&self) -> Message {
        Message::new(format!("{}-summary", self.slug))
    }
}

/// A chair at the table, counted from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(transparent)]
pub struct Seat(pub u8);

impl Seat {
    pub fn index(self) -> usize {
        usize::from(self.0)
    }

    /// The seat's number where people read it, counted from 1. Programs count from 0.
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

/// Who is looking.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Eyes {
    Seat(Seat),
    Spectator,
    /// Whoever reads the replay of a game that is over: nothing is hidden any more.
    Replay,
}

impl Eyes {
    /// Whether these eyes may see what only `seat` may. For what no seat sees, compare with [`Eyes::Replay`].
    pub fn see(self, seat: Seat) -> bool {
        self == Eyes::Replay || self == Eyes::Seat(seat)
    }
}

/// A moment, in milliseconds since 1970 (UTC). Rules compare moments; they never ask for the present one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Instant(pub i64);

impl fmt::Display for Instant {
    /// RFC 3339 with milliseconds, so that texts sort as the moments do.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let moment = jiff::Timestamp::from_millisecond(self.0).unwrap_or(jiff::Timestamp::MAX);
        write!(f, "{moment:.3}")
    }
}

/// RFC 3339 in texts, a plain number in the store.
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

/// Whom the game waits for, or how it ended.
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

/// How a game ended.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Outcome {
    /// One seat, several that share the victory, or none.
    pub winners: Vec<Seat>,
    /// Every seat, best first.
    pub standings: Vec<Standing>,
    /// Why it ended, in the kind's own words: `TOKENS`, `RESIGNED`.
    pub reason: Cow<'static, str>,
    /// How far the players got together; only in kinds that are played against the game.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stage: Option<u8>,
}

/// JSON leaves out what a kind does not have; the store's bytes have a place for every field.
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

/// One seat's place in an [`Outcome`]; equal seats share a rank.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Standing {
    /// The seat.
    pub seat: Seat,
    /// Its place, from 1 on.
    pub rank: u8,
    /// Its score, as the kind counts.
    pub score: i32,
}

/// Why something can't be done, by the rules.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum Illegal {
    /// The seat is not waited for: it is another's turn, or it has chosen already.
    #[error("not this seat's turn: {0}")]
    NotYourTurn(Message),
    /// A rule forbids it.
    #[error("against a rule: {0}")]
    Rule(Message),
}

/// A sentence that has not been put into a language yet: a Fluent key and what to put into its gaps.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Message {
    pub key: Cow<'static, str>,
    pub args: Vec<(&'static str, Arg)>,
}

/// What fills a gap of a [`Message`].
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Arg {
    Number(i64),
    Text(String),
    Message(Message),
    /// Put together with commas and an "and", as the language does it.
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

/// For logs and reports, where there are no texts: the key, and what goes into its gaps.
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
