//! Moves of LOADING and their notation: `charge`, `lay 26 on 3`, `give P2`, `swap P1`, `stop 4+ with P2`, `stop-call`,
//! `nudge 5`.

use super::types::{Card, PacketId, Stop};
use crate::{Message, Seat};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::{fmt, str::FromStr};

/// A move. If it names a packet, that must be the one in hand, so a late or repeated request is refused instead of
/// moving the wrong packet.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "type", rename_all = "SCREAMING_SNAKE_CASE", rename_all_fields = "camelCase", deny_unknown_fields)]
#[schemars(rename = "LoadingMove")]
pub enum Move {
    /// Call CHARGE: play begins, and every holder may look into the packet in hand.
    Charge {},
    /// Lay a card from the packet in hand on your own pile or an opponent's.
    Lay {
        /// The card to lay.
        card: Card,
        /// The seat whose pile to lay it on.
        pile: Seat,
    },
    /// Give the packet in hand to the seat without one. Only with three or more players.
    Give {
        /// The packet you mean; the move is refused if another one is in hand. Optional.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        packet: Option<PacketId>,
    },
    /// Swap the packet in hand for the one in the centre. Only with two players.
    Swap {
        /// The packet you mean; the move is refused if another one is in hand. Optional.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        packet: Option<PacketId>,
    },
    /// Throw the packet in hand away and take a STOP card. After that, you can only call the end.
    Stop {
        /// The STOP card to take from the centre.
        card: Stop,
        /// The packet you mean; the move is refused if another one is in hand. Optional.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        packet: Option<PacketId>,
    },
    /// Call the end of the game, once an end condition is met. Only with the option `stopCall: SHOUT`.
    StopCall {},
    /// Nudge a player who has not acted for too long: that player's packet is passed on, or CHARGE is called.
    Nudge {
        /// The seat to nudge.
        seat: Seat,
    },
}

impl Move {
    /// A sentence that describes the move.
    pub fn label(&self) -> Message {
        let packet = |key: &'static str, any: &'static str, packet: Option<PacketId>| match packet {
            Some(packet) => Message::new(key).with("packet", packet.name()),
            None => Message::new(any),
        };
        match *self {
            Move::Charge {} => Message::new("loading-move-charge"),
            Move::Lay { card, pile } => {
                Message::new("loading-move-lay").with("card", card.name()).with("seat", pile.number())
            }
            Move::Give { packet: meant } => packet("loading-move-give", "loading-move-give-any", meant),
            Move::Swap { packet: meant } => packet("loading-move-swap", "loading-move-swap-any", meant),
            Move::Stop { card, packet: meant } => {
                packet("loading-move-stop", "loading-move-stop-any", meant).with("stop", card.name())
            }
            Move::StopCall {} => Message::new("loading-move-stop-call"),
            Move::Nudge { seat } => Message::new("loading-move-nudge").with("seat", seat.number()),
        }
    }
}

impl fmt::Display for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut with = |verb: &str, between: &str, packet: Option<PacketId>| {
            f.write_str(verb)?;
            packet.map_or(Ok(()), |packet| write!(f, "{between}{packet}"))
        };
        match *self {
            Move::Charge {} => f.write_str("charge"),
            Move::Lay { card, pile } => write!(f, "lay {card} on {pile}"),
            Move::Give { packet } => with("give", " ", packet),
            Move::Swap { packet } => with("swap", " ", packet),
            Move::Stop { card, packet } => with(&format!("stop {}", card.id()), " with ", packet),
            Move::StopCall {} => f.write_str("stop-call"),
            Move::Nudge { seat } => write!(f, "nudge {seat}"),
        }
    }
}

/// The text is not the notation of a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a move is written `charge`, `lay 26 on 3`, `give P2`, `swap P1`, `stop 4+ with P2`, `stop-call` or `nudge 5`")]
pub struct MoveParseError;

impl FromStr for Move {
    type Err = MoveParseError;

    fn from_str(notation: &str) -> Result<Self, MoveParseError> {
        let words: Vec<_> = notation.split_ascii_whitespace().collect();
        let read = match words[..] {
            ["charge"] => Some(Move::Charge {}),
            ["lay", card, "on", pile] => {
                Card::from_id(card).zip(read_seat(pile)).map(|(card, pile)| Move::Lay { card, pile })
            }
            ["give"] => Some(Move::Give { packet: None }),
            ["give", packet] => PacketId::from_id(packet).map(|packet| Move::Give { packet: Some(packet) }),
            ["swap"] => Some(Move::Swap { packet: None }),
            ["swap", packet] => PacketId::from_id(packet).map(|packet| Move::Swap { packet: Some(packet) }),
            ["stop", card] => Stop::from_id(card).map(|card| Move::Stop { card, packet: None }),
            ["stop", card, "with", packet] => Stop::from_id(card)
                .zip(PacketId::from_id(packet))
                .map(|(card, packet)| Move::Stop { card, packet: Some(packet) }),
            ["stop-call"] => Some(Move::StopCall {}),
            ["nudge", seat] => read_seat(seat).map(|seat| Move::Nudge { seat }),
            _ => None,
        };
        read.ok_or(MoveParseError)
    }
}

/// Accepts only digits without a sign or leading zeros, so that each seat has one spelling.
fn read_seat(word: &str) -> Option<Seat> {
    word.parse().ok().map(Seat).filter(|seat| seat.to_string() == word)
}
