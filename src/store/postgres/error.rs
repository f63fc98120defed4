//! What a statement that failed leaves behind.

use crate::games::ports::StoreError;
use tokio_postgres::Error;
use tokio_postgres::error::SqlState;

/// Why a statement failed, by what can be done about it.
#[derive(Debug, thiserror::Error)]
pub(super) enum StatementError {
    /// It was never sent.
    #[error("{0}")]
    Unsent(String),
    /// It lost against another one, and left nothing behind: trying again will do.
    #[error("{0}")]
    Lost(String),
    /// It was refused, and left nothing behind; by which constraint, if by one.
    #[error("{why}")]
    Refused { why: String, constraint: Option<String> },
    /// It may have been carried out.
    #[error("{0}")]
    Unknown(String),
}

impl From<Error> for StatementError {
    fn from(error: Error) -> Self {
        let Some(refusal) = error.as_db_error() else { return StatementError::Unknown(describe(&error)) };
        let (code, why) = (refusal.code(), format!("{} ({})", refusal.message(), refusal.code().code()));
        if [SqlState::T_R_SERIALIZATION_FAILURE, SqlState::T_R_DEADLOCK_DETECTED].contains(code) {
            return StatementError::Lost(why);
        }
        // Shutting down, out of order, or in doubt itself. A standby that was asked to write has not, but is of no use.
        let broken = ["08", "57P", "58", "XX", "40003", "25006"].iter().any(|class| code.code().starts_with(class));
        if broken {
            return StatementError::Unknown(why);
        }
        StatementError::Refused { why, constraint: refusal.constraint().map(str::to_owned) }
    }
}

/// An error with what caused it: the library's own text does not tell.
pub(super) fn describe(error: &dyn std::error::Error) -> String {
    let mut text = error.to_string();
    let mut cause = error.source();
    while let Some(error) = cause {
        // Some texts have their cause in them already.
        if !text.contains(&error.to_string()) {
            text = format!("{text}: {error}");
        }
        cause = error.source();
    }
    text
}

impl StatementError {
    /// What whoever only read is told.
    pub(super) fn unread(self) -> StoreError {
        StoreError::Unavailable(self.to_string())
    }

    /// What whoever wrote is told.
    pub(super) fn unwritten(self) -> StoreError {
        match self {
            StatementError::Unknown(why) => StoreError::Unknown(why),
            trouble => StoreError::Unavailable(trouble.to_string()),
        }
    }

    /// Whether the connection it happened on may be used again.
    pub(super) fn spares_the_connection(&self) -> bool {
        matches!(self, StatementError::Lost(_) | StatementError::Refused { .. })
    }
}
