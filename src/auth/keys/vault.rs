//! Storage of signing keys: the port that a folder and a database table implement.

use super::KeyError;
use std::time::Duration;

/// All calls may block.
pub trait Vault: Send + Sync + 'static {
    fn name(&self) -> String;

    /// The ids of all keys, oldest first.
    fn kids(&self) -> Result<Vec<String>, KeyError>;

    /// All keys with their ids, oldest first, in PKCS#8 form.
    fn read(&self) -> Result<Vec<(String, Vec<u8>)>, KeyError>;

    /// Stores a key; durable when it returns.
    fn add(&self, kid: &str, pkcs8: &[u8]) -> Result<(), KeyError>;

    /// Stores the first key, unless another process stores one at the same time.
    fn add_first(&self, kid: &str, pkcs8: &[u8]) -> Result<(), KeyError> {
        self.add(kid, pkcs8)
    }

    fn remove(&self, kid: &str) -> Result<(), KeyError>;

    /// How long a new key waits before it signs, so that all nodes know it by then.
    fn grace(&self) -> Duration {
        Duration::ZERO
    }
}
