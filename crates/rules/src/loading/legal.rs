//! Legal moves, and the check that refuses all others. It uses only what the seat itself can see, so that a refusal
//! leaks nothing: whether a card is in some other packet makes no difference.

use super::{
    StopCall,
    moves::Move,
    state::{Packet, Phase, State},
    types::{Card, Colour, PacketId, Stop},
};
use crate::{Illegal, Instant, Message, Seat};

/// A move that passed [`judge`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum CheckedMove {
    Charge,
    Lay(Card, Seat),
    /// SWAP with two players, GIVE with more.
    PassOn,
    Stop(Stop),
    Call,
    Nudge(Seat),
}

/// Every move of the seat, sorted. GIVE, SWAP and STOP name the packet in hand.
pub(super) fn legal(state: &State, seat: Seat, now: Instant) -> Vec<Move> {
    let mut moves = Vec::with_capacity(48); // about as many as a full packet has places to go
    let mut add = |mv: Move| moves.extend(judge(state, seat, mv, now).is_ok().then_some(mv));
    add(Move::Charge {});
    if let Some(packet) = state.packet_of(seat) {
        for &card in &packet.cards {
            Seat::all(state.seats()).for_each(|pile| add(Move::Lay { card, pile }));
        }
        let packet = Some(packet.id);
        add(Move::Give { packet });
        add(Move::Swap { packet });
        state.stops.iter().for_each(|&card| add(Move::Stop { card, packet }));
    }
    add(Move::StopCall {});
    Seat::all(state.seats()).for_each(|seat| add(Move::Nudge { seat }));
    moves
}

/// Checks a move against the rules.
pub(super) fn judge(state: &State, seat: Seat, mv: Move, now: Instant) -> Result<CheckedMove, Illegal> {
    let Some(area) = state.areas.get(seat.index()) else { return not_now("no-such-seat") };
    if state.phase == Phase::Over {
        return not_now("over");
    }
    if area.resigned {
        return not_now("resigned");
    }
    match mv {
        // Seats that have stopped may call the end too.
        Move::StopCall {} => judge_call(state),
        _ if area.stop.is_some() => not_now("done"),
        Move::Charge {} => judge_charge(state, seat),
        Move::Lay { card, pile } => judge_lay(state, seat, card, pile),
        Move::Give { packet } => match in_hand(state, seat, packet)? {
            _ if state.is_duel() => rule("swap-here"),
            _ => Ok(CheckedMove::PassOn),
        },
        Move::Swap { packet } => match in_hand(state, seat, packet)? {
            _ if !state.is_duel() => rule("give-here"),
            _ => Ok(CheckedMove::PassOn),
        },
        Move::Stop { card, packet } => judge_stop(state, seat, card, packet),
        Move::Nudge { seat: other } => judge_nudge(state, seat, other, now),
    }
}

fn judge_call(state: &State) -> Result<CheckedMove, Illegal> {
    match (state.options.stop_call, state.armed) {
        (StopCall::Automatic, _) => rule("no-call"),
        (StopCall::Shout, None) => rule("not-armed"),
        (StopCall::Shout, Some(_)) => Ok(CheckedMove::Call),
    }
}

fn judge_charge(state: &State, seat: Seat) -> Result<CheckedMove, Illegal> {
    if state.phase != Phase::Charge {
        rule("charged")
    } else if !state.waiting().any(|waiting| waiting == seat) {
        not_now("not-yours-to-charge")
    } else {
        Ok(CheckedMove::Charge)
    }
}

fn judge_lay(state: &State, seat: Seat, card: Card, pile: Seat) -> Result<CheckedMove, Illegal> {
    let packet = in_hand(state, seat, None)?;
    if state[seat].laid {
        return rule("laid");
    }
    if !packet.cards.contains(&card) {
        return refuse(message("not-in-packet").with("card", card.name()));
    }
    let Some(area) = state.areas.get(pile.index()) else {
        return refuse(message("no-such-pile").with("seat", pile.number()).with("last", state.seats()));
    };
    let own = pile == seat;
    let Some(top) = area.top() else {
        return if own {
            Ok(CheckedMove::Lay(card, pile))
        } else {
            refuse(message("pile-empty").with("seat", pile.number()))
        };
    };
    if !area.is_in() {
        return refuse(message("pile-closed").with("seat", pile.number()));
    }
    // Confirmed players: a coloured card also goes on a top card of its colour, whatever its number.
    let by_colour = state.options.confirmed && card.colour() != Colour::White && card.colour() == top.colour();
    let by_number = if own { card > top } else { card.number() == top.number() + 1 };
    match (by_colour || by_number, own) {
        (true, _) => Ok(CheckedMove::Lay(card, pile)),
        (false, true) => refuse(message("too-low").with("card", card.name()).with("top", top.name())),
        (false, false) => {
            let refused = message("not-next").with("card", card.name()).with("top", top.name());
            refuse(refused.with("seat", pile.number()))
        }
    }
}

fn judge_stop(state: &State, seat: Seat, stop: Stop, meant: Option<PacketId>) -> Result<CheckedMove, Illegal> {
    let packet = in_hand(state, seat, meant)?;
    if packet.cards.is_empty() {
        rule("empty-packet")
    } else if state[seat].pile.is_empty() {
        rule("stop-without-pile")
    } else if !state.stops.contains(&stop) {
        refuse(message("stop-gone").with("stop", stop.name()))
    } else {
        Ok(CheckedMove::Stop(stop))
    }
}

fn judge_nudge(state: &State, seat: Seat, other: Seat, now: Instant) -> Result<CheckedMove, Illegal> {
    if other == seat {
        return rule("nudge-oneself");
    }
    if state.options.idle_seconds == 0 {
        return rule("nudge-off");
    }
    let known = state.areas.get(other.index()).and_then(|_| state.nudge_from(other));
    match known {
        None => refuse(message("nudge-nobody").with("seat", other.number())),
        Some(from) if now < from => {
            refuse(message("nudge-early").with("seat", other.number()).with("from", from.to_string()))
        }
        Some(_) => Ok(CheckedMove::Nudge(other)),
    }
}

/// The open packet in the seat's hand. If the move names a packet, it must be that one.
fn in_hand(state: &State, seat: Seat, meant: Option<PacketId>) -> Result<&Packet, Illegal> {
    match state.packet_of(seat) {
        _ if state.phase == Phase::Charge && state.waiting().any(|waiting| waiting == seat) => rule("charge-first"),
        _ if state.phase == Phase::Charge => not_now("closed"),
        None => not_now("no-packet"),
        Some(packet) if meant.is_some_and(|meant| meant != packet.id) => {
            refuse(message("other-packet").with("packet", packet.id.name()))
        }
        Some(packet) => Ok(packet),
    }
}

fn message(key: &str) -> Message {
    Message::new(format!("loading-refusal-{key}"))
}

fn refuse<T>(message: Message) -> Result<T, Illegal> {
    Err(Illegal::Rule(message))
}

fn rule<T>(key: &str) -> Result<T, Illegal> {
    refuse(message(key))
}

fn not_now<T>(key: &str) -> Result<T, Illegal> {
    Err(Illegal::NotYourTurn(message(key)))
}
