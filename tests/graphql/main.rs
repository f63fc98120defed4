//! The service through GraphQL: the same as through REST, type by type, move by move.

#[allow(dead_code, reason = "shared with tests/api, which uses all of it")]
#[path = "../openapi/mod.rs"]
mod openapi;
#[allow(dead_code, reason = "only tests of several nodes use all of it")]
#[path = "../postgres/mod.rs"]
mod postgres;
#[path = "../api/support/mod.rs"]
#[allow(dead_code, unused_imports, reason = "shared with tests/api, which uses all of it")]
mod support;

mod again;
mod ask;
mod clashes;
mod drift;
mod everything;
mod examples;
mod hiding;
mod loads;
mod numbers;
mod refusals;
mod santa_rescue;
mod schema;
mod selections;
mod streams;
mod types;
mod whole_games;
