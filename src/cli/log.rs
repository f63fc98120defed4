//! Where the log goes: standard error, for people or for machines; and traces to a collector, where they are wanted.

use super::Result;
use crate::config::{LogFormat, Settings};
use std::io::{self, IsTerminal};
use tracing::Subscriber;
use tracing_subscriber::filter::EnvFilter;
use tracing_subscriber::layer::SubscriberExt;
use tracing_subscriber::registry::LookupSpan;
use tracing_subscriber::util::SubscriberInitExt;
use tracing_subscriber::{Layer, fmt};

/// What has to be kept for as long as something is logged; dropping it sends what is still waiting.
pub struct Logging {
    #[cfg(feature = "otlp")]
    _traces: Option<crate::edge::otlp::Traces>,
}

/// Starts logging.
pub fn start(settings: &Settings) -> Result<Logging> {
    let lines = lines(settings.log_format).with_filter(EnvFilter::try_new(&settings.log)?);
    let subscriber = tracing_subscriber::registry().with(lines);
    #[cfg(feature = "otlp")]
    {
        let traces = settings.otlp_endpoint.as_deref().map(crate::edge::otlp::Traces::to).transpose()?;
        subscriber.with(traces.as_ref().map(crate::edge::otlp::Traces::layer)).init();
        Ok(Logging { _traces: traces })
    }
    #[cfg(not(feature = "otlp"))]
    {
        subscriber.init();
        Ok(Logging {})
    }
}

fn lines<S: Subscriber + for<'a> LookupSpan<'a>>(format: LogFormat) -> Box<dyn Layer<S> + Send + Sync> {
    // Colours are for people who look on, not for files.
    let lines = fmt::layer().with_writer(io::stderr).with_ansi(io::stderr().is_terminal());
    match format {
        LogFormat::Human => lines.boxed(),
        LogFormat::Json => lines.json().flatten_event(true).with_span_list(false).boxed(),
    }
}
