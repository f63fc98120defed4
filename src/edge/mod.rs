//! The edge: what every request passes on its way in and every answer on its way out, one file per concern. Nothing here
//! knows a game.
//!
//! [`address`] tells who is calling when proxies stand in between, [`places`] over how many connections they may, [`arrival`]
//! over which of them a request came, [`unsent`] how much may wait for them, [`rate_limit`] what is left of their budget,
//! [`host`] which host they mean; [`cors`] and [`headers`] are for browsers; [`log`] and [`metrics`] for operators; [`asset`]
//! answers what is the same for everybody; [`passage`] is called by the outermost [`layer`] of each face.

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

/// What can be set about the edge. By default it stands open: nobody is limited, every front end may call.
#[derive(Clone, Default)]
pub struct Settings {
    /// Units of work per second for each player; 0 for no limit.
    pub player_rate: u32,
    /// Units of work per second for each address; 0 for no limit.
    pub address_rate: u32,
    pub proxies: Proxies,
    pub origins: Origins,
    /// Whether what is the operator's has an address of its own, and no place on the public one.
    pub admin_apart: bool,
    /// Handed in, so that the store can be counted with the rest.
    pub metrics: Arc<Metrics>,
}

/// The edge, as all requests share it.
pub struct Edge {
    pub budgets: Arc<Budgets>,
    pub proxies: Proxies,
    pub origins: Origins,
    pub admin_apart: bool,
    pub metrics: Arc<Metrics>,
    pub pipeline: Arc<Pipeline>,
}

impl From<Settings> for Edge {
    fn from(settings: Settings) -> Self {
        let Settings { player_rate, address_rate, proxies, origins, admin_apart, metrics } = settings;
        let budgets = Arc::new(Budgets::new(player_rate, address_rate));
        let pipeline = Pipeline::new(metrics.clone(), &origins, budgets.clone());
        Self { budgets, proxies, origins, admin_apart, metrics, pipeline }
    }
}
