//! Components of À la rescousse du Père Noël: symbols, each a shape in a colour, and the four elves with two powers
//! each.

use crate::Message;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error};
use serde_json::json;
use std::{borrow::Cow, fmt, str::FromStr};

/// The shape of a symbol.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum SymbolShape {
    Bell,
    Heart,
    Star,
    Moon,
    Cloud,
    Gift,
}

impl SymbolShape {
    pub const ALL: [SymbolShape; 6] = [
        SymbolShape::Bell,
        SymbolShape::Heart,
        SymbolShape::Star,
        SymbolShape::Moon,
        SymbolShape::Cloud,
        SymbolShape::Gift,
    ];

    /// The word used in powers and in the keys of content files.
    pub const fn word(self) -> &'static str {
        match self {
            SymbolShape::Bell => "bell",
            SymbolShape::Heart => "heart",
            SymbolShape::Star => "star",
            SymbolShape::Moon => "moon",
            SymbolShape::Cloud => "cloud",
            SymbolShape::Gift => "gift",
        }
    }

    pub fn from_word(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|shape| shape.word() == word)
    }

    /// The name of the shape in one of its grammatical forms: `one` or `all`.
    pub(super) fn message(self, way: &str) -> Message {
        Message::new(format!("santa_rescue-{way}-{}", self.word()))
    }
}

/// The colour of a symbol.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum SymbolColour {
    White,
    Black,
}

impl SymbolColour {
    pub const ALL: [SymbolColour; 2] = [SymbolColour::White, SymbolColour::Black];

    pub const fn word(self) -> &'static str {
        match self {
            SymbolColour::White => "white",
            SymbolColour::Black => "black",
        }
    }

    pub fn from_word(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|colour| colour.word() == word)
    }

    #[must_use]
    pub const fn other(self) -> Self {
        match self {
            SymbolColour::White => SymbolColour::Black,
            SymbolColour::Black => SymbolColour::White,
        }
    }
}

/// One symbol of a row. `WHITE_BELL` in the API; one letter in drawings and in the store, lower-case if it is white.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Symbol {
    pub shape: SymbolShape,
    pub colour: SymbolColour,
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
        SymbolShape::ALL.into_iter().flat_map(|shape| SymbolColour::ALL.map(|colour| Symbol { shape, colour }))
    }

    pub fn letter(self) -> char {
        let small = match self.shape {
            SymbolShape::Bell => 'b',
            SymbolShape::Heart => 'h',
            SymbolShape::Star => 's',
            SymbolShape::Moon => 'm',
            SymbolShape::Cloud => 'c',
            SymbolShape::Gift => 'g',
        };
        if self.colour == SymbolColour::White { small } else { small.to_ascii_uppercase() }
    }

    pub fn from_letter(letter: char) -> Option<Self> {
        Self::all().find(|symbol| symbol.letter() == letter)
    }

    /// The id in the API.
    pub const fn id(self) -> &'static str {
        match (self.colour, self.shape) {
            (SymbolColour::White, SymbolShape::Bell) => "WHITE_BELL",
            (SymbolColour::White, SymbolShape::Heart) => "WHITE_HEART",
            (SymbolColour::White, SymbolShape::Star) => "WHITE_STAR",
            (SymbolColour::White, SymbolShape::Moon) => "WHITE_MOON",
            (SymbolColour::White, SymbolShape::Cloud) => "WHITE_CLOUD",
            (SymbolColour::White, SymbolShape::Gift) => "WHITE_GIFT",
            (SymbolColour::Black, SymbolShape::Bell) => "BLACK_BELL",
            (SymbolColour::Black, SymbolShape::Heart) => "BLACK_HEART",
            (SymbolColour::Black, SymbolShape::Star) => "BLACK_STAR",
            (SymbolColour::Black, SymbolShape::Moon) => "BLACK_MOON",
            (SymbolColour::Black, SymbolShape::Cloud) => "BLACK_CLOUD",
            (SymbolColour::Black, SymbolShape::Gift) => "BLACK_GIFT",
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

/// One of the four elves, by the number on its card: 1 to 4.
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

/// A set of elves.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
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
pub enum PowerSlot {
    First,
    Second,
}

impl PowerSlot {
    pub const ALL: [PowerSlot; 2] = [PowerSlot::First, PowerSlot::Second];

    pub fn number(self) -> u8 {
        self as u8 + 1
    }

    pub fn from_number(number: u8) -> Option<Self> {
        Self::ALL.into_iter().find(|slot| slot.number() == number)
    }
}

impl Serialize for PowerSlot {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.number().serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for PowerSlot {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Self::from_number(u8::deserialize(deserializer)?)
            .ok_or_else(|| D::Error::custom("an elf's powers are numbered 1 and 2"))
    }
}

impl JsonSchema for PowerSlot {
    fn schema_name() -> Cow<'static, str> {
        "PowerNumber".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({
            "type": "integer", "description": "Which of an elf's two powers", "minimum": 1, "maximum": 2,
        })
    }
}
