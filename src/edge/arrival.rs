//! Request extension with the connection of a request, and the meter that charges for its work.

use super::client_address::{Proxies, caller};
use super::connection_limits::ConnectionPermit;
use crate::auth::LastTokens;
use crate::quota::Meter;
use crate::quota::delayed_refusals::ConnectionRefusals;
use axum::extract::Request;
use axum::http::HeaderMap;
use std::sync::Arc;

/// Extension of every request that came over a socket. Only one, because each costs an allocation and a map entry.
#[derive(Clone, Default)]
pub struct Arrival {
    /// `None` if the request did not come over a socket.
    pub permit: Option<ConnectionPermit>,
    /// Charges the request to its address, and to its player once authenticated.
    pub meter: Arc<Meter>,
}

impl Arrival {
    /// For a request with these headers that came over a connection.
    pub fn over(permit: ConnectionPermit, proxies: &Proxies, headers: &HeaderMap) -> Self {
        let address = caller(proxies.client(permit.peer(), headers));
        Self { permit: Some(permit), meter: Arc::new(Meter::new(Some(address))) }
    }

    /// The extension of a request, added if missing, so that everything that charges for the request uses one meter.
    pub fn of(request: &mut Request) -> Self {
        request.extensions_mut().get_or_insert_default::<Self>().clone()
    }

    /// The delayed refusals of the connection; `None` without a connection, or if several clients share it.
    pub fn refusals(&self) -> Option<&ConnectionRefusals> {
        self.permit.as_ref()?.refusals()
    }

    /// The last tokens of the connection; `None` without a connection, or if several clients share it.
    pub fn last_tokens(&self) -> Option<&LastTokens> {
        self.permit.as_ref()?.last_tokens()
    }
}
