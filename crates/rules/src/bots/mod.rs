//! Bots: programs that play a seat.
//!
//! A bot gets a [`Knowledge`] of the game, never its state, so a move is a function of what the seat knows, the level, the
//! version of the bot and a seed. It [rates](crate::capabilities::Bot::rate) the legal moves; [`choose`] picks one of them by
//! its [`Level`]. Budgets are numbers of samples, never times, and all arithmetic is on integers, so that every machine picks
//! the same move. A kind without a bot of its own is played by [`search`].

mod knowledge;
mod levels;
pub mod search;

pub use knowledge::Knowledge;
pub use levels::{Level, Rating, pick};

use crate::any::{AnyMove, AnyRules, AnyState};
use crate::{Dice, Instant, Seat, Seed};

/// The move that a bot of this level, from 1, makes for the seat; `None` if the seat has no legal move, or waits for other
/// seats.
///
/// # Panics
/// If the kind has no such level.
pub fn choose(
    rules: &dyn AnyRules,
    state: &AnyState,
    seat: Seat,
    level: u8,
    now: Instant,
    seed: Seed,
) -> Option<AnyMove> {
    let mut moves = rules.legal(state, seat, now);
    if moves.is_empty() {
        return None;
    }
    let level = &rules.bot_levels()[usize::from(level) - 1];
    let mut dice = Dice::new(seed);
    let ratings = rules.rate(state, seat, &moves, now, level.effort, &mut dice);
    (!ratings.is_empty()).then(|| moves.swap_remove(pick(&ratings, level, &mut dice)))
}
