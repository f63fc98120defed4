//! What each move does to the table, once it is found to be legal, and when that ends the game.

use super::{
    StopCall,
    events::Event,
    legal::Deed,
    score::{self, Reason},
    state::{State, Step, Whereabouts},
    types::{Card, PacketId, Stop},
};
use crate::{Instant, Seat};

/// Nudged so often without doing anything in between, a seat is taken to have left.
const NUDGES: u8 = 3;

impl State {
    /// Does what the seat may do, and ends the game if that is due.
    pub(super) fn act(&mut self, seat: Seat, deed: Deed, now: Instant, events: &mut Vec<Event>) {
        // Whoever does anything is there.
        self[seat].nudges = 0;
        match deed {
            Deed::Charge => self.charge(seat, now, events),
            Deed::Lay(card, pile) => self.lay(seat, card, pile, now, events),
            Deed::PassOn => self.pass_on(seat, now, events),
            Deed::Stop(stop) => self.stop(seat, stop, events),
            Deed::Call => {
                events.push(Event::Called { seat });
                return self.end(Reason::Called, events);
            }
            Deed::Nudge(other) => self.nudge(seat, other, now, events),
        }
        self.end_if_due(events);
    }

    /// Every holder may look into the packet in hand.
    fn charge(&mut self, seat: Seat, now: Instant, events: &mut Vec<Event>) {
        self.step = Step::Play;
        events.push(Event::Charged { seat });
        for packet in &mut self.packets {
            let Some(seat) = packet.holder() else { continue };
            packet.known_to |= 1 << seat.0;
            self.places[seat.index()].since = now;
            events.push(Event::Opened { seat, packet: packet.id, cards: packet.cards.clone() });
        }
    }

    fn lay(&mut self, seat: Seat, card: Card, pile: Seat, now: Instant, events: &mut Vec<Event>) {
        let packet = self.in_hand(seat);
        self.packet(packet).cards.retain(|held| *held != card);
        self[pile].pile.push(card);
        events.push(Event::Laid { seat, packet, card, pile });
        // A card laid on an opponent's pile is paid for with a BOOST card, if one is left.
        if pile != seat && self[pile].boosts > 0 {
            self[pile].boosts -= 1;
            self[seat].boosts += 1;
            events.push(Event::BoostTaken { from: pile, to: seat });
        }
        let place = &mut self[seat];
        (place.laid, place.since) = (true, now);
        self.something_happened();
    }

    /// The packet goes to the hand held out, or at a table of two for the one in the centre.
    fn pass_on(&mut self, seat: Seat, now: Instant, events: &mut Vec<Event>) {
        let packet = self.in_hand(seat);
        if let Some(took) = self.centre().map(|centre| centre.id) {
            self.packet(packet).whereabouts = Whereabouts::Centre;
            let cards = self.receive(seat, took, now);
            events.push(Event::Swapped { seat, put: packet, took, cards });
        } else if let Some(to) = self.held_out() {
            let cards = self.receive(to, packet, now);
            events.push(Event::Gave { from: seat, to, packet, cards });
        }
    }

    /// A packet comes into a hand, and its new holder looks at the cards in it.
    fn receive(&mut self, seat: Seat, id: PacketId, now: Instant) -> Vec<Card> {
        let place = &mut self[seat];
        (place.laid, place.since) = (false, now);
        place.received = place.received.saturating_add(1);
        let packet = self.packet(id);
        packet.whereabouts = Whereabouts::Held(seat);
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

    /// Somebody waits no longer: the packet is passed on, or CHARGE called, in the other's place.
    fn nudge(&mut self, by: Seat, seat: Seat, now: Instant, events: &mut Vec<Event>) {
        events.push(Event::Nudged { by, seat });
        self[seat].nudges += 1;
        if self[seat].nudges >= NUDGES {
            self.leave(seat, now, events);
        } else if self.step == Step::Charge {
            self.charge(seat, now, events);
        } else {
            self.pass_on(seat, now, events);
        }
    }

    /// The seats give up, all at once.
    pub(super) fn resign(&mut self, seats: &[Seat], now: Instant, events: &mut Vec<Event>) {
        for &seat in seats {
            self.leave(seat, now, events);
        }
        self.end_if_due(events);
    }

    /// One seat goes, and one packet with it: its own, or else the smallest one, whose holder then holds a hand out.
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
        packet.whereabouts = Whereabouts::ThrownAway;
        let cards = packet.cards.clone();
        events.push(Event::ThrownAway { packet: id, cards });
    }

    fn in_hand(&self, seat: Seat) -> PacketId {
        self.packet_of(seat).expect("only a holder plays").id
    }

    /// The game moves on, so the count of idle passes begins anew.
    fn something_happened(&mut self) {
        self.places.iter_mut().for_each(|place| place.received = 0);
    }

    fn end_if_due(&mut self, events: &mut Vec<Event>) {
        let left = self.places.iter().filter(|place| !place.resigned).count();
        let held = self.packets.iter().any(|packet| packet.holder().is_some());
        let condition = score::condition(self);
        let due = match self.options.stop_call {
            _ if left < 2 => Some(Reason::Resigned),
            StopCall::Automatic if condition.is_some() => condition,
            // Without a packet in anybody's hand there is nothing left to do, and nothing to call the end for.
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
        (self.step, self.ended) = (Step::Over, Some(reason));
    }
}
