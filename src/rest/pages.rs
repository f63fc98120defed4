//! Games as they are shown: what names their bytes, and the bytes themselves, kept for whoever asks again.

use super::shapes::{GameBody, Names};
use crate::auth::sha256;
use crate::games::Game;
use crate::ids::PlayerId;
use crate::rules::Eyes;
use crate::texts::Language;
use axum::body::Bytes;
use axum::extract::FromRequestParts;
use axum::http::request::Parts;
use axum::http::{HeaderValue, header};
use base64::{Engine, prelude::BASE64_URL_SAFE_NO_PAD};
use moka::sync::Cache;
use std::convert::Infallible;
use std::time::Duration;

/// Raised when the same game would be shown in other bytes, so that no client keeps an old page.
const API_REVISION: u32 = 1;

/// All pages together take no more than this.
const BYTES: u64 = 32 << 20;
/// A page that nobody asks for costs nothing after that.
const IDLE: Duration = Duration::from_mins(1);

/// Names the bytes of a page: everything they depend on, and nothing the viewer may not know.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Tag([u8; 16]);

impl Tag {
    pub fn of(game: &Game, viewer: Option<PlayerId>, eyes: Eyes, language: Language, names: &Names<'_>) -> Self {
        let member = viewer.is_some_and(|player| game.is_member(player));
        let seat = if let Eyes::Seat(seat) = eyes { Some(seat) } else { None };
        // All of it of a fixed length, but for the names at the end: no two pages are written the same.
        let mut bytes = [game.id.as_bytes(), &API_REVISION.to_le_bytes()[..], &game.version.to_le_bytes()].concat();
        bytes.extend([u8::from(member), language as u8, u8::from(seat.is_some()), seat.map_or(0, |seat| seat.0)]);
        for (player, revision) in names.revisions() {
            bytes.extend_from_slice(player.as_bytes());
            bytes.extend(revision.to_le_bytes());
        }
        Self(*sha256(&bytes).first_chunk().expect("a hash is longer"))
    }

    /// As it stands in a header. Weak: the same page may travel compressed or not.
    pub fn to_header(self) -> HeaderValue {
        HeaderValue::try_from(format!("W/\"{}\"", BASE64_URL_SAFE_NO_PAD.encode(self.0))).expect("base64 fits a header")
    }
}

/// The pages that the caller has, as `If-None-Match` lists them.
pub struct Has(Vec<HeaderValue>);

impl<S: Sync> FromRequestParts<S> for Has {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Infallible> {
        Ok(Self(parts.headers.get_all(header::IF_NONE_MATCH).iter().cloned().collect()))
    }
}

impl Has {
    /// Whether a page is among them: compared weakly, as it should be (RFC 9110, section 13.1.2).
    pub fn has(&self, tag: &HeaderValue) -> bool {
        let own = strong(tag.to_str().expect("base64 is text"));
        let tags = self.0.iter().filter_map(|value| value.to_str().ok()).flat_map(|value| value.split(','));
        tags.map(str::trim).any(|tag| tag == "*" || strong(tag) == own)
    }
}

fn strong(tag: &str) -> &str {
    tag.trim_start_matches("W/")
}

/// Pages that were shown a moment ago. Many look at a game again and again while nothing happens in it.
pub struct Pages(Cache<Tag, Bytes>);

impl Default for Pages {
    fn default() -> Self {
        let weight = |_: &Tag, page: &Bytes| u32::try_from(page.len()).unwrap_or(u32::MAX);
        Self(Cache::builder().max_capacity(BYTES).weigher(weight).time_to_idle(IDLE).build())
    }
}

impl Pages {
    /// The page of that name, written now if it was not before.
    pub fn get(&self, tag: Tag, body: impl FnOnce() -> GameBody) -> Bytes {
        self.0.get_with(tag, || serde_json::to_vec(&body()).expect("a game is plain data").into())
    }
}
