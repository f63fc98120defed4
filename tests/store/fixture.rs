//! A store to test, whichever it is.

use ludotheque::games::ports::Store;
use ludotheque::players::ports::PlayerStore;
use ludotheque::store::sled::{Settings, SledStore};
use std::any::Any;
use std::path::Path;
use std::sync::Arc;

/// Both ports of one empty store, and what must live as long as it.
pub struct Fixture {
    pub games: Arc<dyn Store>,
    pub players: Arc<dyn PlayerStore>,
    _kept: Box<dyn Any + Send>,
}

/// The embedded store, in a folder of its own.
pub fn sled() -> Fixture {
    let folder = tempfile::tempdir().unwrap();
    let store = open(&folder.path().join("store"));
    Fixture { games: store.clone(), players: store, _kept: Box::new(folder) }
}

pub fn open(folder: &Path) -> Arc<SledStore> {
    SledStore::open(folder, &Settings::default()).unwrap()
}
