//! Ludotheque: board games, refereed by the server, for any front end.
//!
//! - [`rules`] referees: a crate of its own, `ludotheque-rules`, with one folder per kind, pure.
//! - [`games`] and [`players`] are the use cases, and say in their `ports` what they need from outside.
//! - [`store`] keeps games and players; [`auth`] proves who is calling; [`texts`] speaks the reader's language.
//! - [`rest`] and [`graphql`] are the faces of it all, [`refusal`] what both say when it can't be done, [`live`] their
//!   streams, [`web`] the pages; [`app`] puts everything together and [`server`] listens.
//! - [`quota`] is the price list of all work, with the budgets and queues that keep clients from taking it from others.
//! - [`edge`] is what every request passes through; [`admin`] is for the operator; [`sweep`] tidies up now and then.
//! - [`signal`] wakes one task.
//! - [`cli`] is the command line, [`config`] its settings.
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
