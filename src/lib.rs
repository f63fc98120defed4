//! Ludotheque: board games, refereed by the server, for any front end.

pub mod auth;
pub mod codes;
pub mod games;
pub mod ids;
pub mod players;
pub mod rules;
pub mod texts;
