//! Traces for an OpenTelemetry collector: one span per request, with the game's id and kind, sent in batches by a thread
//! of its own. Nobody waits for the collector, and one that is down is no trouble.

use super::log;
use opentelemetry::trace::TracerProvider;
use opentelemetry_otlp::{ExporterBuildError, Protocol, SpanExporter, WithExportConfig};
use opentelemetry_sdk::Resource;
use opentelemetry_sdk::trace::SdkTracerProvider;
use tracing::Subscriber;
use tracing_subscriber::Layer;
use tracing_subscriber::filter::filter_fn;
use tracing_subscriber::registry::LookupSpan;

/// What is sent, until dropped; then what is still waiting is sent too.
pub struct Traces(SdkTracerProvider);

impl Traces {
    /// Traces to the collector at this address.
    pub fn to(endpoint: &str) -> Result<Self, ExporterBuildError> {
        let exporter = SpanExporter::builder().with_http().with_protocol(Protocol::HttpJson).with_endpoint(endpoint);
        let resource = Resource::builder().with_service_name(env!("CARGO_PKG_NAME")).build();
        let provider = SdkTracerProvider::builder().with_resource(resource).with_batch_exporter(exporter.build()?);
        Ok(Self(provider.build()))
    }

    /// The layer that takes the spans of requests, and no others, whatever is logged.
    pub fn layer<S: Subscriber + for<'a> LookupSpan<'a>>(&self) -> impl Layer<S> + use<S> {
        let requests = filter_fn(|metadata| metadata.is_span() && metadata.target() == log::TARGET);
        let tracer = self.0.tracer(env!("CARGO_PKG_NAME"));
        let layer = tracing_opentelemetry::layer().with_tracer(tracer);
        layer.with_location(false).with_threads(false).with_tracked_inactivity(false).with_filter(requests)
    }
}

impl Drop for Traces {
    fn drop(&mut self) {
        if let Err(error) = self.0.shutdown() {
            tracing::warn!(%error, "the last traces could not be sent");
        }
    }
}
