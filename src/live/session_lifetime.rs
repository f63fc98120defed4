//! How long somebody may listen: until their token or sign-in ends, or the server shuts down. The same for every
//! transport that streams.

use crate::auth::{AuthError, Caller, Identity};
use futures::future;
use std::sync::Arc;
use std::time::Duration;
use tokio::time::{Instant, sleep, sleep_until};

/// How long a quiet stream may outlive the sign-in it belongs to.
const SIGN_OUT_NOTICED_AFTER: Duration = Duration::from_secs(5);
/// When it is asked again whether a sign-in stands, after the store could not answer.
const ASK_AGAIN: Duration = Duration::from_millis(500);

/// Whether the caller may be told one thing more. Waits for a store that can't say.
pub async fn still_in(identity: Arc<Identity>, caller: Option<Caller>) -> bool {
    let Some(caller) = caller else { return true };
    loop {
        match identity.check(&caller).await {
            Ok(()) => return true,
            Err(AuthError::NoToken | AuthError::BadToken) => return false,
            Err(AuthError::Unavailable(_)) => sleep(ASK_AGAIN).await,
        }
    }
}

/// When it is looked next whether a quiet stream has outlived what it belongs to.
pub fn next_look(identity: &Identity, caller: &Caller) -> Instant {
    let left = u64::try_from(caller.expires_at.0.saturating_sub(identity.now().0)).unwrap_or(0);
    // The two clocks may be a part of a millisecond apart.
    Instant::now() + Duration::from_millis(left.max(1)).min(SIGN_OUT_NOTICED_AFTER)
}

/// Resolves once the caller's token has expired or was signed out; never for somebody without one. The question is in a
/// box, so that those who only wait do without.
#[expect(clippy::manual_async_fn, reason = "an async fn would hold the caller twice")]
pub fn ended(identity: Arc<Identity>, caller: Option<Caller>) -> impl Future<Output = ()> + Send + use<> {
    async move {
        let Some(known) = &caller else { return future::pending().await };
        // How much had been ended when it was asked last: while it is the same, so is the answer.
        let mut asked_after = None;
        loop {
            sleep_until(next_look(&identity, known)).await;
            if identity.now() >= known.expires_at {
                return;
            }
            let endings = identity.revocations();
            if asked_after.is_some() && asked_after == endings {
                continue;
            }
            asked_after = endings;
            if !Box::pin(still_in(identity.clone(), caller)).await {
                return;
            }
        }
    }
}
