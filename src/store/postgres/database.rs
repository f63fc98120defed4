//! Connections to the database: a bounded pool, and a deadline for everything.

use super::error::{StatementError, describe};
use super::{OpenError, Settings};
use crate::games::ports::StoreError;
use deadpool_postgres::{Manager, ManagerConfig, Object, Pool, RecyclingMethod, Runtime};
use std::time::Duration;
use tokio_postgres::config::{SslMode, TargetSessionAttrs};
use tokio_postgres::types::ToSql;
use tokio_postgres::{Config, NoTls, Row};
use tokio_postgres_rustls::MakeRustlsConnect;

/// What a statement is handed.
pub(super) type Values<'a> = &'a [&'a (dyn ToSql + Sync)];

/// How often a statement that lost against another, or met a connection that had died meanwhile, is tried.
const ATTEMPTS: usize = 5;

/// The database, as every part of the store reaches it. Cheap to clone.
#[derive(Clone)]
pub(super) struct Database {
    pool: Pool,
    pub(super) config: Config,
    pub(super) tls: Tls,
    pub(super) patience: Duration,
}

/// How connections are encrypted.
#[derive(Clone)]
pub(super) enum Tls {
    /// Not at all: on one machine, or on a network that is trusted.
    Plain,
    Rustls(MakeRustlsConnect),
}

impl Database {
    /// Nothing is connected yet.
    pub(super) fn new(settings: &Settings) -> Result<Self, OpenError> {
        let mut config: Config = settings.url.parse().map_err(|error| OpenError::Address(describe(&error)))?;
        let patience = settings.patience;
        config.connect_timeout(patience).tcp_user_timeout(patience).keepalives_idle(patience);
        config.application_name("ludotheque");
        // Of several hosts, the one that can be written to: after a fail-over that is another one.
        config.target_session_attrs(TargetSessionAttrs::ReadWrite);
        let tls = match config.get_ssl_mode() {
            SslMode::Require => Tls::Rustls(roots()?),
            // Encrypted but with anybody is not worth much: it is asked for, and then verified, or not there at all.
            _ => {
                config.ssl_mode(SslMode::Disable);
                Tls::Plain
            }
        };
        let recycling = ManagerConfig { recycling_method: RecyclingMethod::Fast };
        let manager = match &tls {
            Tls::Plain => Manager::from_config(config.clone(), NoTls, recycling),
            Tls::Rustls(tls) => Manager::from_config(config.clone(), tls.clone(), recycling),
        };
        let pool = Pool::builder(manager)
            .max_size(settings.connections.max(2))
            .wait_timeout(Some(patience))
            .create_timeout(Some(patience))
            .recycle_timeout(Some(patience))
            .runtime(Runtime::Tokio1)
            .build()
            .map_err(|error| OpenError::Address(describe(&error)))?;
        Ok(Self { pool, config, tls, patience })
    }

    /// Whether it can be reached, and writes before it acknowledges.
    pub(super) async fn check(&self) -> Result<(), OpenError> {
        let unreachable = |trouble: StatementError| OpenError::Unreachable(trouble.to_string());
        let rows = self.query("SELECT current_setting('synchronous_commit')", &[]).await.map_err(unreachable)?;
        let how: String = rows.first().map(|row| row.get(0)).unwrap_or_default();
        if how == "off" || how == "local" { Err(OpenError::NotDurable(how)) } else { Ok(()) }
    }

    /// A connection of one's own for a while.
    pub(super) async fn connection(&self) -> Result<Object, StatementError> {
        self.pool.get().await.map_err(|error| StatementError::Unsent(describe(&error)))
    }

    /// Runs one statement, once.
    pub(super) async fn query(&self, sql: &str, values: Values<'_>) -> Result<Vec<Row>, StatementError> {
        let connection = self.connection().await?;
        let work = async {
            let statement = connection.prepare_cached(sql).await?;
            connection.query(&statement, values).await
        };
        let result = self.within(work).await;
        put_back(connection, result)
    }

    /// Does something within the time a statement has.
    pub(super) async fn within<T>(
        &self,
        work: impl Future<Output = Result<T, tokio_postgres::Error>>,
    ) -> Result<T, StatementError> {
        match tokio::time::timeout(self.patience, work).await {
            Ok(result) => Ok(result?),
            Err(_) => Err(StatementError::Unknown(format!("no answer within {:?}", self.patience))),
        }
    }

    /// Runs one statement that may be run again, whatever became of it before: it reads, or says how things shall be.
    pub(super) async fn again(&self, sql: &str, values: Values<'_>) -> Result<Vec<Row>, StatementError> {
        self.attempts(sql, values).await.0
    }

    /// The same, and whether an attempt before the last may have been carried out.
    pub(super) async fn attempts(&self, sql: &str, values: Values<'_>) -> (Result<Vec<Row>, StatementError>, bool) {
        let deadline = tokio::time::Instant::now() + self.patience;
        let mut in_doubt = false;
        for attempt in 1.. {
            let result = self.query(sql, values).await;
            let Err(trouble @ (StatementError::Lost(_) | StatementError::Unknown(_))) = &result else {
                return (result, in_doubt);
            };
            if attempt == ATTEMPTS || tokio::time::Instant::now() >= deadline {
                return (result, in_doubt);
            }
            in_doubt |= matches!(trouble, StatementError::Unknown(_));
            tokio::time::sleep(pause(attempt)).await;
        }
        unreachable!("attempts are counted")
    }

    /// Reads.
    pub(super) async fn read(&self, sql: &str, values: Values<'_>) -> Result<Vec<Row>, StoreError> {
        self.again(sql, values).await.map_err(StatementError::unread)
    }

    /// A real write: once it is done, whatever was committed before is where it must be, on the standby too.
    pub(super) async fn touch(&self) -> Result<(), StatementError> {
        self.query("UPDATE health SET writes = writes + 1 WHERE one = 1", &[]).await.map(drop)
    }

    /// How many connections there are, and how many of them are idle.
    pub(super) fn connections(&self) -> (u64, u64) {
        let status = self.pool.status();
        (status.size as u64, status.available as u64)
    }
}

/// Gives a connection back to the pool; one that broke, or on which an answer is still to come, is not used again.
pub(super) fn put_back<T>(connection: Object, result: Result<T, StatementError>) -> Result<T, StatementError> {
    if result.as_ref().is_err_and(|trouble| !trouble.spares_the_connection()) {
        drop(Object::take(connection));
    }
    result
}

/// How long to wait before the next attempt: longer each time, and not the same for all who lost together.
pub(super) fn pause(attempt: usize) -> Duration {
    let mut noise = [0];
    aws_lc_rs::rand::fill(&mut noise).expect("the system has randomness");
    let longest = 4 << attempt.min(6);
    Duration::from_millis(1 + u64::from(noise[0]) % longest)
}

/// The certificates that this machine trusts; `SSL_CERT_FILE` names others.
fn roots() -> Result<MakeRustlsConnect, OpenError> {
    let none = |errors: Vec<_>| {
        OpenError::Address(format!("sslmode=require needs certificates to trust, and there are none: {errors:?}"))
    };
    MakeRustlsConnect::with_native_certs().map(|(connect, _)| connect).map_err(none)
}
