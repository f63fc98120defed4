//! One issuer's keys: kept, refreshed now and then, and asked for when a token names one that is not among them.

use super::config::TrustedIssuer;
use super::jwks::{self, TrustedKey};
use crate::rules::Instant;
use std::{
    sync::{Arc, PoisonError, RwLock},
    time::Duration,
};
use tokio::sync::Mutex;

/// How long keys are good for without being looked at again: a key that was taken back is trusted for so long at most.
const REFRESH_EVERY: Duration = Duration::from_mins(5);

/// When to try again after a failure. Meanwhile the keys stay as they were.
const RETRY_AFTER: Duration = Duration::from_secs(30);

/// Between two readings because of a key that is not known. Anybody can name such a key, so a flood of them must not
/// become a flood for the issuer; and a new key must not have to wait for the next refresh.
const UNKNOWN_KEY_PAUSE: Duration = Duration::from_secs(10);

/// How many keys a refusal names: more than most issuers have.
const KEYS_NAMED: usize = 5;

/// The keys of an issuer were never read, so that nothing can be said of its tokens.
#[derive(Clone, Debug, thiserror::Error)]
#[error("the keys of issuer {issuer:?} are not known: {why}")]
pub struct KeysUnknown {
    issuer: String,
    why: String,
}

/// An issuer with its keys.
pub(in crate::auth) struct Issuer {
    pub(super) settings: TrustedIssuer,
    /// Nothing until they were read for the first time.
    keys: RwLock<Option<Vec<Arc<TrustedKey>>>>,
    /// Held while they are read, so that one reading answers all who wait for it.
    reading: Mutex<Reading>,
}

#[derive(Default)]
struct Reading {
    /// After the last one, whatever it was for.
    rest: Option<Rest>,
    /// After the last one for the sake of an unknown key.
    on_demand: Option<Rest>,
    /// Why the last one failed, if it did.
    failure: Option<String>,
}

/// A time in which nothing is read.
struct Rest {
    since: Instant,
    lasts: Duration,
}

impl Rest {
    /// A clock that was set back ends it too, rather than making it longer.
    fn is_over(&self, now: Instant) -> bool {
        u128::from(now.0.abs_diff(self.since.0)) >= self.lasts.as_millis()
    }
}

impl Issuer {
    pub(super) fn new(settings: TrustedIssuer) -> Self {
        Self { settings, keys: RwLock::default(), reading: Mutex::default() }
    }

    pub(in crate::auth) fn name(&self) -> &str {
        &self.settings.issuer
    }

    /// Whether a key of this name is trusted now.
    pub(in crate::auth) fn has(&self, kid: &str) -> bool {
        self.find(kid).is_some()
    }

    /// The key with exactly this name, if there is one; read anew, if that was not done just now, when it is not among
    /// those known. A token can't be called bad by somebody who never saw the keys: that is a failure.
    pub(super) async fn key(&self, kid: &str, now: Instant) -> Result<Option<Arc<TrustedKey>>, KeysUnknown> {
        if let Some(key) = self.find(kid) {
            return Ok(Some(key));
        }
        let mut reading = self.reading.lock().await;
        if self.find(kid).is_none() && reading.on_demand.as_ref().is_none_or(|rest| rest.is_over(now)) {
            let first = !self.are_known();
            self.read(&mut reading, now).await;
            // The very first reading, if it went well, was for nobody's unknown key.
            if !first || !self.are_known() {
                reading.on_demand = Some(Rest { since: now, lasts: UNKNOWN_KEY_PAUSE });
            }
        }
        if !self.are_known() {
            let why = reading.failure.as_deref().unwrap_or("they were never read").to_owned();
            return Err(KeysUnknown { issuer: self.settings.issuer.clone(), why });
        }
        Ok(self.find(kid))
    }

    /// The names of the keys that are known; of the first few, for the log.
    pub(super) fn kids(&self) -> String {
        let keys = self.keys.read().unwrap_or_else(PoisonError::into_inner);
        let kids: Vec<_> = keys.iter().flatten().take(KEYS_NAMED).map(|key| format!("{:?}", key.kid)).collect();
        if kids.is_empty() { "it has none that can be used".to_owned() } else { kids.join(", ") }
    }

    /// Whether its users may have a password of ours.
    pub(in crate::auth) fn allows_passwords(&self) -> bool {
        self.settings.allow_passwords
    }

    /// Reads the keys if it is time to.
    pub(super) async fn refresh(&self, now: Instant) {
        let mut reading = self.reading.lock().await;
        if reading.rest.as_ref().is_none_or(|rest| rest.is_over(now)) {
            self.read(&mut reading, now).await;
        }
    }

    async fn read(&self, reading: &mut Reading, now: Instant) {
        let TrustedIssuer { issuer, source, algorithms, .. } = &self.settings;
        let read = async { Ok(jwks::read(&source.read().await?, algorithms)?) };
        let read: Result<Vec<_>, Box<dyn std::error::Error + Send + Sync>> = read.await;
        let lasts = match read {
            Ok(keys) => {
                if keys.is_empty() {
                    tracing::warn!(issuer, "the issuer has no key that can be used");
                }
                let keys = keys.into_iter().map(Arc::new).collect();
                *self.keys.write().unwrap_or_else(PoisonError::into_inner) = Some(keys);
                reading.failure = None;
                REFRESH_EVERY
            }
            Err(error) => {
                tracing::warn!(issuer, error, "the issuer's keys could not be read; going on as before");
                reading.failure = Some(error.to_string());
                RETRY_AFTER
            }
        };
        reading.rest = Some(Rest { since: now, lasts });
    }

    fn find(&self, kid: &str) -> Option<Arc<TrustedKey>> {
        let keys = self.keys.read().unwrap_or_else(PoisonError::into_inner);
        keys.as_ref()?.iter().find(|key| key.kid == kid).cloned()
    }

    fn are_known(&self) -> bool {
        self.keys.read().unwrap_or_else(PoisonError::into_inner).is_some()
    }
}
