//! The edge: what strangers, browsers and operators meet before and around the games.

mod admin;
mod assets;
mod browsers;
mod budgets;
mod campaigns;
mod clocks;
mod disk;
mod drain;
mod files;
mod hosts;
mod kinds;
mod large_bodies;
mod limits;
mod log_transports;
mod logs;
mod metrics;
#[cfg(feature = "otlp")]
mod otlp;
mod pages;
mod settings;
mod sweep;
mod transport;
