//! Held seats: in the lobby of a rematch, the seats of those who have not asked for it yet are held for them.
//!
//! A held seat is free, but nobody else can take it until its player declines or the host releases it. Its player may see
//! the lobby and finds it among their games; nobody waits for them, and the game can't start without them.

use super::game::Game;
use super::step::{Event, TableEvent};
use crate::ids::PlayerId;
use crate::rules::Seat;

impl Game {
    /// The held seats and for whom they are held.
    pub fn holds(&self) -> impl Iterator<Item = (Seat, PlayerId)> + '_ {
        Seat::all(self.size()).filter_map(|seat| self.held[seat.index()].map(|player| (seat, player)))
    }

    /// The seat that is held for a player.
    pub fn held_for(&self, player: PlayerId) -> Option<Seat> {
        self.holds().find(|(_, invited)| *invited == player).map(|(seat, _)| seat)
    }

    /// Whether a player may take a seat: it is free, and held for nobody else.
    pub(super) fn is_open_to(&self, seat: Seat, player: PlayerId) -> bool {
        let is_free = self.seats.get(seat.index()).is_some_and(Option::is_none);
        is_free && self.held[seat.index()].is_none_or(|invited| invited == player)
    }

    /// Holds a seat no longer.
    pub(super) fn release(&mut self, seat: Seat, events: &mut Vec<Event>) {
        self.held[seat.index()] = None;
        events.push(Event::Table(TableEvent::Released { seat }));
    }
}
