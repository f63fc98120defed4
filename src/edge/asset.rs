//! Static assets: answers that are the same for every client. Each is in memory once, compressed once per encoding, and
//! revalidated by `ETag` and `If-None-Match`.

use super::unsent_bytes::Shared;
use axum::body::{Body, Bytes, to_bytes};
use axum::extract::Request;
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::Response;
use std::convert::Infallible;
use std::hash::{DefaultHasher, Hash, Hasher};
use tokio::sync::OnceCell;
use tower::{Layer, ServiceExt, service_fn};
use tower_http::compression::CompressionLayer;
use tower_http::compression::predicate::SizeAbove;

/// A static answer in all its encodings.
pub struct Asset {
    content_type: &'static str,
    keep: Keep,
    plain: Representation,
    gzip: Representation,
    brotli: Representation,
}

/// How long a browser may use its copy without revalidating it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Keep {
    /// For ever: the name changes with the content.
    ForEver,
    /// Not at all: it revalidates each time, and gets 304 if nothing changed.
    Revalidated,
}

/// The asset in one encoding, with its own entity tag.
struct Representation {
    tag: HeaderValue,
    bytes: OnceCell<Bytes>,
}

/// Content encodings, from least to most preferred: by how well they compress.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Encoding {
    Plain,
    Gzip,
    Brotli,
}

impl Asset {
    /// A JSON document; its tag is a hash of its content.
    pub fn json(text: impl Into<Bytes>) -> Self {
        let text = text.into();
        let mut hasher = DefaultHasher::new();
        text.hash(&mut hasher);
        Self::new("application/json", Keep::Revalidated, &format!("{:016x}", hasher.finish()), text)
    }

    /// An embedded file. The tag must change with the content.
    pub fn file(content_type: &'static str, keep: Keep, tag: &str, plain: &'static [u8], gzip: &'static [u8]) -> Self {
        let mut asset = Self::new(content_type, keep, tag, Bytes::from_static(plain));
        asset.gzip.bytes = OnceCell::new_with(Some(Bytes::from_static(gzip)));
        asset
    }

    fn new(content_type: &'static str, keep: Keep, tag: &str, plain: Bytes) -> Self {
        let representation = |suffix: &str, bytes| {
            let tag = HeaderValue::try_from(format!("\"{tag}{suffix}\"")).expect("digits and letters");
            Representation { tag, bytes: OnceCell::new_with(bytes) }
        };
        let (plain, gzip, brotli) =
            (representation("", Some(plain)), representation("-gzip", None), representation("-br", None));
        Self { content_type, keep, plain, gzip, brotli }
    }

    /// The answer to a request with these headers.
    pub async fn answer(&self, request_headers: &HeaderMap) -> Response {
        let encoding = Encoding::preferred(request_headers);
        let representation = self.representation(encoding);
        let is_known = lists(request_headers.get_all(header::IF_NONE_MATCH), &representation.tag);
        let mut response = Response::default();
        if is_known {
            *response.status_mut() = StatusCode::NOT_MODIFIED;
        } else {
            *response.body_mut() = Body::from(self.bytes(encoding).await);
            response.extensions_mut().insert(Shared);
        }
        let headers = response.headers_mut();
        if !is_known {
            headers.insert(header::CONTENT_TYPE, HeaderValue::from_static(self.content_type));
            if let Some(name) = encoding.name() {
                headers.insert(header::CONTENT_ENCODING, HeaderValue::from_static(name));
            }
        }
        headers.insert(header::ETAG, representation.tag.clone());
        headers.insert(header::CACHE_CONTROL, HeaderValue::from_static(self.keep.as_header()));
        headers.insert(header::VARY, HeaderValue::from_static("accept-encoding"));
        response
    }

    fn representation(&self, encoding: Encoding) -> &Representation {
        match encoding {
            Encoding::Plain => &self.plain,
            Encoding::Gzip => &self.gzip,
            Encoding::Brotli => &self.brotli,
        }
    }

    /// The bytes in an encoding, compressed on first use.
    async fn bytes(&self, encoding: Encoding) -> Bytes {
        let made = self.representation(encoding).bytes.get_or_init(async || {
            let plain = self.plain.bytes.get().expect("there from the beginning").clone();
            match encoding.name() {
                Some(name) => encode(plain, name).await,
                None => plain,
            }
        });
        made.await.clone()
    }
}

impl Keep {
    fn as_header(self) -> &'static str {
        match self {
            Keep::ForEver => "public, max-age=31536000, immutable",
            Keep::Revalidated => "no-cache",
        }
    }
}

impl Encoding {
    fn name(self) -> Option<&'static str> {
        match self {
            Encoding::Plain => None,
            Encoding::Gzip => Some("gzip"),
            Encoding::Brotli => Some("br"),
        }
    }

    /// The encoding with the highest weight in `Accept-Encoding`; of equal ones, the one that compresses better.
    fn preferred(request_headers: &HeaderMap) -> Self {
        let values = request_headers.get_all(header::ACCEPT_ENCODING).iter().filter_map(|value| value.to_str().ok());
        let liked = values.flat_map(|value| value.split(',')).filter_map(|coding| {
            let (name, weight) = coding.split_once(';').unwrap_or((coding, "q=1"));
            let weight = weight.trim().strip_prefix("q=").and_then(|q| q.parse::<f32>().ok()).unwrap_or(1.0);
            let encoding = match name.trim() {
                name if name.eq_ignore_ascii_case("br") => Encoding::Brotli,
                // Two names of one encoding (RFC 9110, section 8.4.1.3).
                name if name.eq_ignore_ascii_case("gzip") || name.eq_ignore_ascii_case("x-gzip") => Encoding::Gzip,
                name if name.eq_ignore_ascii_case("identity") => Encoding::Plain,
                _ => return None,
            };
            (weight > 0.0).then_some((weight, encoding))
        });
        let best =
            liked.max_by(|(liking, one), (other_liking, other)| liking.total_cmp(other_liking).then(one.cmp(other)));
        best.map_or(Encoding::Plain, |(_, encoding)| encoding)
    }
}

/// Whether `If-None-Match` contains a tag, by weak comparison (RFC 9110, section 13.1.2).
pub fn lists<'a>(known: impl IntoIterator<Item = &'a HeaderValue>, tag: &HeaderValue) -> bool {
    let strong = |tag: &'a str| tag.strip_prefix("W/").unwrap_or(tag);
    let own = tag.as_bytes().strip_prefix(b"W/").unwrap_or(tag.as_bytes());
    let known = known.into_iter().filter_map(|value| value.to_str().ok()).flat_map(|tags| tags.split(','));
    known.map(str::trim).any(|known| known == "*" || strong(known).as_bytes() == own)
}

/// Compresses bytes with the encoders that other answers use.
async fn encode(plain: Bytes, encoding: &'static str) -> Bytes {
    let answer = service_fn(|_| async { Ok::<_, Infallible>(Response::new(Body::from(plain.clone()))) });
    let mut request = Request::new(Body::empty());
    request.headers_mut().insert(header::ACCEPT_ENCODING, HeaderValue::from_static(encoding));
    let encoding = CompressionLayer::new().compress_when(SizeAbove::new(0)).layer(answer).oneshot(request);
    let Ok(encoded) = encoding.await;
    to_bytes(Body::new(encoded.into_body()), usize::MAX).await.expect("all of it is in memory")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn headers(pairs: &[(header::HeaderName, &'static str)]) -> HeaderMap {
        pairs.iter().map(|(name, value)| (name.clone(), HeaderValue::from_static(value))).collect()
    }

    #[test]
    fn the_encoding_is_what_the_client_likes_best() {
        for (accepts, encoding) in [
            ("", Encoding::Plain),
            ("gzip", Encoding::Gzip),
            ("GZIP, deflate", Encoding::Gzip),
            ("x-gzip", Encoding::Gzip),
            ("X-GZIP;q=0.8, identity;q=0.5", Encoding::Gzip),
            ("gzip, br", Encoding::Brotli),
            ("br;q=0.5, gzip;q=0.8", Encoding::Gzip),
            ("gzip;q=0, identity", Encoding::Plain),
            ("identity, gzip;q=0.5", Encoding::Plain),
            ("gzip; q=0.0", Encoding::Plain),
            ("zstd", Encoding::Plain),
        ] {
            assert_eq!(Encoding::preferred(&headers(&[(header::ACCEPT_ENCODING, accepts)])), encoding, "{accepts}");
        }
    }

    #[tokio::test]
    async fn each_encoding_has_a_tag_and_is_not_sent_to_those_who_have_it() {
        let asset = Asset::json(format!("[{}]", "1,".repeat(1_000)));
        let mut tags = Vec::new();
        for (accepts, encoding) in [("", None), ("gzip", Some("gzip")), ("br", Some("br"))] {
            let answer = asset.answer(&headers(&[(header::ACCEPT_ENCODING, accepts)])).await;
            let name = answer.headers().get(header::CONTENT_ENCODING).map(|name| name.to_str().expect("a name"));
            assert_eq!((answer.status(), name), (StatusCode::OK, encoding));
            let tag = answer.headers()[header::ETAG].clone();
            let length = to_bytes(answer.into_body(), 10_000).await.expect("a body").len();
            assert!(if encoding.is_some() { length < 200 } else { length == 2_002 }, "{length} bytes as {encoding:?}");

            let mut again = headers(&[(header::ACCEPT_ENCODING, accepts)]);
            again.insert(header::IF_NONE_MATCH, tag.clone());
            let answer = asset.answer(&again).await;
            assert_eq!((answer.status(), &answer.headers()[header::ETAG]), (StatusCode::NOT_MODIFIED, &tag));
            assert!(to_bytes(answer.into_body(), 0).await.expect("no body").is_empty());
            assert!(!tags.contains(&tag));
            tags.push(tag);
        }
    }

    #[test]
    fn tags_are_compared_weakly() {
        let tag = HeaderValue::from_static("\"a\"");
        for (known, listed) in
            [("\"a\"", true), ("W/\"a\"", true), ("\"b\", \"a\"", true), ("*", true), ("\"b\"", false)]
        {
            assert_eq!(lists([&HeaderValue::from_static(known)], &tag), listed, "{known}");
        }
    }
}
