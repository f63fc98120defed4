//! The edge over real sockets: what strangers, browsers and operators meet before and around the games.
#![allow(unreachable_pub, reason = "a test binary exports nothing")]
#![allow(clippy::unwrap_used, reason = "the exception for tests does not reach the helpers around them")]

mod admin;
mod assets;
mod browsers;
mod budgets;
mod campaigns;
mod clocks;
mod disk;
mod drain;
mod files;
mod hosts;
#[allow(dead_code, reason = "shared with tests/identity, which uses all of it")]
#[path = "../identity/jwt.rs"]
mod jwt;
mod kinds;
mod large_bodies;
mod limits;
mod log_transports;
mod logs;
mod metrics;
#[allow(dead_code, reason = "shared with tests/api, which uses all of it")]
#[path = "../openapi/mod.rs"]
mod openapi;
#[cfg(feature = "otlp")]
mod otlp;
mod pages;
#[allow(dead_code, reason = "only tests of several nodes use all of it")]
#[path = "../postgres/mod.rs"]
mod postgres;
mod settings;
mod support;
mod sweep;
mod transport;
#[path = "../wire/support/mod.rs"]
#[allow(dead_code, unused_imports, reason = "shared with tests/wire, which uses all of it")]
mod wire;
