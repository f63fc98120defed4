//! Moves of Chips: their notation, the list of legal moves, and the check that refuses all others.

use super::{
    cards::Cards,
    state::{Area, Phase, State},
    types::Card,
};
use crate::{Illegal, Message, Seat};
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error};
use std::{borrow::Cow, fmt, str::FromStr};

/// A move. Its notation is, for example, `discard last-n more-o-n` or `bet combo-2b-2v each-p against none-p`. The
/// order of cards does not matter.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "type", rename_all = "SCREAMING_SNAKE_CASE", rename_all_fields = "camelCase", deny_unknown_fields)]
#[schemars(rename = "ChipsMove")]
pub enum Move {
    /// Discard cards face down: two after board 1, one after board 2.
    Discard {
        /// The cards to discard.
        cards: Picks,
    },
    /// Bet the last three cards, after board 3.
    Bet {
        /// The two cards to bet for. Each earns its value if its objective is met.
        r#for: Picks,
        /// The card to bet against. It costs its value if its objective is met.
        against: Card,
    },
}

/// The cards a client named in a move: sorted, at most six. Duplicates are kept, so that the refusal can name them.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Picks {
    len: u8,
    cards: [Card; Self::MOST],
}

impl Picks {
    const MOST: usize = 6;

    /// Sorts the cards. `None` if there are more than fit into a hand.
    pub fn new(cards: impl IntoIterator<Item = Card>) -> Option<Self> {
        let mut picks = Self { len: 0, cards: [Card::FIRST; Self::MOST] };
        for card in cards {
            *picks.cards.get_mut(usize::from(picks.len))? = card;
            picks.len += 1;
        }
        picks.cards[..usize::from(picks.len)].sort_unstable();
        Some(picks)
    }

    pub fn as_slice(&self) -> &[Card] {
        &self.cards[..usize::from(self.len)]
    }

    fn names(self) -> Vec<Message> {
        self.as_slice().iter().map(|card| card.name()).collect()
    }
}

impl<const N: usize> From<[Card; N]> for Picks {
    fn from(cards: [Card; N]) -> Self {
        const { assert!(N <= Self::MOST) }
        Self::new(cards).expect("no more than a hand")
    }
}

impl From<Cards> for Picks {
    fn from(cards: Cards) -> Self {
        Self::new(cards.iter()).expect("a choice is no more than a hand")
    }
}

impl fmt::Debug for Picks {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.as_slice().fmt(f)
    }
}

impl Serialize for Picks {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.as_slice())
    }
}

impl<'de> Deserialize<'de> for Picks {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Self::new(Vec::<Card>::deserialize(deserializer)?).ok_or_else(|| D::Error::custom("a hand is six cards"))
    }
}

impl JsonSchema for Picks {
    fn schema_name() -> Cow<'static, str> {
        "ChipsPicks".into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        json_schema!({
            "type": "array",
            "items": generator.subschema_for::<Card>(),
            "maxItems": Self::MOST,
        })
    }
}

impl Move {
    /// A sentence that describes the move.
    pub fn label(&self) -> Message {
        match self {
            Move::Discard { cards } => Message::new("chips-move-discard").with("cards", cards.names()),
            Move::Bet { r#for, against } => {
                Message::new("chips-move-bet").with("for", r#for.names()).with("against", against.name())
            }
        }
    }
}

impl fmt::Display for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (verb, cards) = match self {
            Move::Discard { cards } => ("discard", cards),
            Move::Bet { r#for, .. } => ("bet", r#for),
        };
        f.write_str(verb)?;
        cards.as_slice().iter().try_for_each(|card| write!(f, " {card}"))?;
        match self {
            Move::Discard { .. } => Ok(()),
            Move::Bet { against, .. } => write!(f, " against {against}"),
        }
    }
}

/// The text is not the notation of a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a move is written `discard CARD [CARD]` or `bet CARD CARD against CARD`")]
pub struct MoveParseError;

impl FromStr for Move {
    type Err = MoveParseError;

    fn from_str(notation: &str) -> Result<Self, MoveParseError> {
        let mut words = notation.split_ascii_whitespace();
        let verb = words.next().ok_or(MoveParseError)?;
        let words: Vec<_> = words.collect();
        match (verb, words.as_slice()) {
            ("discard", cards) => Ok(Move::Discard { cards: read_picks(cards)? }),
            ("bet", [cards @ .., "against", against]) => {
                Ok(Move::Bet { r#for: read_picks(cards)?, against: Card::from_slug(against).ok_or(MoveParseError)? })
            }
            _ => Err(MoveParseError),
        }
    }
}

fn read_picks(words: &[&str]) -> Result<Picks, MoveParseError> {
    let cards: Option<Vec<_>> = words.iter().map(|slug| Card::from_slug(slug)).collect();
    cards.and_then(Picks::new).ok_or(MoveParseError)
}

/// A bet on three cards: two whose objectives will be met, and one whose objective won't.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "ChipsBet")]
pub struct Bet {
    /// The two cards bet for. Each earns its value if its objective is met.
    pub r#for: [Card; 2],
    /// The card bet against. It costs its value if its objective is met.
    pub against: Card,
}

impl Bet {
    /// Sorts the two `for` cards, so that equal bets compare as equal.
    pub fn new(mut r#for: [Card; 2], against: Card) -> Self {
        r#for.sort_unstable();
        Self { r#for, against }
    }

    /// All three cards.
    pub fn cards(self) -> Cards {
        self.r#for.into_iter().chain([self.against]).collect()
    }
}

/// A move that passed [`judge`]: the cards it puts face down.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum CheckedMove {
    Discard(Cards),
    Bet(Bet),
}

impl From<CheckedMove> for Move {
    fn from(choice: CheckedMove) -> Self {
        match choice {
            CheckedMove::Discard(cards) => Move::Discard { cards: cards.into() },
            CheckedMove::Bet(Bet { r#for, against }) => Move::Bet { r#for: r#for.into(), against },
        }
    }
}

/// Every legal move of the seat, sorted.
pub(super) fn legal(state: &State, seat: Seat) -> Vec<Move> {
    let Ok(&Area { hand, .. }) = awaited(state, seat) else { return Vec::new() };
    let mut moves = Vec::with_capacity(15); // as many as a full hand has pairs
    match state.phase {
        Phase::DiscardTwo => moves.extend(hand.pairs().map(|pair| Move::Discard { cards: pair.into() })),
        Phase::DiscardOne => moves.extend(hand.iter().map(|card| Move::Discard { cards: [card].into() })),
        Phase::Bet => moves.extend(hand.pairs().flat_map(|pair| {
            let rest = hand.without(pair.into_iter().collect());
            rest.iter().map(move |against| Move::Bet { r#for: pair.into(), against })
        })),
        Phase::Scored => {}
    }
    moves
}

/// Checks a move against the rules. Uses only what the seat itself can see, so that a refusal leaks nothing.
pub(super) fn judge(state: &State, seat: Seat, mv: &Move) -> Result<CheckedMove, Illegal> {
    let area = awaited(state, seat)?;
    match (mv, state.phase.discards()) {
        (Move::Discard { cards }, Some(due)) => {
            let thrown = held(area, cards.as_slice().iter().copied())?;
            if cards.len != due {
                return rule(count("chips-refusal-discard-count", due, *cards));
            }
            Ok(CheckedMove::Discard(thrown))
        }
        (Move::Bet { r#for, against }, None) => {
            held(area, r#for.as_slice().iter().copied().chain([*against]))?;
            match *r#for.as_slice() {
                [one, other] => Ok(CheckedMove::Bet(Bet::new([one, other], *against))),
                _ => rule(count("chips-refusal-bet-count", 2, *r#for)),
            }
        }
        (Move::Bet { .. }, Some(due)) => rule(Message::new("chips-refusal-discard-due").with("due", due)),
        (Move::Discard { .. }, None) => rule(Message::new("chips-refusal-bet-due")),
    }
}

/// The seat's area, if the game waits for that seat.
fn awaited(state: &State, seat: Seat) -> Result<&Area, Illegal> {
    let refused = |key| Err(Illegal::NotYourTurn(Message::new(key)));
    match state.areas.get(seat.index()) {
        _ if state.ended.is_some() => refused("chips-refusal-over"),
        None => refused("chips-refusal-no-such-seat"),
        Some(area) if area.resigned => refused("chips-refusal-resigned"),
        Some(area) if area.has_chosen(state.phase) => refused("chips-refusal-chosen"),
        Some(area) => Ok(area),
    }
}

/// The cards as a set, if each of them is in the hand and no card is named twice.
fn held(area: &Area, cards: impl IntoIterator<Item = Card>) -> Result<Cards, Illegal> {
    let mut set = Cards::NONE;
    for card in cards {
        if set.contains(card) {
            return rule(Message::new("chips-refusal-named-twice").with("card", card.name()));
        }
        if !area.hand.contains(card) {
            return rule(Message::new("chips-refusal-not-in-hand").with("card", card.name()));
        }
        set = set.with(card.into());
    }
    Ok(set)
}

fn count(key: &'static str, due: u8, named: Picks) -> Message {
    Message::new(key).with("due", due).with("named", named.len)
}

fn rule<T>(message: Message) -> Result<T, Illegal> {
    Err(Illegal::Rule(message))
}
