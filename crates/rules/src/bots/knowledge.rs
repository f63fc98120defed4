//! What a seat knows of a game.

use crate::{Dice, Eyes, Instant, Rules, Seat, Turn};

/// What a seat knows of a game, and all that a bot gets: the view, the legal moves, and random states that agree with them.
/// The actual state is private to this file. Equal knowledge and equal dice give equal samples, because
/// [`Rules::resample`] is canonical.
pub struct Knowledge<'a, R: Rules> {
    state: &'a R::State,
    seat: Seat,
    now: Instant,
}

impl<'a, R: Rules> Knowledge<'a, R> {
    pub fn new(state: &'a R::State, seat: Seat, now: Instant) -> Self {
        Self { state, seat, now }
    }

    pub fn seat(&self) -> Seat {
        self.seat
    }

    pub fn now(&self) -> Instant {
        self.now
    }

    pub fn view(&self) -> R::View {
        R::view(self.state, Eyes::Seat(self.seat))
    }

    /// The seats that the game waits for.
    pub fn turn(&self) -> Turn {
        R::turn(self.state)
    }

    /// The legal moves of the seat.
    pub fn legal(&self) -> Vec<R::Move> {
        R::legal(self.state, self.seat, self.now)
    }

    /// The effect of a legal move of the seat, in kinds where it is public.
    pub fn effect(&self, mv: &R::Move) -> Option<R::Effect> {
        R::effect(self.state, self.seat, mv)
    }

    /// A random state that agrees with all that the seat knows.
    pub fn sample(&self, dice: &mut Dice) -> R::State {
        R::resample(self.state, Eyes::Seat(self.seat), dice)
    }
}
