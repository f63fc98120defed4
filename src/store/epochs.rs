//! Append epochs: decide which appends of a game are refused because an earlier one was.
//!
//! Comparing versions is not enough. Suppose another writer's version 7 is stored first: our 7 is refused, but our 8,
//! based on our 7, would fit onto theirs. Only the caller knows when it has seen the refusal. It then uses a new
//! [`epoch`](crate::games::ports::Append::epoch); every append of the old epoch was made without knowing of the
//! refusal, and is refused too.

use crate::ids::GameId;
use std::collections::HashMap;

/// Beyond this many games, the half whose appends were refused longest ago is forgotten.
const MAX_GAMES: usize = 1 << 16;

/// The ended epochs of games that had an append refused.
#[derive(Clone, Default)]
pub(super) struct Epochs {
    ended: HashMap<GameId, u64>,
}

impl Epochs {
    /// Ends this epoch and all before it.
    pub(super) fn end(&mut self, game: GameId, epoch: u64) {
        let ended = self.ended.entry(game).or_default();
        *ended = epoch.max(*ended);
        if self.ended.len() > MAX_GAMES {
            // Epochs grow with time, so the lowest are the oldest.
            let mut epochs: Vec<_> = self.ended.values().copied().collect();
            let (_, middle, _) = epochs.select_nth_unstable(MAX_GAMES / 2);
            let middle = *middle;
            self.ended.retain(|_, epoch| *epoch > middle);
        }
    }

    pub(super) fn is_over(&self, game: GameId, epoch: u64) -> bool {
        self.ended.get(&game).is_some_and(|ended| epoch <= *ended)
    }

    /// Forgets the ended epochs of a game once a later one has begun: no append of theirs can come any more.
    pub(super) fn begin(&mut self, game: GameId, epoch: u64) {
        if self.ended.get(&game).is_some_and(|ended| epoch > *ended) {
            self.ended.remove(&game);
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
        assert!(epochs.ended.is_empty());
    }

    #[test]
    fn the_oldest_are_forgotten() {
        let mut epochs = Epochs::default();
        let games: Vec<_> = (1..=MAX_GAMES as u64 + 1).map(|epoch| (GameId::new(), epoch)).collect();
        for (game, epoch) in &games {
            epochs.end(*game, *epoch);
        }
        assert!(!epochs.is_over(games[0].0, 1));
        assert!(epochs.is_over(games[MAX_GAMES].0, MAX_GAMES as u64 + 1));
    }
}
