//! Ludotheque: a game-state server for board games, which referees every move, for any front end.
//!
//! - [`rules`]: the crate `ludotheque-rules`, pure, with one folder per kind of game.
//! - [`games`] and [`players`]: use cases; their `ports` are the interfaces that they need from outside.
//! - [`store`]: persistence; [`auth`]: authentication; [`texts`]: localised texts.
//! - [`rest`] and [`graphql`]: the APIs; [`refusal`]: their errors; [`live`]: their streams; [`web`]: the pages.
//! - [`app`]: composition root; [`routing`]: the HTTP routers; [`server`]: the HTTP server.
//! - [`quota`]: prices of requests, token buckets and delayed refusals.
//! - [`edge`]: cross-cutting concerns of requests; [`admin`]: the operator's socket; [`sweep`]: housekeeping.
//! - [`signal`]: wakes one task. [`cli`]: command line; [`config`]: settings.
//!
//! ARCHITECTURE.md is the map, with the reasons.

pub mod admin;
pub mod app;
pub mod auth;
pub mod cli;
pub mod clock;
pub mod codes;
pub mod config;
pub mod edge;
pub mod games;
pub mod graphql;
pub mod ids;
pub mod live;
pub mod players;
pub mod quota;
pub mod refusal;
pub mod rest;
pub mod routing;
pub mod server;
pub mod signal;
pub mod store;
pub mod strict_json;
pub mod sweep;
pub mod texts;
pub mod web;

pub use ludotheque_rules as rules;
