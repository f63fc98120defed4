//! Components of Toy Rush: nine piles of object cards, and the nine spaces of the assembly line.

use crate::{Arg, Message};
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error};
use std::{borrow::Cow, fmt, ops::Index};

/// What an object card shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
#[schemars(rename = "ToyRushObject")]
pub enum Object {
    /// A colour.
    Pink,
    /// A colour.
    Blue,
    /// A colour.
    Yellow,
    /// A pattern.
    Dots,
    /// A pattern.
    Stripes,
    /// A toy.
    Train,
    /// A toy.
    Teddy,
    /// A toy.
    Horse,
    /// The box that a toy is shipped in.
    Box,
}

impl Object {
    pub const ALL: [Object; 9] = [
        Object::Pink,
        Object::Blue,
        Object::Yellow,
        Object::Dots,
        Object::Stripes,
        Object::Train,
        Object::Teddy,
        Object::Horse,
        Object::Box,
    ];
    pub const COLOURS: [Object; 3] = [Object::Pink, Object::Blue, Object::Yellow];
    pub const PATTERNS: [Object; 2] = [Object::Dots, Object::Stripes];
    pub const TOYS: [Object; 3] = [Object::Train, Object::Teddy, Object::Horse];

    /// The number of cards of this object.
    pub const fn cards(self) -> u8 {
        match self {
            Object::Pink | Object::Blue | Object::Yellow | Object::Train => 6,
            Object::Dots | Object::Stripes | Object::Teddy | Object::Box => 5,
            Object::Horse => 4,
        }
    }

    /// The id in views; in lower case the word in notations and the end of its Fluent key.
    pub const fn id(self) -> &'static str {
        match self {
            Object::Pink => "PINK",
            Object::Blue => "BLUE",
            Object::Yellow => "YELLOW",
            Object::Dots => "DOTS",
            Object::Stripes => "STRIPES",
            Object::Train => "TRAIN",
            Object::Teddy => "TEDDY",
            Object::Horse => "HORSE",
            Object::Box => "BOX",
        }
    }

    /// The word for the object in notations.
    pub fn word(self) -> String {
        self.id().to_ascii_lowercase()
    }

    pub fn from_word(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|object| object.word() == word)
    }

    /// The name of the object.
    pub fn name(self) -> Message {
        Message::new(format!("toy_rush-object-{}", self.word()))
    }
}

/// A multiset of object cards. Serialized as a list in JSON and as nine counts in the store.
#[derive(Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Objects([u8; 9]);

impl Objects {
    pub const NONE: Objects = Objects([0; 9]);

    /// All 48 cards.
    pub fn all() -> Self {
        Self(Object::ALL.map(Object::cards))
    }

    /// This many cards of one object.
    pub fn of(object: Object, cards: u8) -> Self {
        let mut objects = Self::NONE;
        objects.0[object as usize] = cards;
        objects
    }

    /// Counts the cards. `None` if there are more of an object than the game has.
    pub fn collect(cards: impl IntoIterator<Item = Object>) -> Option<Self> {
        let mut objects = Self::NONE;
        for card in cards {
            let count = &mut objects.0[card as usize];
            *count = count.checked_add(1)?;
        }
        (objects.total() <= Self::all().total()).then_some(objects)
    }

    pub fn with(self, other: Self) -> Self {
        let mut sum = self.0;
        for (sum, more) in sum.iter_mut().zip(other.0) {
            *sum += more;
        }
        Self(sum)
    }

    /// These cards minus `other`; `None` if there are too few.
    pub fn without(self, other: Self) -> Option<Self> {
        let mut left = self.0;
        for (left, taken) in left.iter_mut().zip(other.0) {
            *left = left.checked_sub(taken)?;
        }
        Some(Self(left))
    }

    /// The cards of `other` that are not among these.
    pub fn lack(self, other: Self) -> Self {
        let mut lacking = other.0;
        for (lacking, have) in lacking.iter_mut().zip(self.0) {
            *lacking = lacking.saturating_sub(have);
        }
        Self(lacking)
    }

    /// Whether these cards include all of `other`.
    pub fn cover(self, other: Self) -> bool {
        self.0.iter().zip(other.0).all(|(have, need)| *have >= need)
    }

    pub fn total(self) -> u16 {
        self.0.iter().map(|&cards| u16::from(cards)).sum()
    }

    /// The cards one by one, in the order of the piles.
    pub fn iter(self) -> impl Iterator<Item = Object> {
        Object::ALL.into_iter().flat_map(move |object| std::iter::repeat_n(object, self[object].into()))
    }

    /// The names of the cards with their counts.
    pub fn names(self) -> Vec<Message> {
        let some = Object::ALL.into_iter().filter(|&object| self[object] > 0);
        let counted = |object| counted("toy_rush-some", self[object]).with("object", Arg::Message(object.name()));
        some.map(counted).collect()
    }
}

/// A sentence with a count.
pub(super) fn counted(key: &'static str, count: u8) -> Message {
    Message::new(key).with("count", count)
}

impl Index<Object> for Objects {
    type Output = u8;

    fn index(&self, object: Object) -> &u8 {
        &self.0[object as usize]
    }
}

/// The notation: `pink,pink,blue`.
impl fmt::Display for Objects {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.iter().map(Object::word).collect::<Vec<_>>().join(","))
    }
}

impl fmt::Debug for Objects {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "[{self}]")
    }
}

impl Serialize for Objects {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        if serializer.is_human_readable() { serializer.collect_seq(self.iter()) } else { self.0.serialize(serializer) }
    }
}

impl<'de> Deserialize<'de> for Objects {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        if deserializer.is_human_readable() {
            let cards = Vec::<Object>::deserialize(deserializer)?;
            Self::collect(cards).ok_or_else(|| D::Error::custom("there are 48 object cards"))
        } else {
            let objects = Self(Deserialize::deserialize(deserializer)?);
            if Self::all().cover(objects) { Ok(objects) } else { Err(D::Error::custom("there are 48 object cards")) }
        }
    }
}

impl JsonSchema for Objects {
    fn schema_name() -> Cow<'static, str> {
        "ToyRushObjects".into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        json_schema!({
            "type": "array",
            "description": "Object cards, in the order of the piles; two that are alike are listed twice",
            "items": generator.subschema_for::<Object>(),
            "maxItems": Self::all().total(),
        })
    }
}

/// A space of the assembly line, numbered from 1 to 9 from left to right.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Space {
    Primeur,
    Objectives,
    BoxOrElf,
    Elves,
    Colours,
    Trains,
    Patterns,
    Teddies,
    Horses,
}

impl Space {
    pub const ALL: [Space; 9] = [
        Space::Primeur,
        Space::Objectives,
        Space::BoxOrElf,
        Space::Elves,
        Space::Colours,
        Space::Trains,
        Space::Patterns,
        Space::Teddies,
        Space::Horses,
    ];

    /// From 1 to 9.
    pub const fn number(self) -> u8 {
        self as u8 + 1
    }

    pub fn from_number(number: u8) -> Option<Self> {
        Self::ALL.into_iter().find(|space| space.number() == number)
    }

    /// The id of its name.
    pub const fn id(self) -> &'static str {
        match self {
            Space::Primeur => "PRIMEUR",
            Space::Objectives => "OBJECTIVES",
            Space::BoxOrElf => "BOX_OR_ELF",
            Space::Elves => "ELVES",
            Space::Colours => "COLOURS",
            Space::Trains => "TRAINS",
            Space::Patterns => "PATTERNS",
            Space::Teddies => "TEDDIES",
            Space::Horses => "HORSES",
        }
    }

    /// The name of the space.
    pub fn name(self) -> Message {
        Message::new(format!("toy_rush-space-{}", self.id().to_ascii_lowercase().replace('_', "-")))
    }

    /// The maximum number of elves on the space, if there is one.
    pub const fn most(self) -> Option<u8> {
        match self {
            Space::BoxOrElf => Some(1),
            Space::Objectives | Space::Elves => Some(2),
            _ => None,
        }
    }

    /// The piles the space gives from, and the number of elves per card.
    pub const fn gives(self) -> (&'static [Object], u8) {
        match self {
            Space::Primeur | Space::Objectives | Space::Elves => (&[], 1),
            Space::BoxOrElf => (&[Object::Box], 1),
            Space::Colours => (&Object::COLOURS, 1),
            Space::Trains => (&[Object::Train], 1),
            Space::Patterns => (&Object::PATTERNS, 2),
            Space::Teddies => (&[Object::Teddy], 2),
            Space::Horses => (&[Object::Horse], 3),
        }
    }
}

impl Serialize for Space {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.number().serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Space {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let number = u8::deserialize(deserializer)?;
        Self::from_number(number).ok_or_else(|| D::Error::custom("spaces are numbered from 1 to 9"))
    }
}

impl JsonSchema for Space {
    fn schema_name() -> Cow<'static, str> {
        "ToyRushSpace".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({
            "type": "integer",
            "description": "A space of the assembly line, numbered from left to right",
            "minimum": 1,
            "maximum": 9,
        })
    }
}
