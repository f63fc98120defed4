//! How a request arrived: over which connection, and who pays for its work.

use super::client_address::{Proxies, caller};
use super::connection_limits::ConnectionPermit;
use crate::auth::LastTokens;
use crate::quota::Meter;
use crate::quota::delayed_refusals::ConnectionRefusals;
use axum::extract::Request;
use axum::http::HeaderMap;
use std::sync::Arc;

/// An extension of every request that came over a socket. One for all of it, because each extension of a request is a box
/// and an entry of a map.
#[derive(Clone, Default)]
pub struct Arrival {
    /// None if the request came over no socket.
    pub place: Option<ConnectionPermit>,
    /// Charges the request to its address, and to its player once it is known who that is.
    pub meter: Arc<Meter>,
}

impl Arrival {
    /// A request with these headers came over a connection.
    pub fn over(place: ConnectionPermit, proxies: &Proxies, headers: &HeaderMap) -> Self {
        let address = caller(proxies.client(place.peer(), headers));
        Self { place: Some(place), meter: Arc::new(Meter::new(Some(address))) }
    }

    /// How a request arrived. Each has it from here on, so that all who charge for its work use one meter.
    pub fn of(request: &mut Request) -> Self {
        request.extensions_mut().get_or_insert_default::<Self>().clone()
    }

    /// The refusals that are held on the connection, unless it is shared with others, or there is none.
    pub fn refusals(&self) -> Option<&ConnectionRefusals> {
        self.place.as_ref()?.refusals()
    }

    /// The tokens that came over the connection, unless it is shared with others, or there is none.
    pub fn last_tokens(&self) -> Option<&LastTokens> {
        self.place.as_ref()?.last_tokens()
    }
}
