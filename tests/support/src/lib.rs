//! Test support: what all test binaries of the service share.
//!
//! Two ways to have a server: [`Server`] runs the service within the test, [`Program`] runs the real binary as a process.
//! Both dereference to an [`Endpoint`], where one registers a [`Player`] or seats a whole [`Table`]. A player makes requests
//! ([`Ask`]), and every [`Answer`] of REST is checked against the OpenAPI document on its way.
#![allow(clippy::unwrap_used, reason = "a test that meets an error has failed")]

pub mod endpoint;
pub mod graphql;
pub mod http;
pub mod http2;
pub mod openapi;
pub mod player;
pub mod postgres;
pub mod power_loss;
pub mod program;
pub mod raw_sled;
pub mod redact;
pub mod server;
pub mod socket;
pub mod sse;
pub mod table;
pub mod tested_store;

pub use endpoint::{Endpoint, PASSWORD};
pub use http::{Answer, Ask};
pub use player::Player;
pub use program::{Program, ludotheque, ludotheque_unlimited};
pub use server::Server;
pub use socket::Socket;
pub use sse::{Events, Steps};
pub use table::Table;
pub use tested_store::TestedStore;

use ludotheque::rules::{Dice, Seed};
use std::time::Duration;
use tempfile::TempDir;

/// Far longer than anything takes; only there so that a defect ends a test.
pub const PATIENCE: Duration = Duration::from_secs(90);

/// Whether this is `./scripts/test long`, which also runs what is too long for every change.
pub fn is_long_run() -> bool {
    std::env::var_os("LUDOTHEQUE_TEST_LONG").is_some_and(|value| !value.is_empty())
}

/// The number of rounds of a test: the usual one, or ten times as many in a [long run](is_long_run).
pub fn rounds<T: From<u8> + std::ops::Mul<Output = T>>(usual: T) -> T {
    if is_long_run() { usual * T::from(10) } else { usual }
}

/// Random numbers that are the same in every run.
pub fn dice(number: u64) -> Dice {
    let mut seed = [0; 32];
    seed[..8].copy_from_slice(&number.to_le_bytes());
    Dice::new(Seed(seed))
}

/// One of several things.
pub fn pick<'a, T>(dice: &mut Dice, items: &'a [T]) -> &'a T {
    &items[dice.index(items.len())]
}

/// A folder for data that is removed afterwards.
pub fn folder() -> TempDir {
    tempfile::tempdir().expect("a folder")
}

/// Asks again, for a minute at most, until there is an answer.
pub async fn eventually<T>(mut ask: impl AsyncFnMut() -> Option<T>) -> T {
    for _ in 0..600 {
        if let Some(answer) = ask().await {
            return answer;
        }
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
    panic!("it did not come about within a minute");
}
