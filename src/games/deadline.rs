//! Time to move: since when each seat is waited for, when it is late, and when a lobby has been empty for too long.

use super::game::Game;
use super::options::MOVE_SECONDS;
use super::ports::Status;
use crate::rules::{Instant, Seat, Turn};

/// A lobby where nothing happened for this long is given up, in milliseconds.
pub const LOBBY_PATIENCE: i64 = 24 * 60 * 60 * 1000;

impl Game {
    /// When the first of those waited for will be late; nothing if they may take as long as they like.
    pub fn deadline(&self) -> Option<Instant> {
        let patience = self.patience()?;
        self.waiting.iter().map(|(_, since)| Instant(since.0.saturating_add(patience))).min()
    }

    /// The seats whose time has passed.
    pub(super) fn late_seats(&self, now: Instant) -> impl Iterator<Item = Seat> + '_ {
        let patience = self.patience();
        let late = move |since: Instant| patience.is_some_and(|patience| now.0.saturating_sub(since.0) >= patience);
        self.waiting.iter().filter(move |(_, since)| late(*since)).map(|(seat, _)| *seat)
    }

    /// Whether nobody has done anything in this lobby for too long.
    pub(super) fn is_idle_lobby(&self, now: Instant) -> bool {
        self.status == Status::Lobby && now.0.saturating_sub(self.updated_at.0) >= LOBBY_PATIENCE
    }

    /// Whom the game waits for after a step. A seat's time begins when the game begins to wait for it, and again with
    /// each move of its own; never before the seat can act at all.
    pub(super) fn waiting_after(&self, after: &Game, acted: Option<Seat>, at: Instant) -> Vec<(Seat, Instant)> {
        let (Some(running), Status::Active) = (&after.running, after.status) else { return Vec::new() };
        let Turn::Waiting(seats) = after.rules.turn(&running.state) else { return Vec::new() };
        let at = after.rules.waits_from(&running.state).map_or(at, |opens| opens.max(at));
        let since = |seat: Seat| {
            let before = self.waiting.iter().find(|(waiting, _)| *waiting == seat && acted != Some(seat));
            before.map_or(at, |(_, since)| *since)
        };
        seats.into_iter().map(|seat| (seat, since(seat))).collect()
    }

    fn patience(&self) -> Option<i64> {
        let seconds = self.options.0.get(MOVE_SECONDS)?.as_i64()?;
        (seconds > 0).then(|| seconds.saturating_mul(1000))
    }
}
