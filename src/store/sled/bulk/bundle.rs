//! Step bundles: consecutive steps of a game, packed under the key of the last of them.
//!
//! A played step gets an entry of its own, so that a commit writes nothing twice. Imported steps never change and
//! arrive together; packed, they take a third of the disk space. A reader that looks for a version takes the first key
//! that is not below it, which works for both layouts.

use crate::games::ports::StoreError;
use crate::games::step::Step;
use crate::ids::GameId;
use crate::store::sled::trees::{Entry, Tree};
use crate::store::{codec, keys};

/// A bundle of this size, before packing, is full; this bounds the cost of reading one step. A step of this size alone
/// gets an entry of its own, as if it had been played.
const FULL_BYTES: usize = 8 << 10;
const _: () = assert!(2 * FULL_BYTES <= codec::MAX_UNPACKED_BYTES);

/// The steps not yet written, all of one game.
#[derive(Default)]
pub(super) struct Bundle {
    last: Option<(GameId, u64)>,
    values: Vec<u8>,
}

impl Bundle {
    /// Adds the next step of a game. Returns the entries that are complete.
    pub(super) fn add(&mut self, game: GameId, step: &Step) -> Result<Vec<Entry>, StoreError> {
        let before = self.values.len();
        codec::append_value(&mut self.values, step);
        if self.values.len() - before >= FULL_BYTES {
            self.values.truncate(before);
            let alone = Entry::new(Tree::Steps, keys::step(game, step.version), step)?;
            return Ok(self.finish()?.into_iter().chain([alone]).collect());
        }
        self.last = Some((game, step.version));
        if self.values.len() < FULL_BYTES { Ok(Vec::new()) } else { Ok(self.finish()?.into_iter().collect()) }
    }

    /// The bundle's entry, unless it is empty.
    pub(super) fn finish(&mut self) -> Result<Option<Entry>, StoreError> {
        let Some((game, version)) = self.last.take() else { return Ok(None) };
        let key = keys::step(game, version);
        let value = Tree::Steps.pack(&key, &self.values)?;
        self.values.clear();
        Ok(Some(Entry { tree: Tree::Steps, key: (&key).into(), value: value.into() }))
    }
}
