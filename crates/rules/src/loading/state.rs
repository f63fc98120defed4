//! State of a game of LOADING, and its invariants.
//!
//! Some things are derived instead of stored: the seat that waits for a packet is the only one in play without one, and
//! a seat has stopped if it has a STOP card.

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

/// The number of cards set aside with two players.
pub const SET_ASIDE: usize = 10;

/// A game of LOADING with all its secrets.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct State {
    pub options: Options,
    #[serde(rename = "step")]
    pub phase: Phase,
    /// STOP cards in the centre.
    pub stops: Vec<Stop>,
    /// All packets, including those out of the game.
    pub packets: Vec<Packet>,
    /// The cards set aside with two players.
    pub aside: Vec<Card>,
    /// One for each seat.
    #[serde(rename = "places")]
    pub areas: Vec<Area>,
    /// The end condition that is met, if the end still has to be called.
    pub armed: Option<Reason>,
    pub ended: Option<Reason>,
}

/// The stage of the game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename = "Step", rename_all = "SCREAMING_SNAKE_CASE")]
#[schemars(rename = "LoadingGameStage")]
pub enum Phase {
    /// Packets are closed until CHARGE is called.
    Charge,
    /// All seats that hold a packet play at once.
    Play,
    /// The game is over.
    Over,
}

impl Phase {
    pub const ALL: [Phase; 3] = [Phase::Charge, Phase::Play, Phase::Over];

    pub const fn id(self) -> &'static str {
        match self {
            Phase::Charge => "CHARGE",
            Phase::Play => "PLAY",
            Phase::Over => "OVER",
        }
    }
}

/// A packet: cards that are passed on together.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Packet {
    pub id: PacketId,
    #[serde(rename = "whereabouts")]
    pub location: PacketLocation,
    /// Sorted by number.
    pub cards: Vec<Card>,
    /// Bit set of the seats that have looked into it. They know its content from then on, because every card that
    /// leaves it is laid face up.
    pub known_to: u8,
}

impl Packet {
    pub fn is_known_to(&self, seat: Seat) -> bool {
        self.known_to & 1 << seat.0 != 0
    }
}

/// Where a packet is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename = "Whereabouts")]
pub enum PacketLocation {
    Held(Seat),
    Centre,
    ThrownAway,
}

/// The cards of one seat.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename = "Place")]
pub struct Area {
    pub resigned: bool,
    /// The STOP card taken, if the seat has stopped.
    pub stop: Option<Stop>,
    pub boosts: u8,
    /// Progression cards, top card last.
    pub pile: Vec<Card>,
    /// Whether a card was laid from the packet in hand.
    pub laid: bool,
    /// How often the seat got a packet since CHARGE or the last LAY or STOP of anybody.
    pub received: u8,
    /// The moment since which the seat keeps the others waiting, if it does.
    pub since: Instant,
    /// How often the seat was nudged since its last action.
    pub nudges: u8,
}

impl Area {
    /// Whether the seat still plays: it has neither stopped nor resigned.
    pub fn is_in(&self) -> bool {
        self.stop.is_none() && !self.resigned
    }

    pub fn top(&self) -> Option<Card> {
        self.pile.last().copied()
    }
}

impl Index<Seat> for State {
    type Output = Area;

    fn index(&self, seat: Seat) -> &Area {
        &self.areas[seat.index()]
    }
}

impl IndexMut<Seat> for State {
    fn index_mut(&mut self, seat: Seat) -> &mut Area {
        &mut self.areas[seat.index()]
    }
}

impl State {
    /// Sets up a game: cuts and deals the packets, closed. `held_out` is the seat without one; unused with two players.
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
        // One packet for each seat but the one held out; with two players, one for each and one in the centre.
        let mut owners: Vec<_> =
            Seat::all(seats).filter(|seat| Some(*seat) != held_out).map(PacketLocation::Held).collect();
        owners.extend(held_out.is_none().then_some(PacketLocation::Centre));
        let count = owners.len();
        let cut = |n: usize, deck: &mut Vec<Card>| {
            // If the cards do not divide evenly, the first packets get one more.
            let left = count - n;
            let mut cards = deck.split_off(deck.len() - deck.len().div_ceil(left));
            cards.sort_unstable();
            cards
        };
        let owners = PacketId::ALL.into_iter().zip(owners).enumerate();
        let packets: Vec<_> =
            owners.map(|(n, (id, location))| Packet { id, location, cards: cut(n, &mut deck), known_to: 0 }).collect();
        events.extend(packets.iter().map(|packet| Event::Dealt {
            packet: packet.id,
            seat: packet.holder(),
            cards: packet.cards.clone(),
        }));
        if !aside.is_empty() {
            events.push(Event::SetAside { cards: aside.clone() });
        }
        let area = Area {
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
            phase: Phase::Charge,
            stops: Stop::ALL.into_iter().filter(|stop| stop.mark() <= seats).collect(),
            packets,
            aside,
            areas: vec![area; usize::from(seats)],
            armed: None,
            ended: None,
        }
    }

    pub fn seats(&self) -> u8 {
        u8::try_from(self.areas.len()).expect("a table has few seats")
    }

    /// Whether the game has two players, and so a packet in the centre.
    pub(super) fn is_duel(&self) -> bool {
        self.areas.len() == 2
    }

    /// The seats that have neither stopped nor resigned.
    pub(super) fn still_in(&self) -> impl Iterator<Item = Seat> + '_ {
        Seat::all(self.seats()).filter(|seat| self[*seat].is_in())
    }

    /// The packets that are not thrown away.
    pub(super) fn in_play(&self) -> impl Iterator<Item = &Packet> {
        self.packets.iter().filter(|packet| packet.location != PacketLocation::ThrownAway)
    }

    pub(super) fn packet_of(&self, seat: Seat) -> Option<&Packet> {
        self.packets.iter().find(|packet| packet.holder() == Some(seat))
    }

    pub(super) fn packet(&mut self, id: PacketId) -> &mut Packet {
        &mut self.packets[id as usize]
    }

    pub(super) fn centre(&self) -> Option<&Packet> {
        self.packets.iter().find(|packet| packet.location == PacketLocation::Centre)
    }

    /// The seat in play that has no packet.
    pub(super) fn held_out(&self) -> Option<Seat> {
        self.still_in().find(|seat| self.packet_of(*seat).is_none()).filter(|_| self.phase != Phase::Over)
    }

    /// The seats the game waits for, in order: first those that may call CHARGE, later exactly the holders of packets.
    pub(super) fn waiting(&self) -> impl Iterator<Item = Seat> + '_ {
        self.still_in().filter(|&seat| match self.phase {
            Phase::Charge => self.is_duel() || self.packet_of(seat).is_none(),
            Phase::Play => self.packet_of(seat).is_some(),
            Phase::Over => false,
        })
    }

    /// The moment from which the seat may be nudged; `None` if it keeps nobody waiting. With two players, nobody waits
    /// for CHARGE, because either may call it.
    pub(super) fn nudge_from(&self, seat: Seat) -> Option<Instant> {
        let idle = i64::from(self.options.idle_seconds) * 1000;
        let alone = self.phase != Phase::Charge || !self.is_duel();
        let waited_for = idle > 0 && alone && self.waiting().any(|waiting| waiting == seat);
        waited_for.then(|| Instant(self[seat].since.0.saturating_add(idle)))
    }

    /// Draws the state as text, with all its secrets.
    pub(super) fn drawing(&self) -> String {
        let list = |cards: &[Card]| cards.iter().map(Card::to_string).collect::<Vec<_>>().join(" ");
        let stops: Vec<_> = self.stops.iter().map(|stop| stop.id()).collect();
        let mut text =
            format!("{} · STOP {}", self.phase.id(), if stops.is_empty() { "-".into() } else { stops.join(" ") });
        if let Some(reason) = self.armed {
            write!(text, " · armed {}", reason.id()).expect("a String takes everything");
        }
        let mut line = |title: &str, rest: &str| {
            write!(text, "\n{title:7} {rest}").expect("a String takes everything");
        };
        for packet in &self.packets {
            let location = match packet.location {
                PacketLocation::Held(seat) => format!("at {seat}"),
                PacketLocation::Centre => "centre".to_owned(),
                PacketLocation::ThrownAway => "out".to_owned(),
            };
            line(packet.id.id(), &format!("{location}: {}", list(&packet.cards)));
        }
        if !self.aside.is_empty() {
            line("Aside", &list(&self.aside));
        }
        for (seat, area) in Seat::all(self.seats()).zip(&self.areas) {
            let mut parts = vec![format!("pile {}", list(&area.pile)), format!("boosts {}", area.boosts)];
            parts.extend(area.stop.map(|stop| format!("STOP {}", stop.id())));
            parts.extend(area.resigned.then(|| "resigned".to_owned()));
            parts.extend(area.laid.then(|| "laid".to_owned()));
            parts.extend((area.received > 0).then(|| format!("received {}", area.received)));
            parts.extend((area.nudges > 0).then(|| format!("nudged {}", area.nudges)));
            line(&format!("Seat {seat}"), &parts.join(" · "));
        }
        text
    }

    /// Checks what must hold between two steps; the error names what does not.
    pub(super) fn invariants(&self) -> Result<(), String> {
        let check = |holds: bool, what: &str| if holds { Ok(()) } else { Err(what.to_owned()) };
        let packed = self.packets.iter().flat_map(|packet| &packet.cards);
        let piled = self.areas.iter().flat_map(|area| &area.pile);
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
        let boosts: usize = self.areas.iter().map(|area| usize::from(area.boosts)).sum();
        check(boosts == self.areas.len(), "there is a BOOST card for each player")?;
        let mut stops: Vec<_> =
            self.stops.iter().copied().chain(self.areas.iter().filter_map(|area| area.stop)).collect();
        stops.sort_unstable();
        check(
            stops.into_iter().eq(Stop::ALL.into_iter().filter(|stop| stop.mark() <= self.seats())),
            "no STOP card is lost",
        )?;
        let rising = |area: &Area| area.pile.is_sorted();
        let settled = self.options.confirmed || self.ended.is_some();
        check(settled || self.areas.iter().all(rising), "numbers rise on every pile")?;
        check((self.phase == Phase::Over) == self.ended.is_some(), "it is over for a reason")?;
        if self.phase == Phase::Charge {
            let closed = self.packets.iter().all(|packet| packet.known_to == 0);
            check(closed && self.areas.iter().all(|area| area.pile.is_empty()), "packets are closed until CHARGE")?;
        }
        let held: Vec<_> = self.packets.iter().filter_map(Packet::holder).collect();
        if self.phase == Phase::Over {
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
        match self.location {
            PacketLocation::Held(seat) => Some(seat),
            PacketLocation::Centre | PacketLocation::ThrownAway => None,
        }
    }
}
