//! Errors of player operations, and their messages for people.

use crate::games::ports::StoreError;
use crate::quota::{Limited, Rejected};
use crate::rules::Message;

/// Why a player operation failed.
#[derive(Clone, Debug, thiserror::Error)]
pub enum PlayerError {
    /// A field is missing or invalid; the message says what is required.
    #[error("{field} is not acceptable: {message}")]
    Invalid { field: &'static str, message: Message },
    #[error("the username is taken")]
    UsernameTaken,
    /// Unknown username or wrong password; the caller does not learn which.
    #[error("no such username and password")]
    BadCredentials,
    /// Malformed, expired, revoked or used before.
    #[error("the refresh token is not valid")]
    BadRefreshToken,
    #[error("there is no such player")]
    NoSuchPlayer,
    /// The server is busy, or other changes kept coming first. Nothing was changed; the request can be repeated.
    #[error("too much at once")]
    Busy,
    /// Rate limit exceeded, or too many wrong passwords.
    #[error(transparent)]
    Limited(#[from] Limited),
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl PlayerError {
    pub(super) fn invalid(field: &'static str, message: Message) -> Self {
        Self::Invalid { field, message }
    }

    /// A message for people, where there is more to say than the error's code does.
    pub fn message(&self) -> Option<Message> {
        match self {
            Self::Invalid { message, .. } => Some(message.clone()),
            Self::BadCredentials => Some(Message::new("player-bad-credentials")),
            Self::BadRefreshToken => Some(Message::new("player-bad-refresh-token")),
            Self::NoSuchPlayer => Some(Message::new("player-unknown")),
            Self::UsernameTaken | Self::Busy | Self::Limited(_) | Self::Store(_) => None,
        }
    }
}

impl From<Rejected> for PlayerError {
    fn from(rejected: Rejected) -> Self {
        match rejected {
            Rejected::LaneFull(limited) => Self::Limited(limited),
            Rejected::QueueFull => Self::Busy,
        }
    }
}
