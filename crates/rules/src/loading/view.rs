//! What one pair of eyes may see of the table, and its counterpart: every table that would look the same to them.

use super::{
    StopCall,
    events::size,
    score::{self, Reason},
    state::{Packet, Place, State, Step, Whereabouts},
    types::{Card, Colour, PacketId, Stop},
};
use crate::{Dice, Eyes, Instant, Seat};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The table as one pair of eyes sees it.
#[derive(Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "LoadingView")]
pub struct View {
    /// How far the game is.
    pub game_stage: Step,
    /// Whether a coloured card may also be laid on a top card of its colour.
    pub confirmed: bool,
    /// Whether the end comes by itself or has to be called.
    pub stop_call: StopCall,
    /// What brought the end about, from when on it may be called.
    pub armed: Option<Reason>,
    /// The seat whose hand is held out; nobody's at a table of two.
    pub held_out: Option<Seat>,
    /// The STOP cards in the centre.
    pub stops: Vec<StopView>,
    /// All packets, also those out of the game.
    pub packets: Vec<PacketView>,
    /// How many cards are set aside.
    pub aside_size: u8,
    /// The cards set aside, in a replay only.
    pub aside: Option<Vec<CardView>>,
    /// All seats, in order.
    pub seats: Vec<SeatView>,
}

/// A STOP card.
#[derive(Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "LoadingStopCard")]
pub struct StopView {
    /// Its mark, by which moves and events call it.
    pub id: Stop,
    /// What it is worth.
    pub bars: u8,
}

impl From<Stop> for StopView {
    fn from(id: Stop) -> Self {
        Self { id, bars: id.bars() }
    }
}

/// A progression card, face up.
#[derive(Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "LoadingCard")]
pub struct CardView {
    /// The number on it, by which moves and events call it.
    pub id: Card,
    /// What it is worth.
    pub bars: u8,
    /// Its colour.
    pub colour: Colour,
}

impl From<Card> for CardView {
    fn from(id: Card) -> Self {
        Self { id, bars: id.bars(), colour: id.colour() }
    }
}

/// A packet.
#[derive(Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "LoadingPacket")]
pub struct PacketView {
    /// Which one it is.
    pub id: PacketId,
    /// Where it is.
    pub place: PacketPlace,
    /// Who holds it.
    pub holder: Option<Seat>,
    /// How many cards are in it.
    pub size: u8,
    /// Its cards, for its holder only, once it is open.
    pub cards: Option<Vec<CardView>>,
}

/// Where a packet is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
#[schemars(rename = "LoadingPacketPlace")]
pub enum PacketPlace {
    /// In somebody's hand.
    Held,
    /// In the centre.
    Centre,
    /// Out of the game.
    ThrownAway,
}

impl PacketPlace {
    pub const ALL: [PacketPlace; 3] = [PacketPlace::Held, PacketPlace::Centre, PacketPlace::ThrownAway];

    pub const fn id(self) -> &'static str {
        match self {
            PacketPlace::Held => "HELD",
            PacketPlace::Centre => "CENTRE",
            PacketPlace::ThrownAway => "THROWN_AWAY",
        }
    }
}

/// What lies before a seat.
#[derive(Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "LoadingSeat")]
pub struct SeatView {
    /// The seat.
    pub seat: Seat,
    /// Whether the seat has given up.
    pub resigned: bool,
    /// The packet in hand.
    pub packet: Option<PacketId>,
    /// Whether a card was laid from that packet already; false without one.
    pub laid: bool,
    /// The pile, the top card last.
    pub pile: Vec<CardView>,
    /// How many BOOST cards the seat has.
    pub boosts: u8,
    /// The STOP card taken: whoever has one is done.
    pub stop: Option<StopView>,
    /// All bars so far: pile, BOOST cards and STOP card.
    pub bars: u16,
    /// How often the seat got a packet since CHARGE or the last LAY or STOP of anybody.
    pub received: u8,
    /// From when on the others may nudge the seat; nothing if it keeps nobody waiting.
    pub nudge_from: Option<Instant>,
    /// How often it was nudged since it last did something.
    pub nudges: u8,
}

pub(super) fn view(state: &State, eyes: Eyes) -> View {
    View {
        game_stage: state.step,
        confirmed: state.options.confirmed,
        stop_call: state.options.stop_call,
        armed: state.armed,
        held_out: state.held_out(),
        stops: state.stops.iter().copied().map(StopView::from).collect(),
        packets: state.packets.iter().map(|packet| view_packet(state, packet, eyes)).collect(),
        aside_size: size(&state.aside),
        aside: (eyes == Eyes::Replay).then(|| face_up(&state.aside)),
        seats: Seat::all(state.seats()).zip(&state.places).map(|(seat, place)| view_seat(state, seat, place)).collect(),
    }
}

fn face_up(cards: &[Card]) -> Vec<CardView> {
    cards.iter().copied().map(CardView::from).collect()
}

fn view_packet(state: &State, packet: &Packet, eyes: Eyes) -> PacketView {
    // Seen by its holder, while held, once it is open; by others only when all is over and told again.
    let looking = packet.holder().is_some_and(|holder| state.step == Step::Play && eyes == Eyes::Seat(holder));
    PacketView {
        id: packet.id,
        place: match packet.whereabouts {
            Whereabouts::Held(_) => PacketPlace::Held,
            Whereabouts::Centre => PacketPlace::Centre,
            Whereabouts::ThrownAway => PacketPlace::ThrownAway,
        },
        holder: packet.holder(),
        size: size(&packet.cards),
        cards: (looking || eyes == Eyes::Replay).then(|| face_up(&packet.cards)),
    }
}

fn view_seat(state: &State, seat: Seat, place: &Place) -> SeatView {
    let packet = state.packet_of(seat).map(|packet| packet.id);
    SeatView {
        seat,
        resigned: place.resigned,
        packet,
        // The state keeps the mark until the next packet comes.
        laid: place.laid && packet.is_some(),
        pile: face_up(&place.pile),
        boosts: place.boosts,
        stop: place.stop.map(StopView::from),
        bars: score::bars(place),
        received: place.received,
        nudge_from: state.nudge_from(seat),
        nudges: place.nudges,
    }
}

/// Makes up all that these eyes can't know: which of the cards they have never seen lie in which packet, or aside.
///
/// Whoever has once looked into a packet knows it for ever, because all that left it was laid for all to see. Nothing
/// else that is told depends on the cards in a packet, so any other way to deal the rest would look the same.
pub(super) fn resample(state: &State, eyes: Eyes, dice: &mut Dice) -> State {
    let mut state = state.clone();
    if eyes == Eyes::Replay {
        return state;
    }
    let is_known = |packet: &Packet| matches!(eyes, Eyes::Seat(seat) if packet.is_known_to(seat));
    let unknown = state.packets.iter_mut().filter(|packet| !is_known(packet)).map(|packet| &mut packet.cards);
    let mut unknown: Vec<_> = unknown.chain([&mut state.aside]).collect();
    let mut pool: Vec<_> = unknown.iter().flat_map(|cards| cards.iter().copied()).collect();
    dice.shuffle(&mut pool);
    for cards in &mut unknown {
        let rest = pool.split_off(cards.len());
        **cards = std::mem::replace(&mut pool, rest);
        cards.sort_unstable();
    }
    state
}
