//! What can go wrong for a player, and the sentence that says so.

use crate::games::ports::StoreError;
use crate::quota::{Limited, Rejected};
use crate::rules::Message;

/// Why a use case of players was not carried out.
#[derive(Clone, Debug, thiserror::Error)]
pub enum PlayerError {
    /// A field is missing or not as it must be; the message says how it must be.
    #[error("{field} is not acceptable: {message}")]
    Invalid { field: &'static str, message: Message },
    #[error("the username is taken")]
    UsernameTaken,
    /// No such username, or not its password: which of them is not told.
    #[error("no such username and password")]
    BadCredentials,
    /// Malformed, expired, signed out or used before.
    #[error("the refresh token is not valid")]
    BadRefreshToken,
    #[error("there is no such player")]
    NoSuchPlayer,
    /// Too much at once; nothing was changed, and trying again will do.
    #[error("too much at once")]
    Busy,
    /// Too often, or too many wrong passwords.
    #[error(transparent)]
    Limited(#[from] Limited),
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl PlayerError {
    pub(super) fn invalid(field: &'static str, message: Message) -> Self {
        Self::Invalid { field, message }
    }

    /// What to tell the person, where there is more to tell than the error's code says.
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
