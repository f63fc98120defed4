//! The service over real HTTP: real sockets, the real store, and players who read like players.
//!
//! Every answer that any of these tests gets is checked against the OpenAPI document (`support/contract.rs`), so an
//! undocumented status, media type or shape fails whichever test met it first.

mod comings;
mod crashes;
mod errors;
mod examples;
mod games;
mod hiding;
mod kinds;
mod lobby;
mod moves;
mod no_panics;
mod players;
mod playing;
mod races;
mod replays;
mod streams;
mod support;
