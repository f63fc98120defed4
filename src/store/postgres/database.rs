//! Database connections: a bounded pool, with a deadline for every operation.

use super::error::{StatementError, describe};
use super::{OpenError, Settings};
use crate::games::ports::StoreError;
use deadpool_postgres::{Manager, ManagerConfig, Object, Pool, RecyclingMethod, Runtime};
use std::time::Duration;
use tokio_postgres::config::{SslMode, TargetSessionAttrs};
use tokio_postgres::types::ToSql;
use tokio_postgres::{Config, NoTls, Row};
use tokio_postgres_rustls::MakeRustlsConnect;

/// Parameters of a statement.
pub(super) type Params<'a> = &'a [&'a (dyn ToSql + Sync)];

/// How often a statement is tried that lost to a concurrent one or met a broken connection.
const ATTEMPTS: usize = 5;

/// Pool and connection settings. Cheap to clone.
#[derive(Clone)]
pub(super) struct Database {
    pool: Pool,
    pub(super) config: Config,
    pub(super) tls: Tls,
    pub(super) timeout: Duration,
}

#[derive(Clone)]
pub(super) enum Tls {
    /// Unencrypted: on one machine, or on a trusted network.
    Plain,
    Rustls(MakeRustlsConnect),
}

impl Database {
    /// Does not connect yet.
    pub(super) fn new(settings: &Settings) -> Result<Self, OpenError> {
        let mut config: Config = settings.url.parse().map_err(|error| OpenError::Address(describe(&error)))?;
        let timeout = settings.timeout;
        config.connect_timeout(timeout).tcp_user_timeout(timeout).keepalives_idle(timeout);
        config.application_name("ludotheque");
        // Of several hosts, use the one that can be written to: it changes with a fail-over.
        config.target_session_attrs(TargetSessionAttrs::ReadWrite);
        let tls = match config.get_ssl_mode() {
            SslMode::Require => Tls::Rustls(roots()?),
            // Encryption without verification protects little, so there is only full verification or none.
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
            .wait_timeout(Some(timeout))
            .create_timeout(Some(timeout))
            .recycle_timeout(Some(timeout))
            .runtime(Runtime::Tokio1)
            .build()
            .map_err(|error| OpenError::Address(describe(&error)))?;
        Ok(Self { pool, config, tls, timeout })
    }

    /// Checks that the database can be reached and acknowledges durable commits only.
    pub(super) async fn check(&self) -> Result<(), OpenError> {
        let unreachable = |error: StatementError| OpenError::Unreachable(error.to_string());
        let rows = self.query("SELECT current_setting('synchronous_commit')", &[]).await.map_err(unreachable)?;
        let how: String = rows.first().map(|row| row.get(0)).unwrap_or_default();
        if how == "off" || how == "local" { Err(OpenError::NotDurable(how)) } else { Ok(()) }
    }

    /// Takes a connection from the pool.
    pub(super) async fn connection(&self) -> Result<Object, StatementError> {
        self.pool.get().await.map_err(|error| StatementError::Unsent(describe(&error)))
    }

    pub(super) async fn query(&self, sql: &str, values: Params<'_>) -> Result<Vec<Row>, StatementError> {
        let connection = self.connection().await?;
        let work = async {
            let statement = connection.prepare_cached(sql).await?;
            connection.query(&statement, values).await
        };
        let result = self.within(work).await;
        put_back(connection, result)
    }

    /// Applies the deadline of a statement.
    pub(super) async fn within<T>(
        &self,
        work: impl Future<Output = Result<T, tokio_postgres::Error>>,
    ) -> Result<T, StatementError> {
        match tokio::time::timeout(self.timeout, work).await {
            Ok(result) => Ok(result?),
            Err(_) => Err(StatementError::Unknown(format!("no answer within {:?}", self.timeout))),
        }
    }

    /// Runs one statement, retrying it. Only for reads and for writes that have the same effect when repeated.
    pub(super) async fn query_idempotent(&self, sql: &str, values: Params<'_>) -> Result<Vec<Row>, StatementError> {
        self.query_retrying(sql, values).await.0
    }

    /// The same; also returns whether an attempt before the last may have been executed.
    pub(super) async fn query_retrying(
        &self,
        sql: &str,
        values: Params<'_>,
    ) -> (Result<Vec<Row>, StatementError>, bool) {
        let deadline = tokio::time::Instant::now() + self.timeout;
        let mut in_doubt = false;
        for attempt in 1.. {
            let result = self.query(sql, values).await;
            let Err(error @ (StatementError::Retryable(_) | StatementError::Unknown(_))) = &result else {
                return (result, in_doubt);
            };
            if attempt == ATTEMPTS || tokio::time::Instant::now() >= deadline {
                return (result, in_doubt);
            }
            in_doubt |= matches!(error, StatementError::Unknown(_));
            tokio::time::sleep(pause(attempt)).await;
        }
        unreachable!("attempts are counted")
    }

    pub(super) async fn read(&self, sql: &str, values: Params<'_>) -> Result<Vec<Row>, StoreError> {
        self.query_idempotent(sql, values).await.map_err(StatementError::into_read_error)
    }

    /// Makes a real write. Once it is done, everything committed before is durable too, on a synchronous standby as
    /// well.
    pub(super) async fn probe_write(&self) -> Result<(), StatementError> {
        self.query("UPDATE health SET writes = writes + 1 WHERE one = 1", &[]).await.map(drop)
    }

    /// Numbers of open and of idle connections.
    pub(super) fn connections(&self) -> (u64, u64) {
        let status = self.pool.status();
        (status.size as u64, status.available as u64)
    }
}

/// Returns a connection to the pool, unless it broke or still awaits an answer.
pub(super) fn put_back<T>(connection: Object, result: Result<T, StatementError>) -> Result<T, StatementError> {
    if result.as_ref().is_err_and(|error| !error.connection_is_usable()) {
        drop(Object::take(connection));
    }
    result
}

/// Delay before the next attempt: growing, and random, so that competing statements do not collide again.
pub(super) fn pause(attempt: usize) -> Duration {
    let mut noise = [0];
    aws_lc_rs::rand::fill(&mut noise).expect("the system has randomness");
    let longest = 4 << attempt.min(6);
    Duration::from_millis(1 + u64::from(noise[0]) % longest)
}

/// Trusts the certificates of this machine; `SSL_CERT_FILE` names others.
fn roots() -> Result<MakeRustlsConnect, OpenError> {
    let none = |errors: Vec<_>| {
        OpenError::Address(format!("sslmode=require needs trusted certificates, and none were found: {errors:?}"))
    };
    MakeRustlsConnect::with_native_certs().map(|(connect, _)| connect).map_err(none)
}
