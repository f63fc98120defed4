//! LOADING.

use super::shape::tagged;
use super::{Chosen, KindId};
use crate::graphql::scalars::DateTime;
use async_graphql::{Enum, ID, InputObject, OneofObject, SimpleObject};
use serde::{Deserialize, Serialize};

pub use self::{
    LoadingEvent as Event, LoadingMove as Move, LoadingMoveInput as MoveInput, LoadingOptions as Options,
    LoadingOptionsInput as OptionsInput, LoadingView as View,
};

/// How the end comes about.
#[derive(Clone, Copy, Enum, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum LoadingStopCall {
    /// At once, by itself.
    Automatic,
    /// Somebody has to call it.
    Shout,
}

/// How far a game is.
#[derive(Clone, Copy, Enum, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum LoadingStep {
    /// The packets are closed until somebody calls CHARGE.
    Charge,
    /// Everybody who holds a packet plays.
    Play,
    /// The game is over.
    Over,
}

/// What brings the end about.
#[derive(Clone, Copy, Enum, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum LoadingReason {
    /// No STOP card is left in the centre.
    LastStop,
    /// A packet has run out of cards.
    Empty,
    /// Packets went round and round, and nobody laid anything.
    Idle,
    /// Somebody called the end.
    Called,
    /// Nobody could do anything any more.
    NoMove,
    /// All but one gave up.
    Resigned,
}

/// The colour of a card.
#[derive(Clone, Copy, Enum, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum LoadingColour {
    /// No colour at all.
    White,
    /// Red.
    Red,
    /// Green.
    Green,
    /// Blue.
    Blue,
    /// Yellow.
    Yellow,
}

/// Where a packet is.
#[derive(Clone, Copy, Enum, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum LoadingPacketPlace {
    /// In somebody's hand.
    Held,
    /// In the centre.
    Centre,
    /// Out of the game.
    ThrownAway,
}

/// What was agreed before a game of LOADING.
#[derive(Deserialize, SimpleObject)]
#[serde(rename_all = "camelCase")]
pub struct LoadingOptions {
    /// What is played.
    pub kind: KindId,
    /// Seconds that a seat may take for a move; 0 for as long as it likes.
    pub move_seconds: i32,
    /// The seat that gets no packet and calls CHARGE; null if it is drawn by lot.
    held_out_seat: Option<i32>,
    /// Whether a coloured card may also be laid on a top card of its colour.
    confirmed: bool,
    /// Whether the end comes by itself or has to be called.
    stop_call: LoadingStopCall,
    /// The game is over when everybody still in has got so many packets and nobody laid anything; 0 for never.
    idle_passes: i32,
    /// Seconds after which somebody who keeps the others waiting may be nudged; 0 for never.
    idle_seconds: i32,
}

/// What to agree before a game of LOADING.
#[derive(InputObject, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct LoadingOptionsInput {
    /// Seconds that a seat may take for a move; 0, or nothing, for as long as it likes.
    #[serde(skip_serializing_if = "Option::is_none")]
    move_seconds: Option<i32>,
    /// The seat that gets no packet and calls CHARGE; drawn by lot unless said otherwise. Not with two players.
    #[serde(skip_serializing_if = "Option::is_none")]
    held_out_seat: Option<i32>,
    /// Whether a coloured card may also be laid on a top card of its colour; not unless said otherwise.
    #[serde(skip_serializing_if = "Option::is_none")]
    confirmed: Option<bool>,
    /// Whether the end comes by itself, as it does unless said otherwise, or has to be called.
    #[serde(skip_serializing_if = "Option::is_none")]
    stop_call: Option<LoadingStopCall>,
    /// The game is over when everybody still in has got so many packets and nobody laid anything; 5 unless said
    /// otherwise, 0 for never.
    #[serde(skip_serializing_if = "Option::is_none")]
    idle_passes: Option<i32>,
    /// Seconds after which somebody who keeps the others waiting may be nudged; 60 unless said otherwise, 0 for never.
    #[serde(skip_serializing_if = "Option::is_none")]
    idle_seconds: Option<i32>,
}

/// A game of LOADING as one pair of eyes sees it.
#[derive(Deserialize, SimpleObject)]
#[serde(rename_all = "camelCase")]
pub struct LoadingView {
    /// What is played.
    pub kind: KindId,
    /// How far the game is.
    step: LoadingStep,
    /// Whether a coloured card may also be laid on a top card of its colour.
    confirmed: bool,
    /// Whether the end comes by itself or has to be called.
    stop_call: LoadingStopCall,
    /// What brought the end about, from when on it may be called.
    armed: Option<LoadingReason>,
    /// The seat whose hand is held out; nobody's at a table of two.
    held_out: Option<i32>,
    /// The STOP cards in the centre.
    stops: Vec<LoadingStopCard>,
    /// All packets, also those out of the game.
    packets: Vec<LoadingPacket>,
    /// How many cards are set aside.
    aside_size: i32,
    /// The cards set aside, in a replay only.
    aside: Option<Vec<LoadingCard>>,
    /// All seats, in order.
    seats: Vec<LoadingSeat>,
}

/// A STOP card.
#[derive(Deserialize, SimpleObject)]
pub struct LoadingStopCard {
    /// Its mark, by which moves and events call it.
    id: ID,
    /// What it is worth.
    bars: i32,
}

/// A progression card, face up.
#[derive(Deserialize, SimpleObject)]
pub struct LoadingCard {
    /// The number on it, by which moves and events call it.
    id: ID,
    /// What it is worth.
    bars: i32,
    /// Its colour.
    colour: LoadingColour,
}

/// A packet.
#[derive(Deserialize, SimpleObject)]
pub struct LoadingPacket {
    /// Which one it is.
    id: ID,
    /// Where it is.
    place: LoadingPacketPlace,
    /// Who holds it.
    holder: Option<i32>,
    /// How many cards are in it.
    size: i32,
    /// Its cards, for its holder only, once it is open.
    cards: Option<Vec<LoadingCard>>,
}

/// What lies before a seat.
#[derive(Deserialize, SimpleObject)]
#[serde(rename_all = "camelCase")]
pub struct LoadingSeat {
    /// The seat.
    seat: i32,
    /// Whether the seat has given up.
    resigned: bool,
    /// The packet in hand.
    packet: Option<ID>,
    /// Whether a card was laid from that packet already.
    laid: bool,
    /// The pile, the top card last.
    pile: Vec<LoadingCard>,
    /// How many BOOST cards the seat has.
    boosts: i32,
    /// The STOP card taken: whoever has one is done.
    stop: Option<LoadingStopCard>,
    /// All bars so far: pile, BOOST cards and STOP card.
    bars: i32,
    /// How often the seat got a packet since CHARGE or the last LAY or STOP of anybody.
    received: i32,
    /// From when on the others may nudge the seat; nothing if it keeps nobody waiting.
    nudge_from: Option<DateTime>,
    /// How often it was nudged since it last did something.
    nudges: i32,
}

tagged! {
    /// What a seat does in LOADING. A packet that is named must be the one in hand: a late or repeated message does nothing
    /// then.
    LoadingMove {
        /// Let play begin: every holder may look into the packet in hand.
        "CHARGE" => LoadingChargeMove {},
        /// Lay a card from the packet in hand on a pile, one's own or an opponent's.
        "LAY" => LoadingLayMove {
            /// The card to lay.
            card: ID,
            /// The seat whose pile it goes to.
            pile: i32,
        },
        /// Give the packet to whoever holds a hand out.
        "GIVE" => LoadingGiveMove {
            /// The packet that is meant.
            packet: Option<ID>,
        },
        /// Put the packet into the centre and take the other one that lies there; at a table of two.
        "SWAP" => LoadingSwapMove {
            /// The packet that is meant.
            packet: Option<ID>,
        },
        /// Throw the packet away, take a STOP card and be done.
        "STOP" => LoadingStopMove {
            /// The STOP card to take from the centre.
            card: ID,
            /// The packet that is meant.
            packet: Option<ID>,
        },
        /// Call the end that a STOP card or a packet has brought about; where the end has to be called.
        "STOP_CALL" => LoadingStopCallMove {},
        /// Make somebody go on who has not done anything for too long.
        "NUDGE" => LoadingNudgeMove {
            /// The seat that keeps the others waiting.
            seat: i32,
        },
    }
}

/// What to do in LOADING.
#[derive(OneofObject, Serialize)]
#[serde(tag = "type", rename_all = "SCREAMING_SNAKE_CASE")]
pub enum LoadingMoveInput {
    /// Let play begin: every holder may look into the packet in hand.
    Charge(Chosen),
    /// Lay a card from the packet in hand on a pile, one's own or an opponent's.
    Lay(LoadingLayInput),
    /// Give the packet to whoever holds a hand out.
    Give(LoadingPacketInput),
    /// Put the packet into the centre and take the other one that lies there; at a table of two.
    Swap(LoadingPacketInput),
    /// Throw the packet away, take a STOP card and be done.
    Stop(LoadingStopInput),
    /// Call the end that a STOP card or a packet has brought about; where the end has to be called.
    StopCall(Chosen),
    /// Make somebody go on who has not done anything for too long.
    Nudge(LoadingNudgeInput),
}

/// Which card to lay where.
#[derive(InputObject, Serialize)]
pub struct LoadingLayInput {
    /// The card to lay.
    card: ID,
    /// The seat whose pile it goes to.
    pile: i32,
}

/// Which packet is meant. If it is not the one in hand, nothing is done.
#[derive(InputObject, Serialize)]
pub struct LoadingPacketInput {
    /// The packet that is meant; whichever is in hand, if none is named.
    #[serde(skip_serializing_if = "Option::is_none")]
    packet: Option<ID>,
}

/// Which STOP card to take.
#[derive(InputObject, Serialize)]
pub struct LoadingStopInput {
    /// The STOP card to take from the centre.
    card: ID,
    /// The packet that is meant; whichever is in hand, if none is named.
    #[serde(skip_serializing_if = "Option::is_none")]
    packet: Option<ID>,
}

/// Whom to nudge.
#[derive(InputObject, Serialize)]
pub struct LoadingNudgeInput {
    /// The seat that keeps the others waiting.
    seat: i32,
}

tagged! {
    /// One thing that happened in a game of LOADING, as one pair of eyes is told of it.
    LoadingEvent {
        /// A closed packet was put into a hand, or into the centre.
        "DEALT" => LoadingDealtEvent {
            /// The packet.
            packet: ID,
            /// Who holds it; nobody if it lies in the centre.
            seat: Option<i32>,
            /// How many cards are in it.
            size: i32,
            /// Its cards, in a replay only.
            cards: Option<Vec<ID>>,
        },
        /// Cards were set aside unseen, at a table of two.
        "SET_ASIDE" => LoadingSetAsideEvent {
            /// How many there are.
            size: i32,
            /// The cards, in a replay only.
            cards: Option<Vec<ID>>,
        },
        /// Play began.
        "CHARGED" => LoadingChargedEvent {
            /// Who called CHARGE, or should have.
            seat: i32,
        },
        /// A holder may look into the packet in hand.
        "OPENED" => LoadingOpenedEvent {
            /// Who holds it.
            seat: i32,
            /// The packet.
            packet: ID,
            /// How many cards are in it.
            size: i32,
            /// Its cards, for its holder only.
            cards: Option<Vec<ID>>,
        },
        /// A card was laid.
        "LAID" => LoadingLaidEvent {
            /// Who laid it.
            seat: i32,
            /// The packet it came from.
            packet: ID,
            /// The card.
            card: ID,
            /// The seat whose pile it lies on now.
            pile: i32,
        },
        /// A BOOST card changed hands because of the card just laid.
        "BOOST_TAKEN" => LoadingBoostTakenEvent {
            /// Who lost it.
            from: i32,
            /// Who has it now.
            to: i32,
        },
        /// A packet went to the hand held out; the giver's hand is held out now.
        "GAVE" => LoadingGaveEvent {
            /// Who gave it.
            from: i32,
            /// Who holds it now.
            to: i32,
            /// The packet.
            packet: ID,
            /// How many cards are in it.
            size: i32,
            /// Its cards, for its new holder only.
            cards: Option<Vec<ID>>,
        },
        /// A packet was put into the centre, and the other one taken from there.
        "SWAPPED" => LoadingSwappedEvent {
            /// Who swapped.
            seat: i32,
            /// The packet that lies in the centre now.
            put: ID,
            /// The packet in hand now.
            took: ID,
            /// How many cards are in it.
            size: i32,
            /// Its cards, for its new holder only.
            cards: Option<Vec<ID>>,
        },
        /// A seat took a STOP card and is done.
        "STOPPED" => LoadingStoppedEvent {
            /// Who is done.
            seat: i32,
            /// The packet that was in hand.
            packet: ID,
            /// The STOP card.
            card: ID,
        },
        /// A packet is out of the game.
        "THROWN_AWAY" => LoadingThrownAwayEvent {
            /// The packet.
            packet: ID,
            /// How many cards are in it.
            size: i32,
            /// Its cards, in a replay only.
            cards: Option<Vec<ID>>,
        },
        /// Somebody's packet left the game because another seat gave up; the hand is held out now.
        "HELD_OUT" => LoadingHeldOutEvent {
            /// Whose hand it is.
            seat: i32,
        },
        /// The end may be called from now on.
        "ARMED" => LoadingArmedEvent {
            /// What brought it about.
            by: LoadingReason,
        },
        /// The end was called.
        "CALLED" => LoadingCalledEvent {
            /// Who called it.
            seat: i32,
        },
        /// Somebody who kept the others waiting was made to go on.
        "NUDGED" => LoadingNudgedEvent {
            /// Who lost patience.
            by: i32,
            /// Who kept them waiting.
            seat: i32,
        },
        /// Too few cards for the STOP card: one of the best went to the other player, before the count.
        "HANDED_OVER" => LoadingHandedOverEvent {
            /// Who lost it.
            from: i32,
            /// Who got it.
            to: i32,
            /// The card.
            card: ID,
        },
    }
}
