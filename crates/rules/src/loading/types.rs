//! Components of LOADING: progression cards, their colours, STOP cards, and the packets the cards are cut into. What is
//! printed on the cards is data, in `content/loading/cards.json`.

use crate::Message;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error};
use std::{borrow::Cow, fmt, sync::LazyLock};

/// The printed content of a progression card, read from the data file.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct CardFace {
    /// Equal to its position in the file; written out for human readers.
    pub number: u8,
    /// Its value in charge bars.
    pub bars: u8,
    pub colour: Colour,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct StopFace {
    stop: Stop,
    bars: u8,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct DataFile {
    progression: Vec<CardFace>,
    boost_bars: u8,
    stops: Vec<StopFace>,
}

static DATA_FILE: LazyLock<DataFile> = LazyLock::new(|| {
    let cards: DataFile = serde_json::from_str(include_str!("../../content/loading/cards.json"))
        .expect("the cards ship with the program");
    let numbers = cards.progression.iter().map(|face| face.number);
    assert!(numbers.eq(1..=Card::COUNT), "the cards are numbered from 1 to 65, in order");
    assert!(cards.stops.iter().map(|face| face.stop).eq(Stop::ALL), "there are five STOP cards, in order");
    cards
});

/// What a BOOST card is worth, in bars.
pub fn boost_bars() -> u8 {
    DATA_FILE.boost_bars
}

/// A progression card, by its number from 1 to 65.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Card(u8);

impl Card {
    pub const COUNT: u8 = 65;

    /// All cards, in their order.
    pub fn all() -> impl ExactSizeIterator<Item = Card> {
        (0..Self::COUNT).map(|index| Card(index + 1))
    }

    pub fn from_number(number: u8) -> Option<Self> {
        (1..=Self::COUNT).contains(&number).then_some(Self(number))
    }

    pub fn from_id(id: &str) -> Option<Self> {
        // Accept only digits without a sign or leading zeros, so that each card has one spelling.
        Self::from_number(id.parse().ok()?).filter(|card| card.to_string() == id)
    }

    pub fn number(self) -> u8 {
        self.0
    }

    pub fn face(self) -> &'static CardFace {
        &DATA_FILE.progression[usize::from(self.0) - 1]
    }

    pub fn bars(self) -> u8 {
        self.face().bars
    }

    pub fn colour(self) -> Colour {
        self.face().colour
    }

    /// The name of the card.
    pub fn name(self) -> Message {
        let named = Message::new("loading-card").with("number", self.0).with("bars", self.bars());
        named.with("colour", self.colour().name())
    }
}

impl fmt::Display for Card {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl fmt::Debug for Card {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// A string in JSON, a plain number in the store.
impl Serialize for Card {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        if serializer.is_human_readable() { serializer.collect_str(self) } else { self.0.serialize(serializer) }
    }
}

impl<'de> Deserialize<'de> for Card {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let read = if deserializer.is_human_readable() {
            Self::from_id(&Cow::<str>::deserialize(deserializer)?)
        } else {
            Self::from_number(u8::deserialize(deserializer)?)
        };
        read.ok_or_else(|| D::Error::custom("cards are numbered from \"1\" to \"65\""))
    }
}

impl JsonSchema for Card {
    fn schema_name() -> Cow<'static, str> {
        "LoadingCardId".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({
            "type": "string",
            "description": "The number on a progression card",
            "enum": Card::all().map(|card| card.to_string()).collect::<Vec<_>>(),
        })
    }
}

/// The colour of a progression card. White does not count as a colour when laying by colour.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
#[schemars(rename = "LoadingColour")]
pub enum Colour {
    /// White: can't be laid by colour.
    White,
    /// Red.
    Red,
    /// Green.
    Green,
    /// Blue.
    Blue,
    /// Yellow.
    Yellow,
}

impl Colour {
    pub const ALL: [Colour; 5] = [Colour::White, Colour::Red, Colour::Green, Colour::Blue, Colour::Yellow];

    pub const fn id(self) -> &'static str {
        match self {
            Colour::White => "WHITE",
            Colour::Red => "RED",
            Colour::Green => "GREEN",
            Colour::Blue => "BLUE",
            Colour::Yellow => "YELLOW",
        }
    }

    /// The name of the colour.
    pub fn name(self) -> Message {
        Message::new(format!("loading-colour-{}", self.id().to_ascii_lowercase()))
    }
}

/// A STOP card, identified by the smallest number of players it is used with.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "LoadingStop")]
pub enum Stop {
    #[serde(rename = "2+")]
    Two,
    #[serde(rename = "3+")]
    Three,
    #[serde(rename = "4+")]
    Four,
    #[serde(rename = "5+")]
    Five,
    #[serde(rename = "6+")]
    Six,
}

impl Stop {
    pub const ALL: [Stop; 5] = [Stop::Two, Stop::Three, Stop::Four, Stop::Five, Stop::Six];

    /// The number marked on it.
    pub const fn mark(self) -> u8 {
        self as u8 + 2
    }

    pub const fn id(self) -> &'static str {
        match self {
            Stop::Two => "2+",
            Stop::Three => "3+",
            Stop::Four => "4+",
            Stop::Five => "5+",
            Stop::Six => "6+",
        }
    }

    pub fn from_id(id: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|stop| stop.id() == id)
    }

    pub fn bars(self) -> u8 {
        DATA_FILE.stops[self as usize].bars
    }

    /// The name of the card.
    pub fn name(self) -> Message {
        Message::new("loading-stop").with("mark", self.id()).with("bars", self.bars())
    }
}

/// The id of a packet. It is public, unlike the packet's content.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "LoadingPacketId", extend("x-graphql" = "ID"))]
pub enum PacketId {
    P1,
    P2,
    P3,
    P4,
    P5,
    P6,
}

impl PacketId {
    pub const ALL: [PacketId; 6] = [PacketId::P1, PacketId::P2, PacketId::P3, PacketId::P4, PacketId::P5, PacketId::P6];

    pub const fn id(self) -> &'static str {
        match self {
            PacketId::P1 => "P1",
            PacketId::P2 => "P2",
            PacketId::P3 => "P3",
            PacketId::P4 => "P4",
            PacketId::P5 => "P5",
            PacketId::P6 => "P6",
        }
    }

    pub fn from_id(id: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|packet| packet.id() == id)
    }

    /// The name of the packet.
    pub fn name(self) -> Message {
        Message::new("loading-packet").with("number", self as u8 + 1)
    }
}

impl fmt::Display for PacketId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.id())
    }
}
