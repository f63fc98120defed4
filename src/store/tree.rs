//! The kinds of stored values. A tree is a tree of the embedded store or a table of the shared one. Both store the same
//! bytes, because a value's checksum covers the name of its tree and its key. Only the embedded store packs several
//! values into one.

use super::codec::{self, StorageKey};
use crate::games::ports::StoreError;
use serde::{Serialize, de::DeserializeOwned};

/// The largest key and value. sled can't store larger ones, and each store must accept what the other has.
///
/// No request comes near these limits: `games/caps.rs` bounds steps and members. The largest possible value is the head
/// of a game from before those bounds: up to 64 KiB, plus two ids for each seat.
pub(super) const MAX_KEY_BYTES: usize = 1 << 10;
pub(super) const MAX_VALUE_BYTES: usize = 96 << 10;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Tree {
    Heads,
    Steps,
    Commands,
    Snapshots,
    Members,
    Listed,
    Accounts,
    Meta,
}

impl Tree {
    pub(super) const ALL: [Tree; 8] = [
        Tree::Heads,
        Tree::Steps,
        Tree::Commands,
        Tree::Snapshots,
        Tree::Members,
        Tree::Listed,
        Tree::Accounts,
        Tree::Meta,
    ];

    pub(super) fn name(self) -> &'static str {
        ["g", "e", "c", "s", "p", "l", "a", "m"][self as usize]
    }

    pub(super) fn storage_key(self, key: &[u8]) -> StorageKey<'_> {
        StorageKey { tree: self.name(), key }
    }

    /// Encodes a value; fails if key or value is too large.
    pub(super) fn encode<T: Serialize + ?Sized>(self, key: &[u8], value: &T) -> Result<Vec<u8>, StoreError> {
        self.check_size(key, codec::encode(self.storage_key(key), value))
    }

    /// Packs values that were [appended](codec::append_value) to each other; fails if key or value is too large.
    pub(super) fn pack(self, key: &[u8], values: &[u8]) -> Result<Vec<u8>, StoreError> {
        self.check_size(key, codec::pack(self.storage_key(key), values))
    }

    fn check_size(self, key: &[u8], value: Vec<u8>) -> Result<Vec<u8>, StoreError> {
        if key.len() > MAX_KEY_BYTES || value.len() > MAX_VALUE_BYTES {
            let (tree, key, value) = (self.name(), key.len(), value.len());
            return Err(StoreError::Unavailable(format!(
                "an entry of tree {tree} with {key} + {value} bytes is too large; at most {MAX_KEY_BYTES} + {MAX_VALUE_BYTES} fit"
            )));
        }
        Ok(value)
    }

    pub(super) fn decode<T: DeserializeOwned>(self, key: &[u8], bytes: &[u8]) -> Result<T, StoreError> {
        codec::decode(self.storage_key(key), bytes)
    }

    /// Decodes all values under a key that may hold several.
    pub(super) fn decode_all<T: DeserializeOwned>(self, key: &[u8], bytes: &[u8]) -> Result<Vec<T>, StoreError> {
        codec::decode_all(self.storage_key(key), bytes)
    }
}
