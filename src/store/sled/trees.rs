//! The trees of the store, read and written as typed values.
//!
//! | tree | key | value |
//! |---|---|---|
//! | `g` | game | its [`Head`](crate::games::ports::Head) |
//! | `e` | game ‖ version | a [`Step`](crate::games::step::Step), or a [bundle](super::bulk::bundle) of which it is the last |
//! | `c` | scope ‖ idempotency key | what became of the command |
//! | `s` | game, or game ‖ version | version and bytes of the newest snapshot, and of those kept for good |
//! | `p` | player ‖ status ‖ kind ‖ game | nothing: the games a player is a member of |
//! | `l` | status ‖ kind ‖ game | nothing: the public list |
//! | `a` | `p` player, `u` username, `s` issuer ‖ sub | accounts, and the two names they are found by |
//! |     | `f` family, `r` mark, `i` invite | sign-ins, ended tokens of other issuers, invites |
//! | `m` | a word | the store's own format and commit number |
//!
//! Game ids are time-ordered, so that a list that ends with the game is in the order of creation.

use super::super::tree::MAX_KEY;
pub(super) use super::super::tree::{MAX_VALUE, Tree};
use super::commit::sled_file::SledFile;
use crate::games::ports::StoreError;
use ::sled::{Db, IVec};
use serde::{Serialize, de::DeserializeOwned};
use std::cell::RefCell;
use std::collections::HashMap;
use std::sync::Arc;

/// sled keeps a page of the tree that outgrows a quarter of a segment in a file of its own, which it never syncs. With
/// segments of this size that does not happen: a page has about 16 entries, 20 at the very most, each within
/// [`MAX_KEY`] and [`MAX_VALUE`].
pub(super) const SEGMENT: usize = 8 << 20;
const _: () = assert!(20 * (MAX_KEY + MAX_VALUE) < SEGMENT / 4 - 1024);

/// A value on its way into a tree, encoded before it is queued so that the committer need not.
#[derive(Clone, Debug)]
pub(super) struct Entry {
    pub(super) tree: Tree,
    pub(super) key: IVec,
    pub(super) value: IVec,
}

impl Entry {
    /// Refuses what is too large for a page.
    pub(super) fn new<T: Serialize + ?Sized>(
        tree: Tree,
        key: impl AsRef<[u8]>,
        value: &T,
    ) -> Result<Entry, StoreError> {
        let key = key.as_ref();
        let value = tree.encode(key, value)?;
        Ok(Entry { tree, key: key.into(), value: value.into() })
    }
}

/// One thing that a commit changes: a value put where there may have been one, or taken away.
pub(super) type Change = (Tree, IVec, Option<IVec>);

/// All trees. Cheap to clone.
#[derive(Clone)]
pub(super) struct Trees {
    db: Db,
    all: [::sled::Tree; 8],
    log: Arc<SledFile>,
}

impl Trees {
    pub(super) fn open(db: &Db, log: &Arc<SledFile>) -> Result<Trees, ::sled::Error> {
        let all = Tree::ALL.iter().map(|tree| db.open_tree(tree.name())).collect::<Result<Vec<_>, _>>()?;
        Ok(Trees { db: db.clone(), all: all.try_into().expect("as many as there are"), log: Arc::clone(log) })
    }

    pub(super) fn raw(&self, tree: Tree) -> &::sled::Tree {
        &self.all[tree as usize]
    }

    pub(super) fn get<T: DeserializeOwned>(&self, tree: Tree, key: impl AsRef<[u8]>) -> Result<Option<T>, StoreError> {
        let key = key.as_ref();
        self.raw(tree).get(key).map_err(damaged)?.map(|bytes| tree.decode(key, &bytes)).transpose()
    }

    pub(super) fn contains(&self, tree: Tree, key: impl AsRef<[u8]>) -> Result<bool, StoreError> {
        self.raw(tree).contains_key(key).map_err(damaged)
    }

    pub(super) fn is_empty(&self, tree: Tree) -> Result<bool, StoreError> {
        Ok(self.raw(tree).iter().next().transpose().map_err(damaged)?.is_none())
    }

    /// All that was applied is on the disk.
    pub(super) fn flush(&self) -> Result<(), ::sled::Error> {
        self.db.flush()?;
        Ok(self.log.sync()?)
    }

    pub(super) fn size_on_disk(&self) -> Result<u64, StoreError> {
        self.db.size_on_disk().map_err(damaged)
    }

    /// The share of the disk that live pages take, from 0 to 1. Looks at every page.
    pub(super) fn live(&self) -> Result<f64, StoreError> {
        self.db.space_amplification().map(|factor| (1.0 / factor).clamp(0.0, 1.0)).map_err(damaged)
    }

    /// Carries out changes, one after the other.
    pub(super) fn apply(&self, changes: &[Change]) -> Result<(), ::sled::Error> {
        for (tree, key, value) in changes {
            match value {
                Some(value) => self.raw(*tree).insert(key, value)?,
                None => self.raw(*tree).remove(key)?,
            };
        }
        Ok(())
    }
}

/// sled can't read its own file.
#[allow(clippy::needless_pass_by_value, reason = "made for map_err")]
pub(super) fn damaged(error: ::sled::Error) -> StoreError {
    StoreError::Corrupt(error.to_string())
}

/// The trees as a commit will leave them, while it is worked out; they change when it is [applied](Trees::apply).
pub(super) struct Tx<'a> {
    trees: &'a Trees,
    changes: RefCell<Vec<Change>>,
    /// What was changed last under each key, tree by tree.
    newest: RefCell<[HashMap<IVec, Option<IVec>>; 8]>,
}

/// sled itself failed, and with it the whole commit.
#[derive(Debug)]
pub(super) struct Storage(pub(super) ::sled::Error);

/// Why a piece of work inside a commit stopped.
#[derive(Debug)]
pub(super) enum Stop {
    Storage(Storage),
    /// This piece is refused; the others go on.
    Refused(StoreError),
}

impl From<Storage> for Stop {
    fn from(error: Storage) -> Self {
        Stop::Storage(error)
    }
}

impl From<StoreError> for Stop {
    fn from(error: StoreError) -> Self {
        Stop::Refused(error)
    }
}

impl<'a> Tx<'a> {
    pub(super) fn new(trees: &'a Trees) -> Self {
        Self { trees, changes: RefCell::default(), newest: RefCell::default() }
    }

    /// Everything that was put and removed, in order.
    pub(super) fn into_changes(self) -> Vec<Change> {
        self.changes.into_inner()
    }

    pub(super) fn get<T: DeserializeOwned>(&self, tree: Tree, key: impl AsRef<[u8]>) -> Result<Option<T>, Stop> {
        let key = key.as_ref();
        Ok(self.bytes(tree, key)?.map(|bytes| tree.decode(key, &bytes)).transpose()?)
    }

    pub(super) fn contains(&self, tree: Tree, key: impl AsRef<[u8]>) -> Result<bool, Storage> {
        Ok(self.bytes(tree, key.as_ref())?.is_some())
    }

    /// Whether any key starts like that.
    pub(super) fn contains_prefix(&self, tree: Tree, prefix: &[u8]) -> Result<bool, Storage> {
        let newest = self.newest.borrow();
        let changed = &newest[tree as usize];
        if changed.iter().any(|(key, value)| value.is_some() && key.starts_with(prefix)) {
            return Ok(true);
        }
        for key in self.trees.raw(tree).scan_prefix(prefix).keys() {
            // What was changed was removed, or it had been found above.
            if !changed.contains_key(&key.map_err(Storage)?) {
                return Ok(true);
            }
        }
        Ok(false)
    }

    pub(super) fn put(&self, entry: &Entry) {
        self.change(entry.tree, &entry.key, Some(entry.value.clone()));
    }

    pub(super) fn remove(&self, tree: Tree, key: impl Into<IVec>) {
        self.change(tree, &key.into(), None);
    }

    fn change(&self, tree: Tree, key: &IVec, value: Option<IVec>) {
        self.newest.borrow_mut()[tree as usize].insert(key.clone(), value.clone());
        self.changes.borrow_mut().push((tree, key.clone(), value));
    }

    /// The value under a key, not decoded.
    pub(super) fn bytes(&self, tree: Tree, key: &[u8]) -> Result<Option<IVec>, Storage> {
        match self.newest.borrow()[tree as usize].get(key) {
            Some(changed) => Ok(changed.clone()),
            None => self.trees.raw(tree).get(key).map_err(Storage),
        }
    }
}
