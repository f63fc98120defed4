//! Moves of Toy Rush and their notation: `keep 3,7`, `place 5 x3`, `take pink,pink,blue`, `take elf`, `ship none`.

use super::{
    objectives::{Objective, Objectives},
    types::{Object, Objects, Space, counted},
};
use crate::Message;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error};
use std::{borrow::Cow, fmt, str::FromStr};

/// A move. The order within its lists does not matter.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "type", rename_all = "SCREAMING_SNAKE_CASE", rename_all_fields = "camelCase", deny_unknown_fields)]
#[schemars(rename = "ToyRushMove")]
pub enum Move {
    /// Keep some of the objectives you have just drawn: two of three at the start, one of two later.
    Keep {
        /// The objectives to keep.
        objectives: Picks,
    },
    /// Place elves from your stock on one space of the line.
    Place {
        /// The space to place them on.
        space: Space,
        /// The number of elves.
        elves: u8,
    },
    /// Take object cards: the box of space 3, or all colours or patterns that space 5 or 7 gives you.
    Take {
        /// The cards to take.
        objects: Objects,
    },
    /// Take an elf from your reserve instead of the box of space 3.
    TakeElf {},
    /// Complete objectives at the end of a round. The list may be empty.
    Ship {
        /// The objectives to complete.
        objectives: Picks,
    },
}

/// The objectives a client named in a move, sorted. Duplicates are kept, so that the refusal can name them.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Picks(Vec<Objective>);

impl Picks {
    /// Sorts the cards. `None` if there are more than the game has.
    pub fn new(mut cards: Vec<Objective>) -> Option<Self> {
        cards.sort_unstable();
        (cards.len() <= usize::from(Objective::COUNT)).then_some(Self(cards))
    }

    pub fn as_slice(&self) -> &[Objective] {
        &self.0
    }

    fn names(&self) -> Vec<Message> {
        self.0.iter().map(|card| card.name()).collect()
    }
}

impl From<Objectives> for Picks {
    fn from(cards: Objectives) -> Self {
        Self(cards.iter().collect())
    }
}

impl fmt::Debug for Picks {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl Serialize for Picks {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.0.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Picks {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Self::new(Vec::deserialize(deserializer)?).ok_or_else(|| D::Error::custom("there are 18 objectives"))
    }
}

impl JsonSchema for Picks {
    fn schema_name() -> Cow<'static, str> {
        "ToyRushPicks".into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        json_schema!({
            "type": "array",
            "items": generator.subschema_for::<Objective>(),
            "maxItems": Objective::COUNT,
        })
    }
}

impl Move {
    /// A sentence that describes the move.
    pub fn label(&self) -> Message {
        match self {
            Move::Keep { objectives } => Message::new("toy_rush-move-keep").with("objectives", objectives.names()),
            Move::Place { space, elves } => counted("toy_rush-move-place", *elves).with("space", space.name()),
            Move::Take { objects } => Message::new("toy_rush-move-take").with("objects", objects.names()),
            Move::TakeElf {} => Message::new("toy_rush-move-take-elf"),
            Move::Ship { objectives } if objectives.0.is_empty() => Message::new("toy_rush-move-ship-none"),
            Move::Ship { objectives } => Message::new("toy_rush-move-ship").with("objectives", objectives.names()),
        }
    }
}

/// The notation of an empty list.
const NONE: &str = "none";

impl fmt::Display for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let or_none = |list: String| if list.is_empty() { NONE.to_owned() } else { list };
        let numbers = |picks: &Picks| or_none(picks.0.iter().map(Objective::to_string).collect::<Vec<_>>().join(","));
        match self {
            Move::Keep { objectives } => write!(f, "keep {}", numbers(objectives)),
            Move::Place { space, elves } => write!(f, "place {} x{elves}", space.number()),
            Move::Take { objects } => write!(f, "take {}", or_none(objects.to_string())),
            Move::TakeElf {} => f.write_str("take elf"),
            Move::Ship { objectives } => write!(f, "ship {}", numbers(objectives)),
        }
    }
}

/// The text is not the notation of a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "a move is written `keep 3,7`, `place 5 x3`, `take pink,blue`, `take box`, `take elf`, `ship 7` or `ship none`"
)]
pub struct MoveParseError;

impl FromStr for Move {
    type Err = MoveParseError;

    fn from_str(notation: &str) -> Result<Self, MoveParseError> {
        let words: Vec<_> = notation.split_ascii_whitespace().collect();
        let read = match words[..] {
            ["keep", list] => read_picks(list).map(|objectives| Move::Keep { objectives }),
            ["place", space, elves] => read_place(space, elves),
            ["take", "elf"] => Some(Move::TakeElf {}),
            ["take", list] => read_objects(list).map(|objects| Move::Take { objects }),
            ["ship", list] => read_picks(list).map(|objectives| Move::Ship { objectives }),
            _ => None,
        };
        read.ok_or(MoveParseError)
    }
}

fn items(list: &str) -> impl Iterator<Item = &str> {
    list.split(',').filter(move |_| list != NONE)
}

fn read_picks(list: &str) -> Option<Picks> {
    Picks::new(items(list).map(Objective::from_id).collect::<Option<_>>()?)
}

fn read_objects(list: &str) -> Option<Objects> {
    Objects::collect(items(list).map(Object::from_word).collect::<Option<Vec<_>>>()?)
}

fn read_place(space: &str, elves: &str) -> Option<Move> {
    let elves = elves.strip_prefix('x')?;
    let digits =
        |text: &str| if text.bytes().all(|byte| byte.is_ascii_digit()) { text.parse::<u8>().ok() } else { None };
    Some(Move::Place { space: Space::from_number(digits(space)?)?, elves: digits(elves)? })
}
