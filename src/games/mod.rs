//! The use cases of games.

pub mod ports;
pub mod step;
