//! End-to-end tests of the service: real sockets, the real store. By subject: REST (`api`), GraphQL (`graphql`) and its
//! transports (`wire`), authentication (`identity`), and limits, logs, metrics and files (`edge`).
//!
//! Every answer of REST in these tests is checked against the OpenAPI document (`test_support::openapi`), so an
//! undocumented status, media type or shape fails the test that met it.
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
