//! Trees of the store: layout, typed access, and transactions.
//!
//! | tree | key | value |
//! |---|---|---|
//! | `g` | game | its [`Head`](crate::games::ports::Head) |
//! | `e` | game ‖ version | a [`Step`](crate::games::step::Step), or a [bundle](super::bulk::bundle) of which it is the last |
//! | `c` | scope ‖ idempotency key | the result of the command |
//! | `s` | game, or game ‖ version | version and bytes of the newest snapshot, and of the kept ones |
//! | `p` | player ‖ status ‖ kind ‖ game | empty: index of the games that a player is a member of |
//! | `l` | status ‖ kind ‖ game, or `L`/`O` ‖ time ‖ game | empty: the public list; idle lobbies and games that are over |
//! | `a` | `p` player, `u` username, `s` issuer ‖ sub | accounts, and the two names that lead to them |
//! |     | `f` family, `r` mark, `i` invite | sign-ins, revoked tokens of external issuers, invites |
//! | `m` | a word | format, commit number, import mark |
//!
//! Game ids are time-ordered, so a list whose keys end with the game is sorted by creation.

use super::super::tree::MAX_KEY_BYTES;
pub(super) use super::super::tree::{MAX_VALUE_BYTES, Tree};
use super::commit::sled_file::SledFile;
use crate::games::ports::StoreError;
use ::sled::{Db, IVec};
use serde::{Serialize, de::DeserializeOwned};
use std::cell::RefCell;
use std::collections::HashMap;
use std::sync::Arc;

/// sled keeps a page larger than a quarter of a segment in a separate file, which it never syncs. Segments of this size
/// rule that out: a page has about 16 entries, at most 20, each within [`MAX_KEY_BYTES`] and [`MAX_VALUE_BYTES`].
pub(super) const SEGMENT: usize = 8 << 20;
const _: () = assert!(20 * (MAX_KEY_BYTES + MAX_VALUE_BYTES) < SEGMENT / 4 - 1024);

/// A value to be written, encoded before it is queued to spare the committer the work.
#[derive(Clone, Debug)]
pub(super) struct Entry {
    pub(super) tree: Tree,
    pub(super) key: IVec,
    pub(super) value: IVec,
}

impl Entry {
    /// Fails if key or value is too large.
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

/// One change of a commit: a value to insert, or `None` to remove the key.
pub(super) type Change = (Tree, IVec, Option<IVec>);

/// All trees. Cheap to clone.
#[derive(Clone)]
pub(super) struct Trees {
    db: Db,
    all: [::sled::Tree; 8],
    file: Arc<SledFile>,
}

impl Trees {
    pub(super) fn open(db: &Db, file: &Arc<SledFile>) -> Result<Trees, ::sled::Error> {
        let all = Tree::ALL.iter().map(|tree| db.open_tree(tree.name())).collect::<Result<Vec<_>, _>>()?;
        Ok(Trees { db: db.clone(), all: all.try_into().expect("as many as there are"), file: Arc::clone(file) })
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

    /// Writes everything applied to disk.
    pub(super) fn flush(&self) -> Result<(), ::sled::Error> {
        self.db.flush()?;
        Ok(self.file.sync()?)
    }

    pub(super) fn size_on_disk(&self) -> Result<u64, StoreError> {
        self.db.size_on_disk().map_err(damaged)
    }

    /// The share of the disk space used by live pages, from 0 to 1. Reads every page.
    pub(super) fn live_share(&self) -> Result<f64, StoreError> {
        self.db.space_amplification().map(|factor| (1.0 / factor).clamp(0.0, 1.0)).map_err(damaged)
    }

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

/// The error when sled can't read its own file.
#[allow(clippy::needless_pass_by_value, reason = "made for map_err")]
pub(super) fn damaged(error: ::sled::Error) -> StoreError {
    StoreError::Corrupt(error.to_string())
}

/// A transaction: the trees as they will be after the commit being collected. Nothing changes before its changes are
/// [applied](Trees::apply).
pub(super) struct Tx<'a> {
    trees: &'a Trees,
    changes: RefCell<Vec<Change>>,
    /// The last change under each key, for each tree.
    newest: RefCell<[HashMap<IVec, Option<IVec>>; 8]>,
}

/// sled itself failed, and with it the whole commit.
#[derive(Debug)]
pub(super) struct SledError(pub(super) ::sled::Error);

/// Why a job inside a commit stopped.
#[derive(Debug)]
pub(super) enum JobError {
    Sled(SledError),
    /// Only this job is refused; the others continue.
    Refused(StoreError),
}

impl From<SledError> for JobError {
    fn from(error: SledError) -> Self {
        JobError::Sled(error)
    }
}

impl From<StoreError> for JobError {
    fn from(error: StoreError) -> Self {
        JobError::Refused(error)
    }
}

impl<'a> Tx<'a> {
    pub(super) fn new(trees: &'a Trees) -> Self {
        Self { trees, changes: RefCell::default(), newest: RefCell::default() }
    }

    pub(super) fn into_changes(self) -> Vec<Change> {
        self.changes.into_inner()
    }

    pub(super) fn get<T: DeserializeOwned>(&self, tree: Tree, key: impl AsRef<[u8]>) -> Result<Option<T>, JobError> {
        let key = key.as_ref();
        Ok(self.bytes(tree, key)?.map(|bytes| tree.decode(key, &bytes)).transpose()?)
    }

    pub(super) fn contains(&self, tree: Tree, key: impl AsRef<[u8]>) -> Result<bool, SledError> {
        Ok(self.bytes(tree, key.as_ref())?.is_some())
    }

    /// Whether there is a key with this prefix.
    pub(super) fn contains_prefix(&self, tree: Tree, prefix: &[u8]) -> Result<bool, SledError> {
        let newest = self.newest.borrow();
        let changed = &newest[tree as usize];
        if changed.iter().any(|(key, value)| value.is_some() && key.starts_with(prefix)) {
            return Ok(true);
        }
        for key in self.trees.raw(tree).scan_prefix(prefix).keys() {
            // A changed key was removed, or the search above would have found it.
            if !changed.contains_key(&key.map_err(SledError)?) {
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

    pub(super) fn bytes(&self, tree: Tree, key: &[u8]) -> Result<Option<IVec>, SledError> {
        match self.newest.borrow()[tree as usize].get(key) {
            Some(changed) => Ok(changed.clone()),
            None => self.trees.raw(tree).get(key).map_err(SledError),
        }
    }
}
