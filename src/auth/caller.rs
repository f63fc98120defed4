//! Who calls, and what that rests on.

use crate::ids::{FamilyId, PlayerId};
use crate::players::ports::{Sha256Digest, Subject};
use crate::rules::Instant;

/// A player who proved it with a valid access token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Caller {
    pub player: PlayerId,
    pub session: Session,
    /// When the token ends, and with it everything that goes on in its name.
    pub expires_at: Instant,
}

/// What stands behind a caller's token, and can be ended before the token expires.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Session {
    /// A sign-in of ours.
    Family(FamilyId),
    /// Nothing but the token itself: another issuer, or a developer, made it.
    Token {
        token: Sha256Digest,
        /// Whom it is about, if that is more than a player's id.
        subject: Option<Sha256Digest>,
        issued_at: Instant,
    },
}

impl Session {
    /// The sign-in of ours, if it is one.
    pub fn family(self) -> Option<FamilyId> {
        match self {
            Session::Family(id) => Some(id),
            Session::Token { .. } => None,
        }
    }
}

/// What a token proves by itself, before anybody is asked whether it was ended.
pub(super) struct Proven {
    pub who: Who,
    /// The key that signed it.
    pub kid: String,
    pub expires_at: Instant,
}

/// Whom a token is about.
pub(super) enum Who {
    /// A player, by a sign-in of ours.
    SignedIn { player: PlayerId, family: FamilyId },
    /// A player, by a token that a developer made.
    Player { player: PlayerId, issued_at: Instant },
    /// Somebody who is a player from first sight on.
    Subject { subject: Subject, name: Option<String>, issued_at: Instant },
}
