//! Web bundle embedded in the binary, so that nothing has to be installed beside it.

use crate::edge::asset::{Asset, Keep};
use axum::http::{HeaderValue, header};
use axum::response::Response;

/// Content security policy of our pages: requests to this server only, scripts from files only. Inline styles are
/// allowed, because the libraries write them at run time.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; \
    connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/// The files that build.rs embedded; none if the pages were not built.
pub static FILES: &[File] = include!(concat!(env!("OUT_DIR"), "/bundle.rs"));

/// A file of the bundle.
pub struct File {
    pub path: &'static str,
    /// Changes with the content.
    pub tag: &'static str,
    pub plain: &'static [u8],
    pub gzip: &'static [u8],
}

impl File {
    pub fn asset(&self, keep: Keep) -> Asset {
        Asset::file(self.content_type(), keep, self.tag, self.plain, self.gzip)
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

/// Adds the content security policy; the server sets the other security headers on every response.
pub fn guard(mut page: Response) -> Response {
    page.headers_mut().insert(header::CONTENT_SECURITY_POLICY, HeaderValue::from_static(POLICY));
    page
}
