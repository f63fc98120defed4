//! Committed files that must agree with the code: descriptions of the API, replays, texts and manifests.

mod breaking;
mod contract;
mod deploy;
mod replays;
mod texts;
