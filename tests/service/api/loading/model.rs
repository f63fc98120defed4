//! LOADING once more, written from the rules page alone, as plainly as possible: what the server logged is replayed here,
//! and must have been legal, move by move.

use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};

/// The table as the page describes it.
#[allow(clippy::struct_excessive_bools, reason = "it is naive on purpose")]
#[derive(Clone, Debug)]
pub struct Model {
    pub charged: bool,
    pub over: bool,
    shout: bool,
    confirmed: bool,
    idle_passes: u64,
    armed: bool,
    /// Cards of the packets that are not thrown away.
    pub packets: BTreeMap<String, BTreeSet<u8>>,
    thrown_away: BTreeSet<u8>,
    aside: BTreeSet<u8>,
    centre: Option<String>,
    stops: BTreeSet<u8>,
    pub seats: Vec<Place>,
}

/// What lies before a seat.
#[derive(Clone, Debug, Default)]
pub struct Place {
    pub packet: Option<String>,
    laid: bool,
    pile: Vec<u8>,
    boosts: u32,
    stop: Option<u8>,
    resigned: bool,
    received: u64,
}

impl Place {
    pub fn is_in(&self) -> bool {
        self.stop.is_none() && !self.resigned
    }
}

type Verdict = Result<(), &'static str>;

fn must(holds: bool, rule: &'static str) -> Verdict {
    if holds { Ok(()) } else { Err(rule) }
}

impl Model {
    /// The table that a replay's START tells of.
    pub fn dealt(options: &Value, seats: usize, events: &[Value]) -> Self {
        let place = Place { boosts: 1, ..Place::default() };
        let mut model = Self {
            charged: false,
            over: false,
            shout: options["stopCall"] == "SHOUT",
            confirmed: options["confirmed"] == true,
            idle_passes: options["idlePasses"].as_u64().expect("a number"),
            armed: false,
            packets: BTreeMap::new(),
            thrown_away: BTreeSet::new(),
            aside: BTreeSet::new(),
            centre: None,
            stops: (2..=6).filter(|mark| usize::from(*mark) <= seats).collect(),
            seats: vec![place; seats],
        };
        for event in events {
            if event["type"] == "SET_ASIDE" {
                model.aside = numbers(&event["cards"]);
            }
            if event["type"] == "DEALT" {
                let id = text(&event["packet"]).to_owned();
                model.packets.insert(id.clone(), numbers(&event["cards"]));
                match event["holder"].as_u64() {
                    Some(seat) => model.seats[usize::try_from(seat).expect("few seats")].packet = Some(id),
                    None => model.centre = Some(id),
                }
            }
        }
        model
    }

    fn is_duel(&self) -> bool {
        self.seats.len() == 2
    }

    pub fn held_out(&self) -> Option<usize> {
        self.seats.iter().position(|place| place.is_in() && place.packet.is_none())
    }

    /// Whether the seat may do that now; if so, it is done.
    pub fn play(&mut self, seat: usize, mv: &str) -> Verdict {
        must(!self.over, "the game is over")?;
        must(!self.seats[seat].resigned, "gave up")?;
        let words: Vec<_> = mv.split(' ').collect();
        if words == ["stop-call"] {
            must(self.shout && self.armed, "nothing to call")?;
            self.over = true;
            return Ok(());
        }
        must(self.seats[seat].stop.is_none(), "is done")?;
        if words == ["charge"] {
            must(!self.charged, "charged")?;
            must(self.is_duel() || self.seats[seat].packet.is_none(), "not the hand held out")?;
            self.charged = true;
            return Ok(());
        }
        must(self.charged, "closed")?;
        let packet = self.seats[seat].packet.clone().ok_or("no packet in hand")?;
        match words[..] {
            ["lay", card, "on", pile] => {
                self.lay(seat, &packet, number(card), usize::from(number(pile)))?;
            }
            ["give", meant] => {
                must(meant == packet, "another packet")?;
                must(!self.is_duel(), "two swap")?;
                self.give(seat);
            }
            ["swap", meant] => {
                must(meant == packet, "another packet")?;
                must(self.is_duel(), "more than two give")?;
                let taken = self.centre.replace(packet).expect("a packet lies in the centre");
                self.take(seat, taken);
            }
            ["stop", card, "with", meant] => {
                must(meant == packet, "another packet")?;
                must(!self.seats[seat].pile.is_empty(), "no card in the pile")?;
                must(!self.packets[&packet].is_empty(), "an empty packet")?;
                let mark = number(card.trim_end_matches('+'));
                must(self.stops.remove(&mark), "that STOP card is gone")?;
                self.throw_away(&packet);
                (self.seats[seat].packet, self.seats[seat].stop) = (None, Some(mark));
                self.something_happened();
            }
            _ => return Err("no such move"),
        }
        self.end_if_due();
        Ok(())
    }

    fn lay(&mut self, seat: usize, packet: &str, card: u8, pile: usize) -> Verdict {
        must(!self.seats[seat].laid, "laid a card already")?;
        must(self.packets[packet].contains(&card), "not in the packet")?;
        let place = self.seats.get(pile).ok_or("no such pile")?;
        match place.pile.last() {
            None => must(pile == seat, "an empty pile of somebody else's")?,
            Some(&top) => {
                must(place.is_in(), "a pile that can't be touched")?;
                let by_number = if pile == seat { card > top } else { card == top + 1 };
                let by_colour = self.confirmed && colour(card) != "WHITE" && colour(card) == colour(top);
                must(by_number || by_colour, "does not fit")?;
            }
        }
        self.packets.get_mut(packet).expect("in hand").remove(&card);
        self.seats[pile].pile.push(card);
        if pile != seat && self.seats[pile].boosts > 0 {
            self.seats[pile].boosts -= 1;
            self.seats[seat].boosts += 1;
        }
        self.seats[seat].laid = true;
        self.something_happened();
        Ok(())
    }

    fn give(&mut self, seat: usize) {
        let to = self.held_out().expect("a hand is held out");
        let packet = self.seats[seat].packet.take().expect("in hand");
        self.take(to, packet);
    }

    fn take(&mut self, seat: usize, packet: String) {
        let place = &mut self.seats[seat];
        (place.packet, place.laid, place.received) = (Some(packet), false, place.received + 1);
    }

    fn throw_away(&mut self, packet: &str) {
        self.thrown_away.extend(self.packets.remove(packet).expect("in play"));
    }

    fn something_happened(&mut self) {
        self.seats.iter_mut().for_each(|place| place.received = 0);
    }

    /// A seat gives up.
    pub fn resign(&mut self, seat: usize) {
        let was_in = self.seats[seat].is_in();
        self.seats[seat].resigned = true;
        let smallest = || {
            let held = (0..self.seats.len()).filter_map(|holder| {
                let packet = self.seats[holder].packet.as_ref()?;
                Some((self.packets[packet].len(), holder))
            });
            held.min().map(|(_, holder)| holder)
        };
        let loser = if self.seats[seat].packet.is_some() { Some(seat) } else { smallest().filter(|_| was_in) };
        if let Some(packet) = loser.and_then(|loser| self.seats[loser].packet.take()) {
            self.throw_away(&packet);
        }
        self.end_if_due();
    }

    fn end_if_due(&mut self) {
        let condition = self.stops.is_empty() || self.packets.values().any(BTreeSet::is_empty);
        let left = self.seats.iter().filter(|place| !place.resigned).count();
        let stuck = self.seats.iter().all(|place| place.packet.is_none());
        let passes = self.idle_passes;
        let idle = passes > 0 && self.seats.iter().all(|place| !place.is_in() || place.received >= passes);
        self.armed |= condition;
        self.over = left < 2 || stuck || idle || condition && !self.shout;
    }

    /// What must hold at every step: all 65 cards are there, and exactly one of those still in has no packet.
    pub fn check(&self) {
        let piled = self.seats.iter().flat_map(|place| place.pile.iter());
        let packed = self.packets.values().flatten();
        let mut cards: Vec<_> = packed.chain(piled).chain(&self.thrown_away).chain(&self.aside).copied().collect();
        cards.sort_unstable();
        assert!(cards.into_iter().eq(1..=65), "every card is somewhere, once: {self:?}");
        assert_eq!(self.aside.len(), if self.is_duel() { 10 } else { 0 });
        let without = self.seats.iter().filter(|place| place.is_in() && place.packet.is_none()).count();
        assert!(self.over || without == usize::from(!self.is_duel()), "one hand is held out: {self:?}");
    }

    /// All bars of every seat when it is over.
    pub fn bars(&self) -> Vec<i64> {
        let mut piles: Vec<_> = self.seats.iter().map(|place| place.pile.clone()).collect();
        // Two players: too few cards for the STOP card cost the best one, the lowest number of equals.
        if let Some(stopper) = (0..2).find(|seat| self.is_duel() && self.seats[*seat].stop.is_some())
            && piles[stopper].len() <= 9
        {
            let most = piles[stopper].iter().map(|card| bars(*card)).max().expect("it takes a card to stop");
            let best = *piles[stopper].iter().filter(|card| bars(**card) == most).min().expect("one has the most");
            piles[stopper].retain(|card| *card != best);
            piles[1 - stopper].push(best);
        }
        let stop = |mark: u8| [1, 3, 2, 2, 1][usize::from(mark) - 2];
        let count = |(place, pile): (&Place, Vec<u8>)| {
            let pile: i64 = pile.into_iter().map(bars).sum();
            pile + 3 * i64::from(place.boosts) + place.stop.map_or(0, stop)
        };
        self.seats.iter().zip(piles).map(count).collect()
    }
}

/// The colours of the page, thirteen cards repeated five times.
fn colour(card: u8) -> &'static str {
    let letters = "WRGWBWWRYBGWY".as_bytes();
    match letters[usize::from(card - 1) % letters.len()] {
        b'R' => "RED",
        b'G' => "GREEN",
        b'B' => "BLUE",
        b'Y' => "YELLOW",
        _ => "WHITE",
    }
}

fn bars(card: u8) -> i64 {
    match card {
        33 => 4,
        8 | 19 | 30 | 41 | 52 | 63 => 3,
        2 | 4 | 7 | 10 | 13 | 15 | 18 | 21 | 24 | 26 | 29 | 34 | 36 | 39 | 42 | 45 | 47 | 50 | 53 | 56 | 58 | 61
        | 64 => 2,
        _ => 1,
    }
}

fn number(word: &str) -> u8 {
    word.parse().unwrap_or_else(|_| panic!("{word} is no number"))
}

fn text(json: &Value) -> &str {
    json.as_str().expect("a text")
}

/// Cards in JSON, listed by their ids or as what a view shows of them.
pub fn numbers(cards: &Value) -> BTreeSet<u8> {
    let cards = cards.as_array().expect("a list").iter();
    cards.map(|card| number(card.as_str().or(card["id"].as_str()).expect("a card"))).collect()
}
