//! Compact game state for play-outs: sets of cards are bit masks, and moves make no events.
//!
//! It has the rules of [`State`](super::super::State) once more, because a play-out through `State::act` takes several
//! times as long. A test plays both side by side.

use super::cards::Deck;

/// No packet, no card or no STOP card.
pub(super) const NONE: usize = 15;
pub(super) const MOST_SEATS: usize = 7;
pub(super) const MOST_PACKETS: usize = 6;

/// A set of cards: bit n for card n.
pub(super) type Cards = u128;

/// A move in a play-out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Action {
    Lay {
        card: u32,
        pile: usize,
    },
    /// GIVE, or SWAP with two players.
    Pass,
    /// The index of the STOP card in [`Stop::ALL`](super::super::Stop).
    Stop(usize),
    Call,
}

/// How far the game is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Stage {
    Running,
    /// An end condition is met, but the end has to be called.
    Armed,
    Over,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Position {
    pub seats: usize,
    pub confirmed: bool,
    /// Whether the end has to be called.
    pub shout: bool,
    /// Packets without any lay after which the game ends.
    pub idle: u32,
    pub packets: [Cards; MOST_PACKETS],
    /// All cards of the packets in play.
    pub live: Cards,
    pub players: [Player; MOST_SEATS],
    /// The packet in the centre, with two players.
    pub centre: usize,
    /// Bit set of the STOP cards in the centre.
    pub stops: u32,
    pub stage: Stage,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Player {
    /// Whether the seat still plays: it has neither stopped nor resigned.
    pub is_in: bool,
    pub resigned: bool,
    pub laid: bool,
    /// The packet in hand.
    pub packet: usize,
    /// The top card of the pile; 0 without one.
    pub top: u32,
    /// The number of cards in the pile.
    pub cards: u32,
    /// All bars, with BOOST and STOP cards.
    pub bars: i32,
    /// The bars of the best card in the pile.
    pub best: i32,
    pub boosts: u32,
    pub stop: usize,
    pub received: u32,
}

impl Player {
    pub const ABSENT: Self = Self {
        is_in: false,
        resigned: true,
        laid: false,
        packet: NONE,
        top: 0,
        cards: 0,
        bars: 0,
        best: 0,
        boosts: 0,
        stop: NONE,
        received: 0,
    };
}

/// All cards above a number.
pub(super) fn above(number: u32) -> Cards {
    !0 << (number + 1)
}

impl Position {
    /// The cards in the seat's hand.
    pub fn hand(&self, seat: usize) -> Cards {
        match self.players[seat].packet {
            NONE => 0,
            packet => self.packets[packet],
        }
    }

    /// The cards that may be laid on a pile, by its owner or by others, if they are in hand.
    pub fn fitting(&self, pile: usize, own: bool, deck: &Deck) -> Cards {
        let player = &self.players[pile];
        let by_colour = if self.confirmed { deck.same_colour[player.top as usize] } else { 0 };
        match (own, player.top) {
            (true, 0) => !0,
            (false, 0) => 0,
            _ if !player.is_in => 0,
            (true, top) => above(top) | by_colour,
            (false, top) => 1 << (top + 1) | by_colour,
        }
    }

    /// Whether the game waits for the seat.
    pub fn waits_for(&self, seat: usize) -> bool {
        self.players[seat].packet != NONE
    }

    pub fn play(&mut self, seat: usize, action: Action, deck: &Deck) {
        match action {
            Action::Lay { card, pile } => self.lay(seat, card, pile, deck),
            Action::Pass => self.pass(seat),
            Action::Stop(stop) => self.stop(seat, stop, deck),
            Action::Call => return self.end(deck),
        }
        let empty = (0..self.seats).any(|seat| self.waits_for(seat) && self.hand(seat) == 0)
            || self.centre != NONE && self.packets[self.centre] == 0;
        let held = (0..self.seats).any(|seat| self.waits_for(seat));
        if self.stops == 0 || empty {
            self.stage = Stage::Armed;
        }
        if !self.shout && self.stage == Stage::Armed || !held || self.is_idle() {
            self.end(deck);
        }
    }

    fn lay(&mut self, seat: usize, card: u32, pile: usize, deck: &Deck) {
        let bit = 1 << card;
        self.packets[self.players[seat].packet] &= !bit;
        self.live &= !bit;
        let bars = deck.bars[card as usize];
        let owner = &mut self.players[pile];
        owner.top = card;
        owner.cards += 1;
        owner.bars += bars;
        owner.best = owner.best.max(bars);
        if pile != seat && owner.boosts > 0 {
            owner.boosts -= 1;
            owner.bars -= deck.boost;
            self.players[seat].boosts += 1;
            self.players[seat].bars += deck.boost;
        }
        self.players[seat].laid = true;
        self.something_happened();
    }

    fn pass(&mut self, seat: usize) {
        let packet = self.players[seat].packet;
        if self.centre != NONE {
            let took = std::mem::replace(&mut self.centre, packet);
            self.receive(seat, took);
        } else if let Some(to) = (0..self.seats).find(|&to| self.players[to].is_in && !self.waits_for(to)) {
            self.players[seat].packet = NONE;
            self.receive(to, packet);
        }
    }

    fn receive(&mut self, seat: usize, packet: usize) {
        let player = &mut self.players[seat];
        (player.packet, player.laid) = (packet, false);
        player.received += 1;
    }

    fn stop(&mut self, seat: usize, stop: usize, deck: &Deck) {
        self.stops &= !(1 << stop);
        let player = &mut self.players[seat];
        player.stop = stop;
        player.bars += deck.stops[stop];
        player.is_in = false;
        let packet = std::mem::replace(&mut player.packet, NONE);
        self.live &= !self.packets[packet];
        self.something_happened();
    }

    fn something_happened(&mut self) {
        self.players.iter_mut().for_each(|player| player.received = 0);
    }

    fn is_idle(&self) -> bool {
        self.players[..self.seats].iter().all(|player| !player.is_in || player.received >= self.idle)
    }

    fn end(&mut self, deck: &Deck) {
        self.stage = Stage::Over;
        // With two players, too few cards cost one of the best.
        if self.centre != NONE
            && let Some(from) = (0..2).find(|seat| self.players[*seat].stop != NONE)
            && self.players[from].cards <= deck.too_few
        {
            let best = self.players[from].best;
            self.players[from].bars -= best;
            self.players[from].cards -= 1;
            self.players[1 - from].bars += best;
            self.players[1 - from].cards += 1;
        }
    }

    /// What decides about victory: bars, then cards.
    pub fn rank(&self, seat: usize) -> i32 {
        let player = &self.players[seat];
        if player.resigned { -1 } else { player.bars * 128 + i32::try_from(player.cards).unwrap_or(0) }
    }

    /// The seat's lead over the best of the others, in the unit of `rank`.
    pub fn lead(&self, seat: usize) -> i32 {
        let best = (0..self.seats).filter(|other| *other != seat).map(|other| self.rank(other)).max();
        self.rank(seat) - best.unwrap_or(0)
    }

    /// How many seats share the victory if the game is over; 0 if the seat does not win.
    pub fn sharing(&self, seat: usize) -> i32 {
        let rank = self.rank(seat);
        let others = (0..self.seats).filter(|other| *other != seat);
        others.fold(1, |sharing, other| match self.rank(other) {
            _ if sharing == 0 => 0,
            best if best > rank => 0,
            equal if equal == rank => sharing + 1,
            _ => sharing,
        })
    }
}
