//! Greedy bot for LOADING: lays the lowest card it can, and stops when its pile is long or cards for it run out.
//!
//! It looks no further than the packet in hand and uses only the view, like any client.
//!
//! Our rulings:
//! - It stops when two packets in a row held nothing for it. The view does not tell what earlier packets held, so the
//!   packet in hand must hold nothing, and the next one must promise nothing: either the seat has received two packets
//!   since anyone laid a card or stopped, or fewer cards above its top are left than there are packets in play.
//! - It calls the end if nobody has more bars, or if nobody has laid a card for two packets. It nudges only if it has no
//!   other move, and then the seat that was nudged least.

use super::{Card, Move, PacketPlace, SeatView, View};
use crate::Seat;

/// With this many cards in its pile it stops.
const LONG_PILE: usize = 12;

/// Receiving this many packets since anyone laid a card means that there is nothing left to wait for.
const IDLE_PACKETS: u8 = 2;

/// The index of the picked move.
pub(super) fn pick(view: &View, seat: Seat, moves: &[Move]) -> usize {
    let own = &view.seats[seat.index()];
    let is_done =
        own.pile.len() >= LONG_PILE || (!own.laid && !has_lay(own, view, moves) && promises_nothing(own, view));
    let value = |mv: &Move| match *mv {
        Move::Charge {} => 1_000,
        Move::StopCall {} => {
            if calls(own, view) {
                900
            } else {
                0
            }
        }
        // The dearest STOP card.
        Move::Stop { card, .. } if is_done => 800 + i32::from(card.bars()),
        Move::Stop { .. } => 1,
        Move::Lay { card, pile } if pile == seat => {
            if rises(own, card) {
                700 - i32::from(card.number())
            } else {
                2
            }
        }
        Move::Lay { pile, .. } => {
            if view.seats[pile.index()].boosts > 0 {
                500
            } else {
                2
            }
        }
        Move::Give { .. } | Move::Swap { .. } => 100,
        Move::Nudge { seat } => -1 - i32::from(view.seats[seat.index()].nudges),
    };
    let best = moves.iter().map(value).enumerate().rev().max_by_key(|(_, value)| *value);
    best.map_or(0, |(index, _)| index)
}

/// Whether the card is above the top of the pile. By colour, lower ones may be laid too.
fn rises(own: &SeatView, card: Card) -> bool {
    own.pile.last().is_none_or(|top| card > top.id)
}

/// Whether the packet in hand holds a card for the seat.
fn has_lay(own: &SeatView, view: &View, moves: &[Move]) -> bool {
    moves.iter().any(|mv| match *mv {
        Move::Lay { card, pile } if pile == own.seat => rises(own, card),
        Move::Lay { pile, .. } => view.seats[pile.index()].boosts > 0,
        _ => false,
    })
}

/// Whether the next packet, too, can be expected to hold nothing for the seat.
fn promises_nothing(own: &SeatView, view: &View) -> bool {
    let piled = view.seats.iter().flat_map(|area| &area.pile);
    let laid = piled.filter(|card| rises(own, card.id)).count();
    let left = Card::all().filter(|card| rises(own, *card)).count() - laid;
    let packets = view.packets.iter().filter(|packet| packet.place != PacketPlace::ThrownAway).count();
    own.received >= IDLE_PACKETS || left < packets
}

fn calls(own: &SeatView, view: &View) -> bool {
    own.received >= IDLE_PACKETS || view.seats.iter().all(|other| other.resigned || other.bars <= own.bars)
}
