//! What the tests share: servers to talk to, players who talk, and the checks that every answer passes.

pub mod answer;
pub mod door;
pub mod player;
pub mod program;
pub mod redact;
pub mod server;
pub mod sse;
pub mod table;

pub use answer::{Answer, Ask};
pub use door::{Door, PASSWORD};
pub use player::Player;
pub use program::Program;
pub use server::Server;
pub use table::Table;

use ludotheque::rules::{Dice, Seed};

/// Random numbers that are the same in every run.
pub fn dice(number: u64) -> Dice {
    let mut seed = [0; 32];
    seed[..8].copy_from_slice(&number.to_le_bytes());
    Dice::new(Seed(seed))
}

/// One of several things.
pub fn pick<'a, T>(dice: &mut Dice, items: &'a [T]) -> &'a T {
    &items[dice.index(items.len())]
}
