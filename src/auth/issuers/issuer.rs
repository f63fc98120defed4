//! Key cache of one trusted issuer: refreshed periodically, and fetched on demand when a token names an unknown key.

use super::config::TrustedIssuer;
use super::jwks::{self, TrustedKey};
use crate::rules::Instant;
use std::{
    sync::{Arc, PoisonError, RwLock},
    time::Duration,
};
use tokio::sync::Mutex;

/// Refresh interval: the longest time that a key stays trusted after the issuer withdrew it.
const REFRESH_INTERVAL: Duration = Duration::from_mins(5);

/// Delay before a retry after a failure. Meanwhile the keys stay as they were.
const RETRY_DELAY: Duration = Duration::from_secs(30);

/// Shortest time between two fetches for unknown keys. Anybody can name an unknown key, so a flood of such tokens must
/// not flood the issuer; but a new key must not wait for the next refresh either.
const UNKNOWN_KEY_COOLDOWN: Duration = Duration::from_secs(10);

/// How many key ids a refusal lists: more than most issuers have.
const KEYS_NAMED: usize = 5;

/// The keys of an issuer were never fetched, so its tokens can't be verified.
#[derive(Clone, Debug, thiserror::Error)]
#[error("the keys of issuer {issuer:?} are not known: {why}")]
pub struct KeysUnknown {
    issuer: String,
    why: String,
}

pub(in crate::auth) struct Issuer {
    pub(super) settings: TrustedIssuer,
    /// None until they were fetched for the first time.
    keys: RwLock<Option<Vec<Arc<TrustedKey>>>>,
    /// Held during a fetch, so that one fetch answers all requests that wait for it.
    fetch_state: Mutex<FetchState>,
}

#[derive(Default)]
struct FetchState {
    /// Until the next periodic refresh; started by every fetch.
    refresh: Option<Cooldown>,
    /// Until the next fetch for an unknown key; started by such a fetch.
    on_demand: Option<Cooldown>,
    /// Why the last fetch failed, if it did.
    failure: Option<String>,
}

/// A time in which nothing is fetched.
struct Cooldown {
    since: Instant,
    lasts: Duration,
}

impl Cooldown {
    /// A clock that was set back ends the cooldown rather than prolonging it.
    fn is_over(&self, now: Instant) -> bool {
        u128::from(now.0.abs_diff(self.since.0)) >= self.lasts.as_millis()
    }
}

impl Issuer {
    pub(super) fn new(settings: TrustedIssuer) -> Self {
        Self { settings, keys: RwLock::default(), fetch_state: Mutex::default() }
    }

    pub(in crate::auth) fn name(&self) -> &str {
        &self.settings.issuer
    }

    /// Whether the key with this id is trusted now.
    pub(in crate::auth) fn has(&self, kid: &str) -> bool {
        self.find(kid).is_some()
    }

    /// The key with exactly this id, if there is one. An unknown id causes a fetch, at most once per
    /// `UNKNOWN_KEY_COOLDOWN`. Fails if the keys were never fetched: the token may be good.
    pub(super) async fn key(&self, kid: &str, now: Instant) -> Result<Option<Arc<TrustedKey>>, KeysUnknown> {
        if let Some(key) = self.find(kid) {
            return Ok(Some(key));
        }
        let mut fetch_state = self.fetch_state.lock().await;
        if self.find(kid).is_none() && fetch_state.on_demand.as_ref().is_none_or(|cooldown| cooldown.is_over(now)) {
            let first = !self.has_keys();
            self.fetch(&mut fetch_state, now).await;
            // The first fetch starts no cooldown if it succeeds: it was needed for any key, not only for an unknown
            // one.
            if !first || !self.has_keys() {
                fetch_state.on_demand = Some(Cooldown { since: now, lasts: UNKNOWN_KEY_COOLDOWN });
            }
        }
        if !self.has_keys() {
            let why = fetch_state.failure.as_deref().unwrap_or("they were never fetched").to_owned();
            return Err(KeysUnknown { issuer: self.settings.issuer.clone(), why });
        }
        Ok(self.find(kid))
    }

    /// The ids of the first few known keys, for the log.
    pub(super) fn kids(&self) -> String {
        let keys = self.keys.read().unwrap_or_else(PoisonError::into_inner);
        let kids: Vec<_> = keys.iter().flatten().take(KEYS_NAMED).map(|key| format!("{:?}", key.kid)).collect();
        if kids.is_empty() { "it has no usable key".to_owned() } else { kids.join(", ") }
    }

    /// Whether the issuer's users may have a password here.
    pub(in crate::auth) fn allows_passwords(&self) -> bool {
        self.settings.allow_passwords
    }

    pub(super) async fn refresh(&self, now: Instant) {
        let mut fetch_state = self.fetch_state.lock().await;
        if fetch_state.refresh.as_ref().is_none_or(|cooldown| cooldown.is_over(now)) {
            self.fetch(&mut fetch_state, now).await;
        }
    }

    async fn fetch(&self, fetch_state: &mut FetchState, now: Instant) {
        let TrustedIssuer { issuer, source, algorithms, .. } = &self.settings;
        let fetching = async { Ok(jwks::read(&source.read().await?, algorithms)?) };
        let fetched: Result<Vec<_>, Box<dyn std::error::Error + Send + Sync>> = fetching.await;
        let lasts = match fetched {
            Ok(keys) => {
                if keys.is_empty() {
                    tracing::warn!(issuer, "the issuer has no usable key");
                }
                let keys = keys.into_iter().map(Arc::new).collect();
                *self.keys.write().unwrap_or_else(PoisonError::into_inner) = Some(keys);
                fetch_state.failure = None;
                REFRESH_INTERVAL
            }
            Err(error) => {
                tracing::warn!(issuer, error, "failed to fetch the issuer's keys; the previous ones stay in use");
                fetch_state.failure = Some(error.to_string());
                RETRY_DELAY
            }
        };
        fetch_state.refresh = Some(Cooldown { since: now, lasts });
    }

    fn find(&self, kid: &str) -> Option<Arc<TrustedKey>> {
        let keys = self.keys.read().unwrap_or_else(PoisonError::into_inner);
        keys.as_ref()?.iter().find(|key| key.kid == kid).cloned()
    }

    fn has_keys(&self) -> bool {
        self.keys.read().unwrap_or_else(PoisonError::into_inner).is_some()
    }
}
