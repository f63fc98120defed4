//! Other issuers whose tokens are believed, so that a mobile backend keeps its own sign-in.
//!
//! Which they are is configured ([`config`]); their public keys are read from where the configuration says ([`source`],
//! [`jwks`]), kept and refreshed ([`issuer`]), and never taken from a token. [`token`] says what is checked.

mod config;
mod issuer;
mod jwks;
mod source;
mod token;

pub(super) use config::LONGEST_LIFETIME;
pub use config::{IssuersError, TrustedIssuer, read_issuers};
pub(super) use issuer::Issuer;

use crate::rules::Instant;
use futures::future::join_all;
use std::{collections::HashMap, sync::Arc};

/// All trusted issuers, by their exact names.
pub(super) struct Issuers(HashMap<String, Arc<Issuer>>);

impl Issuers {
    pub(super) fn new(trusted: &[TrustedIssuer]) -> Self {
        Self(trusted.iter().map(|issuer| (issuer.issuer.clone(), Arc::new(Issuer::new(issuer.clone())))).collect())
    }

    pub(super) fn find(&self, iss: &str) -> Option<&Arc<Issuer>> {
        self.0.get(iss)
    }

    /// Reads the keys of those that are due, all at once.
    pub(super) async fn refresh(&self, now: Instant) {
        join_all(self.0.values().map(|issuer| issuer.refresh(now))).await;
    }
}
