//! Inputs that nobody thought of, at every place where bytes from outside become something of ours: moves, stored values,
//! tokens, GraphQL documents, exports and replays.
//!
//! Each runs for 20 seconds, or for `FUZZ_SECONDS`. The seeds of whatever was found are kept in `regressions/` and tried
//! first in every later run; commit them with the fix.
#![allow(unreachable_pub, reason = "a test binary exports nothing")]
#![allow(clippy::unwrap_used, reason = "the exception for tests does not reach the helpers around them")]

mod fuzzing;
mod mutate;
#[path = "../store/raw.rs"]
mod raw;
mod world;

use proptest::strategy::Strategy;
use proptest::test_runner::{Config, FileFailurePersistence, TestCaseError, TestRunner};
use std::time::{Duration, Instant};

/// How many inputs are tried between two looks at the clock.
const BATCH: u32 = 32;

/// Tries inputs until the time is over; panics with the smallest one that fails.
pub fn fuzz<S: Strategy>(kept: &'static str, inputs: &S, check: impl Fn(S::Value) -> Result<(), TestCaseError>) {
    let seconds = std::env::var("FUZZ_SECONDS").map_or(20, |seconds| seconds.parse().expect("a number of seconds"));
    let until = Instant::now() + Duration::from_secs(seconds);
    let mut tried = 0;
    loop {
        let config = Config {
            cases: BATCH,
            max_shrink_time: 60_000,
            max_shrink_iters: u32::MAX,
            failure_persistence: Some(Box::new(FileFailurePersistence::Direct(kept))),
            ..Config::default()
        };
        if let Err(found) = TestRunner::new(config).run(inputs, &check) {
            panic!("{found}\nIts seed was added to {kept}.");
        }
        tried += BATCH;
        if Instant::now() >= until {
            break;
        }
    }
    assert!(tried >= BATCH);
    eprintln!("{tried} inputs");
}
