//! The service over real HTTP: real sockets, the real store, and players who read like players.
//!
//! Every answer that any of these tests gets is checked against the OpenAPI document (`tests/openapi`), so an
//! undocumented status, media type or shape fails whichever test met it first.

#[path = "../graphql/ask.rs"]
#[allow(dead_code, reason = "shared with tests/graphql, which uses all of it")]
mod ask;
#[path = "../identity/backend.rs"]
#[allow(dead_code, clippy::unwrap_used, reason = "shared with tests/identity, which uses all of it")]
mod backend;
mod backend_day;
mod backups;
mod comings;
mod crashes;
mod errors;
mod every_kind;
mod examples;
mod fairness;
mod games;
mod hiding;
#[path = "../identity/jwt.rs"]
#[allow(dead_code, clippy::unwrap_used, reason = "shared with tests/identity, which uses all of it")]
mod jwt;
mod kinds;
mod loading;
mod lobby;
mod matrix;
mod moves;
mod no_panics;
mod odd_texts;
#[path = "../openapi/mod.rs"]
mod openapi;
mod players;
mod playing;
#[allow(dead_code, reason = "only tests of several nodes use all of it")]
#[path = "../postgres/mod.rs"]
mod postgres;
mod races;
mod rematch;
mod replays;
mod santa_rescue;
#[path = "../graphql/everything.rs"]
#[allow(dead_code, reason = "shared with tests/graphql, which uses all of it")]
mod selections;
mod streams;
mod support;
mod unreadable;
