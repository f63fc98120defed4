//! How long somebody may listen: until their token or sign-in ends, or the server shuts down. The same for every
//! transport that streams.

use crate::app::App;
use crate::auth::{Caller, Identity, Refused};
use crate::games::ports::StoreError;
use futures::future;
use std::sync::Arc;
use std::time::Duration;

/// How long a quiet stream may outlive the sign-in it belongs to.
const SIGN_OUT_NOTICED_AFTER: Duration = Duration::from_secs(5);

/// Resolves when the caller's token or sign-in ends, or the server shuts down. Held, and so counted, for as long as the
/// stream is.
pub fn over(app: &App, caller: Option<Caller>) -> impl Future<Output = ()> + Send + use<> {
    let (closing, identity) = (app.closing.clone(), app.identity.clone());
    let counted = app.edge.metrics.count_stream();
    async move {
        let _counted = counted;
        tokio::select! {
            () = closing.cancelled_owned() => {}
            () = ended(identity, caller) => {}
        }
    }
}

/// Whether the caller may be told one thing more.
pub async fn still_in(identity: &Identity, caller: Option<Caller>) -> Result<bool, StoreError> {
    let Some(caller) = caller else { return Ok(true) };
    match identity.check(&caller).await {
        Ok(()) => Ok(true),
        Err(Refused::NoToken | Refused::BadToken) => Ok(false),
        Err(Refused::Unavailable(error)) => Err(error),
    }
}

/// Resolves once the caller's token has expired or was signed out; never for somebody without one.
pub async fn ended(identity: Arc<Identity>, caller: Option<Caller>) {
    let Some(Caller { expires_at, .. }) = caller else { return future::pending().await };
    loop {
        let left = u64::try_from(expires_at.0.saturating_sub(identity.now().0)).unwrap_or(0);
        tokio::time::sleep(Duration::from_millis(left).min(SIGN_OUT_NOTICED_AFTER)).await;
        if identity.now() >= expires_at || matches!(still_in(&identity, caller).await, Ok(false)) {
            return;
        }
    }
}
