//! The HTTP edge: cross-cutting concerns of every request and answer, one file each. Nothing here knows about games.
//!
//! The outermost [`layer`] of each API runs the [`pipeline`]. [`client_address`] and [`host`] validate what a request
//! says of itself, [`arrival`] records its connection; [`connection_limits`], [`unsent_bytes`] and [`rate_limit`] are
//! about limits, [`cors`] and [`headers`] for browsers, [`log`] and [`metrics`] for operators; [`asset`] is static
//! content.

pub mod arrival;
pub mod asset;
pub mod client_address;
pub mod connection_limits;
pub mod cors;
pub mod headers;
pub mod host;
pub mod layer;
pub mod log;
pub mod metrics;
#[cfg(feature = "otlp")]
pub mod otlp;
pub mod pipeline;
pub mod rate_limit;
pub mod unsent_bytes;

use crate::quota::Budgets;
use client_address::Proxies;
use cors::Origins;
use metrics::Metrics;
use pipeline::Pipeline;
use std::sync::Arc;

/// Settings of the edge. By default nothing is limited, and pages of every origin may call.
#[derive(Clone, Default)]
pub struct Settings {
    /// Units of work per second for each player; 0 for no limit.
    pub player_rate: u32,
    /// Units of work per second for each address; 0 for no limit.
    pub address_rate: u32,
    pub proxies: Proxies,
    pub origins: Origins,
    /// Whether operator endpoints have a separate address, and are not served on the public one.
    pub separate_admin: bool,
    /// Passed in, because the store counts its commits there too.
    pub metrics: Arc<Metrics>,
}

/// State of the edge, shared by all requests.
pub struct Edge {
    pub budgets: Arc<Budgets>,
    pub proxies: Proxies,
    pub origins: Origins,
    pub separate_admin: bool,
    pub metrics: Arc<Metrics>,
    pub pipeline: Arc<Pipeline>,
}

impl From<Settings> for Edge {
    fn from(settings: Settings) -> Self {
        let Settings { player_rate, address_rate, proxies, origins, separate_admin, metrics } = settings;
        let budgets = Arc::new(Budgets::new(player_rate, address_rate));
        let pipeline = Pipeline::new(metrics.clone(), &origins, budgets.clone());
        Self { budgets, proxies, origins, separate_admin, metrics, pipeline }
    }
}
