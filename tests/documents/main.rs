//! What is committed beside the code, and must agree with it: descriptions of the API, replays, texts, manifests, and what
//! people read.

mod breaking;
mod contract;
mod deploy;
mod replays;
mod texts;
