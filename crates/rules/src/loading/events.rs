//! Events of LOADING: [`Event`] is stored with all secrets, [`EventView`] is what one viewer may see of it.

use super::{
    score::Reason,
    types::{Card, PacketId, Stop},
};
use crate::{Eyes, Seat};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A stored event, with its secrets. Old games keep these bytes, so add new variants at the end.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Event {
    Dealt { packet: PacketId, seat: Option<Seat>, cards: Vec<Card> },
    SetAside { cards: Vec<Card> },
    Charged { seat: Seat },
    Opened { seat: Seat, packet: PacketId, cards: Vec<Card> },
    Laid { seat: Seat, packet: PacketId, card: Card, pile: Seat },
    BoostTaken { from: Seat, to: Seat },
    Gave { from: Seat, to: Seat, packet: PacketId, cards: Vec<Card> },
    Swapped { seat: Seat, put: PacketId, took: PacketId, cards: Vec<Card> },
    Stopped { seat: Seat, packet: PacketId, card: Stop },
    ThrownAway { packet: PacketId, cards: Vec<Card> },
    HeldOut { seat: Seat },
    Armed { by: Reason },
    Called { seat: Seat },
    Nudged { by: Seat, seat: Seat },
    HandedOver { from: Seat, to: Seat, card: Card },
}

/// An event as one viewer sees it.
#[derive(Debug, PartialEq, Serialize, JsonSchema)]
#[serde(tag = "type", rename_all = "SCREAMING_SNAKE_CASE", rename_all_fields = "camelCase")]
#[schemars(rename = "LoadingEvent")]
pub enum EventView {
    /// A closed packet was dealt to a seat, or put into the centre.
    Dealt {
        /// The packet that was dealt.
        packet: PacketId,
        /// The seat that holds it; null if it lies in the centre.
        holder: Option<Seat>,
        /// The number of cards in the packet.
        size: u8,
        /// Its cards; null except in a replay.
        cards: Option<Vec<Card>>,
    },
    /// Cards were set aside unseen. Only with two players.
    SetAside {
        /// The number of cards set aside.
        size: u8,
        /// The cards; null except in a replay.
        cards: Option<Vec<Card>>,
    },
    /// CHARGE was called, and play began.
    Charged {
        /// The seat that called CHARGE, or that was nudged into it.
        seat: Seat,
    },
    /// A packet was opened: its holder may now look at its cards.
    Opened {
        /// The seat that holds the packet.
        seat: Seat,
        /// The packet that was opened.
        packet: PacketId,
        /// The number of cards in the packet.
        size: u8,
        /// Its cards; null for everyone but its holder, except in a replay.
        cards: Option<Vec<Card>>,
    },
    /// A card was laid on a pile.
    Laid {
        /// The seat that laid it.
        seat: Seat,
        /// The packet it came from.
        packet: PacketId,
        /// The card that was laid.
        card: Card,
        /// The seat whose pile it was laid on.
        pile: Seat,
    },
    /// A BOOST card changed hands, because a card was laid on an opponent's pile.
    BoostTaken {
        /// The seat that lost the card.
        from: Seat,
        /// The seat that received the card.
        to: Seat,
    },
    /// A packet was given to the seat without one. The giver is now the seat without a packet.
    Gave {
        /// The seat that gave it.
        from: Seat,
        /// The seat that received it.
        to: Seat,
        /// The packet that was given.
        packet: PacketId,
        /// The number of cards in the packet.
        size: u8,
        /// Its cards; null for everyone but its new holder, except in a replay.
        cards: Option<Vec<Card>>,
    },
    /// A seat swapped its packet for the one in the centre. Only with two players.
    Swapped {
        /// The seat that swapped.
        seat: Seat,
        /// The packet it put into the centre.
        put: PacketId,
        /// The packet it took.
        took: PacketId,
        /// The number of cards in the packet.
        size: u8,
        /// Its cards; null for everyone but its new holder, except in a replay.
        cards: Option<Vec<Card>>,
    },
    /// A seat threw its packet away and took a STOP card. It makes no more moves, except to call the end.
    Stopped {
        /// The seat that stopped.
        seat: Seat,
        /// The packet it threw away.
        packet: PacketId,
        /// The STOP card.
        card: Stop,
    },
    /// A packet was thrown away: it is out of the game.
    ThrownAway {
        /// The packet that was thrown away.
        packet: PacketId,
        /// The number of cards in the packet.
        size: u8,
        /// Its cards; null except in a replay.
        cards: Option<Vec<Card>>,
    },
    /// A seat lost its packet because another seat resigned. It now waits for a new one.
    HeldOut {
        /// The seat that waits for a packet.
        seat: Seat,
    },
    /// The end of the game may now be called.
    Armed {
        /// The condition that was met.
        reason: Reason,
    },
    /// A seat called the end of the game.
    Called {
        /// The seat that called it.
        seat: Seat,
    },
    /// A seat that kept the others waiting was nudged: its packet was passed on, or CHARGE was called for it. The third
    /// nudge in a row resigns it.
    Nudged {
        /// The seat that nudged.
        by: Seat,
        /// The seat that was nudged.
        seat: Seat,
    },
    /// A player who had 9 cards or fewer took a STOP card, and therefore gave one of their best cards to the opponent
    /// before the count. Only with two players.
    HandedOver {
        /// The seat that lost the card.
        from: Seat,
        /// The seat that received the card.
        to: Seat,
        /// The card that was handed over.
        card: Card,
    },
}

/// Converts a stored event for a viewer. Every viewer learns that it happened; only the cards in packets are withheld.
pub(super) fn tell(event: &Event, eyes: Eyes) -> EventView {
    let if_seen_by = |seat: Option<Seat>, cards: &[Card]| {
        let seen = seat.map_or(eyes == Eyes::Replay, |seat| eyes.see(seat));
        seen.then(|| cards.to_vec())
    };
    match *event {
        Event::Dealt { packet, seat, ref cards } => {
            EventView::Dealt { packet, holder: seat, size: size(cards), cards: if_seen_by(None, cards) }
        }
        Event::SetAside { ref cards } => EventView::SetAside { size: size(cards), cards: if_seen_by(None, cards) },
        Event::Charged { seat } => EventView::Charged { seat },
        Event::Opened { seat, packet, ref cards } => {
            EventView::Opened { seat, packet, size: size(cards), cards: if_seen_by(Some(seat), cards) }
        }
        Event::Laid { seat, packet, card, pile } => EventView::Laid { seat, packet, card, pile },
        Event::BoostTaken { from, to } => EventView::BoostTaken { from, to },
        Event::Gave { from, to, packet, ref cards } => {
            EventView::Gave { from, to, packet, size: size(cards), cards: if_seen_by(Some(to), cards) }
        }
        Event::Swapped { seat, put, took, ref cards } => {
            EventView::Swapped { seat, put, took, size: size(cards), cards: if_seen_by(Some(seat), cards) }
        }
        Event::Stopped { seat, packet, card } => EventView::Stopped { seat, packet, card },
        Event::ThrownAway { packet, ref cards } => {
            EventView::ThrownAway { packet, size: size(cards), cards: if_seen_by(None, cards) }
        }
        Event::HeldOut { seat } => EventView::HeldOut { seat },
        Event::Armed { by } => EventView::Armed { reason: by },
        Event::Called { seat } => EventView::Called { seat },
        Event::Nudged { by, seat } => EventView::Nudged { by, seat },
        Event::HandedOver { from, to, card } => EventView::HandedOver { from, to, card },
    }
}

/// The number of cards as `u8`.
pub(super) fn size(cards: &[Card]) -> u8 {
    u8::try_from(cards.len()).expect("65 cards at most")
}
