//! Write path: a write is queued, made durable by the journal in a group commit, applied to sled, and then answered.

pub(super) mod commit_watermark;
pub(super) mod committer;
pub(super) mod disk_space;
pub(super) mod journal;
pub(super) mod queue;
pub(super) mod reopen;
pub(super) mod sled_file;
pub(super) mod write;
