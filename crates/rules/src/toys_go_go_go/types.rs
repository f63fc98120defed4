//! Components of Jouets à GO GO GO: toys of four types, the 64 tiles and the 4 cash registers of
//! `content/toys_go_go_go/tiles.json`.

use crate::Message;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Deserializer, Serialize, de::Error};
use std::{array, borrow::Cow, fmt, ops::Index, str::FromStr, sync::LazyLock};

/// Declares an enum whose values have an id: used in views, and in lower case as the last part of their Fluent key.
macro_rules! named {
    ($(#[$about:meta])* $name:ident { $($(#[$of_value:meta])* $value:ident = $id:literal),* $(,)? }) => {
        $(#[$about])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
        pub enum $name {
            $($(#[$of_value])* #[serde(rename = $id)] $value),*
        }

        impl $name {
            pub const ALL: [$name; [$($id),*].len()] = [$($name::$value),*];

            pub const fn id(self) -> &'static str {
                match self {
                    $($name::$value => $id),*
                }
            }
        }
    };
}
pub(super) use named;

named! {
    /// The four types of toys. Each type has its own colour, so a zone gives its colour as a type.
    ToyType {
        /// Soft toys.
        Plush = "PLUSH",
        /// Dolls and figures.
        Dolls = "DOLLS",
        /// Toys that drive or fly.
        Vehicles = "VEHICLES",
        /// Outdoor toys.
        Sports = "SPORTS",
    }
}

impl ToyType {
    /// The letter in drawings and in the data file.
    pub const fn letter(self) -> char {
        match self {
            ToyType::Plush => 'P',
            ToyType::Dolls => 'D',
            ToyType::Vehicles => 'V',
            ToyType::Sports => 'S',
        }
    }

    pub fn from_letter(letter: char) -> Option<Self> {
        Self::ALL.into_iter().find(|toy_type| toy_type.letter() == letter)
    }

    /// The five toys of this type.
    pub fn toys(self) -> impl Iterator<Item = Toy> {
        Toy::ALL.into_iter().filter(move |toy| toy.toy_type() == self)
    }
}

named! {
    /// The twenty toys: five of each type, grouped by type.
    Toy {
        /// A soft toy.
        Bear = "BEAR",
        /// A soft toy.
        Unicorn = "UNICORN",
        /// A soft toy.
        Cat = "CAT",
        /// A soft toy.
        Rabbit = "RABBIT",
        /// A soft toy.
        Dog = "DOG",
        /// A doll.
        Princess = "PRINCESS",
        /// A doll.
        Nurse = "NURSE",
        /// A doll.
        Ballerina = "BALLERINA",
        /// A figure.
        Robot = "ROBOT",
        /// A doll.
        Mermaid = "MERMAID",
        /// A vehicle.
        Train = "TRAIN",
        /// A vehicle.
        Car = "CAR",
        /// A vehicle.
        Crane = "CRANE",
        /// A vehicle.
        FireEngine = "FIRE_ENGINE",
        /// A vehicle.
        Rocket = "ROCKET",
        /// An outdoor toy.
        Ball = "BALL",
        /// An outdoor toy.
        RollerSkates = "ROLLER_SKATES",
        /// An outdoor toy.
        Rackets = "RACKETS",
        /// An outdoor toy.
        Tricycle = "TRICYCLE",
        /// An outdoor toy.
        FlamingoRing = "FLAMINGO_RING",
    }
}

impl Toy {
    pub const fn toy_type(self) -> ToyType {
        ToyType::ALL[self as usize / 5]
    }

    /// The name of the toy.
    pub fn name(self) -> Message {
        Message::new(super::key("toy", self.id()))
    }
}

/// The colours along the edge of a tile or register: eight half-sides, clockwise from the top left corner (N-left,
/// N-right, E-top, E-bottom, S-right, S-left, W-bottom, W-top). Half-side `h` is on side `h / 2`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Border([ToyType; Border::HALF_SIDES]);

impl Border {
    pub const HALF_SIDES: usize = 8;

    /// Every half-side with its colour.
    pub fn iter(&self) -> impl Iterator<Item = (usize, ToyType)> + '_ {
        self.0.iter().copied().enumerate()
    }

    pub fn colours(self) -> [ToyType; Self::HALF_SIDES] {
        self.0
    }

    /// A border from the colours of its corners NW, NE, SE and SW: each colours the two half-sides around it.
    fn around(corners: [ToyType; 4]) -> Self {
        // W-top and N-left meet in the first corner, N-right and E-top in the second.
        Self(array::from_fn(|half| corners[(half + 1) % Self::HALF_SIDES / 2]))
    }
}

impl Index<usize> for Border {
    type Output = ToyType;

    fn index(&self, half_side: usize) -> &ToyType {
        &self.0[half_side]
    }
}

/// The printed content of a tile, read from the data file.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TileFace {
    /// Three toys of different types, in the order of the types.
    pub toys: [Toy; 3],
    #[serde(deserialize_with = "eight_letters")]
    pub border: Border,
}

fn eight_letters<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Border, D::Error> {
    letters(&String::deserialize(deserializer)?).map(Border).ok_or_else(|| D::Error::custom("eight letters of PDVS"))
}

fn letters<const N: usize>(text: &str) -> Option<[ToyType; N]> {
    let colours: Option<Vec<_>> = text.chars().map(ToyType::from_letter).collect();
    colours?.try_into().ok()
}

/// The data file.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct DataFile {
    /// The colours at the corners of each register: NW, NE, SE, SW.
    registers: Vec<String>,
    tiles: Vec<TileFace>,
}

struct Pieces {
    registers: [Border; Register::COUNT as usize],
    tiles: [TileFace; Tile::COUNT as usize],
}

/// All pieces in the order of the data file. Stored games refer to pieces by index, so the order must never change.
static PIECES: LazyLock<Pieces> = LazyLock::new(|| {
    let DataFile { registers, tiles } = serde_json::from_str(include_str!("../../content/toys_go_go_go/tiles.json"))
        .expect("tiles ship with the program");
    let corners = |text: &String| letters(text).map(Border::around).expect("a register has four corners");
    let registers: Vec<_> = registers.iter().map(corners).collect();
    Pieces {
        registers: registers.try_into().expect("there are 4 registers"),
        tiles: tiles.try_into().expect("there are 64 tiles"),
    }
});

/// A cash register, the first piece of a shop. Stored as its index in the data file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct Register(u8);

impl Register {
    pub const COUNT: u8 = 4;

    pub fn all() -> impl ExactSizeIterator<Item = Register> {
        (0..Self::COUNT).map(Register)
    }

    pub fn border(self) -> Border {
        PIECES.registers[usize::from(self.0)]
    }
}

impl<'de> Deserialize<'de> for Register {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let index = u8::deserialize(deserializer)?;
        Self::all().nth(index.into()).ok_or_else(|| D::Error::custom("there are 4 registers"))
    }
}

/// A toy tile, identified in the API and the store by its number: its position in the data file, counted from 1.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct Tile(u8);

impl Tile {
    pub const COUNT: u8 = 64;

    /// All tiles, in order.
    pub fn all() -> impl ExactSizeIterator<Item = Tile> {
        (0..Self::COUNT).map(|before| Tile(before + 1))
    }

    pub fn from_number(number: u8) -> Option<Self> {
        (1..=Self::COUNT).contains(&number).then_some(Self(number))
    }

    pub fn number(self) -> u8 {
        self.0
    }

    pub fn face(self) -> &'static TileFace {
        &PIECES.tiles[usize::from(self.0 - 1)]
    }
}

impl fmt::Display for Tile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.number().fmt(f)
    }
}

impl fmt::Debug for Tile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "tile {self}")
    }
}

/// The text is not the number of a tile.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("tiles are numbered from 1 to 64")]
pub struct TileParseError;

impl FromStr for Tile {
    type Err = TileParseError;

    fn from_str(number: &str) -> Result<Self, TileParseError> {
        number.parse().ok().and_then(Self::from_number).ok_or(TileParseError)
    }
}

impl<'de> Deserialize<'de> for Tile {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Self::from_number(u8::deserialize(deserializer)?).ok_or_else(|| D::Error::custom(TileParseError))
    }
}

impl JsonSchema for Tile {
    fn schema_name() -> Cow<'static, str> {
        "TileNumber".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({
            "type": "integer",
            "description": "The number of a toy tile",
            "minimum": 1,
            "maximum": Tile::COUNT,
        })
    }
}
