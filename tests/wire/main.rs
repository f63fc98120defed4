//! GraphQL over real sockets: how questions and answers travel, and what is refused before it is carried out. The client
//! here is ours, and does what no well-behaved one would; those of others are in tests/conformance.
#![allow(unreachable_pub, reason = "a test binary exports nothing")]
#![allow(clippy::unwrap_used, reason = "the exception for tests does not reach the helpers around them")]

mod batches;
mod documents;
mod hostile;
mod http;
mod log_and_metrics;
#[allow(dead_code, reason = "shared with tests/api, which uses all of it")]
#[path = "../openapi/mod.rs"]
mod openapi;
#[allow(dead_code, reason = "only tests of several nodes use all of it")]
#[path = "../postgres/mod.rs"]
mod postgres;
mod raw_json;
mod sse;
mod support;
mod ws_lifecycle;
mod ws_operations;
