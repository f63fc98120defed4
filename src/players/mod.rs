//! The use cases of players: registering, signing in and out, and the profile others see.
//!
//! A player is a guest (a name and nothing else) or an account (with a username and a password); a guest can become an
//! account and stays the same player. Each sign-in is a family of refresh tokens, one good at a time. A newcomer is a
//! player whom another issuer vouches for, and who signs in there.

mod error;
pub mod fields;
mod newcomer;
mod passwords;
pub mod ports;
mod profile;
mod refresh;
mod sign_in;

pub use error::PlayerError;
pub use profile::{Change, Profile, PublicProfile, former};
pub use sign_in::Tokens;

use crate::auth::Identity;
use crate::ids::PlayerId;
use moka::sync::Cache;
use passwords::Passwords;
use ports::PlayerStore;
use std::sync::Arc;
use std::sync::atomic::AtomicU64;

/// The use cases of players.
pub struct Players {
    store: Arc<dyn PlayerStore>,
    identity: Arc<Identity>,
    passwords: Passwords,
    shown: Cache<PlayerId, PublicProfile>,
    /// Counts the changes of what is shown.
    changes: AtomicU64,
}

impl Players {
    /// Takes a moment: it computes one password hash.
    pub fn new(store: Arc<dyn PlayerStore>, identity: Arc<Identity>) -> Self {
        Self { store, identity, passwords: Passwords::new(), shown: profile::cache(), changes: AtomicU64::new(0) }
    }
}
