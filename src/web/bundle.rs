//! The pages as they were built: files in the program itself, so that nothing has to be installed beside it.

use crate::edge::asset::{Asset, Keep};
use axum::http::{HeaderValue, header};
use axum::response::Response;

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

impl File {
    /// The file as it is answered.
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

/// Adds the policy to a page of ours; the other headers every answer has.
pub fn guard(mut page: Response) -> Response {
    page.headers_mut().insert(header::CONTENT_SECURITY_POLICY, HeaderValue::from_static(POLICY));
    page
}
