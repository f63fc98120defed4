//! What is fuzzed, one file each.

mod documents;
mod imports;
mod moves;
mod replays;
mod stored;
mod tokens;
