//! The edge: what every request passes on its way in and every answer on its way out, one file per concern. Nothing here
//! knows a game.
//!
//! [`address`] tells who is calling when proxies stand in between, [`limits`] how often they may, [`places`] over how many
//! connections; [`cors`] and [`headers`] are for browsers; [`log`] and [`metrics`] for operators; [`passage`] has the last
//! three in one, and is called by the outermost layer of each face.

pub mod address;
pub mod cors;
pub mod headers;
pub mod limits;
pub mod log;
pub mod metrics;
#[cfg(feature = "otlp")]
pub mod otlp;
pub mod passage;
pub mod places;

use address::Proxies;
use cors::Origins;
use limits::Limits;
use metrics::Metrics;
use passage::Passage;
use std::sync::Arc;

/// What can be set about the edge. By default it stands open: nobody is limited, every front end may call.
#[derive(Clone, Default)]
pub struct Settings {
    /// Requests a second per player; 0 for as many as they like.
    pub player_rate: u32,
    /// Requests a second per address; 0 for as many as they like.
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
    pub limits: Limits,
    pub proxies: Proxies,
    pub origins: Origins,
    pub admin_apart: bool,
    pub metrics: Arc<Metrics>,
    pub passage: Passage,
}

impl From<Settings> for Edge {
    fn from(settings: Settings) -> Self {
        let Settings { player_rate, address_rate, proxies, origins, admin_apart, metrics } = settings;
        let passage = Passage::new(metrics.clone(), &origins);
        Self { limits: Limits::new(player_rate, address_rate), proxies, origins, admin_apart, metrics, passage }
    }
}
