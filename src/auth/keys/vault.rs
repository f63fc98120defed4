//! Where signing keys are kept: what a folder, or a table, must do for them.

use super::KeyError;
use std::time::Duration;

/// A place for signing keys, by their ids. All calls may block.
pub trait Vault: Send + Sync + 'static {
    /// What it is called in messages.
    fn name(&self) -> String;

    /// The ids of all keys, oldest first.
    fn kids(&self) -> Result<Vec<String>, KeyError>;

    /// All keys with their ids, oldest first, in PKCS#8 form.
    fn read(&self) -> Result<Vec<(String, Vec<u8>)>, KeyError>;

    /// Keeps a key; durable when it returns.
    fn add(&self, kid: &str, pkcs8: &[u8]) -> Result<(), KeyError>;

    /// Keeps the first key, unless somebody else does at the same moment.
    fn add_first(&self, kid: &str, pkcs8: &[u8]) -> Result<(), KeyError> {
        self.add(kid, pkcs8)
    }

    fn remove(&self, kid: &str) -> Result<(), KeyError>;

    /// How long a new key waits before it signs, so that every node knows it by then.
    fn grace(&self) -> Duration {
        Duration::ZERO
    }
}
