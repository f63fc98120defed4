//! Views of LOADING: what a viewer may see of a state, and resampling, which redraws everything the viewer can't know.

use super::{
    StopCall,
    events::size,
    score::{self, Reason},
    state::{Area, Packet, PacketLocation, Phase, State},
    types::{Card, Colour, PacketId, Stop},
};
use crate::{Dice, Eyes, Instant, Seat};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A game of LOADING as one viewer sees it.
#[derive(Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "LoadingView")]
pub struct View {
    /// The stage of the game.
    pub game_stage: Phase,
    /// Whether a coloured card may also be laid on a top card of its colour.
    pub confirmed: bool,
    /// Whether the game ends by itself or a player has to call the end.
    pub stop_call: StopCall,
    /// The end condition that is met, so that the end may be called; null otherwise.
    pub armed: Option<Reason>,
    /// The seat that waits for a packet; null with two players, and once the game is over.
    pub held_out: Option<Seat>,
    /// The STOP cards in the centre.
    pub stops: Vec<StopView>,
    /// All packets, including those out of the game.
    pub packets: Vec<PacketView>,
    /// The number of cards set aside; 0 with three or more players.
    pub aside_size: u8,
    /// The cards set aside; null for every player and spectator. In a replay, the event `SET_ASIDE` has them.
    pub aside: Option<Vec<CardView>>,
    /// Every seat, in seat order.
    pub seats: Vec<SeatView>,
}

/// A STOP card and its value.
#[derive(Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "LoadingStopCard")]
pub struct StopView {
    /// The card's id in moves and events, `2+` to `6+`: the smallest number of players that it is used with.
    pub id: Stop,
    /// Its value in charge bars.
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
    /// Its number, which is its id in moves and events.
    pub id: Card,
    /// Its value in charge bars.
    pub bars: u8,
    /// Its colour.
    pub colour: Colour,
}

impl From<Card> for CardView {
    fn from(id: Card) -> Self {
        Self { id, bars: id.bars(), colour: id.colour() }
    }
}

/// A packet of progression cards: where it is, and what is in it.
#[derive(Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "LoadingPacket")]
pub struct PacketView {
    /// The packet's id, which never changes.
    pub id: PacketId,
    /// Where the packet is.
    pub place: PacketPlace,
    /// The seat that holds it; null unless it is in a hand.
    pub holder: Option<Seat>,
    /// The number of cards in it.
    pub size: u8,
    /// Its cards: visible to its holder once play has begun, and in a replay; null otherwise.
    pub cards: Option<Vec<CardView>>,
}

/// Where a packet is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
#[schemars(rename = "LoadingPacketPlace")]
pub enum PacketPlace {
    /// In a seat's hand.
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

/// The cards of one seat.
#[derive(Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "LoadingSeat")]
pub struct SeatView {
    /// The seat's number, counted from 0.
    pub seat: Seat,
    /// Whether the seat has resigned.
    pub resigned: bool,
    /// The packet in hand; null without one.
    pub packet: Option<PacketId>,
    /// Whether a card was already laid from that packet; false without one.
    pub laid: bool,
    /// The pile of progression cards, top card last.
    pub pile: Vec<CardView>,
    /// The number of BOOST cards.
    pub boosts: u8,
    /// The STOP card taken; null while the seat still plays.
    pub stop: Option<StopView>,
    /// The total of all bars: pile, BOOST cards and STOP card.
    pub bars: u16,
    /// How many packets the seat has received since CHARGE, or since any seat last laid a card or stopped.
    pub received: u8,
    /// The moment from which the others may nudge the seat; null if it keeps nobody waiting or nudges are disabled.
    pub nudge_from: Option<Instant>,
    /// How often the seat was nudged since its last action.
    pub nudges: u8,
}

pub(super) fn view(state: &State, eyes: Eyes) -> View {
    View {
        game_stage: state.phase,
        confirmed: state.options.confirmed,
        stop_call: state.options.stop_call,
        armed: state.armed,
        held_out: state.held_out(),
        stops: state.stops.iter().copied().map(StopView::from).collect(),
        packets: state.packets.iter().map(|packet| view_packet(state, packet, eyes)).collect(),
        aside_size: size(&state.aside),
        aside: (eyes == Eyes::Replay).then(|| face_up(&state.aside)),
        seats: Seat::all(state.seats()).zip(&state.areas).map(|(seat, area)| view_seat(state, seat, area)).collect(),
    }
}

fn face_up(cards: &[Card]) -> Vec<CardView> {
    cards.iter().copied().map(CardView::from).collect()
}

fn view_packet(state: &State, packet: &Packet, eyes: Eyes) -> PacketView {
    // The holder sees an open packet while holding it; everyone else only in a replay.
    let looking = packet.holder().is_some_and(|holder| state.phase == Phase::Play && eyes == Eyes::Seat(holder));
    PacketView {
        id: packet.id,
        place: match packet.location {
            PacketLocation::Held(_) => PacketPlace::Held,
            PacketLocation::Centre => PacketPlace::Centre,
            PacketLocation::ThrownAway => PacketPlace::ThrownAway,
        },
        holder: packet.holder(),
        size: size(&packet.cards),
        cards: (looking || eyes == Eyes::Replay).then(|| face_up(&packet.cards)),
    }
}

fn view_seat(state: &State, seat: Seat, area: &Area) -> SeatView {
    let packet = state.packet_of(seat).map(|packet| packet.id);
    SeatView {
        seat,
        resigned: area.resigned,
        packet,
        // The state keeps the flag until the seat receives its next packet.
        laid: area.laid && packet.is_some(),
        pile: face_up(&area.pile),
        boosts: area.boosts,
        stop: area.stop.map(StopView::from),
        bars: score::bars(area),
        received: area.received,
        nudge_from: state.nudge_from(seat),
        nudges: area.nudges,
    }
}

/// Redraws everything the viewer can't know: which of the cards they have never seen lie in which packet, or aside.
///
/// A viewer who once looked into a packet knows its content from then on, because every card that leaves it is laid
/// face up. Nothing else a viewer sees depends on the cards in packets, so any other deal of the rest looks the same.
pub(super) fn resample(state: &State, eyes: Eyes, dice: &mut Dice) -> State {
    let mut state = state.clone();
    if eyes == Eyes::Replay {
        return state;
    }
    let is_known = |packet: &Packet| matches!(eyes, Eyes::Seat(seat) if packet.is_known_to(seat));
    let unknown = state.packets.iter_mut().filter(|packet| !is_known(packet)).map(|packet| &mut packet.cards);
    let mut unknown: Vec<_> = unknown.chain([&mut state.aside]).collect();
    let mut pool: Vec<_> = unknown.iter().flat_map(|cards| cards.iter().copied()).collect();
    // Sorted first, because otherwise the actual deal would influence the result of the shuffle.
    pool.sort_unstable();
    dice.shuffle(&mut pool);
    for cards in &mut unknown {
        let rest = pool.split_off(cards.len());
        **cards = std::mem::replace(&mut pool, rest);
        cards.sort_unstable();
    }
    state
}
