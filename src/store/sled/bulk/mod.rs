//! Operations on a whole store, for the command line: export, import, compaction and verification. They block.

pub(super) mod bundle;
pub(super) mod compact;
mod export;
mod import;
mod verify;
