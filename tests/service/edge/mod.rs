//! The edge: rate limits, connections, headers, logs, metrics, files and settings.

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
