//! What happens at the table: as it is stored, and as each pair of eyes is told of it.

use super::{
    score::Reason,
    types::{Card, PacketId, Stop},
};
use crate::{Eyes, Seat};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// One thing that happened, with its secrets. Stored for ever: new variants go to the end.
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

/// One thing that happened, as one pair of eyes is told of it.
#[derive(Debug, PartialEq, Serialize, JsonSchema)]
#[serde(tag = "type", rename_all = "SCREAMING_SNAKE_CASE", rename_all_fields = "camelCase")]
#[schemars(rename = "LoadingEvent")]
pub enum EventView {
    /// A closed packet was put into a hand, or into the centre.
    Dealt {
        /// The packet.
        packet: PacketId,
        /// Who holds it; nobody if it lies in the centre.
        holder: Option<Seat>,
        /// How many cards are in it.
        size: u8,
        /// Its cards, in a replay only.
        cards: Option<Vec<Card>>,
    },
    /// Cards were set aside unseen, at a table of two.
    SetAside {
        /// How many there are.
        size: u8,
        /// The cards, in a replay only.
        cards: Option<Vec<Card>>,
    },
    /// Play began.
    Charged {
        /// Who called CHARGE, or should have.
        seat: Seat,
    },
    /// A holder may look into the packet in hand.
    Opened {
        /// Who holds it.
        seat: Seat,
        /// The packet.
        packet: PacketId,
        /// How many cards are in it.
        size: u8,
        /// Its cards, for its holder only.
        cards: Option<Vec<Card>>,
    },
    /// A card was laid.
    Laid {
        /// Who laid it.
        seat: Seat,
        /// The packet it came from.
        packet: PacketId,
        /// The card.
        card: Card,
        /// The seat whose pile it lies on now.
        pile: Seat,
    },
    /// A BOOST card changed hands because of the card just laid.
    BoostTaken {
        /// Who lost it.
        from: Seat,
        /// Who has it now.
        to: Seat,
    },
    /// A packet went to the hand held out; the giver's hand is held out now.
    Gave {
        /// Who gave it.
        from: Seat,
        /// Who holds it now.
        to: Seat,
        /// The packet.
        packet: PacketId,
        /// How many cards are in it.
        size: u8,
        /// Its cards, for its new holder only.
        cards: Option<Vec<Card>>,
    },
    /// A packet was put into the centre, and the other one taken from there.
    Swapped {
        /// Who swapped.
        seat: Seat,
        /// The packet that lies in the centre now.
        put: PacketId,
        /// The packet in hand now.
        took: PacketId,
        /// How many cards are in it.
        size: u8,
        /// Its cards, for its new holder only.
        cards: Option<Vec<Card>>,
    },
    /// A seat took a STOP card and is done.
    Stopped {
        /// Who is done.
        seat: Seat,
        /// The packet that was in hand.
        packet: PacketId,
        /// The STOP card.
        card: Stop,
    },
    /// A packet is out of the game.
    ThrownAway {
        /// The packet.
        packet: PacketId,
        /// How many cards are in it.
        size: u8,
        /// Its cards, in a replay only.
        cards: Option<Vec<Card>>,
    },
    /// Somebody's packet left the game because another seat gave up; the hand is held out now.
    HeldOut {
        /// Whose hand it is.
        seat: Seat,
    },
    /// The end may be called from now on.
    Armed {
        /// What brought it about.
        reason: Reason,
    },
    /// The end was called.
    Called {
        /// Who called it.
        seat: Seat,
    },
    /// Somebody who kept the others waiting was made to go on.
    Nudged {
        /// Who lost patience.
        by: Seat,
        /// Who kept them waiting.
        seat: Seat,
    },
    /// Too few cards for the STOP card: one of the best went to the other player, before the count.
    HandedOver {
        /// Who lost it.
        from: Seat,
        /// Who got it.
        to: Seat,
        /// The card.
        card: Card,
    },
}

/// The event as those eyes see it. Nobody is kept from knowing that something happened, only from the cards in packets.
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

/// How many cards there are.
pub(super) fn size(cards: &[Card]) -> u8 {
    u8::try_from(cards.len()).expect("65 cards at most")
}
