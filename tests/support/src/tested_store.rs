//! The store under test: the embedded one, or PostgreSQL if `LUDOTHEQUE_TEST_STORE` is `postgres`. Every test of the service
//! runs on either.

use crate::postgres::{copy_of, database};
use ludotheque::app::{self, App};
use ludotheque::auth::Keys;
use ludotheque::players::ports::PlayerStore;
use ludotheque::rules::Instant;
use ludotheque::store::postgres::{PostgresNotifier, PostgresStore, Settings};
use ludotheque::store::sled::{self, SledStore};
use std::fs;
use std::path::Path;
use std::sync::Arc;

/// An open store.
pub enum TestedStore {
    Folder(Arc<SledStore>),
    Database(Arc<PostgresStore>, Settings),
}

/// The database that belongs to a data folder, if databases are what is tested: made when it is first asked for.
pub fn database_of(data: &Path) -> Option<String> {
    match std::env::var("LUDOTHEQUE_TEST_STORE").as_deref() {
        Err(_) | Ok("" | "sled") => None,
        Ok("postgres") => {
            let note = data.join("database");
            Some(fs::read_to_string(&note).unwrap_or_else(|_| {
                let url = database();
                fs::write(note, &url).expect("a folder to write to");
                url
            }))
        }
        Ok(other) => panic!("LUDOTHEQUE_TEST_STORE is sled or postgres, not {other}"),
    }
}

/// Gives a data folder that was copied from another a copy of the database too.
pub fn copy_database(data: &Path) {
    if let Some(url) = database_of(data) {
        fs::write(data.join("database"), copy_of(&url)).expect("a folder to write to");
    }
}

impl TestedStore {
    /// Opens what belongs to a data folder.
    pub async fn open(data: &Path) -> Self {
        match database_of(data) {
            None => {
                let store = SledStore::open(&data.join("store"), &sled::Settings::default());
                Self::Folder(store.expect("the store opens"))
            }
            Some(url) => {
                let settings = Settings::new(url);
                let store = PostgresStore::open(&settings).await.expect("the store opens");
                Self::Database(store, settings)
            }
        }
    }

    /// The same, and the service on it.
    pub async fn serve(data: &Path, mut service: app::Settings) -> (Self, Arc<App>) {
        let keys = Keys::open(data).expect("the keys open");
        let store = Self::open(data).await;
        let app = match &store {
            Self::Folder(folder) => App::new(folder.clone(), folder.clone(), keys, service),
            Self::Database(database, settings) => {
                service.notifier = Some(Arc::new(PostgresNotifier::start(settings).expect("an address")));
                App::new(database.clone(), database.clone(), keys, service)
            }
        };
        (store, app)
    }

    pub fn players(&self) -> Arc<dyn PlayerStore> {
        match self {
            Self::Folder(store) => store.clone(),
            Self::Database(store, _) => store.clone(),
        }
    }

    /// All that is kept, as an export has it.
    pub async fn everything(&self) -> Vec<u8> {
        let (mut all, now) = (Vec::new(), Instant(0));
        match self {
            Self::Folder(store) => {
                let store = store.clone();
                let exported =
                    tokio::task::spawn_blocking(move || store.export(&mut all, now, &|_, _| ()).map(|_| all));
                return exported.await.expect("it ends").expect("it can be read");
            }
            Self::Database(store, _) => store.export(&mut all, now, &|_, _| ()).await.expect("it can be read"),
        };
        all
    }

    pub async fn close(self) {
        match self {
            Self::Folder(store) => {
                tokio::task::spawn_blocking(move || store.close()).await.expect("it closes");
            }
            Self::Database(store, _) => store.close().await,
        }
    }
}
