//! What sorts of values there are. A tree of the embedded store, or a table of the shared one: a value is the same bytes in
//! both, because its checksum covers the name of its tree and its key. Only the embedded one packs several into one.

use super::codec::{self, StorageKey};
use crate::games::ports::StoreError;
use serde::{Serialize, de::DeserializeOwned};

/// How large keys and values may be. The embedded store can keep nothing larger, and what one store takes the other must.
///
/// Nothing that a caller may ask for comes near it: `games/caps.rs` bounds steps and members. The largest value there may be
/// is the head of a game from before there were such bounds. It has up to 64 KiB, and takes two ids more for each seat.
pub(super) const MAX_KEY: usize = 1 << 10;
pub(super) const MAX_VALUE: usize = 96 << 10;

/// One of the trees.
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

    pub(super) fn place(self, key: &[u8]) -> StorageKey<'_> {
        StorageKey { tree: self.name(), key }
    }

    /// Refuses what is too large to be kept.
    pub(super) fn encode<T: Serialize + ?Sized>(self, key: &[u8], value: &T) -> Result<Vec<u8>, StoreError> {
        self.fitting(key, codec::encode(self.place(key), value))
    }

    /// Values that were [joined](codec::join), packed. Refuses what is too large to be kept.
    pub(super) fn pack(self, key: &[u8], values: &[u8]) -> Result<Vec<u8>, StoreError> {
        self.fitting(key, codec::pack(self.place(key), values))
    }

    fn fitting(self, key: &[u8], value: Vec<u8>) -> Result<Vec<u8>, StoreError> {
        if key.len() > MAX_KEY || value.len() > MAX_VALUE {
            let (tree, key, value) = (self.name(), key.len(), value.len());
            return Err(StoreError::Unavailable(format!(
                "an entry of tree {tree} with {key} + {value} bytes is too large; at most {MAX_KEY} + {MAX_VALUE} fit"
            )));
        }
        Ok(value)
    }

    pub(super) fn decode<T: DeserializeOwned>(self, key: &[u8], bytes: &[u8]) -> Result<T, StoreError> {
        codec::decode(self.place(key), bytes)
    }

    /// All values under a key where there may be several.
    pub(super) fn decode_all<T: DeserializeOwned>(self, key: &[u8], bytes: &[u8]) -> Result<Vec<T>, StoreError> {
        codec::decode_all(self.place(key), bytes)
    }
}
