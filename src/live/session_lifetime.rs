//! Session expiry of streams, the same for every transport: a stream ends when its token expires or its session is
//! revoked.

use crate::auth::{AuthError, Caller, Identity};
use futures::future::{self, BoxFuture};
use std::sync::Arc;
use std::time::Duration;
use tokio::time::{Instant, sleep, sleep_until};

/// How long a quiet stream may outlive its session.
const CHECK_INTERVAL: Duration = Duration::from_secs(5);
/// Delay before a session is checked again after the store was unavailable.
const STORE_RETRY_DELAY: Duration = Duration::from_millis(500);

/// Whether the caller's token and session are still valid. Waits while the store is unavailable.
pub async fn is_still_signed_in(identity: Arc<Identity>, caller: Option<Caller>) -> bool {
    let Some(caller) = caller else { return true };
    loop {
        match identity.check(&caller).await {
            Ok(()) => return true,
            Err(AuthError::NoToken | AuthError::BadToken) => return false,
            Err(AuthError::Unavailable(_)) => sleep(STORE_RETRY_DELAY).await,
        }
    }
}

/// Schedules the checks of one stream's caller. It holds no timer: its owner wakes up at [`Self::next_check`].
pub(super) struct SessionWatch {
    identity: Arc<Identity>,
    caller: Caller,
    next_check: Instant,
    /// [`Identity::revocations`] just before the last check; None before the first check, and on a shared store.
    revocations: Option<u64>,
}

impl SessionWatch {
    pub(super) fn new(identity: Arc<Identity>, caller: Caller) -> Self {
        let next_check = next_check(&identity, &caller);
        Self { identity, caller, next_check, revocations: None }
    }

    pub(super) fn next_check(&self) -> Instant {
        self.next_check
    }

    pub(super) fn schedule(&mut self) {
        self.next_check = next_check(&self.identity, &self.caller);
    }

    pub(super) fn has_expired(&self) -> bool {
        self.identity.now() >= self.caller.expires_at
    }

    /// False while the number of revocations is unchanged: then the result of the last check still holds.
    pub(super) fn needs_check(&self) -> bool {
        self.revocations.is_none() || self.revocations != self.identity.revocations()
    }

    /// Starts a check; resolves to [`is_still_signed_in`]. Boxed, so that it takes memory only while it runs.
    pub(super) fn check(&mut self) -> BoxFuture<'static, bool> {
        // Read before the check: a revocation that comes in during the check calls for another one.
        self.revocations = self.identity.revocations();
        Box::pin(is_still_signed_in(self.identity.clone(), Some(self.caller)))
    }
}

/// The end of the interval, or the expiry of the token if that comes first.
fn next_check(identity: &Identity, caller: &Caller) -> Instant {
    let left = u64::try_from(caller.expires_at.0.saturating_sub(identity.now().0)).unwrap_or(0);
    // At least 1 ms, since the wall clock and the timer's clock may differ by less than that.
    Instant::now() + Duration::from_millis(left.max(1)).min(CHECK_INTERVAL)
}

/// Resolves once the caller's token has expired or its session was revoked; never without a caller.
pub fn ended(identity: Arc<Identity>, caller: Option<Caller>) -> impl Future<Output = ()> + Send + use<> {
    let mut watch = caller.map(|caller| SessionWatch::new(identity, caller));
    async move {
        // By reference: moved into a local, it would take its space in the future twice.
        let Some(watch) = &mut watch else { return future::pending().await };
        loop {
            sleep_until(watch.next_check()).await;
            if watch.has_expired() || watch.needs_check() && !watch.check().await {
                return;
            }
            watch.schedule();
        }
    }
}
