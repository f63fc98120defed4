//! Components of Chips: chips of five flavours, and the 36 objective cards of `content/chips/objectives.json`.

use crate::Message;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error};
use std::{borrow::Cow, collections::BTreeMap, fmt, ops::Index, sync::LazyLock};

/// The flavour of a chip. Cards about rarer flavours are worth more.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
#[schemars(rename = "ChipsFlavour")]
pub enum Flavour {
    /// Seven of the 25 chips.
    Plain,
    /// Six of the 25 chips.
    Onion,
    /// Five of the 25 chips.
    Barbecue,
    /// Four of the 25 chips.
    Vinegar,
    /// Three of the 25 chips.
    Chicken,
}

impl Flavour {
    pub const ALL: [Flavour; 5] =
        [Flavour::Plain, Flavour::Onion, Flavour::Barbecue, Flavour::Vinegar, Flavour::Chicken];

    /// The number of chips of this flavour.
    pub const fn chips(self) -> u8 {
        match self {
            Flavour::Plain => 7,
            Flavour::Onion => 6,
            Flavour::Barbecue => 5,
            Flavour::Vinegar => 4,
            Flavour::Chicken => 3,
        }
    }

    /// The id in views, and the last word of its Fluent key.
    pub const fn id(self) -> &'static str {
        match self {
            Flavour::Plain => "PLAIN",
            Flavour::Onion => "ONION",
            Flavour::Barbecue => "BARBECUE",
            Flavour::Vinegar => "VINEGAR",
            Flavour::Chicken => "CHICKEN",
        }
    }

    /// The letter in drawings and, in lower case, in the slugs of cards.
    pub const fn letter(self) -> char {
        match self {
            Flavour::Plain => 'N',
            Flavour::Onion => 'O',
            Flavour::Barbecue => 'B',
            Flavour::Vinegar => 'V',
            Flavour::Chicken => 'P',
        }
    }
}

/// A count of chips by flavour, in the bag or drawn from it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Counts([u8; 5]);

impl Counts {
    /// All 25 chips.
    pub fn all() -> Self {
        Self(Flavour::ALL.map(Flavour::chips))
    }

    pub fn of(chips: &[Flavour]) -> Self {
        let mut counts = [0; 5];
        for &chip in chips {
            counts[chip as usize] += 1;
        }
        Self(counts)
    }

    /// These counts minus `other`; `None` if there are too few.
    pub fn without(self, other: Self) -> Option<Self> {
        let mut left = self.0;
        for (left, taken) in left.iter_mut().zip(other.0) {
            *left = left.checked_sub(taken)?;
        }
        Some(Self(left))
    }

    /// These counts plus `other`.
    pub fn with(self, other: Self) -> Self {
        Self(std::array::from_fn(|flavour| self.0[flavour] + other.0[flavour]))
    }

    pub fn total(self) -> u8 {
        self.0.iter().sum()
    }

    /// How many different counts the 25 chips can have.
    pub(super) const VARIETY: usize = 8 * 7 * 6 * 5 * 4;

    /// A number below [`Counts::VARIETY`], different for all counts of the 25 chips.
    pub(super) fn index(self) -> usize {
        let digit = |index, flavour: Flavour| index * (usize::from(flavour.chips()) + 1) + usize::from(self[flavour]);
        Flavour::ALL.into_iter().fold(0, digit)
    }

    /// The flavour of the chip at index `n`, with the chips sorted by flavour.
    pub fn nth(self, n: u8) -> Option<Flavour> {
        let mut before = 0;
        Flavour::ALL.into_iter().find(|&flavour| {
            before += self[flavour];
            n < before
        })
    }
}

impl Index<Flavour> for Counts {
    type Output = u8;

    fn index(&self, flavour: Flavour) -> &u8 {
        &self.0[flavour as usize]
    }
}

/// The condition on a card, which the 14 chips of a round meet or not.
#[derive(Debug, Deserialize)]
#[serde(tag = "type", rename_all = "SCREAMING_SNAKE_CASE", rename_all_fields = "camelCase", deny_unknown_fields)]
pub enum Condition {
    /// At least this many chips of every flavour.
    Rainbow { at_least: u8 },
    /// At least this many chips of each listed flavour.
    Combo { at_least: BTreeMap<Flavour, u8> },
    /// As many chips of one flavour as of the other, including none of either.
    Equal { flavours: [Flavour; 2] },
    /// The last chip drawn is of the flavour.
    Last { flavour: Flavour },
    /// No chip of the flavour.
    None { flavour: Flavour },
    /// At least one chip of the flavour; counts once for each.
    Each { flavour: Flavour },
    /// Strictly more chips of one flavour than of the other.
    More { more: Flavour, than: Flavour },
    /// Like [`Condition::More`], but for the whole game, or against the round.
    Jackpot { more: Flavour, than: Flavour },
}

impl Condition {
    /// Whether the drawn chips meet the condition.
    pub fn met(&self, out: Counts, last: Flavour) -> bool {
        match self {
            Condition::Rainbow { at_least } => Flavour::ALL.iter().all(|&flavour| out[flavour] >= *at_least),
            Condition::Combo { at_least } => at_least.iter().all(|(&flavour, &least)| out[flavour] >= least),
            Condition::Equal { flavours: [one, other] } => out[*one] == out[*other],
            Condition::Last { flavour } => last == *flavour,
            Condition::None { flavour } => out[*flavour] == 0,
            Condition::Each { flavour } => out[*flavour] > 0,
            Condition::More { more, than } | Condition::Jackpot { more, than } => out[*more] > out[*than],
        }
    }
}

/// The printed content of a card, read from the data file.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct CardFace {
    pub slug: String,
    /// Its points; for [`Condition::Each`], the points per chip.
    pub value: i32,
    pub objective: Condition,
}

/// The deck in the order of the data file. Stored games refer to cards by index, so the order must never change.
static DECK: LazyLock<Vec<CardFace>> = LazyLock::new(|| {
    let deck: Vec<CardFace> = serde_json::from_str(include_str!("../../content/chips/objectives.json"))
        .expect("the objectives ship with the program");
    assert_eq!(deck.len(), usize::from(Card::COUNT), "there are 36 objectives");
    deck
});

/// An objective card. Serialized as its slug in JSON and as its index in the deck in the store.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Card(u8);

impl Card {
    pub const COUNT: u8 = 36;
    pub const FIRST: Card = Card(0);

    /// The whole deck, in its order.
    pub fn all() -> impl ExactSizeIterator<Item = Card> {
        (0..Self::COUNT).map(Card)
    }

    pub fn from_slug(slug: &str) -> Option<Self> {
        Self::all().find(|card| card.slug() == slug)
    }

    pub fn face(self) -> &'static CardFace {
        &DECK[usize::from(self.0)]
    }

    pub fn slug(self) -> &'static str {
        &self.face().slug
    }

    /// The name of the card.
    pub fn name(self) -> Message {
        Message::new(format!("chips-card-{}", self.slug())).with("points", i64::from(self.face().value))
    }

    /// The index of the card in the deck.
    pub(super) fn index(self) -> u8 {
        self.0
    }

    pub(super) fn from_index(index: u8) -> Option<Self> {
        (index < Self::COUNT).then_some(Self(index))
    }
}

impl fmt::Display for Card {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.slug())
    }
}

impl fmt::Debug for Card {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.slug())
    }
}

impl Serialize for Card {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        if serializer.is_human_readable() {
            serializer.serialize_str(self.slug())
        } else {
            self.0.serialize(serializer)
        }
    }
}

impl<'de> Deserialize<'de> for Card {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        if deserializer.is_human_readable() {
            let slug = Cow::<str>::deserialize(deserializer)?;
            Self::from_slug(&slug).ok_or_else(|| D::Error::custom(format!("there is no card \"{slug}\"")))
        } else {
            Self::from_index(u8::deserialize(deserializer)?).ok_or_else(|| D::Error::custom("there are 36 cards"))
        }
    }
}

impl JsonSchema for Card {
    fn schema_name() -> Cow<'static, str> {
        "ChipsCard".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({
            "type": "string",
            "description": "An objective card",
            "enum": Card::all().map(Card::slug).collect::<Vec<_>>(),
        })
    }
}
