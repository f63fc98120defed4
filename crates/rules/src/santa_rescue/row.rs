//! Row of symbols, as on sheets: the start, the goal, and each row in between.
//!
//! The solver creates millions of rows, so a row is packed into one number, four bits per symbol.

use super::types::{Symbol, SymbolColour, SymbolShape};
use crate::Dice;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error};
use std::{borrow::Cow, fmt, str::FromStr};

/// Up to eight symbols, from left to right.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Row {
    /// Four bits per symbol, from bit `4 * place` on: the lowest is its colour, the other three are its shape.
    bits: u32,
    len: u8,
}

impl Row {
    pub const LONGEST: u8 = 8;

    /// A row of these symbols; `None` if there are none, or too many.
    pub fn new(symbols: impl IntoIterator<Item = Symbol>) -> Option<Self> {
        let mut row = Row { bits: 0, len: 0 };
        for symbol in symbols {
            if row.len == Self::LONGEST {
                return None;
            }
            row.len += 1;
            row.put(row.len - 1, symbol);
        }
        (row.len > 0).then_some(row)
    }

    /// A random row of 1 to 8 symbols, drawn uniformly.
    pub(super) fn draw(length: u8, dice: &mut Dice) -> Self {
        let symbols: Vec<_> = Symbol::all().collect();
        Self::new((0..length).map(|_| symbols[dice.index(symbols.len())])).expect("rows have 1 to 8 symbols")
    }

    /// The number of symbols.
    pub fn length(self) -> u8 {
        self.len
    }

    /// All places, counted from 0 at the left.
    pub fn places(self) -> std::ops::Range<u8> {
        0..self.len
    }

    /// The symbol at a place of the row.
    pub fn at(self, place: u8) -> Symbol {
        let four = self.bits >> (4 * place);
        let colour = if four & 1 == 0 { SymbolColour::White } else { SymbolColour::Black };
        Symbol { shape: SymbolShape::ALL[(four >> 1 & 7) as usize], colour }
    }

    pub fn symbols(self) -> impl ExactSizeIterator<Item = Symbol> {
        self.places().map(move |place| self.at(place))
    }

    /// The row with another symbol at a place.
    #[must_use]
    pub fn with(mut self, place: u8, symbol: Symbol) -> Self {
        self.put(place, symbol);
        self
    }

    /// The row with two symbols swapped.
    #[must_use]
    pub fn swapped(self, one: u8, other: u8) -> Self {
        self.with(one, self.at(other)).with(other, self.at(one))
    }

    /// The row with every symbol replaced by `change`.
    #[must_use]
    pub fn map(mut self, change: impl Fn(Symbol) -> Symbol) -> Self {
        for place in self.places() {
            self.put(place, change(self.at(place)));
        }
        self
    }

    /// The number of places where two rows of the same length differ.
    pub fn wrong(self, other: Row) -> u32 {
        let bits = self.bits ^ other.bits;
        // Set the lowest bit of every group of four that is not zero.
        let any = (bits | bits >> 1 | bits >> 2 | bits >> 3) & 0x1111_1111;
        any.count_ones()
    }

    fn put(&mut self, place: u8, symbol: Symbol) {
        let four = (symbol.shape as u32) << 1 | symbol.colour as u32;
        self.bits = self.bits & !(15 << (4 * place)) | four << (4 * place);
    }
}

/// `bhSmC`: one letter per symbol, lower-case if it is white.
impl fmt::Display for Row {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.symbols().map(Symbol::letter).collect::<String>())
    }
}

impl fmt::Debug for Row {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// The text is not a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a row is written with 1 to 8 letters of bhsmcg, capitals for black symbols")]
pub struct RowParseError;

impl FromStr for Row {
    type Err = RowParseError;

    fn from_str(letters: &str) -> Result<Self, RowParseError> {
        let symbols: Option<Vec<_>> = letters.chars().map(Symbol::from_letter).collect();
        symbols.and_then(Row::new).ok_or(RowParseError)
    }
}

/// Serialized as letters, in content and in the store.
impl Serialize for Row {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl JsonSchema for Row {
    fn schema_name() -> Cow<'static, str> {
        "RowLetters".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({
            "type": "string",
            "description": "Symbols from left to right, a letter each: `b` bell, `h` heart, `s` star, `m` moon, `c` cloud, `g` gift; capitals are black, small letters white",
            "pattern": "^[bhsmcgBHSMCG]{1,8}$",
        })
    }
}

impl<'de> Deserialize<'de> for Row {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(D::Error::custom)
    }
}

/// A row in the API: a list of the ids of its symbols.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RowView(pub Row);

impl Serialize for RowView {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.0.symbols().map(Symbol::id))
    }
}

impl<'de> Deserialize<'de> for RowView {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let ids = Vec::<String>::deserialize(deserializer)?;
        let symbols = ids.iter().map(|id| {
            Symbol::from_id(id).ok_or_else(|| D::Error::custom("a symbol is a colour and a shape: `WHITE_BELL`"))
        });
        Row::new(symbols.collect::<Result<Vec<_>, _>>()?)
            .map(RowView)
            .ok_or_else(|| D::Error::custom("a row has 1 to 8 symbols"))
    }
}

impl JsonSchema for RowView {
    fn schema_name() -> Cow<'static, str> {
        "SymbolRow".into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        json_schema!({
            "type": "array",
            "description": "Symbols from left to right, each a colour and a shape",
            "items": generator.subschema_for::<Symbol>(),
            "minItems": 1,
            "maxItems": Row::LONGEST,
        })
    }
}
