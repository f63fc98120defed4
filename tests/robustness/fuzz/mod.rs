//! Fuzzing of everything that reads bytes from outside: moves, stored values, tokens, GraphQL documents, exports and replays.
//!
//! Each runs for 20 seconds, for ten times as long in a long run, or for `FUZZ_SECONDS`. The seeds of whatever was found are kept in `regressions/` and tried
//! first in every later run; commit them with the fix.

mod documents;
mod imports;
mod moves;
mod mutate;
mod replays;
mod stored;
mod tokens;
mod world;

use proptest::strategy::Strategy;
use proptest::test_runner::{Config, FileFailurePersistence, TestCaseError, TestRunner};
use std::cell::Cell;
use std::time::{Duration, Instant};
use test_support::rounds;

/// How many inputs are tried between two looks at the clock.
const BATCH: u32 = 32;

/// What became of an input.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fate {
    TurnedAway,
    /// It was read, and taken for something of ours.
    LetIn,
}

impl Fate {
    pub fn of(is_let_in: bool) -> Self {
        if is_let_in { Self::LetIn } else { Self::TurnedAway }
    }
}

/// Tries inputs until the time is over; panics with the smallest one that fails, and if the inputs prove nothing: some of
/// them must be let in, and some turned away.
pub fn fuzz<S: Strategy>(kept: &'static str, inputs: &S, check: impl Fn(S::Value) -> Result<Fate, TestCaseError>) {
    let seconds = std::env::var("FUZZ_SECONDS").map(|seconds| seconds.parse().expect("a number of seconds"));
    let seconds = seconds.unwrap_or_else(|_| rounds(20));
    let until = Instant::now() + Duration::from_secs(seconds);
    let (let_in, turned_away) = (Cell::new(0), Cell::new(0));
    let judge = |input| {
        let count = if check(input)? == Fate::LetIn { &let_in } else { &turned_away };
        count.set(count.get() + 1);
        Ok(())
    };
    loop {
        let config = Config {
            cases: BATCH,
            max_shrink_time: 60_000,
            max_shrink_iters: u32::MAX,
            failure_persistence: Some(Box::new(FileFailurePersistence::Direct(kept))),
            ..Config::default()
        };
        if let Err(found) = TestRunner::new(config).run(inputs, judge) {
            panic!("{found}\nIts seed was added to {kept}.");
        }
        if Instant::now() >= until {
            break;
        }
    }
    let (let_in, turned_away) = (let_in.get(), turned_away.get());
    eprintln!("{let_in} inputs were let in, {turned_away} turned away");
    assert!(let_in > 0 && turned_away > 0, "{let_in} inputs were let in, {turned_away} turned away");
}
