//! A store to test, whichever it is.

use test_support::postgres::database;

use ludotheque::games::ports::Store;
use ludotheque::players::ports::PlayerStore;
use ludotheque::store::postgres::{self, PostgresStore};
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

/// The shared store, in a database of its own.
pub async fn postgres() -> Fixture {
    let store = open_postgres(&database()).await;
    Fixture { games: store.clone(), players: store, _kept: Box::new(()) }
}

pub async fn open_postgres(url: &str) -> Arc<PostgresStore> {
    PostgresStore::open(&postgres::Settings::new(url)).await.unwrap()
}

/// The embedded store, in a folder of its own.
pub async fn sled() -> Fixture {
    let folder = tempfile::tempdir().unwrap();
    let store = open(&folder.path().join("store"));
    Fixture { games: store.clone(), players: store, _kept: Box::new(folder) }
}

pub fn open(folder: &Path) -> Arc<SledStore> {
    SledStore::open(folder, &Settings::default()).unwrap()
}
