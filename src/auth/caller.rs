//! The authenticated caller, and the session that its token depends on.

use crate::ids::{FamilyId, PlayerId};
use crate::players::ports::{Sha256Digest, Subject};
use crate::rules::Instant;

/// A player, authenticated by a valid access token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Caller {
    pub player: PlayerId,
    pub session: Session,
    /// When the token expires, and with it every stream opened with it.
    pub expires_at: Instant,
}

/// What a token depends on, and what can be revoked before the token expires.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Session {
    /// A session of ours: a family of refresh tokens.
    Family(FamilyId),
    /// The token alone, without a session of ours: another issuer, or a developer, made it.
    Token {
        token: Sha256Digest,
        /// [`Subject::mark`], unless the token identifies its player by id.
        subject: Option<Sha256Digest>,
        issued_at: Instant,
    },
}

impl Session {
    /// The family of refresh tokens, if it is a session of ours.
    pub fn family(self) -> Option<FamilyId> {
        match self {
            Session::Family(id) => Some(id),
            Session::Token { .. } => None,
        }
    }
}

/// What a token proves by itself, before its revocation is checked.
pub(super) struct Proven {
    pub who: Who,
    /// The key that signed it.
    pub kid: String,
    pub expires_at: Instant,
}

/// The player or the user that a token identifies.
pub(super) enum Who {
    /// A player, identified by a session of ours.
    SignedIn { player: PlayerId, family: FamilyId },
    /// A player, identified by a dev token.
    Player { player: PlayerId, issued_at: Instant },
    /// A user of another issuer, or a name in a dev token; becomes a player when first seen.
    Subject { subject: Subject, name: Option<String>, issued_at: Instant },
}
