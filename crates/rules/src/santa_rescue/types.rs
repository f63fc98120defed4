//! The nouns in the box: symbols, which are a shape in a colour, and the four elves with two powers each.

use crate::Message;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error};
use serde_json::json;
use std::{borrow::Cow, fmt, str::FromStr};

/// What a symbol shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Shape {
    Bell,
    Heart,
    Star,
    Moon,
    Cloud,
    Gift,
}

impl Shape {
    pub const ALL: [Shape; 6] = [Shape::Bell, Shape::Heart, Shape::Star, Shape::Moon, Shape::Cloud, Shape::Gift];

    /// The word in powers and in keys of texts.
    pub const fn word(self) -> &'static str {
        match self {
            Shape::Bell => "bell",
            Shape::Heart => "heart",
            Shape::Star => "star",
            Shape::Moon => "moon",
            Shape::Cloud => "cloud",
            Shape::Gift => "gift",
        }
    }

    pub fn from_word(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|shape| shape.word() == word)
    }

    /// The shape in words, in one of the ways that sentences need it: `one`, `all`.
    pub(super) fn message(self, way: &str) -> Message {
        Message::new(format!("santa_rescue-{way}-{}", self.word()))
    }
}

/// The colour of a symbol.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Colour {
    White,
    Black,
}

impl Colour {
    pub const ALL: [Colour; 2] = [Colour::White, Colour::Black];

    pub const fn word(self) -> &'static str {
        match self {
            Colour::White => "white",
            Colour::Black => "black",
        }
    }

    pub fn from_word(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|colour| colour.word() == word)
    }

    #[must_use]
    pub const fn other(self) -> Self {
        match self {
            Colour::White => Colour::Black,
            Colour::Black => Colour::White,
        }
    }
}

/// One symbol of a row. `WHITE_BELL` in views; a letter in drawings and in what is stored, small if it is white.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Symbol {
    pub shape: Shape,
    pub colour: Colour,
}

impl JsonSchema for Symbol {
    fn schema_name() -> Cow<'static, str> {
        "SantaRescueSymbol".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        let describe = |symbol: Symbol| {
            json!({
                "const": symbol.id(),
                "description": format!("A {}.", symbol.id().to_lowercase().replace('_', " ")),
            })
        };
        json_schema!({
            "description": "A symbol: a colour and a shape.",
            "oneOf": Symbol::all().map(describe).collect::<Vec<_>>(),
        })
    }
}

impl Symbol {
    pub fn all() -> impl Iterator<Item = Symbol> {
        Shape::ALL.into_iter().flat_map(|shape| Colour::ALL.map(|colour| Symbol { shape, colour }))
    }

    pub fn letter(self) -> char {
        let small = match self.shape {
            Shape::Bell => 'b',
            Shape::Heart => 'h',
            Shape::Star => 's',
            Shape::Moon => 'm',
            Shape::Cloud => 'c',
            Shape::Gift => 'g',
        };
        if self.colour == Colour::White { small } else { small.to_ascii_uppercase() }
    }

    pub fn from_letter(letter: char) -> Option<Self> {
        Self::all().find(|symbol| symbol.letter() == letter)
    }

    /// The id in views.
    pub const fn id(self) -> &'static str {
        match (self.colour, self.shape) {
            (Colour::White, Shape::Bell) => "WHITE_BELL",
            (Colour::White, Shape::Heart) => "WHITE_HEART",
            (Colour::White, Shape::Star) => "WHITE_STAR",
            (Colour::White, Shape::Moon) => "WHITE_MOON",
            (Colour::White, Shape::Cloud) => "WHITE_CLOUD",
            (Colour::White, Shape::Gift) => "WHITE_GIFT",
            (Colour::Black, Shape::Bell) => "BLACK_BELL",
            (Colour::Black, Shape::Heart) => "BLACK_HEART",
            (Colour::Black, Shape::Star) => "BLACK_STAR",
            (Colour::Black, Shape::Moon) => "BLACK_MOON",
            (Colour::Black, Shape::Cloud) => "BLACK_CLOUD",
            (Colour::Black, Shape::Gift) => "BLACK_GIFT",
        }
    }

    pub fn from_id(id: &str) -> Option<Self> {
        Self::all().find(|symbol| symbol.id() == id)
    }

    pub(super) fn name(self) -> Message {
        Message::new(format!("santa_rescue-symbol-{}-{}", self.colour.word(), self.shape.word()))
    }
}

impl fmt::Debug for Symbol {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.letter())
    }
}

/// One of the four elves, told by the number on its card: 1 to 4.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct Elf(u8);

impl Elf {
    pub const COUNT: usize = 4;
    pub const ALL: [Elf; Self::COUNT] = [Elf(1), Elf(2), Elf(3), Elf(4)];

    pub fn from_number(number: u8) -> Option<Self> {
        Self::ALL.into_iter().find(|elf| elf.0 == number)
    }

    pub fn number(self) -> u8 {
        self.0
    }

    pub fn index(self) -> usize {
        usize::from(self.0 - 1)
    }
}

impl fmt::Display for Elf {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl FromStr for Elf {
    type Err = ();

    fn from_str(number: &str) -> Result<Self, ()> {
        Self::ALL.into_iter().find(|elf| elf.to_string() == number).ok_or(())
    }
}

impl<'de> Deserialize<'de> for Elf {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Self::from_number(u8::deserialize(deserializer)?)
            .ok_or_else(|| D::Error::custom("elves are numbered from 1 to 4"))
    }
}

impl JsonSchema for Elf {
    fn schema_name() -> Cow<'static, str> {
        "ElfNumber".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({
            "type": "integer", "description": "The number of an elf", "minimum": 1, "maximum": Self::COUNT,
        })
    }
}

/// Some of the elves.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Elves(u8);

impl Elves {
    pub const ALL: Elves = Elves(0b1111);

    pub fn is_empty(self) -> bool {
        self.0 == 0
    }

    pub fn has(self, elf: Elf) -> bool {
        self.0 & 1 << elf.index() != 0
    }

    #[must_use]
    pub fn with(self, elf: Elf) -> Self {
        Elves(self.0 | 1 << elf.index())
    }

    #[must_use]
    pub fn without(self, elf: Elf) -> Self {
        Elves(self.0 & !(1 << elf.index()))
    }

    /// In the order of their numbers.
    pub fn iter(self) -> impl Iterator<Item = Elf> {
        Elf::ALL.into_iter().filter(move |elf| self.has(*elf))
    }
}

/// One of the two powers on an elf's card: 1 from the start, 2 once it is unlocked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Slot {
    First,
    Second,
}

impl Slot {
    pub const ALL: [Slot; 2] = [Slot::First, Slot::Second];

    pub fn number(self) -> u8 {
        self as u8 + 1
    }

    pub fn from_number(number: u8) -> Option<Self> {
        Self::ALL.into_iter().find(|slot| slot.number() == number)
    }
}

impl Serialize for Slot {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.number().serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Slot {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Self::from_number(u8::deserialize(deserializer)?)
            .ok_or_else(|| D::Error::custom("an elf's powers are numbered 1 and 2"))
    }
}

impl JsonSchema for Slot {
    fn schema_name() -> Cow<'static, str> {
        "PowerNumber".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({
            "type": "integer", "description": "Which of an elf's two powers", "minimum": 1, "maximum": 2,
        })
    }
}
