//! Players and their tokens, from registering to signing out.

#![allow(clippy::unwrap_used, reason = "a test that meets an error has failed")]

mod accounts;
mod backend;
mod command_line;
mod forged;
mod forged_elsewhere;
mod issuers;
mod jwt;
mod over_http;
#[allow(dead_code, reason = "only tests of several nodes use all of it")]
#[path = "../postgres/mod.rs"]
mod postgres;
mod store;
mod support;
mod tokens;
