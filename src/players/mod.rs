//! The use cases of players.

pub mod ports;
