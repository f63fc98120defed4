//! Trace export to an OpenTelemetry collector: one span per request, with the game's id and kind. A separate thread
//! sends them in batches, so requests never wait for the collector, and serving goes on while it is down.

use super::log;
use opentelemetry::trace::TracerProvider;
use opentelemetry_otlp::{ExporterBuildError, Protocol, SpanExporter, WithExportConfig};
use opentelemetry_sdk::Resource;
use opentelemetry_sdk::trace::SdkTracerProvider;
use tracing::Subscriber;
use tracing_subscriber::Layer;
use tracing_subscriber::filter::filter_fn;
use tracing_subscriber::registry::LookupSpan;

/// The exporter. Dropping it sends the traces that are still queued.
pub struct Traces(SdkTracerProvider);

impl Traces {
    /// Exports to the collector at this URL.
    pub fn to(endpoint: &str) -> Result<Self, ExporterBuildError> {
        let exporter = SpanExporter::builder().with_http().with_protocol(Protocol::HttpJson).with_endpoint(endpoint);
        let resource = Resource::builder().with_service_name(env!("CARGO_PKG_NAME")).build();
        let provider = SdkTracerProvider::builder().with_resource(resource).with_batch_exporter(exporter.build()?);
        Ok(Self(provider.build()))
    }

    /// The layer that exports the spans of requests and no others, independent of the log level.
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
            tracing::warn!(%error, "the last traces could not be exported");
        }
    }
}
