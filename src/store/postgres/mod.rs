//! The store that several nodes share, on PostgreSQL 15 or later: [`PostgresStore`].
//!
//! `migrate` says what is kept where. `database` has the connections and their deadlines, `trouble` what a failed statement
//! leaves behind. Steps wait in `lines` for the `writer`, which takes those of many games into one statement (`append`);
//! `read`, `accounts` and `sweep` are single statements. `notifier` tells the other nodes, `vault` keeps the signing keys for all of
//! them. `export`, `import` and `verify` are for the command line.
//!
//! Every statement is bounded in time. Whether one that was cut off was carried out is found out by reading, never by
//! hoping: see `append`.

mod accounts;
mod append;
mod database;
mod encoded_append;
mod error;
mod export;
mod game_queues;
mod import;
mod migrate;
mod notifier;
mod ports;
mod read;
mod sweep;
mod vault;
mod verify;
mod writer;

pub use super::observer::Observer;
pub use migrate::{MigrateError, Migrated};
pub use notifier::PostgresNotifier;
pub use vault::PostgresVault;

use database::Database;
use std::sync::Arc;
use std::time::Duration;
use writer::Writer;

/// What can be set about the store.
#[derive(Clone, Debug)]
pub struct Settings {
    /// The address: `postgres://user:password@db.example.org/name?sslmode=require`, with several hosts after commas.
    pub url: String,
    /// The most connections of this node, but for the one that listens.
    pub connections: usize,
    /// How long one statement, or one connection, may take.
    pub patience: Duration,
    /// How many steps may wait before further ones are refused.
    pub queue_capacity: usize,
    /// Told of every commit.
    pub observer: Observer,
}

impl Settings {
    pub fn new(url: impl Into<String>) -> Self {
        Self {
            url: url.into(),
            connections: 16,
            patience: Duration::from_secs(5),
            queue_capacity: 4096,
            observer: Observer::default(),
        }
    }
}

/// Why the store can't be used.
#[derive(Debug, thiserror::Error)]
pub enum OpenError {
    #[error("the store's address is not understood: {0}")]
    Address(String),
    #[error("the database can't be reached: {0}")]
    Unreachable(String),
    #[error(
        "the database acknowledges before it has written (synchronous_commit = {0}): set it to on, or to remote_apply"
    )]
    NotDurable(String),
    #[error(transparent)]
    Schema(#[from] MigrateError),
}

/// Games, players and sign-ins in a database.
pub struct PostgresStore {
    database: Database,
    writer: Writer,
}

impl PostgresStore {
    /// Connects, and makes sure that the database is one to rely on. Its tables must be up to date: see [`migrate()`].
    pub async fn open(settings: &Settings) -> Result<Arc<PostgresStore>, OpenError> {
        let database = Database::new(settings)?;
        database.check().await?;
        migrate::check(&database).await?;
        let writer = Writer::start(database.clone(), settings);
        Ok(Arc::new(PostgresStore { database, writer }))
    }

    /// Carries out what is queued, and refuses what comes after.
    pub async fn close(&self) {
        self.writer.close().await;
    }

    /// The signing keys, for all nodes.
    pub fn vault(&self) -> PostgresVault {
        PostgresVault::new(self.database.clone())
    }
}

/// Brings the tables up to date; several nodes may try at once, and one does.
pub async fn migrate(settings: &Settings) -> Result<Migrated, OpenError> {
    let database = Database::new(settings)?;
    database.check().await?;
    Ok(migrate::run(&database).await?)
}
