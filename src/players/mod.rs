//! Player accounts: registration, sign-in, sign-out and profiles.
//!
//! A player is a guest (a display name only) or an account (with a username and a password); a guest can become an
//! account and stays the same player. Each session is a family of refresh tokens, of which one is valid at a time. A
//! newcomer is a player who signs in with another issuer.

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

pub struct Players {
    store: Arc<dyn PlayerStore>,
    identity: Arc<Identity>,
    passwords: Passwords,
    attempts: Attempts,
    /// Limits the registrations from one address; None without a limit.
    registrations: Option<Bucket<IpAddr>>,
    public_profiles: Cache<PlayerId, PublicProfile>,
    /// Number of changes to public profiles on this node.
    changes: AtomicU64,
}

impl Players {
    /// Slow: it computes one password hash.
    pub fn new(store: Arc<dyn PlayerStore>, identity: Arc<Identity>) -> Self {
        Self {
            store,
            identity,
            passwords: Passwords::new(),
            attempts: Attempts::default(),
            registrations: None,
            public_profiles: profile::cache(),
            changes: AtomicU64::new(0),
        }
    }

    /// Limits the registrations from one address per hour; 0 disables the limit.
    pub fn with_registrations_per_hour(self, most: u32) -> Self {
        Self { registrations: Bucket::per_hour(most), ..self }
    }
}
