//! Why everything could not be written out, or taken in.

use super::lines::Unreadable;
use crate::games::ports::StoreError;
use std::io;

/// Why an export failed.
#[derive(Debug, thiserror::Error)]
pub enum ExportError {
    #[error(transparent)]
    Io(#[from] io::Error),
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// Why an import failed.
#[derive(Debug, thiserror::Error)]
pub enum ImportError {
    #[error("the store is not empty; import into a new one")]
    NotEmpty,
    #[error("the export can't be read: {0}")]
    Export(#[from] Unreadable),
    #[error("the export does not hold together: {0}")]
    Inconsistent(String),
    #[error(transparent)]
    Store(#[from] StoreError),
}
