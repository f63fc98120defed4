//! The pages as they were built: files in the program itself, so that nothing has to be installed beside it.

use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};

/// What browsers are let do on our pages: ask us, and nobody else. Styles are written by the libraries as they go;
/// scripts come from files alone.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; \
    connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/// All files, as build.rs found them; none, if it was not to build them or could not.
pub static FILES: &[File] = include!(concat!(env!("OUT_DIR"), "/bundle.rs"));

/// A file of the bundle.
pub struct File {
    pub path: &'static str,
    /// Differs when the content does.
    pub tag: &'static str,
    pub plain: &'static [u8],
    pub gzip: &'static [u8],
}

/// How long a browser may go without asking again.
#[derive(Clone, Copy)]
pub enum Keep {
    /// For ever: the name changes with the content.
    ForEver,
    /// Not at all, but it need not be sent twice.
    Asking,
}

impl File {
    /// The file of that path, if it is in the bundle.
    pub fn find(files: &'static [File], path: &str) -> Option<&'static File> {
        files.iter().find(|file| file.path == path)
    }

    /// The answer to a request with these headers. What is sent compressed is another representation, so it has a tag of
    /// its own.
    pub fn answer(&'static self, asked: &HeaderMap, keep: Keep) -> Response {
        let gzip = takes_gzip(asked);
        let tag = if gzip { format!("\"{}-gzip\"", self.tag) } else { format!("\"{}\"", self.tag) };
        let known = asked.get_all(header::IF_NONE_MATCH).iter().filter_map(|value| value.to_str().ok());
        let unchanged = known.flat_map(|tags| tags.split(',')).any(|known| [tag.as_str(), "*"].contains(&known.trim()));
        let mut response = match (unchanged, gzip) {
            (true, _) => StatusCode::NOT_MODIFIED.into_response(),
            (false, true) => ([(header::CONTENT_ENCODING, "gzip")], self.gzip).into_response(),
            (false, false) => self.plain.into_response(),
        };
        let headers = response.headers_mut();
        headers.insert(header::ETAG, HeaderValue::try_from(tag).expect("digits and letters"));
        headers.insert(header::CONTENT_TYPE, HeaderValue::from_static(self.content_type()));
        headers.insert(header::CACHE_CONTROL, HeaderValue::from_static(keep.as_header()));
        headers.insert(header::VARY, HeaderValue::from_static("accept-encoding"));
        guard(response)
    }

    fn content_type(&self) -> &'static str {
        match self.path.rsplit_once('.').map(|(_, extension)| extension) {
            Some("html") => "text/html; charset=utf-8",
            Some("js") => "text/javascript; charset=utf-8",
            Some("css") => "text/css; charset=utf-8",
            Some("txt") => "text/plain; charset=utf-8",
            Some("svg") => "image/svg+xml",
            _ => "application/octet-stream",
        }
    }
}

impl Keep {
    fn as_header(self) -> &'static str {
        match self {
            Keep::ForEver => "public, max-age=31536000, immutable",
            Keep::Asking => "no-cache",
        }
    }
}

/// Adds the policy to a page of ours; the other headers every answer has.
pub fn guard(mut page: Response) -> Response {
    page.headers_mut().insert(header::CONTENT_SECURITY_POLICY, HeaderValue::from_static(POLICY));
    page
}

/// Whether a request takes gzip: it names it, and not to rule it out.
fn takes_gzip(asked: &HeaderMap) -> bool {
    let values = asked.get_all(header::ACCEPT_ENCODING).iter().filter_map(|value| value.to_str().ok());
    values.flat_map(|value| value.split(',')).any(|coding| {
        let (name, weight) = coding.split_once(';').unwrap_or((coding, "q=1"));
        let refused = weight.trim().strip_prefix("q=").is_some_and(|q| q.parse() == Ok(0.0));
        name.trim().eq_ignore_ascii_case("gzip") && !refused
    })
}
