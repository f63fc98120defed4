//! Security headers: by default a browser treats every answer as data, and neither sniffs, frames nor caches it. An
//! answer that sets one of these headers itself, as pages do, keeps its own value.

use axum::http::header::Entry;
use axum::http::{HeaderMap, HeaderName, HeaderValue, header};

const DEFAULTS: [(HeaderName, HeaderValue); 4] = [
    (header::X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff")),
    (header::REFERRER_POLICY, HeaderValue::from_static("no-referrer")),
    (header::CONTENT_SECURITY_POLICY, HeaderValue::from_static("default-src 'none'; frame-ancestors 'none'")),
    (header::CACHE_CONTROL, HeaderValue::from_static("no-store")),
];

/// Adds the defaults that an answer does not set itself.
pub fn add(headers: &mut HeaderMap) {
    for (name, value) in DEFAULTS {
        headers.entry(name).or_insert(value);
    }
}

/// The usual values of `Vary`: existing, added, joined. Joined in advance, because a new value is checked byte by byte.
static JOINED: [(&str, &str, HeaderValue); 2] = [
    (
        "authorization",
        "accept-language, accept-encoding, origin",
        HeaderValue::from_static("authorization, accept-language, accept-encoding, origin"),
    ),
    (
        "accept, authorization",
        "accept-language, accept-encoding, origin",
        HeaderValue::from_static("accept, authorization, accept-language, accept-encoding, origin"),
    ),
];

/// Adds names to `Vary`, as one line: a second value costs an allocation and a header line. Usual combinations are
/// constants.
pub fn vary(headers: &mut HeaderMap, names: HeaderValue) {
    match headers.entry(header::VARY) {
        Entry::Vacant(entry) => {
            entry.insert(names);
        }
        Entry::Occupied(mut entry) => {
            let is_joined = |(first, second, _): &&(&str, &str, HeaderValue)| entry.get() == first && names == *second;
            if entry.iter().nth(1).is_some() {
                entry.append(names);
                return;
            }
            let joined = match JOINED.iter().find(is_joined) {
                Some((.., joined)) => joined.clone(),
                None => join(entry.get(), &names),
            };
            entry.insert(joined);
        }
    }
}

/// Two lists of header names as one.
fn join(first: &HeaderValue, second: &HeaderValue) -> HeaderValue {
    HeaderValue::from_bytes(&[first.as_bytes(), b", ", second.as_bytes()].concat())
        .expect("two header values and a comma are a header value")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_name_is_lost_when_lists_are_joined() {
        for lists in [
            &["authorization", "accept-language, accept-encoding, origin"][..],
            &["accept-language, accept-encoding, origin"],
            &["accept, authorization", "accept-language, accept-encoding, origin"],
            &["accept-encoding", "accept-language, accept-encoding, origin"],
            &["authorization", "accept-encoding", "accept-language"],
        ] {
            let mut headers = HeaderMap::new();
            for names in lists {
                vary(&mut headers, HeaderValue::from_static(names));
            }
            let lines: Vec<_> = headers.get_all(header::VARY).iter().map(|line| line.to_str().unwrap()).collect();
            assert_eq!(lines.join(", "), lists.join(", "));
        }
    }

    #[test]
    fn a_line_that_was_there_already_stays() {
        let mut headers = HeaderMap::new();
        for value in ["authorization", "cookie"] {
            headers.append(header::VARY, HeaderValue::from_static(value));
        }
        vary(&mut headers, HeaderValue::from_static("accept-language"));
        let lines: Vec<_> = headers.get_all(header::VARY).iter().collect();
        assert_eq!(lines, ["authorization", "cookie", "accept-language"]);
    }
}
