//! The edge over real sockets: what strangers, browsers and operators meet before and around the games.
#![allow(unreachable_pub, reason = "a test binary exports nothing")]
#![allow(clippy::unwrap_used, reason = "the exception for tests does not reach the helpers around them")]

mod admin;
mod assets;
mod browsers;
mod budgets;
mod disk;
mod drain;
mod hosts;
mod kinds;
mod limits;
mod logs;
mod metrics;
#[allow(dead_code, reason = "shared with tests/api, which uses all of it")]
#[path = "../openapi/mod.rs"]
mod openapi;
#[cfg(feature = "otlp")]
mod otlp;
mod settings;
mod support;
mod sweep;
mod transport;
