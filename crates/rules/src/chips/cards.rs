//! Bit set of objective cards: 36 cards fit into one `u64`, so copying and searching hands costs next to nothing.

use super::types::Card;
use crate::Dice;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error};
use std::{borrow::Cow, fmt};

/// A set of objective cards, iterated in deck order. Serialized as a list of slugs in JSON and as one number in the
/// store.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
pub struct Cards(u64);

impl Cards {
    pub const NONE: Cards = Cards(0);

    /// The whole deck.
    pub const ALL: Cards = Cards((1 << Card::COUNT) - 1);

    fn bit(card: Card) -> u64 {
        1 << card.index()
    }

    pub fn len(self) -> u32 {
        self.0.count_ones()
    }

    pub fn is_empty(self) -> bool {
        self.0 == 0
    }

    pub fn contains(self, card: Card) -> bool {
        self.0 & Self::bit(card) != 0
    }

    pub fn with(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    pub fn without(self, other: Self) -> Self {
        Self(self.0 & !other.0)
    }

    pub fn overlaps(self, other: Self) -> bool {
        self.0 & other.0 != 0
    }

    pub fn iter(self) -> impl Iterator<Item = Card> + Clone {
        let mut rest = self.0;
        std::iter::from_fn(move || {
            let card = Card::from_index(u8::try_from(rest.trailing_zeros()).ok()?)?;
            rest &= rest - 1;
            Some(card)
        })
    }

    /// Every pair of cards in the set, in order.
    pub fn pairs(self) -> impl Iterator<Item = [Card; 2]> {
        self.iter().flat_map(move |one| self.after(one).iter().map(move |other| [one, other]))
    }

    /// The cards of the set that come after `card` in the deck.
    fn after(self, card: Card) -> Self {
        Self(self.0 & (u64::MAX << card.index() << 1))
    }

    /// The cards in random order.
    pub fn shuffled(self, dice: &mut Dice) -> Vec<Card> {
        let mut cards: Vec<_> = self.iter().collect();
        dice.shuffle(&mut cards);
        cards
    }
}

impl FromIterator<Card> for Cards {
    fn from_iter<I: IntoIterator<Item = Card>>(cards: I) -> Self {
        Self(cards.into_iter().fold(0, |set, card| set | Self::bit(card)))
    }
}

impl From<Card> for Cards {
    fn from(card: Card) -> Self {
        Self(Self::bit(card))
    }
}

impl fmt::Display for Cards {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (n, card) in self.iter().enumerate() {
            write!(f, "{}{card}", if n == 0 { "" } else { " " })?;
        }
        Ok(())
    }
}

impl fmt::Debug for Cards {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.iter()).finish()
    }
}

impl Serialize for Cards {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        if serializer.is_human_readable() { serializer.collect_seq(self.iter()) } else { self.0.serialize(serializer) }
    }
}

impl<'de> Deserialize<'de> for Cards {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        if deserializer.is_human_readable() {
            return Ok(Vec::<Card>::deserialize(deserializer)?.into_iter().collect());
        }
        let set = Self(u64::deserialize(deserializer)?);
        if set.without(Self::ALL).is_empty() { Ok(set) } else { Err(D::Error::custom("there are 36 cards")) }
    }
}

impl JsonSchema for Cards {
    fn schema_name() -> Cow<'static, str> {
        "ChipsCards".into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        json_schema!({
            "type": "array",
            "description": "Objective cards, each once; their order means nothing",
            "items": generator.subschema_for::<Card>(),
            "uniqueItems": true,
        })
    }
}
