//! The trees of the store, read and written as typed values.
//!
//! | tree | key | value |
//! |---|---|---|
//! | `g` | game | its [`Head`](crate::games::ports::Head) |
//! | `e` | game ‖ version | a [`Step`](crate::games::step::Step), or a [bundle](super::bundle) of which it is the last |
//! | `c` | scope ‖ idempotency key | what became of the command |
//! | `s` | game | version and bytes of the newest snapshot |
//! | `p` | player ‖ status ‖ kind ‖ game | nothing: the games a player is a member of |
//! | `l` | status ‖ kind ‖ game | nothing: the public list |
//! | `a` | `p` player, `u` username, `s` issuer ‖ sub | accounts, and the two names they are found by |
//! |     | `f` family, `r` mark, `i` invite | sign-ins, ended tokens of other issuers, invites |
//! | `m` | a word | the store's own format and commit number |
//!
//! Game ids are time-ordered, so that a list that ends with the game is in the order of creation.

use super::super::tree::MAX_KEY;
pub(super) use super::super::tree::{MAX_VALUE, Tree};
use super::journal::Record;
use crate::games::ports::StoreError;
use ::sled::transaction::{
    ConflictableTransactionError, TransactionError, Transactional, TransactionalTree, UnabortableTransactionError,
};
use ::sled::{Db, IVec};
use serde::{Serialize, de::DeserializeOwned};
use std::cell::RefCell;

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

/// All trees, for reading and for starting transactions. Cheap to clone.
#[derive(Clone)]
pub(super) struct Trees {
    db: Db,
    all: [::sled::Tree; 8],
}

impl Trees {
    pub(super) fn open(db: &Db) -> Result<Trees, ::sled::Error> {
        let all = Tree::ALL.iter().map(|tree| db.open_tree(tree.name())).collect::<Result<Vec<_>, _>>()?;
        Ok(Trees { db: db.clone(), all: all.try_into().expect("as many as there are") })
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

    pub(super) fn flush(&self) -> Result<(), ::sled::Error> {
        self.db.flush().map(drop)
    }

    pub(super) fn size_on_disk(&self) -> Result<u64, StoreError> {
        self.db.size_on_disk().map_err(damaged)
    }

    /// The share of the disk that live pages take, from 0 to 1. Looks at every page.
    pub(super) fn live(&self) -> Result<f64, StoreError> {
        self.db.space_amplification().map(|factor| (1.0 / factor).clamp(0.0, 1.0)).map_err(damaged)
    }

    /// Runs `work` on all trees at once, and tells what it wrote; it may be run again, and then must forget what it did
    /// before.
    pub(super) fn transaction<T>(
        &self,
        work: impl Fn(&Tx) -> Result<T, Storage>,
    ) -> Result<(T, Record), ::sled::Error> {
        let result: Result<(T, Record), TransactionError<()>> = self.all[..].transaction(|trees| {
            let tx = Tx { trees, written: RefCell::default() };
            let done = work(&tx).map_err(|Storage(error)| ConflictableTransactionError::<()>::from(error))?;
            Ok((done, tx.written.into_inner()))
        });
        result.map_err(|error| match error {
            TransactionError::Storage(error) => error,
            TransactionError::Abort(()) => unreachable!("nothing in here aborts"),
        })
    }
}

/// sled can't read its own file.
#[allow(clippy::needless_pass_by_value, reason = "made for map_err")]
pub(super) fn damaged(error: ::sled::Error) -> StoreError {
    StoreError::Corrupt(error.to_string())
}

/// The trees inside a transaction.
pub(super) struct Tx<'a> {
    trees: &'a [TransactionalTree],
    written: RefCell<Record>,
}

/// sled itself failed, and with it the whole transaction.
#[derive(Debug)]
pub(super) struct Storage(UnabortableTransactionError);

/// Why a piece of work inside a transaction stopped.
#[derive(Debug)]
pub(super) enum Stop {
    Storage(Storage),
    /// This piece is refused; the others go on.
    Refused(StoreError),
}

impl From<UnabortableTransactionError> for Storage {
    fn from(error: UnabortableTransactionError) -> Self {
        Storage(error)
    }
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

impl Tx<'_> {
    pub(super) fn get<T: DeserializeOwned>(&self, tree: Tree, key: impl AsRef<[u8]>) -> Result<Option<T>, Stop> {
        let key = key.as_ref();
        let bytes = self.trees[tree as usize].get(key).map_err(Storage)?;
        Ok(bytes.map(|bytes| tree.decode(key, &bytes)).transpose()?)
    }

    pub(super) fn contains(&self, tree: Tree, key: impl AsRef<[u8]>) -> Result<bool, Storage> {
        Ok(self.trees[tree as usize].get(key)?.is_some())
    }

    pub(super) fn put(&self, entry: &Entry) -> Result<(), Storage> {
        self.written.borrow_mut().note(entry.tree, &entry.key, Some(&entry.value));
        self.trees[entry.tree as usize].insert(&entry.key, &entry.value)?;
        Ok(())
    }

    /// Puts bytes where they were before.
    pub(super) fn insert(&self, tree: Tree, key: &[u8], value: &[u8]) -> Result<(), Storage> {
        self.trees[tree as usize].insert(key, value)?;
        Ok(())
    }

    pub(super) fn remove(&self, tree: Tree, key: &[u8]) -> Result<(), Storage> {
        self.written.borrow_mut().note(tree, key, None);
        self.trees[tree as usize].remove(key)?;
        Ok(())
    }
}
