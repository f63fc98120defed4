//! Several nodes on one database: nothing lost when one of them dies, or the database does, and one order of all moves,
//! whichever node was asked.
#![allow(unreachable_pub, reason = "a test binary exports nothing")]
#![allow(clippy::print_stdout, reason = "how long there was no service is told")]

#[allow(dead_code, reason = "shared with tests/graphql, which uses all of it")]
#[path = "../graphql/ask.rs"]
mod ask;
mod away;
mod crowd;
mod failover;
mod fleet;
mod history;
mod keys;
mod linear;
mod moving;
#[allow(dead_code, reason = "shared with tests/api, which uses all of it")]
#[path = "../openapi/mod.rs"]
mod openapi;
#[allow(dead_code, reason = "shared with tests/store, which uses the rest of it")]
#[path = "../postgres/mod.rs"]
mod postgres;
mod proxy;
mod shared;
#[allow(dead_code, unused_imports, reason = "shared with tests/api, which uses all of it")]
#[path = "../api/support/mod.rs"]
mod support;
mod tls;
#[allow(dead_code, unused_imports, clippy::unwrap_used, reason = "shared with tests/wire, which uses all of it")]
#[path = "../wire/support/mod.rs"]
mod wire;
