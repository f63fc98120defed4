//! The use cases of players: registering, signing in and out, and the profile others see.
//!
//! A player is a guest (a name and nothing else) or an account (with a username and a password); a guest can become an
//! account and stays the same player. Each sign-in is a family of refresh tokens, one good at a time. A newcomer is a
//! player whom another issuer vouches for, and who signs in there.

mod error;
pub mod fields;
mod first_sight;
mod housekeeping;
mod password_attempts;
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
use crate::quota::Bucket;
use moka::sync::Cache;
use password_attempts::Attempts;
use passwords::Passwords;
use ports::PlayerStore;
use std::net::IpAddr;
use std::sync::Arc;
use std::sync::atomic::AtomicU64;

/// The use cases of players.
pub struct Players {
    store: Arc<dyn PlayerStore>,
    identity: Arc<Identity>,
    passwords: Passwords,
    attempts: Attempts,
    /// Players that may be made from one address; none counted where there is no cap.
    registrations: Option<Bucket<IpAddr>>,
    shown: Cache<PlayerId, PublicProfile>,
    /// Counts the changes of what is shown.
    changes: AtomicU64,
}

impl Players {
    /// Takes a moment: it computes one password hash.
    pub fn new(store: Arc<dyn PlayerStore>, identity: Arc<Identity>) -> Self {
        Self {
            store,
            identity,
            passwords: Passwords::new(),
            attempts: Attempts::default(),
            registrations: None,
            shown: profile::cache(),
            changes: AtomicU64::new(0),
        }
    }

    /// The same, with a cap on the players that may be made from one address in an hour; 0 for none.
    pub fn with_registrations_per_hour(self, most: u32) -> Self {
        Self { registrations: Bucket::per_hour(most), ..self }
    }
}
