//! Content negotiation by the header `Accept` (RFC 9110, section 12.5.1).

use axum::http::{HeaderMap, header};

/// Media type of a response.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Media {
    /// `application/json`: for older clients. Its status is 200 for most errors.
    Json,
    /// `application/graphql-response+json`
    GraphqlResponse,
    /// `text/event-stream`
    EventStream,
}

/// The media types that a client accepts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Accepts {
    /// The preferred one.
    pub best: Media,
    /// Whether the client accepts a stream, if the answer is one.
    pub stream: bool,
}

impl Media {
    pub fn content_type(self) -> &'static str {
        match self {
            Media::Json => "application/json; charset=utf-8",
            Media::GraphqlResponse => "application/graphql-response+json; charset=utf-8",
            Media::EventStream => "text/event-stream",
        }
    }

    fn named(range: &str) -> Option<Self> {
        match range.to_ascii_lowercase().as_str() {
            "application/json" | "application/*" | "*/*" => Some(Media::Json),
            "application/graphql-response+json" => Some(Media::GraphqlResponse),
            "text/event-stream" | "text/*" => Some(Media::EventStream),
            _ => None,
        }
    }
}

impl Accepts {
    /// Reads the header `Accept`. Of equally preferred types the first counts. Returns `None` if none of our types is
    /// accepted; without the header, `application/json` is assumed.
    pub fn read(headers: &HeaderMap) -> Option<Self> {
        let values: Vec<_> = headers.get_all(header::ACCEPT).iter().filter_map(|value| value.to_str().ok()).collect();
        let ranges = values.iter().flat_map(|value| value.split(',')).map(str::trim).filter(|range| !range.is_empty());
        let mut named = false;
        let mut best: Option<(Media, u16)> = None;
        let mut stream = false;
        for range in ranges {
            named = true;
            let mut parts = range.split(';').map(str::trim);
            let Some(media) = parts.next().and_then(Media::named) else { continue };
            let quality = parts.find_map(quality).unwrap_or(1000);
            if quality == 0 {
                continue;
            }
            stream |= media == Media::EventStream;
            if best.is_none_or(|(_, before)| quality > before) {
                best = Some((media, quality));
            }
        }
        match best {
            None if !named => Some(Self { best: Media::Json, stream: false }),
            None => None,
            Some((best, _)) => Some(Self { best, stream }),
        }
    }
}

/// `q=0.75` in thousandths; 0 if it can't be parsed.
fn quality(parameter: &str) -> Option<u16> {
    let (name, value) = parameter.split_once('=')?;
    if !name.trim().eq_ignore_ascii_case("q") {
        return None;
    }
    let (whole, decimals) = value.trim().split_once('.').unwrap_or((value.trim(), ""));
    let plain = whole.len() == 1 && decimals.len() <= 3 && decimals.bytes().all(|byte| byte.is_ascii_digit());
    let quality = format!("{whole}{decimals:0<3}").parse().ok().filter(|quality| *quality <= 1000 && plain);
    Some(quality.unwrap_or(0))
}

#[cfg(test)]
mod tests {
    use super::*;
    use axum::http::HeaderValue;

    #[track_caller]
    fn check(accept: &[&'static str], best: Option<Media>, stream: bool) {
        let headers = accept.iter().map(|value| (header::ACCEPT, HeaderValue::from_static(value))).collect();
        assert_eq!(Accepts::read(&headers), best.map(|best| Accepts { best, stream }), "{accept:?}");
    }

    #[test]
    fn who_does_not_say_takes_json() {
        check(&[], Some(Media::Json), false);
        check(&[""], Some(Media::Json), false);
        check(&["*/*"], Some(Media::Json), false);
        check(&["application/*"], Some(Media::Json), false);
    }

    #[test]
    fn the_best_liked_type_is_written_and_of_equals_the_first() {
        check(&["application/graphql-response+json"], Some(Media::GraphqlResponse), false);
        check(&["application/json;q=0.9, application/graphql-response+json"], Some(Media::GraphqlResponse), false);
        check(&["application/json, application/graphql-response+json"], Some(Media::Json), false);
        check(
            &["application/json;q=0.5", "Application/GraphQL-Response+JSON;q=0.6"],
            Some(Media::GraphqlResponse),
            false,
        );
        check(&["application/graphql-response+json; charset=utf-8; q=0.1, */*"], Some(Media::Json), false);
    }

    #[test]
    fn a_stream_may_be_what_is_liked_best_or_just_taken() {
        check(&["text/event-stream"], Some(Media::EventStream), true);
        check(&["application/graphql-response+json, text/event-stream"], Some(Media::GraphqlResponse), true);
        check(&["application/json, text/event-stream;q=0"], Some(Media::Json), false);
    }

    #[test]
    fn who_takes_nothing_of_ours_is_told_so() {
        check(&["text/html"], None, false);
        check(&["application/json;q=0"], None, false);
        check(&["application/json;q=2"], None, false);
    }
}
