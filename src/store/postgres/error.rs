//! Statement errors, classified by what the failed statement may have left behind.

use crate::games::ports::StoreError;
use tokio_postgres::Error;
use tokio_postgres::error::SqlState;

/// Why a statement failed.
#[derive(Debug, thiserror::Error)]
pub(super) enum StatementError {
    /// It was never sent.
    #[error("{0}")]
    Unsent(String),
    /// It lost to a concurrent statement and had no effect; it can be retried.
    #[error("{0}")]
    Retryable(String),
    /// It was refused and had no effect; `constraint` is the violated one, if any.
    #[error("{why}")]
    Refused { why: String, constraint: Option<String> },
    /// It may have been executed.
    #[error("{0}")]
    Unknown(String),
}

impl From<Error> for StatementError {
    fn from(error: Error) -> Self {
        let Some(refusal) = error.as_db_error() else { return StatementError::Unknown(describe(&error)) };
        let (code, why) = (refusal.code(), format!("{} ({})", refusal.message(), refusal.code().code()));
        if [SqlState::T_R_SERIALIZATION_FAILURE, SqlState::T_R_DEADLOCK_DETECTED].contains(code) {
            return StatementError::Retryable(why);
        }
        // Connection failures, shutdown, internal errors, unknown completion. A read-only standby has written nothing,
        // but its connection is useless.
        let broken = ["08", "57P", "58", "XX", "40003", "25006"].iter().any(|class| code.code().starts_with(class));
        if broken {
            return StatementError::Unknown(why);
        }
        StatementError::Refused { why, constraint: refusal.constraint().map(str::to_owned) }
    }
}

/// An error with its causes, which the library's own text omits.
pub(super) fn describe(error: &dyn std::error::Error) -> String {
    let mut text = error.to_string();
    let mut cause = error.source();
    while let Some(error) = cause {
        // Some texts already contain their cause.
        if !text.contains(&error.to_string()) {
            text = format!("{text}: {error}");
        }
        cause = error.source();
    }
    text
}

impl StatementError {
    /// The error for a caller that only read.
    pub(super) fn into_read_error(self) -> StoreError {
        StoreError::Unavailable(self.to_string())
    }

    /// The error for a caller that wrote.
    pub(super) fn into_write_error(self) -> StoreError {
        match self {
            StatementError::Unknown(why) => StoreError::Unknown(why),
            error => StoreError::Unavailable(error.to_string()),
        }
    }

    /// Whether the connection can be used again.
    pub(super) fn connection_is_usable(&self) -> bool {
        matches!(self, StatementError::Retryable(_) | StatementError::Refused { .. })
    }
}
