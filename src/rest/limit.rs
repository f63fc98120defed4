//! Refuses an address that asks too often, before anything else is asked of us.

use super::error::ApiError;
use crate::app::App;
use crate::edge::address::Peer;
use axum::extract::{Request, State};
use axum::middleware::Next;
use axum::response::Response;
use std::sync::Arc;

/// Lets a request in if its address has not used up its share. One that came over no socket has no address.
pub async fn limit(State(app): State<Arc<App>>, request: Request, next: Next) -> Result<Response, ApiError> {
    if let Some(peer) = request.extensions().get::<Peer>() {
        app.edge.limits.admit(app.edge.proxies.client(*peer, request.headers())).await?;
    }
    Ok(next.run(request).await)
}
