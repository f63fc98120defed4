//! Shared store, on PostgreSQL 15 or later: [`PostgresStore`].
//!
//! `migrate` creates and upgrades the schema. `database` has the connection pool and the deadlines. `error` classifies
//! failed statements: had no effect, or may have been executed. Steps wait in `game_queues` for the `writer`, which
//! stores those of many games with one statement (`append`). `read`, `accounts` and `sweep` run statements without a
//! transaction around them. `notifier` informs the other nodes, `vault` shares the signing keys. `export`, `import` and
//! `verify` are for the command line.
//!
//! Every statement has a deadline, except in migrations, exports, imports and verification. Whether an interrupted
//! statement was executed is determined by reading, never assumed: see `append`.

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

#[derive(Clone, Debug)]
pub struct Settings {
    /// The address: `postgres://user:password@db.example.org/name?sslmode=require`; several hosts are separated by
    /// commas.
    pub url: String,
    /// The maximum number of pooled connections; at least 2 are allowed. The notifier has one more of its own.
    pub connections: usize,
    /// Deadline of one statement, and of one connection attempt.
    pub timeout: Duration,
    /// How many steps may wait; further ones are refused.
    pub queue_capacity: usize,
    /// Called for every statement that stores steps.
    pub observer: Observer,
}

impl Settings {
    pub fn new(url: impl Into<String>) -> Self {
        Self {
            url: url.into(),
            connections: 16,
            timeout: Duration::from_secs(5),
            queue_capacity: 4096,
            observer: Observer::default(),
        }
    }
}

/// Why the store can't be opened.
#[derive(Debug, thiserror::Error)]
pub enum OpenError {
    #[error("the store's address is invalid: {0}")]
    Address(String),
    #[error("the database can't be reached: {0}")]
    Unreachable(String),
    #[error(
        "the database acknowledges commits before they are durable (synchronous_commit = {0}): set it to on, or to \
         remote_apply"
    )]
    NotDurable(String),
    #[error(transparent)]
    Schema(#[from] MigrateError),
}

pub struct PostgresStore {
    database: Database,
    writer: Writer,
}

impl PostgresStore {
    /// Connects, and checks that commits are durable and the schema is current: see [`migrate()`].
    pub async fn open(settings: &Settings) -> Result<Arc<PostgresStore>, OpenError> {
        let database = Database::new(settings)?;
        database.check().await?;
        migrate::check(&database).await?;
        let writer = Writer::start(database.clone(), settings);
        Ok(Arc::new(PostgresStore { database, writer }))
    }

    /// Stores what is queued and refuses further steps.
    pub async fn close(&self) {
        self.writer.close().await;
    }

    /// The signing keys, shared by all nodes.
    pub fn vault(&self) -> PostgresVault {
        PostgresVault::new(self.database.clone())
    }
}

/// Migrates the schema. Several nodes may try at once; one does it.
pub async fn migrate(settings: &Settings) -> Result<Migrated, OpenError> {
    let database = Database::new(settings)?;
    database.check().await?;
    Ok(migrate::run(&database).await?)
}
