//! Persistence: the two stores that implement the ports of the use cases.
//!
//! [`sled`] is the embedded store, [`postgres`] the one that several nodes share. [`export_format`] is the format in
//! which both export and import.

mod codec;
mod epochs;
pub mod export_format;
mod export_order;
mod fdatasync_interposer;
mod keys;
mod observer;
pub mod postgres;
pub mod private_files;
pub mod sled;
mod tree;
mod verify_report;

pub use export_format::{ExportError, ImportError};
pub use observer::{Commit, Observer};
pub use verify_report::{Judge, Verified, VerifiedCounts};
