//! What a seat may do, as it is written down: `charge`, `lay 26 on 3`, `give P2`, `swap P1`, `stop 4+ with P2`,
//! `stop-call`, `nudge 5`.

use super::types::{Card, PacketId, Stop};
use crate::{Message, Seat};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::{fmt, str::FromStr};

/// What a seat does. A packet that is named must be the one in hand: a late or repeated message does nothing then.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "type", rename_all = "SCREAMING_SNAKE_CASE", rename_all_fields = "camelCase", deny_unknown_fields)]
#[schemars(rename = "LoadingMove")]
pub enum Move {
    /// Let play begin: every holder may look into the packet in hand.
    Charge {},
    /// Lay a card from the packet in hand on a pile, one's own or an opponent's.
    Lay {
        /// The card to lay.
        card: Card,
        /// The seat whose pile it goes to.
        pile: Seat,
    },
    /// Give the packet to whoever holds a hand out.
    Give {
        /// The packet that is meant.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        packet: Option<PacketId>,
    },
    /// Put the packet into the centre and take the other one that lies there; at a table of two.
    Swap {
        /// The packet that is meant.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        packet: Option<PacketId>,
    },
    /// Throw the packet away, take a STOP card and be done.
    Stop {
        /// The STOP card to take from the centre.
        card: Stop,
        /// The packet that is meant.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        packet: Option<PacketId>,
    },
    /// Call the end that a STOP card or a packet has brought about; where the end has to be called.
    StopCall {},
    /// Make somebody go on who has not done anything for too long.
    Nudge {
        /// The seat that keeps the others waiting.
        seat: Seat,
    },
}

impl Move {
    /// The move in words.
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

/// A text that no move is written like.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a move is written `charge`, `lay 26 on 3`, `give P2`, `swap P1`, `stop 4+ with P2`, `stop-call` or `nudge 5`")]
pub struct NotAMove;

impl FromStr for Move {
    type Err = NotAMove;

    fn from_str(notation: &str) -> Result<Self, NotAMove> {
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
        read.ok_or(NotAMove)
    }
}

/// Only digits without a sign or leading zeros, so that a seat has one name.
fn read_seat(word: &str) -> Option<Seat> {
    word.parse().ok().map(Seat).filter(|seat| seat.to_string() == word)
}
