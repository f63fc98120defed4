//! Where games, players and sign-ins are kept: the stores that implement the ports of the use cases.
//!
//! [`sled`] is the embedded one. [`lines`] is the format in which any store is exported and imported.

mod codec;
mod durable;
pub mod lines;
pub mod sled;
