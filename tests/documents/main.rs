//! Committed files that must agree with the code: descriptions of the API, replays, texts and manifests.
#![allow(clippy::unwrap_used, reason = "a test that meets an error has failed")]

mod breaking;
mod contract;
mod deploy;
mod replays;
mod texts;
