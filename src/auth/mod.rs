//! Authentication: signing keys, JWT access tokens, and the caller that a request's token proves.
//!
//! Access tokens are short-lived, so that any node can verify them by itself. It asks the store only whether the
//! session was revoked. Tokens of trusted [`issuers`] are accepted besides our own ([`claims`]). All times are
//! wall-clock time: no game's clock ever makes a token older or younger.

mod bearer;
mod caller;
mod claims;
mod clock_watch;
mod identity;
mod issuers;
pub mod keys;
mod last_tokens;
mod secret;

pub use bearer::token_of;
pub use caller::{Caller, Session};
pub use claims::{AccessTokens, Settings};
pub(crate) use identity::spawn_uncancellable;
pub use identity::{AccessToken, Identity};
pub use issuers::{Check, IssuersError, KeysUnknown, Rejection, TrustedIssuer, check_token, read_issuers};
pub use keys::{KeyError, Keys, Vault};
pub use last_tokens::LastTokens;
pub use secret::Secret;

use crate::games::ports::StoreError;
use crate::rules::Instant;
use std::{sync::Arc, time::Duration};

/// Tolerated clock skew between two nodes, or between an issuer and a node.
pub const LEEWAY: Duration = Duration::from_secs(5);

/// Longer tokens are refused unread. Ours have some 450 bytes, those of other issuers rarely more than two thousand.
pub const MAX_TOKEN_LENGTH: usize = 4096;

/// Why authentication failed.
#[derive(Clone, Debug, thiserror::Error)]
pub enum AuthError {
    /// The request needs a player and carries no token.
    #[error("no token was sent")]
    NoToken,
    /// The token is malformed, forged, expired or revoked; the caller does not learn which.
    #[error("the token is not valid")]
    BadToken,
    /// The token can't be checked now: the store or the issuer's keys are unavailable.
    #[error("{0}")]
    Unavailable(String),
}

impl From<StoreError> for AuthError {
    fn from(error: StoreError) -> Self {
        Self::Unavailable(error.to_string())
    }
}

impl From<KeysUnknown> for AuthError {
    fn from(error: KeysUnknown) -> Self {
        Self::Unavailable(error.to_string())
    }
}

/// Wall clock; a function, so that tests can let tokens age.
pub type Now = Arc<dyn Fn() -> Instant + Send + Sync>;

/// [`Now`] outside tests: the system clock.
pub fn real_time() -> Instant {
    Instant(jiff::Timestamp::now().as_millisecond())
}

/// `moment` plus `duration`, saturating.
pub(crate) fn after(moment: Instant, duration: Duration) -> Instant {
    Instant(moment.0.saturating_add(i64::try_from(duration.as_millis()).unwrap_or(i64::MAX)))
}

/// Converts a claim's `NumericDate` (RFC 7519); a date out of range makes the token bad.
fn numeric_date(seconds: u64) -> Result<Instant, AuthError> {
    let millis = i64::try_from(seconds).ok().and_then(|seconds| seconds.checked_mul(1000));
    millis.map(Instant).ok_or(AuthError::BadToken)
}

/// SHA-256, to recognise tokens without storing them.
pub fn sha256(bytes: &[u8]) -> [u8; 32] {
    aws_lc_rs::digest::digest(&aws_lc_rs::digest::SHA256, bytes).as_ref().try_into().expect("SHA-256 gives 32 bytes")
}
