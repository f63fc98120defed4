//! Ludotheque: board games, refereed by the server, for any front end.

pub mod games;
pub mod ids;
pub mod players;
pub mod rules;
pub mod store;
