//! Where servers of the tests keep their games: in the embedded store, or in PostgreSQL if `LUDOTHEQUE_TEST_STORE` says
//! `postgres`. Every test runs on either.

use super::{copy_of, database};
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
pub enum Kept {
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

impl Kept {
    /// Opens what belongs to a data folder.
    pub async fn of(data: &Path) -> Self {
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
    pub async fn open(data: &Path, mut service: app::Settings) -> (Self, Arc<App>) {
        let keys = Keys::open(data).expect("the keys open");
        let kept = Self::of(data).await;
        let app = match &kept {
            Self::Folder(store) => App::new(store.clone(), store.clone(), keys, service),
            Self::Database(store, settings) => {
                service.notifier = Some(Arc::new(PostgresNotifier::start(settings).expect("an address")));
                App::new(store.clone(), store.clone(), keys, service)
            }
        };
        (kept, app)
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
