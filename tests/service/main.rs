//! The service over real HTTP: real sockets, the real store, and players who read like players. By subject: what REST and
//! GraphQL do, how operations travel, who somebody is, and what strangers, browsers and operators meet around the games.
//!
//! Every answer of REST that any of these tests gets is checked against the OpenAPI document (`test_support::openapi`), so an
//! undocumented status, media type or shape fails whichever test met it first.
#![allow(unreachable_pub, reason = "a test binary exports nothing")]
#![allow(clippy::unwrap_used, reason = "the exception for tests does not reach the helpers around them")]

mod api;
mod backend;
mod edge;
mod everything;
mod graphql;
mod identity;
mod jwt;
mod wire;
