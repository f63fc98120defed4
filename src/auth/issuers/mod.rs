//! Trusted issuers: JWTs of other services are accepted, so that for example a mobile backend keeps its own sign-in.
//!
//! [`config`] lists the issuers. Their public keys come from where it says ([`source`], [`jwks`]), never from a token,
//! and are cached and refreshed ([`issuer`]). [`token`] verifies a token; [`check`] names the checks and reports the
//! one that failed.

mod check;
mod config;
mod issuer;
mod jwks;
mod source;
mod token;

pub use check::{Check, Rejection, check_token};
pub(super) use check::{Claimed, log_refusal};
pub(super) use config::LONGEST_LIFETIME;
pub use config::{IssuersError, TrustedIssuer, read_issuers};
pub(super) use issuer::Issuer;
pub use issuer::KeysUnknown;

use super::caller::Proven;
use crate::rules::Instant;
use futures::future::join_all;
use jsonwebtoken::Header;
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

    /// Makes all checks on a token that need no store, by the rules and keys of its issuer. Fails if those keys are not
    /// known.
    pub(super) async fn verify(
        &self,
        token: &str,
        header: &Header,
        iss: &str,
        now: Instant,
    ) -> Result<Result<(Proven, Arc<Issuer>), Rejection>, KeysUnknown> {
        let Some(issuer) = self.find(iss) else {
            return Ok(Err(Rejection::new(Check::Issuer, "no issuer of this name is trusted")));
        };
        Ok(issuer.verify(token, header, now).await?.map(|proven| (proven, issuer.clone())))
    }

    /// Fetches the keys of all issuers that are due, concurrently.
    pub(super) async fn refresh(&self, now: Instant) {
        join_all(self.0.values().map(|issuer| issuer.refresh(now))).await;
    }
}
