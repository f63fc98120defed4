//! Powers of the elves, defined by a small text language, so that a new power is a line of content and not of code.
//!
//! | a power | what it does |
//! |---|---|
//! | `change heart star` | one heart becomes a star and keeps its colour |
//! | `change-all white gift` | all white symbols become gifts and keep their colour |
//! | `change-all star moon` | all stars become moons and keep their colour |
//! | `change-all black star moon` | all black stars become black moons |
//! | `copy bell` | a symbol next to a bell of its own colour becomes a bell |
//! | `swap any` | two neighbours change places |
//! | `swap shape`, `swap colour` | two neighbours of the same shape, or of the same colour, change places |
//! | `swap-ends any`, `swap-ends shape`, `swap-ends colour` | the same with the first and the last symbol |
//! | `turn white heart` | all white hearts turn black |
//! | `invert-all star` | all stars change their colour |
//! | `invert` | one symbol changes its colour |

use super::row::Row;
use super::types::{Symbol, SymbolColour, SymbolShape};
use crate::Message;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error};
use std::{borrow::Cow, fmt, str::FromStr};

/// What an elf can do to a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Power {
    Change { from: SymbolShape, to: SymbolShape },
    ChangeAll { which: SymbolFilter, to: SymbolShape },
    Copy { shape: SymbolShape },
    Swap { alike: SwapCondition },
    SwapEnds { alike: SwapCondition },
    Turn { symbol: Symbol },
    InvertAll { shape: SymbolShape },
    Invert,
}

/// Selects symbols by shape, colour or both.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum SymbolFilter {
    Colour(SymbolColour),
    Shape(SymbolShape),
    Symbol(Symbol),
}

/// What two symbols must have in common to be swapped.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum SwapCondition {
    Any,
    Shape,
    Colour,
}

/// Why a power can't be played on a row, at this target or at all.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unplayable {
    /// The power needs a target, but none was given.
    Aimless,
    /// The power takes no target, but one was given.
    Aimed,
    /// The target is outside the row.
    Outside,
    /// The symbol at the target is of another shape.
    OtherShape,
    /// No symbol of the same colour to copy from is next to the target.
    NoSource,
    /// The two symbols are not alike.
    NotAlike,
    /// The row would stay as it is.
    NoEffect,
}

impl Unplayable {
    pub(super) fn key(self) -> &'static str {
        match self {
            Unplayable::Aimless => "santa_rescue-refusal-aimless",
            Unplayable::Aimed => "santa_rescue-refusal-aimed",
            Unplayable::Outside => "santa_rescue-refusal-outside",
            Unplayable::OtherShape => "santa_rescue-refusal-other-shape",
            Unplayable::NoSource => "santa_rescue-refusal-no-source",
            Unplayable::NotAlike => "santa_rescue-refusal-not-alike",
            Unplayable::NoEffect => "santa_rescue-refusal-no-effect",
        }
    }
}

impl SymbolFilter {
    fn has(self, symbol: Symbol) -> bool {
        match self {
            SymbolFilter::Colour(colour) => symbol.colour == colour,
            SymbolFilter::Shape(shape) => symbol.shape == shape,
            SymbolFilter::Symbol(which) => symbol == which,
        }
    }
}

impl SwapCondition {
    const ALL: [SwapCondition; 3] = [SwapCondition::Any, SwapCondition::Shape, SwapCondition::Colour];

    const fn word(self) -> &'static str {
        match self {
            SwapCondition::Any => "any",
            SwapCondition::Shape => "shape",
            SwapCondition::Colour => "colour",
        }
    }

    fn is_met_by(self, one: Symbol, other: Symbol) -> bool {
        match self {
            SwapCondition::Any => true,
            SwapCondition::Shape => one.shape == other.shape,
            SwapCondition::Colour => one.colour == other.colour,
        }
    }
}

impl Power {
    /// Whether the power needs a target.
    pub fn is_aimed(self) -> bool {
        matches!(self, Power::Change { .. } | Power::Copy { .. } | Power::Swap { .. } | Power::Invert)
    }

    /// The row that the power leads to, or why it can't be played.
    pub fn apply(self, row: Row, target: Option<u8>) -> Result<Row, Unplayable> {
        let next = match (self.is_aimed(), target) {
            (true, None) => return Err(Unplayable::Aimless),
            (false, Some(_)) => return Err(Unplayable::Aimed),
            (true, Some(place)) => self.apply_at(row, place)?,
            (false, None) => self.apply_to_all(row)?,
        };
        // A power that leaves the row unchanged can't be played.
        if next == row { Err(Unplayable::NoEffect) } else { Ok(next) }
    }

    /// Every way to play the power on a row: the target and the row it leads to.
    pub fn ways(self, row: Row) -> impl Iterator<Item = (Option<u8>, Row)> {
        let targets = if self.is_aimed() { row.length() } else { 1 };
        (0..targets).filter_map(move |place| {
            let target = self.is_aimed().then_some(place);
            self.apply(row, target).ok().map(|next| (target, next))
        })
    }

    fn apply_at(self, row: Row, place: u8) -> Result<Row, Unplayable> {
        if place >= row.length() {
            return Err(Unplayable::Outside);
        }
        let symbol = row.at(place);
        match self {
            Power::Change { from, .. } if symbol.shape != from => Err(Unplayable::OtherShape),
            Power::Change { to, .. } => Ok(row.with(place, Symbol { shape: to, ..symbol })),
            Power::Copy { shape } => {
                let source = Symbol { shape, ..symbol };
                let left = place.checked_sub(1).is_some_and(|left| row.at(left) == source);
                let right = place + 1 < row.length() && row.at(place + 1) == source;
                if left || right { Ok(row.with(place, source)) } else { Err(Unplayable::NoSource) }
            }
            // The target of a swap is the left of the two symbols, so it can't be the last place.
            Power::Swap { .. } if place + 1 == row.length() => Err(Unplayable::Outside),
            Power::Swap { alike } if !alike.is_met_by(symbol, row.at(place + 1)) => Err(Unplayable::NotAlike),
            Power::Swap { .. } => Ok(row.swapped(place, place + 1)),
            _ => Ok(row.with(place, Symbol { colour: symbol.colour.other(), ..symbol })),
        }
    }

    fn apply_to_all(self, row: Row) -> Result<Row, Unplayable> {
        let inverted = |symbol: Symbol| Symbol { colour: symbol.colour.other(), ..symbol };
        Ok(match self {
            Power::ChangeAll { which, to } => {
                row.map(|symbol| if which.has(symbol) { Symbol { shape: to, ..symbol } } else { symbol })
            }
            Power::Turn { symbol: which } => row.map(|symbol| if symbol == which { inverted(symbol) } else { symbol }),
            Power::InvertAll { shape } => {
                row.map(|symbol| if symbol.shape == shape { inverted(symbol) } else { symbol })
            }
            Power::SwapEnds { alike } => {
                let last = row.length() - 1;
                if !alike.is_met_by(row.at(0), row.at(last)) {
                    return Err(Unplayable::NotAlike);
                }
                row.swapped(0, last)
            }
            _ => row,
        })
    }

    /// A sentence that describes the power.
    pub fn label(self) -> Message {
        let message = |key: &str| Message::new(format!("santa_rescue-power-{key}"));
        match self {
            Power::Change { from, to } => {
                message("change").with("from", from.message("one")).with("to", to.message("one"))
            }
            Power::ChangeAll { which, to } => {
                let which = match which {
                    SymbolFilter::Colour(colour) => Message::new(format!("santa_rescue-all-{}", colour.word())),
                    SymbolFilter::Shape(shape) => shape.message("all"),
                    SymbolFilter::Symbol(symbol) => all_of(symbol),
                };
                message("change-all").with("which", which).with("to", to.message("many"))
            }
            Power::Copy { shape } => message("copy").with("shape", shape.message("one")),
            Power::Swap { alike } => message(&format!("swap-{}", alike.word())),
            Power::SwapEnds { alike } => message(&format!("swap-ends-{}", alike.word())),
            Power::Turn { symbol } => message(&format!("turn-{}", symbol.colour.word())).with("which", all_of(symbol)),
            Power::InvertAll { shape } => message("invert-all").with("which", shape.message("all")),
            Power::Invert => message("invert"),
        }
    }
}

fn all_of(symbol: Symbol) -> Message {
    Message::new(format!("santa_rescue-all-{}-{}", symbol.colour.word(), symbol.shape.word()))
}

impl fmt::Display for Power {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let symbol = |symbol: Symbol| format!("{} {}", symbol.colour.word(), symbol.shape.word());
        match *self {
            Power::Change { from, to } => write!(f, "change {} {}", from.word(), to.word()),
            Power::ChangeAll { which, to } => {
                let which = match which {
                    SymbolFilter::Colour(colour) => colour.word().to_owned(),
                    SymbolFilter::Shape(shape) => shape.word().to_owned(),
                    SymbolFilter::Symbol(which) => symbol(which),
                };
                write!(f, "change-all {which} {}", to.word())
            }
            Power::Copy { shape } => write!(f, "copy {}", shape.word()),
            Power::Swap { alike } => write!(f, "swap {}", alike.word()),
            Power::SwapEnds { alike } => write!(f, "swap-ends {}", alike.word()),
            Power::Turn { symbol: which } => write!(f, "turn {}", symbol(which)),
            Power::InvertAll { shape } => write!(f, "invert-all {}", shape.word()),
            Power::Invert => f.write_str("invert"),
        }
    }
}

/// The text is not a power.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a power is written like `change heart star`, `copy bell`, `swap colour` or `turn white heart`")]
pub struct PowerParseError;

impl FromStr for Power {
    type Err = PowerParseError;

    fn from_str(line: &str) -> Result<Self, PowerParseError> {
        let words: Vec<_> = line.split(' ').collect();
        read(&words).ok_or(PowerParseError)
    }
}

fn read(words: &[&str]) -> Option<Power> {
    let (shape, colour) = (SymbolShape::from_word, SymbolColour::from_word);
    let alike = |word: &str| SwapCondition::ALL.into_iter().find(|alike| alike.word() == word);
    let symbol = |of: &str, what: &str| Some(Symbol { shape: shape(what)?, colour: colour(of)? });
    Some(match *words {
        ["change", from, to] => Power::Change { from: shape(from)?, to: shape(to)? },
        ["change-all", which, to] => {
            let which = colour(which).map(SymbolFilter::Colour).or_else(|| shape(which).map(SymbolFilter::Shape));
            Power::ChangeAll { which: which?, to: shape(to)? }
        }
        ["change-all", of, what, to] => {
            Power::ChangeAll { which: SymbolFilter::Symbol(symbol(of, what)?), to: shape(to)? }
        }
        ["copy", what] => Power::Copy { shape: shape(what)? },
        ["swap", what] => Power::Swap { alike: alike(what)? },
        ["swap-ends", what] => Power::SwapEnds { alike: alike(what)? },
        ["turn", of, what] => Power::Turn { symbol: symbol(of, what)? },
        ["invert-all", what] => Power::InvertAll { shape: shape(what)? },
        ["invert"] => Power::Invert,
        _ => return None,
    })
}

/// Content, views and the store contain a power as its text.
impl Serialize for Power {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Power {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(D::Error::custom)
    }
}

impl JsonSchema for Power {
    fn schema_name() -> Cow<'static, str> {
        "Power".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({
            "type": "string",
            "description": "A power, such as `change heart star`; the glossary has it in words",
            "pattern": "^(change|change-all|copy|swap|swap-ends|turn|invert-all|invert)( [a-z]+)*$",
            "x-graphql": "ID",
        })
    }
}
