//! The table: who holds which packet, what lies on the piles, and what always holds of it.
//!
//! Whose hand is held out is not kept: it is the one player still in who has no packet. Nor is the size of a packet, nor
//! whether somebody is done, which the STOP card shows.

use super::{
    Options,
    events::Event,
    score::Reason,
    types::{Card, PacketId, Stop},
};
use crate::{Dice, Instant, Seat};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::{
    fmt::Write,
    ops::{Index, IndexMut},
};

/// How many cards are set aside at a table of two.
pub const SET_ASIDE: usize = 10;

/// A game of LOADING with all its secrets.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct State {
    pub options: Options,
    pub step: Step,
    /// STOP cards in the centre.
    pub stops: Vec<Stop>,
    /// All packets, also those that are out of the game.
    pub packets: Vec<Packet>,
    /// Cards that nobody plays with, at a table of two.
    pub aside: Vec<Card>,
    /// One for each seat.
    pub places: Vec<Place>,
    /// What brought the end about, where it has to be called.
    pub armed: Option<Reason>,
    pub ended: Option<Reason>,
}

/// How far the game is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
#[schemars(rename = "LoadingGameStage")]
pub enum Step {
    /// The packets are closed until somebody calls CHARGE.
    Charge,
    /// Everybody who holds a packet plays.
    Play,
    /// The game is over.
    Over,
}

impl Step {
    pub const ALL: [Step; 3] = [Step::Charge, Step::Play, Step::Over];

    pub const fn id(self) -> &'static str {
        match self {
            Step::Charge => "CHARGE",
            Step::Play => "PLAY",
            Step::Over => "OVER",
        }
    }
}

/// Cards that are passed on together.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Packet {
    pub id: PacketId,
    pub whereabouts: Whereabouts,
    /// In the order of their numbers.
    pub cards: Vec<Card>,
    /// The seats that have looked into it, a bit each. Every card that left it since was laid for all to see, so they
    /// know what is in it for ever.
    pub known_to: u8,
}

impl Packet {
    pub fn is_known_to(&self, seat: Seat) -> bool {
        self.known_to & 1 << seat.0 != 0
    }
}

/// Where a packet is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Whereabouts {
    Held(Seat),
    Centre,
    ThrownAway,
}

/// What lies before a seat.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Place {
    pub resigned: bool,
    /// The STOP card taken: whoever has one is done.
    pub stop: Option<Stop>,
    pub boosts: u8,
    /// Progression cards, the top one last.
    pub pile: Vec<Card>,
    /// Whether a card was laid from the packet in hand.
    pub laid: bool,
    /// How often the seat got a packet since CHARGE or the last LAY or STOP of anybody.
    pub received: u8,
    /// Since when the seat has kept the others waiting, if it does.
    pub since: Instant,
    /// How often it was nudged since it last did something.
    pub nudges: u8,
}

impl Place {
    /// Whether the seat still plays: neither done nor gone.
    pub fn is_in(&self) -> bool {
        self.stop.is_none() && !self.resigned
    }

    pub fn top(&self) -> Option<Card> {
        self.pile.last().copied()
    }
}

impl Index<Seat> for State {
    type Output = Place;

    fn index(&self, seat: Seat) -> &Place {
        &self.places[seat.index()]
    }
}

impl IndexMut<Seat> for State {
    fn index_mut(&mut self, seat: Seat) -> &mut Place {
        &mut self.places[seat.index()]
    }
}

impl State {
    /// The table laid: packets cut, dealt and closed. `held_out` is the hand without one, unless two are playing.
    pub(super) fn new(
        options: Options,
        seats: u8,
        held_out: Option<Seat>,
        now: Instant,
        dice: &mut Dice,
        events: &mut Vec<Event>,
    ) -> Self {
        let mut deck: Vec<_> = Card::all().collect();
        dice.shuffle(&mut deck);
        let mut aside = if held_out.is_none() { deck.split_off(deck.len() - SET_ASIDE) } else { Vec::new() };
        aside.sort_unstable();
        // One packet for each who gets one; two players have one more, in the centre.
        let mut owners: Vec<_> =
            Seat::all(seats).filter(|seat| Some(*seat) != held_out).map(Whereabouts::Held).collect();
        owners.extend(held_out.is_none().then_some(Whereabouts::Centre));
        let count = owners.len();
        let cut = |n: usize, deck: &mut Vec<Card>| {
            // The first ones are one longer if it does not come out even.
            let left = count - n;
            let mut cards = deck.split_off(deck.len() - deck.len().div_ceil(left));
            cards.sort_unstable();
            cards
        };
        let owners = PacketId::ALL.into_iter().zip(owners).enumerate();
        let packets: Vec<_> = owners
            .map(|(n, (id, whereabouts))| Packet { id, whereabouts, cards: cut(n, &mut deck), known_to: 0 })
            .collect();
        events.extend(packets.iter().map(|packet| Event::Dealt {
            packet: packet.id,
            seat: packet.holder(),
            cards: packet.cards.clone(),
        }));
        if !aside.is_empty() {
            events.push(Event::SetAside { cards: aside.clone() });
        }
        let place = Place {
            resigned: false,
            stop: None,
            boosts: 1,
            pile: Vec::new(),
            laid: false,
            received: 0,
            since: now,
            nudges: 0,
        };
        Self {
            options,
            step: Step::Charge,
            stops: Stop::ALL.into_iter().filter(|stop| stop.mark() <= seats).collect(),
            packets,
            aside,
            places: vec![place; usize::from(seats)],
            armed: None,
            ended: None,
        }
    }

    pub fn seats(&self) -> u8 {
        u8::try_from(self.places.len()).expect("a table has few seats")
    }

    /// Whether it is a table of two, with a packet in the centre.
    pub(super) fn is_duel(&self) -> bool {
        self.places.len() == 2
    }

    /// The seats neither done nor gone.
    pub(super) fn still_in(&self) -> impl Iterator<Item = Seat> + '_ {
        Seat::all(self.seats()).filter(|seat| self[*seat].is_in())
    }

    /// The packets that are not thrown away.
    pub(super) fn in_play(&self) -> impl Iterator<Item = &Packet> {
        self.packets.iter().filter(|packet| packet.whereabouts != Whereabouts::ThrownAway)
    }

    pub(super) fn packet_of(&self, seat: Seat) -> Option<&Packet> {
        self.packets.iter().find(|packet| packet.holder() == Some(seat))
    }

    pub(super) fn packet(&mut self, id: PacketId) -> &mut Packet {
        &mut self.packets[id as usize]
    }

    pub(super) fn centre(&self) -> Option<&Packet> {
        self.packets.iter().find(|packet| packet.whereabouts == Whereabouts::Centre)
    }

    /// The one player still in who has no packet.
    pub(super) fn held_out(&self) -> Option<Seat> {
        self.still_in().find(|seat| self.packet_of(*seat).is_none()).filter(|_| self.step != Step::Over)
    }

    /// The seats being waited for, in order: whoever may call CHARGE, then exactly the holders.
    pub(super) fn waiting(&self) -> impl Iterator<Item = Seat> + '_ {
        self.still_in().filter(|&seat| match self.step {
            Step::Charge => self.is_duel() || self.packet_of(seat).is_none(),
            Step::Play => self.packet_of(seat).is_some(),
            Step::Over => false,
        })
    }

    /// From when on the seat may be nudged, if it keeps the others waiting at all. At a table of two nobody has to wait
    /// for the other's CHARGE.
    pub(super) fn nudge_from(&self, seat: Seat) -> Option<Instant> {
        let idle = i64::from(self.options.idle_seconds) * 1000;
        let alone = self.step != Step::Charge || !self.is_duel();
        let waited_for = idle > 0 && alone && self.waiting().any(|waiting| waiting == seat);
        waited_for.then(|| Instant(self[seat].since.0.saturating_add(idle)))
    }

    /// The table as text, with all its secrets.
    pub(super) fn drawing(&self) -> String {
        let list = |cards: &[Card]| cards.iter().map(Card::to_string).collect::<Vec<_>>().join(" ");
        let stops: Vec<_> = self.stops.iter().map(|stop| stop.id()).collect();
        let mut text =
            format!("{} · STOP {}", self.step.id(), if stops.is_empty() { "-".into() } else { stops.join(" ") });
        if let Some(reason) = self.armed {
            write!(text, " · armed {}", reason.id()).expect("a String takes everything");
        }
        let mut line = |title: &str, rest: &str| {
            write!(text, "\n{title:7} {rest}").expect("a String takes everything");
        };
        for packet in &self.packets {
            let whereabouts = match packet.whereabouts {
                Whereabouts::Held(seat) => format!("at {seat}"),
                Whereabouts::Centre => "centre".to_owned(),
                Whereabouts::ThrownAway => "out".to_owned(),
            };
            line(packet.id.id(), &format!("{whereabouts}: {}", list(&packet.cards)));
        }
        if !self.aside.is_empty() {
            line("Aside", &list(&self.aside));
        }
        for (seat, place) in Seat::all(self.seats()).zip(&self.places) {
            let mut parts = vec![format!("pile {}", list(&place.pile)), format!("boosts {}", place.boosts)];
            parts.extend(place.stop.map(|stop| format!("STOP {}", stop.id())));
            parts.extend(place.resigned.then(|| "resigned".to_owned()));
            parts.extend(place.laid.then(|| "laid".to_owned()));
            parts.extend((place.received > 0).then(|| format!("received {}", place.received)));
            parts.extend((place.nudges > 0).then(|| format!("nudged {}", place.nudges)));
            line(&format!("Seat {seat}"), &parts.join(" · "));
        }
        text
    }

    /// What holds between two steps; the text says what does not.
    pub(super) fn invariants(&self) -> Result<(), String> {
        let check = |holds: bool, what: &str| if holds { Ok(()) } else { Err(what.to_owned()) };
        let packed = self.packets.iter().flat_map(|packet| &packet.cards);
        let piled = self.places.iter().flat_map(|place| &place.pile);
        let mut cards: Vec<_> = packed.chain(piled).chain(&self.aside).copied().collect();
        cards.sort_unstable();
        check(cards.into_iter().eq(Card::all()), "every card is somewhere, once")?;
        check(self.aside.len() == if self.is_duel() { SET_ASIDE } else { 0 }, "ten cards are set aside for two")?;
        let sorted = self.packets.iter().all(|packet| packet.cards.is_sorted());
        check(
            sorted
                && self.packets.iter().map(|packet| packet.id).eq(PacketId::ALL[..self.packets.len()].iter().copied()),
            "packets and their cards are in order",
        )?;
        let boosts: usize = self.places.iter().map(|place| usize::from(place.boosts)).sum();
        check(boosts == self.places.len(), "there is a BOOST card for each player")?;
        let mut stops: Vec<_> =
            self.stops.iter().copied().chain(self.places.iter().filter_map(|place| place.stop)).collect();
        stops.sort_unstable();
        check(
            stops.into_iter().eq(Stop::ALL.into_iter().filter(|stop| stop.mark() <= self.seats())),
            "no STOP card is lost",
        )?;
        let rising = |place: &Place| place.pile.is_sorted();
        let settled = self.options.confirmed || self.ended.is_some();
        check(settled || self.places.iter().all(rising), "numbers rise on every pile")?;
        check((self.step == Step::Over) == self.ended.is_some(), "it is over for a reason")?;
        if self.step == Step::Charge {
            let closed = self.packets.iter().all(|packet| packet.known_to == 0);
            check(closed && self.places.iter().all(|place| place.pile.is_empty()), "packets are closed until CHARGE")?;
        }
        let held: Vec<_> = self.packets.iter().filter_map(Packet::holder).collect();
        if self.step == Step::Over {
            return check(self.in_play().next().is_none(), "the packets left are thrown away in the end");
        }
        let without = self.still_in().filter(|seat| !held.contains(seat)).count();
        let twice = (1..held.len()).any(|n| held[n..].contains(&held[n - 1]));
        check(!twice && held.iter().all(|seat| self[*seat].is_in()), "a player still in holds at most one packet")?;
        if self.is_duel() {
            check(without == 0 && self.centre().is_some(), "two players hold a packet each, a third lies in the centre")
        } else {
            check(without == 1 && self.centre().is_none(), "exactly one player still in has no packet")
        }
    }
}

impl Packet {
    pub fn holder(&self) -> Option<Seat> {
        match self.whereabouts {
            Whereabouts::Held(seat) => Some(seat),
            Whereabouts::Centre | Whereabouts::ThrownAway => None,
        }
    }
}
