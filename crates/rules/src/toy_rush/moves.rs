//! What a seat may do, as it is written down: `keep 3,7`, `place 5 x3`, `take pink,pink,blue`, `take elf`, `ship none`.

use super::{
    objectives::{Objective, Objectives},
    types::{Object, Objects, Space, counted},
};
use crate::Message;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error};
use std::{borrow::Cow, fmt, str::FromStr};

/// What a seat chooses. In a list the order does not matter.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "type", rename_all = "SCREAMING_SNAKE_CASE", rename_all_fields = "camelCase", deny_unknown_fields)]
#[schemars(rename = "ToyRushMove")]
pub enum Move {
    /// Keep some of the objectives just drawn: two of three at the start, later one of two.
    Keep {
        /// The objectives to keep.
        objectives: Picks,
    },
    /// Put elves from the stock on one space of the line.
    Place {
        /// The space they go to.
        space: Space,
        /// How many they are.
        elves: u8,
    },
    /// Take object cards: the box of space 3, or the colours or patterns that spaces 5 and 7 give, all at once.
    Take {
        /// The cards to take.
        objects: Objects,
    },
    /// Take an elf from the reserve, at space 3.
    TakeElf {},
    /// Complete objectives, at the end of a round; none is possible too.
    Ship {
        /// The objectives to complete.
        objectives: Picks,
    },
}

/// Objectives as a player names them, sorted. One may be there twice, so that the refusal can say so.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Picks(Vec<Objective>);

impl Picks {
    /// The cards, sorted; nothing if they are more than there are.
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
    /// The move in words.
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

/// How an empty list is written.
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

/// A text that no move is written like.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "a move is written `keep 3,7`, `place 5 x3`, `take pink,blue`, `take box`, `take elf`, `ship 7` or `ship none`"
)]
pub struct NotAMove;

impl FromStr for Move {
    type Err = NotAMove;

    fn from_str(notation: &str) -> Result<Self, NotAMove> {
        let words: Vec<_> = notation.split_ascii_whitespace().collect();
        let read = match words[..] {
            ["keep", list] => read_picks(list).map(|objectives| Move::Keep { objectives }),
            ["place", space, elves] => read_place(space, elves),
            ["take", "elf"] => Some(Move::TakeElf {}),
            ["take", list] => read_objects(list).map(|objects| Move::Take { objects }),
            ["ship", list] => read_picks(list).map(|objectives| Move::Ship { objectives }),
            _ => None,
        };
        read.ok_or(NotAMove)
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
