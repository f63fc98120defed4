//! The 18 objective cards of `content/toy_rush/objectives.json`, and bit sets of them.

use super::types::Objects;
use crate::{Dice, Message};
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error};
use std::{borrow::Cow, fmt, sync::LazyLock};

/// The printed content of an objective card, read from the data file.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ObjectiveFace {
    /// The first name of the child who waits for the toys.
    pub child: String,
    pub needs: Objects,
    pub points: u8,
}

/// The cards in the order of the data file. Stored games refer to cards by index, so the order must never change.
static CARDS: LazyLock<Vec<ObjectiveFace>> = LazyLock::new(|| {
    let cards: Vec<ObjectiveFace> = serde_json::from_str(include_str!("../../content/toy_rush/objectives.json"))
        .expect("the objectives ship with the program");
    assert_eq!(cards.len(), usize::from(Objective::COUNT), "there are 18 objectives");
    cards
});

/// An objective card. Its id is the number on it, from 1 to 18.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Objective(u8);

impl Objective {
    pub const COUNT: u8 = 18;

    /// All cards, in their order.
    pub fn all() -> impl ExactSizeIterator<Item = Objective> {
        (0..Self::COUNT).map(Objective)
    }

    pub fn from_number(number: u8) -> Option<Self> {
        number.checked_sub(1).filter(|index| *index < Self::COUNT).map(Self)
    }

    pub fn from_id(id: &str) -> Option<Self> {
        // Accept only digits without a sign or leading zeros, so that each card has one spelling.
        Self::from_number(id.parse().ok()?).filter(|objective| objective.to_string() == id)
    }

    pub fn number(self) -> u8 {
        self.0 + 1
    }

    pub fn face(self) -> &'static ObjectiveFace {
        &CARDS[usize::from(self.0)]
    }

    pub fn needs(self) -> Objects {
        self.face().needs
    }

    /// The name of the card.
    pub fn name(self) -> Message {
        let ObjectiveFace { child, needs, points } = self.face();
        let needs: Vec<_> = needs.iter().map(super::types::Object::name).collect();
        Message::new("toy_rush-objective").with("child", child.as_str()).with("needs", needs).with("points", *points)
    }
}

impl fmt::Display for Objective {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.number().fmt(f)
    }
}

impl fmt::Debug for Objective {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl Serialize for Objective {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        if serializer.is_human_readable() { serializer.collect_str(self) } else { self.0.serialize(serializer) }
    }
}

impl<'de> Deserialize<'de> for Objective {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let read = if deserializer.is_human_readable() {
            Self::from_id(&Cow::<str>::deserialize(deserializer)?)
        } else {
            Some(Self(u8::deserialize(deserializer)?)).filter(|card| card.0 < Self::COUNT)
        };
        read.ok_or_else(|| D::Error::custom("objectives are numbered from \"1\" to \"18\""))
    }
}

impl JsonSchema for Objective {
    fn schema_name() -> Cow<'static, str> {
        "ToyRushObjectiveId".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({
            "type": "string",
            "description": "The number on an objective card",
            "enum": Objective::all().map(|card| card.to_string()).collect::<Vec<_>>(),
        })
    }
}

/// A set of objective cards, iterated by number. Serialized as a list in JSON and as one number in the store.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
pub struct Objectives(u32);

impl Objectives {
    pub const NONE: Objectives = Objectives(0);
    pub const ALL: Objectives = Objectives((1 << Objective::COUNT) - 1);

    pub fn len(self) -> u8 {
        u8::try_from(self.0.count_ones()).expect("18 cards at most")
    }

    pub fn is_empty(self) -> bool {
        self.0 == 0
    }

    pub fn contains(self, card: Objective) -> bool {
        self.0 & 1 << card.0 != 0
    }

    pub fn with(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    pub fn without(self, other: Self) -> Self {
        Self(self.0 & !other.0)
    }

    pub fn iter(self) -> impl Iterator<Item = Objective> + Clone {
        let mut rest = self.0;
        std::iter::from_fn(move || {
            let card = u8::try_from(rest.trailing_zeros()).ok().filter(|&index| index < Objective::COUNT)?;
            rest &= rest - 1;
            Some(Objective(card))
        })
    }

    /// The objects that all of them need together.
    pub fn needs(self) -> Objects {
        self.iter().fold(Objects::NONE, |sum, card| sum.with(card.needs()))
    }

    /// The sum of their points.
    pub fn points(self) -> u8 {
        self.iter().map(|card| card.face().points).sum()
    }

    /// The cards in random order.
    pub fn shuffled(self, dice: &mut Dice) -> Vec<Objective> {
        let mut cards: Vec<_> = self.iter().collect();
        dice.shuffle(&mut cards);
        cards
    }
}

impl FromIterator<Objective> for Objectives {
    fn from_iter<I: IntoIterator<Item = Objective>>(cards: I) -> Self {
        Self(cards.into_iter().fold(0, |set, card| set | 1 << card.0))
    }
}

impl From<Objective> for Objectives {
    fn from(card: Objective) -> Self {
        Self(1 << card.0)
    }
}

impl fmt::Display for Objectives {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.iter().map(|card| card.to_string()).collect::<Vec<_>>().join(","))
    }
}

impl fmt::Debug for Objectives {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.iter()).finish()
    }
}

impl Serialize for Objectives {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        if serializer.is_human_readable() { serializer.collect_seq(self.iter()) } else { self.0.serialize(serializer) }
    }
}

impl<'de> Deserialize<'de> for Objectives {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        if deserializer.is_human_readable() {
            return Ok(Vec::<Objective>::deserialize(deserializer)?.into_iter().collect());
        }
        let set = Self(u32::deserialize(deserializer)?);
        if set.without(Self::ALL).is_empty() { Ok(set) } else { Err(D::Error::custom("there are 18 objectives")) }
    }
}

impl JsonSchema for Objectives {
    fn schema_name() -> Cow<'static, str> {
        "ToyRushObjectiveIds".into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        json_schema!({
            "type": "array",
            "description": "Objective cards by their numbers, in ascending order",
            "items": generator.subschema_for::<Objective>(),
            "uniqueItems": true,
        })
    }
}
