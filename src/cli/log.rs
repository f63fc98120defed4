//! Logging to standard error, as text or JSON, and trace export to an OpenTelemetry collector.

use super::Result;
use crate::config::{LogFormat, Settings};
use std::io::{self, IsTerminal};
use tracing::{Level, Metadata, Subscriber};
use tracing_subscriber::filter::{EnvFilter, FilterExt, LevelFilter, ParseError, filter_fn};
use tracing_subscriber::layer::{Filter, SubscriberExt};
use tracing_subscriber::registry::LookupSpan;
use tracing_subscriber::util::SubscriberInitExt;
use tracing_subscriber::{Layer, fmt};

/// Keeps logging alive; dropping it sends the traces that are still queued.
pub struct Logging {
    #[cfg(feature = "otlp")]
    _traces: Option<crate::edge::otlp::Traces>,
}

/// Starts logging.
pub fn start(settings: &Settings) -> Result<Logging> {
    let lines = lines(settings.log_format).with_filter(filter(&settings.log)?);
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

/// The filter of `--log`, without events that may contain secrets.
///
/// The second filter has a level hint: without it the combination would have none, and every event of a library would
/// be examined at any level. sled's alone cost 20,000 instructions per move.
fn filter<S>(directives: &str) -> std::result::Result<impl Filter<S> + use<S>, ParseError> {
    let free_of_secrets = filter_fn(is_free_of_secrets).with_max_level_hint(LevelFilter::TRACE);
    Ok(EnvFilter::try_new(directives)?.and(free_of_secrets))
}

/// Below `info`, libraries log the data that they handle: tungstenite every WebSocket message, with tokens and
/// passwords; tokio-postgres the values of every statement, with seeds and invite codes. Other libraries may do so too,
/// so only our own events may be more detailed, whatever `--log` says.
fn is_free_of_secrets(metadata: &Metadata<'_>) -> bool {
    let target = metadata.target().split("::").next();
    *metadata.level() <= Level::INFO || target == Some(env!("CARGO_PKG_NAME"))
}

fn lines<S: Subscriber + for<'a> LookupSpan<'a>>(format: LogFormat) -> Box<dyn Layer<S> + Send + Sync> {
    // Colours only on a terminal, not in files.
    let lines = fmt::layer().with_writer(io::stderr).with_ansi(io::stderr().is_terminal());
    match format {
        LogFormat::Human => lines.boxed(),
        LogFormat::Json => lines.json().flatten_event(true).with_span_list(false).boxed(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tracing_subscriber::Registry;

    #[test]
    fn what_is_below_the_level_of_the_log_is_not_even_looked_at() {
        for (directives, most) in [
            ("warn", LevelFilter::WARN),
            ("info", LevelFilter::INFO),
            ("warn,ludotheque=debug", LevelFilter::DEBUG),
            ("off", LevelFilter::OFF),
        ] {
            let filter = filter::<Registry>(directives).unwrap();
            assert_eq!(filter.max_level_hint(), Some(most), "{directives}");
        }
    }
}
