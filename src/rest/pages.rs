//! Games as they are shown: what names their bytes, and the bytes themselves, kept for whoever asks again.

use super::shapes::{GameBody, Names};
use crate::auth::sha256;
use crate::games::Game;
use crate::ids::PlayerId;
use crate::rules::Eyes;
use crate::texts::Language;
use axum::body::Bytes;
use axum::http::{HeaderMap, HeaderValue, header};
use base64::{Engine, prelude::BASE64_URL_SAFE_NO_PAD};
use moka::sync::Cache;
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
        let all = (API_REVISION, game.id, game.version, member, seat, language.tag(), names.revisions());
        let bytes = serde_json::to_vec(&all).expect("plain data");
        Self(*sha256(&bytes).first_chunk().expect("a hash is longer"))
    }

    fn text(self) -> String {
        format!("\"{}\"", BASE64_URL_SAFE_NO_PAD.encode(self.0))
    }

    /// Weak: the same page may travel compressed or not.
    pub fn to_header(self) -> HeaderValue {
        HeaderValue::try_from(format!("W/{}", self.text())).expect("base64 fits a header")
    }

    /// Whether the caller has the page: compared weakly, as `If-None-Match` has it (RFC 9110, section 13.1.2).
    pub fn is_known(self, headers: &HeaderMap) -> bool {
        let mut values = headers.get_all(header::IF_NONE_MATCH).iter().peekable();
        if values.peek().is_none() {
            return false;
        }
        let own = self.text();
        let tags = values.filter_map(|value| value.to_str().ok()).flat_map(|value| value.split(',')).map(str::trim);
        tags.map(|tag| tag.trim_start_matches("W/")).any(|tag| tag == "*" || tag == own)
    }
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
