//! Where games, players and sign-ins are kept: the stores that implement the ports of the use cases.
//!
//! [`sled`] is the embedded one, [`postgres`] the one that several nodes share. [`lines`] is the format in which any of them
//! is exported and imported.

mod codec;
mod durable;
mod epochs;
mod keys;
pub mod lines;
mod observer;
pub mod postgres;
pub mod private;
mod sequence;
pub mod sled;
mod transfer;
mod tree;
mod verified;

pub use observer::{Commit, Observer};
pub use transfer::{ExportError, ImportError};
pub use verified::{Counts, Judge, Verified};
