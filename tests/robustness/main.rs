//! Everything that nobody meant to be sent: inputs that nobody thought of, and clients that are slow or greedy.
#![allow(unreachable_pub, reason = "a test binary exports nothing")]
#![allow(clippy::unwrap_used, reason = "the exception for tests does not reach the helpers around them")]

mod fuzz;
mod greedy;
