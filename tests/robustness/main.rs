//! Robustness: fuzzing, and clients that are slow or send and ask for too much.
#![allow(unreachable_pub, reason = "a test binary exports nothing")]
#![allow(clippy::unwrap_used, reason = "the exception for tests does not reach the helpers around them")]

mod fuzz;
mod greedy;
