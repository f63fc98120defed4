//! Steps that lie together, packed, under the key of the last of them.
//!
//! A step that is played gets an entry of its own, so that a commit writes nothing twice. One that is imported never
//! changes again, and comes with its neighbours: together they take a third of the disk. Whoever looks for a version
//! looks for the first key that is not below it, and need not know how steps lie.

use crate::games::ports::StoreError;
use crate::games::step::Step;
use crate::ids::GameId;
use crate::store::codec;
use crate::store::keys;
use crate::store::sled::trees::{Entry, Tree};

/// A bundle with so many bytes, not yet packed, is full: it bounds what reading one step costs. A step of that size
/// has an entry of its own, as if it had been played.
const FULL: usize = 8 << 10;
const _: () = assert!(2 * FULL <= codec::MAX_UNPACKED);

/// The steps of one game that came last.
#[derive(Default)]
pub(super) struct Bundle {
    last: Option<(GameId, u64)>,
    values: Vec<u8>,
}

impl Bundle {
    /// Takes the next step of a game, and tells what is to be written by now.
    pub(super) fn add(&mut self, game: GameId, step: &Step) -> Result<Vec<Entry>, StoreError> {
        let before = self.values.len();
        codec::join(&mut self.values, step);
        if self.values.len() - before >= FULL {
            self.values.truncate(before);
            let alone = Entry::new(Tree::Steps, keys::step(game, step.version), step)?;
            return Ok(self.close()?.into_iter().chain([alone]).collect());
        }
        self.last = Some((game, step.version));
        if self.values.len() < FULL { Ok(Vec::new()) } else { Ok(self.close()?.into_iter().collect()) }
    }

    /// Gives the bundle away, if there is anything in it.
    pub(super) fn close(&mut self) -> Result<Option<Entry>, StoreError> {
        let Some((game, version)) = self.last.take() else { return Ok(None) };
        let key = keys::step(game, version);
        let value = Tree::Steps.pack(&key, &self.values)?;
        self.values.clear();
        Ok(Some(Entry { tree: Tree::Steps, key: (&key).into(), value: value.into() }))
    }
}
