//! Committed files that must agree with the code: descriptions of the API, documents, replays, texts and manifests.
#![allow(clippy::unwrap_used, reason = "the exception for tests does not reach the helpers around them")]

mod breaking;
mod contract;
mod deploy;
mod docs;
mod readme;
mod replays;
mod texts;
