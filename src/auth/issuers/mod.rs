//! Other issuers whose tokens are believed, so that a mobile backend keeps its own sign-in.
//!
//! Which they are is configured ([`config`]); their public keys are read from where the configuration says ([`source`],
//! [`jwks`]), kept and refreshed ([`issuer`]), and never taken from a token. [`token`] says what is checked, [`check`] how
//! it is told what does not hold.

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

    /// Everything a token can prove by itself, checked by the rules and keys of the issuer that it names. Fails if those
    /// keys are not known.
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

    /// Reads the keys of those that are due, all at once.
    pub(super) async fn refresh(&self, now: Instant) {
        join_all(self.0.values().map(|issuer| issuer.refresh(now))).await;
    }
}
