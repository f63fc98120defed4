//! Who is calling: signing keys, access tokens, and what a request's token proves.
//!
//! Access tokens are short-lived JWTs that any node can check by itself; whether their sign-in still stands is asked of
//! the store. Besides our own ([`claims`]), tokens of trusted [`issuers`] are believed. Time here is real time: no game's
//! clock ever makes a token older or younger.

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

/// How far the clocks of two nodes, or of an issuer and a node, may be apart.
pub const LEEWAY: Duration = Duration::from_secs(5);

/// Ours have some 450 bytes, those of other issuers rarely more than two thousand; nothing longer than this is even
/// looked at.
pub const MAX_TOKEN_LENGTH: usize = 4096;

/// Why a request is not let in.
#[derive(Clone, Debug, thiserror::Error)]
pub enum AuthError {
    /// It needs a player and carries no token.
    #[error("no token was sent")]
    NoToken,
    /// Its token is malformed, forged, expired or signed out; which of them is nobody's business.
    #[error("the token is not valid")]
    BadToken,
    /// Whether the token is good can't be told at the moment.
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

/// The real time; a function, so that tests can let tokens age.
pub type Now = Arc<dyn Fn() -> Instant + Send + Sync>;

/// What [`Now`] is outside tests.
pub fn real_time() -> Instant {
    Instant(jiff::Timestamp::now().as_millisecond())
}

/// The moment so much later.
pub(crate) fn after(moment: Instant, duration: Duration) -> Instant {
    Instant(moment.0.saturating_add(i64::try_from(duration.as_millis()).unwrap_or(i64::MAX)))
}

/// A claim's seconds as a moment, unless it is beyond all calendars.
fn moment(seconds: u64) -> Result<Instant, AuthError> {
    let millis = i64::try_from(seconds).ok().and_then(|seconds| seconds.checked_mul(1000));
    millis.map(Instant).ok_or(AuthError::BadToken)
}

/// SHA-256, for tokens that are recognised but never kept.
pub fn sha256(bytes: &[u8]) -> [u8; 32] {
    aws_lc_rs::digest::digest(&aws_lc_rs::digest::SHA256, bytes).as_ref().try_into().expect("SHA-256 gives 32 bytes")
}
