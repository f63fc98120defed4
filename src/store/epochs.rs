//! Which of a game's appends fall with one that was refused.
//!
//! Comparing versions is not enough for that: if somebody else's version 7 got in first, our 7 is refused, but our 8, made
//! on top of our 7, would fit onto theirs. Only the caller knows when it has heard of the refusal, and says so by a new
//! [`epoch`](crate::games::ports::Append::epoch): whatever comes under the old one was made without knowing.

use crate::ids::GameId;
use std::collections::HashMap;

/// How many games are remembered. One that is forgotten was refused long before so many others.
const REMEMBERED: usize = 1 << 16;

/// The epochs that are over, of games of which an append was refused.
#[derive(Clone, Default)]
pub(super) struct Epochs {
    over: HashMap<GameId, u64>,
}

impl Epochs {
    /// Ends an epoch, and those before it.
    pub(super) fn end(&mut self, game: GameId, epoch: u64) {
        let over = self.over.entry(game).or_default();
        *over = epoch.max(*over);
        if self.over.len() > REMEMBERED {
            // Epochs grow with time, so that the lowest are the oldest.
            let mut epochs: Vec<_> = self.over.values().copied().collect();
            let (_, middle, _) = epochs.select_nth_unstable(REMEMBERED / 2);
            let middle = *middle;
            self.over.retain(|_, epoch| *epoch > middle);
        }
    }

    pub(super) fn is_over(&self, game: GameId, epoch: u64) -> bool {
        self.over.get(&game).is_some_and(|over| epoch <= *over)
    }

    /// An append of a later epoch was queued: none of those before can come any more.
    pub(super) fn begin(&mut self, game: GameId, epoch: u64) {
        if self.over.get(&game).is_some_and(|over| epoch > *over) {
            self.over.remove(&game);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_epoch_ends_with_those_before_it_and_until_a_later_one_begins() {
        let (game, other) = (GameId::new(), GameId::new());
        let mut epochs = Epochs::default();
        epochs.end(game, 7);
        epochs.end(game, 5);
        assert!(epochs.is_over(game, 7) && epochs.is_over(game, 6) && !epochs.is_over(game, 8));
        assert!(!epochs.is_over(other, 7));
        epochs.begin(game, 7);
        assert!(epochs.is_over(game, 7));
        epochs.begin(game, 8);
        assert!(epochs.over.is_empty());
    }

    #[test]
    fn the_oldest_are_forgotten() {
        let mut epochs = Epochs::default();
        let games: Vec<_> = (1..=REMEMBERED as u64 + 1).map(|epoch| (GameId::new(), epoch)).collect();
        for (game, epoch) in &games {
            epochs.end(*game, *epoch);
        }
        assert!(!epochs.is_over(games[0].0, 1));
        assert!(epochs.is_over(games[REMEMBERED].0, REMEMBERED as u64 + 1));
    }
}
