//! Effects of checked moves on the state, and the end of the game that they may bring about.

use super::{
    StopCall,
    events::Event,
    legal::CheckedMove,
    score::{self, Reason},
    state::{PacketLocation, Phase, State},
    types::{Card, PacketId, Stop},
};
use crate::{Instant, Seat};

/// A seat that is nudged this many times without acting in between is resigned.
const NUDGES: u8 = 3;

impl State {
    /// Applies a checked move, and ends the game if an end condition is met.
    pub(super) fn act(&mut self, seat: Seat, checked: CheckedMove, now: Instant, events: &mut Vec<Event>) {
        // Any action shows that the player is present.
        self[seat].nudges = 0;
        match checked {
            CheckedMove::Charge => self.charge(seat, now, events),
            CheckedMove::Lay(card, pile) => self.lay(seat, card, pile, now, events),
            CheckedMove::PassOn => self.pass_on(seat, now, events),
            CheckedMove::Stop(stop) => self.stop(seat, stop, events),
            CheckedMove::Call => {
                events.push(Event::Called { seat });
                return self.end(Reason::Called, events);
            }
            CheckedMove::Nudge(other) => self.nudge(seat, other, now, events),
        }
        self.end_if_due(events);
    }

    /// Opens all packets: every holder may look into the one in hand.
    fn charge(&mut self, seat: Seat, now: Instant, events: &mut Vec<Event>) {
        self.phase = Phase::Play;
        events.push(Event::Charged { seat });
        for packet in &mut self.packets {
            let Some(seat) = packet.holder() else { continue };
            packet.known_to |= 1 << seat.0;
            self.areas[seat.index()].since = now;
            events.push(Event::Opened { seat, packet: packet.id, cards: packet.cards.clone() });
        }
    }

    fn lay(&mut self, seat: Seat, card: Card, pile: Seat, now: Instant, events: &mut Vec<Event>) {
        let packet = self.in_hand(seat);
        self.packet(packet).cards.retain(|held| *held != card);
        self[pile].pile.push(card);
        events.push(Event::Laid { seat, packet, card, pile });
        // A card laid on an opponent's pile takes one of that opponent's BOOST cards, if one is left.
        if pile != seat && self[pile].boosts > 0 {
            self[pile].boosts -= 1;
            self[seat].boosts += 1;
            events.push(Event::BoostTaken { from: pile, to: seat });
        }
        let area = &mut self[seat];
        (area.laid, area.since) = (true, now);
        self.something_happened();
    }

    /// Gives the packet to the seat without one, or with two players swaps it for the one in the centre.
    fn pass_on(&mut self, seat: Seat, now: Instant, events: &mut Vec<Event>) {
        let packet = self.in_hand(seat);
        if let Some(took) = self.centre().map(|centre| centre.id) {
            self.packet(packet).location = PacketLocation::Centre;
            let cards = self.receive(seat, took, now);
            events.push(Event::Swapped { seat, put: packet, took, cards });
        } else if let Some(to) = self.held_out() {
            let cards = self.receive(to, packet, now);
            events.push(Event::Gave { from: seat, to, packet, cards });
        }
    }

    /// Puts a packet into a seat's hand and returns its cards, which the new holder may see.
    fn receive(&mut self, seat: Seat, id: PacketId, now: Instant) -> Vec<Card> {
        let area = &mut self[seat];
        (area.laid, area.since) = (false, now);
        area.received = area.received.saturating_add(1);
        let packet = self.packet(id);
        packet.location = PacketLocation::Held(seat);
        packet.known_to |= 1 << seat.0;
        packet.cards.clone()
    }

    fn stop(&mut self, seat: Seat, stop: Stop, events: &mut Vec<Event>) {
        let packet = self.in_hand(seat);
        self.stops.retain(|left| *left != stop);
        self[seat].stop = Some(stop);
        events.push(Event::Stopped { seat, packet, card: stop });
        self.throw_away(packet, events);
        self.something_happened();
    }

    /// Acts for an absent seat: passes its packet on, or calls CHARGE.
    fn nudge(&mut self, by: Seat, seat: Seat, now: Instant, events: &mut Vec<Event>) {
        events.push(Event::Nudged { by, seat });
        self[seat].nudges += 1;
        if self[seat].nudges >= NUDGES {
            self.leave(seat, now, events);
        } else if self.phase == Phase::Charge {
            self.charge(seat, now, events);
        } else {
            self.pass_on(seat, now, events);
        }
    }

    /// Resigns the seats, all at once.
    pub(super) fn resign(&mut self, seats: &[Seat], now: Instant, events: &mut Vec<Event>) {
        for &seat in seats {
            self.leave(seat, now, events);
        }
        self.end_if_due(events);
    }

    /// Removes one seat and one packet: its own or, if it has none, the smallest one; that packet's holder then waits
    /// for a new one.
    fn leave(&mut self, seat: Seat, now: Instant, events: &mut Vec<Event>) {
        let was_in = self[seat].is_in();
        self[seat].resigned = true;
        if !was_in {
            return;
        }
        if let Some(packet) = self.packet_of(seat) {
            let packet = packet.id;
            return self.throw_away(packet, events);
        }
        let held = self.packets.iter().filter_map(|packet| Some((packet.cards.len(), packet.holder()?, packet.id)));
        if let Some((_, holder, packet)) = held.min() {
            self.throw_away(packet, events);
            self[holder].since = now;
            events.push(Event::HeldOut { seat: holder });
        }
    }

    fn throw_away(&mut self, id: PacketId, events: &mut Vec<Event>) {
        let packet = self.packet(id);
        packet.location = PacketLocation::ThrownAway;
        let cards = packet.cards.clone();
        events.push(Event::ThrownAway { packet: id, cards });
    }

    fn in_hand(&self, seat: Seat) -> PacketId {
        self.packet_of(seat).expect("only a holder plays").id
    }

    /// Resets the counters of idle passes.
    fn something_happened(&mut self) {
        self.areas.iter_mut().for_each(|area| area.received = 0);
    }

    fn end_if_due(&mut self, events: &mut Vec<Event>) {
        let left = self.areas.iter().filter(|area| !area.resigned).count();
        let held = self.packets.iter().any(|packet| packet.holder().is_some());
        let condition = score::condition(self);
        let due = match self.options.stop_call {
            _ if left < 2 => Some(Reason::Resigned),
            StopCall::Automatic if condition.is_some() => condition,
            // Without a packet in any hand no move is left, so the end need not be called.
            _ if !held => Some(Reason::NoMove),
            _ if score::is_idle(self) => Some(Reason::Idle),
            _ => None,
        };
        match (due, condition) {
            (Some(reason), _) => self.end(reason, events),
            (None, Some(by)) if self.armed.is_none() => {
                self.armed = Some(by);
                events.push(Event::Armed { by });
            }
            _ => {}
        }
    }

    fn end(&mut self, reason: Reason, events: &mut Vec<Event>) {
        let left: Vec<_> = self.in_play().map(|packet| packet.id).collect();
        for packet in left {
            self.throw_away(packet, events);
        }
        if let Some((from, to, card)) = score::penalty(self) {
            self[from].pile.retain(|piled| *piled != card);
            self[to].pile.push(card);
            events.push(Event::HandedOver { from, to, card });
        }
        (self.phase, self.ended) = (Phase::Over, Some(reason));
    }
}
