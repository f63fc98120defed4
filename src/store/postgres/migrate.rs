//! Schema migrations: numbered files, each applied once, in order.
//!
//! Nodes of two versions may run side by side during an upgrade. So a migration only adds; what it makes obsolete is
//! removed by a later one. A database newer than the program is not touched.

use super::database::{Database, pause};
use super::error::StatementError;
use deadpool_postgres::Object;

/// All migrations; the first is version 1.
const MIGRATIONS: &[&str] = &[include_str!("migrations/1.sql"), include_str!("migrations/2.sql")];
/// How often to try: another node that migrates at the same time can make an attempt fail.
const ATTEMPTS: usize = 10;

/// Schema versions before and after.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Migrated {
    pub from: u64,
    pub to: u64,
}

/// Why the schema can't be used.
#[derive(Debug, thiserror::Error)]
pub enum MigrateError {
    #[error("the database schema has version {0}, this program knows up to {known}: use a newer program", known = MIGRATIONS.len())]
    TooNew(u64),
    #[error("the database schema has version {0}, this program needs {known}: run `ludotheque migrate`", known = MIGRATIONS.len())]
    TooOld(u64),
    #[error("the tables can't be read or created: {0}")]
    Failed(String),
}

/// Checks that the schema has the version of this program.
pub(super) async fn check(database: &Database) -> Result<(), MigrateError> {
    let known = MIGRATIONS.len() as u64;
    let there = "SELECT 1 FROM information_schema.tables WHERE table_name = 'schema_version' AND table_schema = current_schema()";
    let failed = |error: StatementError| MigrateError::Failed(error.to_string());
    if database.query_idempotent(there, &[]).await.map_err(failed)?.is_empty() {
        return Err(MigrateError::TooOld(0));
    }
    let rows =
        database.query_idempotent("SELECT version FROM schema_version WHERE one = 1", &[]).await.map_err(failed)?;
    let version = rows.first().map_or(0, |row| row.get::<_, i64>(0)).cast_unsigned();
    match version {
        version if version < known => Err(MigrateError::TooOld(version)),
        version if version > known => Err(MigrateError::TooNew(version)),
        _ => Ok(()),
    }
}

/// Applies the missing migrations.
pub(super) async fn run(database: &Database) -> Result<Migrated, MigrateError> {
    let mut attempt = 1;
    loop {
        let connection = database.connection().await.map_err(|error| MigrateError::Failed(error.to_string()))?;
        match apply(connection).await {
            Ok(result) => return result,
            // Every error is retried, because a concurrent migration can cause different ones.
            Err(_) if attempt < ATTEMPTS => {
                tokio::time::sleep(pause(attempt)).await;
                attempt += 1;
            }
            Err(error) => return Err(MigrateError::Failed(StatementError::from(error).to_string())),
        }
    }
}

/// Migrates in one transaction, serialized between nodes by a row lock. Has no deadline.
async fn apply(mut connection: Object) -> Result<Result<Migrated, MigrateError>, tokio_postgres::Error> {
    connection
        .batch_execute(
            "CREATE TABLE IF NOT EXISTS schema_version (one int2 PRIMARY KEY, version int8 NOT NULL);
             INSERT INTO schema_version (one, version) VALUES (1, 0) ON CONFLICT (one) DO NOTHING;",
        )
        .await?;
    let transaction = connection.transaction().await?;
    let row = transaction.query_one("SELECT version FROM schema_version WHERE one = 1 FOR UPDATE", &[]).await?;
    let from = row.get::<_, i64>(0).cast_unsigned();
    let to = MIGRATIONS.len() as u64;
    if from > to {
        return Ok(Err(MigrateError::TooNew(from)));
    }
    for migration in MIGRATIONS.iter().skip(usize::try_from(from).unwrap_or(usize::MAX)) {
        transaction.batch_execute(migration).await?;
    }
    transaction.execute("UPDATE schema_version SET version = $1 WHERE one = 1", &[&to.cast_signed()]).await?;
    transaction.commit().await?;
    Ok(Ok(Migrated { from, to }))
}
