//! CORS: which origins' pages may call the API from a browser. Any may by default, which is safe: tokens travel in a
//! header that a page has to set itself, never in cookies.

use super::rate_limit;
use axum::http::{HeaderName, HeaderValue, Method, header};
use std::time::Duration;
use tower_http::cors::{AllowOrigin, CorsLayer};

/// How long a browser may cache a preflight answer.
const PREFLIGHT_MAX_AGE: Duration = Duration::from_hours(1);

/// The allowed origins.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Origins {
    #[default]
    Any,
    /// Only these; none if empty.
    Only(Vec<HeaderValue>),
}

impl Origins {
    /// Parses origins as browsers send them, or `*` for any.
    pub fn read(origins: &[String]) -> Result<Self, String> {
        let named: Vec<_> = origins.iter().map(|origin| origin.trim()).filter(|origin| !origin.is_empty()).collect();
        if named.contains(&"*") {
            return Ok(Self::Any);
        }
        named.into_iter().map(origin).collect::<Result<_, _>>().map(Self::Only)
    }

    pub fn layer(&self) -> CorsLayer {
        let allowed = match self {
            Self::Any => AllowOrigin::any(),
            Self::Only(origins) => AllowOrigin::list(origins.clone()),
        };
        CorsLayer::new()
            .allow_origin(allowed)
            .allow_methods([Method::GET, Method::POST, Method::PUT, Method::PATCH, Method::DELETE])
            .allow_headers([
                header::AUTHORIZATION,
                header::CONTENT_TYPE,
                header::ACCEPT,
                header::ACCEPT_LANGUAGE,
                header::IF_NONE_MATCH,
                HeaderName::from_static("idempotency-key"),
                HeaderName::from_static("last-event-id"),
                HeaderName::from_static("x-request-id"),
            ])
            .expose_headers(exposed())
            .max_age(PREFLIGHT_MAX_AGE)
    }
}

/// Headers of answers that scripts of other origins may read.
fn exposed() -> Vec<HeaderName> {
    let ours = [
        header::ETAG,
        header::LOCATION,
        header::RETRY_AFTER,
        header::CONTENT_LANGUAGE,
        header::WWW_AUTHENTICATE,
        HeaderName::from_static("x-request-id"),
    ];
    ours.into_iter().chain(rate_limit::HEADERS).collect()
}

/// An origin is a scheme, a host and perhaps a port. With anything more it would never equal the one a browser sends.
fn origin(text: &str) -> Result<HeaderValue, String> {
    let host = text.split_once("://").map_or("", |(_, host)| host);
    match HeaderValue::from_str(text) {
        Ok(value) if !host.is_empty() && !host.contains('/') => Ok(value),
        _ => Err(format!("{text} is not an origin; write it as https://play.example.org")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(origins: &[&str]) -> Result<Origins, String> {
        Origins::read(&origins.iter().map(|&origin| origin.to_owned()).collect::<Vec<_>>())
    }

    #[test]
    fn origins_are_any_or_some_or_none() {
        assert_eq!(read(&["*"]), Ok(Origins::Any));
        assert_eq!(read(&[""]), Ok(Origins::Only(Vec::new())));
        let one = HeaderValue::from_static("https://play.example.org:8443");
        assert_eq!(read(&[" https://play.example.org:8443"]), Ok(Origins::Only(vec![one])));
    }

    #[test]
    fn what_no_browser_sends_as_an_origin_is_refused() {
        for wrong in ["play.example.org", "https://play.example.org/", "https://", "null"] {
            assert!(read(&[wrong]).is_err(), "{wrong}");
        }
    }
}
