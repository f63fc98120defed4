//! Where the log goes: standard error, for people or for machines; and traces to a collector, where they are wanted.

use super::Result;
use crate::config::{LogFormat, Settings};
use std::io::{self, IsTerminal};
use tracing::{Level, Metadata, Subscriber};
use tracing_subscriber::filter::{EnvFilter, FilterExt, LevelFilter, ParseError, filter_fn};
use tracing_subscriber::layer::{Filter, SubscriberExt};
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

/// What is logged: what `--log` says, without what may hold secrets.
///
/// The second filter says that it lets all levels through. Had it no hint, the two together would have none, and whatever
/// a library logs at any level would be looked at: sled alone took 20,000 instructions for that with every move.
fn filter<S>(directives: &str) -> std::result::Result<impl Filter<S> + use<S>, ParseError> {
    let discreet = filter_fn(is_discreet).with_max_level_hint(LevelFilter::TRACE);
    Ok(EnvFilter::try_new(directives)?.and(discreet))
}

/// Below `info`, libraries tell what passes through them: tungstenite every message of a WebSocket, with its tokens and
/// passwords; tokio-postgres the values of every statement, with seeds and invite codes. So only our own lines may go
/// deeper, whatever `--log` says: the libraries that are known to tell secrets need not be all that do.
fn is_discreet(metadata: &Metadata<'_>) -> bool {
    let target = metadata.target().split("::").next();
    *metadata.level() <= Level::INFO || target == Some(env!("CARGO_PKG_NAME"))
}

fn lines<S: Subscriber + for<'a> LookupSpan<'a>>(format: LogFormat) -> Box<dyn Layer<S> + Send + Sync> {
    // Colours are for people who look on, not for files.
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
