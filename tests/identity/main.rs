//! Players and their tokens, from registering to signing out.

#![allow(clippy::unwrap_used, reason = "a test that meets an error has failed")]

mod accounts;
mod backend;
mod belonging;
mod command_line;
mod forged;
mod given_up;
mod issuers;
mod jwt;
#[allow(dead_code, reason = "shared with tests/api, which uses all of it")]
#[path = "../openapi/mod.rs"]
mod openapi;
mod over_http;
#[allow(dead_code, reason = "only tests of several nodes use all of it")]
#[path = "../postgres/mod.rs"]
mod postgres;
mod refreshing;
mod store;
mod support;
mod tokens;
#[path = "../wire/support/mod.rs"]
#[allow(dead_code, unreachable_pub, unused_imports, reason = "shared with tests/wire, which uses all of it")]
mod wire;
