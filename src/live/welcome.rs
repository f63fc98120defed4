//! How long somebody may listen: until their token or sign-in ends, or the server shuts down. The same for every
//! transport that streams.

use crate::app::App;
use crate::auth::{Caller, Identity, Refused};
use futures::future;
use std::sync::Arc;
use std::time::Duration;

/// How long a quiet stream may outlive the sign-in it belongs to.
const SIGN_OUT_NOTICED_AFTER: Duration = Duration::from_secs(5);
/// When it is asked again whether a sign-in stands, after the store could not answer.
const ASK_AGAIN: Duration = Duration::from_millis(500);

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

/// Whether the caller may be told one thing more. Waits for a store that can't say.
pub async fn still_in(identity: Arc<Identity>, caller: Option<Caller>) -> bool {
    let Some(caller) = caller else { return true };
    loop {
        match identity.check(&caller).await {
            Ok(()) => return true,
            Err(Refused::NoToken | Refused::BadToken) => return false,
            Err(Refused::Unavailable(_)) => tokio::time::sleep(ASK_AGAIN).await,
        }
    }
}

/// Resolves once the caller's token has expired or was signed out; never for somebody without one.
pub async fn ended(identity: Arc<Identity>, caller: Option<Caller>) {
    let Some(Caller { expires_at, .. }) = caller else { return future::pending().await };
    loop {
        let left = u64::try_from(expires_at.0.saturating_sub(identity.now().0)).unwrap_or(0);
        tokio::time::sleep(Duration::from_millis(left).min(SIGN_OUT_NOTICED_AFTER)).await;
        if identity.now() >= expires_at || !still_in(identity.clone(), caller).await {
            return;
        }
    }
}
