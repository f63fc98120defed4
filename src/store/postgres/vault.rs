//! Signing keys of all nodes, in a table that the store's role can read: anyone with access to the database can sign
//! tokens. To keep the keys elsewhere, pass them to every node (`--signing-key`).

use super::database::{Database, put_back};
use super::error::StatementError;
use crate::auth::{KeyError, Vault};
use std::time::Duration;
use tokio::runtime::Handle;

/// The table of keys. Threads that may block call it, so it holds a handle of the async runtime.
pub struct PostgresVault {
    database: Database,
    runtime: Handle,
}

impl PostgresVault {
    pub(super) fn new(database: Database) -> Self {
        Self { database, runtime: Handle::current() }
    }
}

impl PostgresVault {
    /// Adds a key if there is none yet. Locks a row first: if several nodes start at once, only one adds its key.
    async fn add_unless_any(&self, kid: &str, pkcs8: &[u8]) -> Result<(), StatementError> {
        let mut connection = self.database.connection().await?;
        let work = async {
            let transaction = connection.transaction().await?;
            transaction.query("SELECT one FROM health WHERE one = 1 FOR UPDATE", &[]).await?;
            let sql =
                "INSERT INTO signing_keys (kid, pkcs8) SELECT $1, $2 WHERE NOT EXISTS (SELECT 1 FROM signing_keys)";
            transaction.execute(sql, &[&kid, &pkcs8]).await?;
            transaction.commit().await
        };
        let result = self.database.within(work).await;
        put_back(connection, result)
    }
}

impl Vault for PostgresVault {
    fn name(&self) -> String {
        "table signing_keys".to_owned()
    }

    fn kids(&self) -> Result<Vec<String>, KeyError> {
        let rows = self.database.query_idempotent("SELECT kid FROM signing_keys ORDER BY kid", &[]);
        Ok(self.runtime.block_on(rows).map_err(unavailable)?.iter().map(|row| row.get(0)).collect())
    }

    fn read(&self) -> Result<Vec<(String, Vec<u8>)>, KeyError> {
        let rows = self.database.query_idempotent("SELECT kid, pkcs8 FROM signing_keys ORDER BY kid", &[]);
        let rows = self.runtime.block_on(rows).map_err(unavailable)?;
        Ok(rows.iter().map(|row| (row.get(0), row.get(1))).collect())
    }

    fn add(&self, kid: &str, pkcs8: &[u8]) -> Result<(), KeyError> {
        let sql = "INSERT INTO signing_keys (kid, pkcs8) VALUES ($1, $2) ON CONFLICT (kid) DO NOTHING";
        self.runtime.block_on(self.database.query_idempotent(sql, &[&kid, &pkcs8])).map(drop).map_err(unavailable)
    }

    fn add_first(&self, kid: &str, pkcs8: &[u8]) -> Result<(), KeyError> {
        self.runtime.block_on(self.add_unless_any(kid, pkcs8)).map_err(unavailable)
    }

    fn remove(&self, kid: &str) -> Result<(), KeyError> {
        let sql = "DELETE FROM signing_keys WHERE kid = $1";
        self.runtime.block_on(self.database.query_idempotent(sql, &[&kid])).map(drop).map_err(unavailable)
    }

    /// Longer than any node takes to notice a new key.
    fn grace(&self) -> Duration {
        Duration::from_secs(15)
    }
}

#[allow(clippy::needless_pass_by_value, reason = "made for map_err")]
fn unavailable(error: StatementError) -> KeyError {
    KeyError::Unavailable(error.to_string())
}
