//! Games and legal moves as they are shown: the bytes, and what names them, kept for whoever asks again.

use super::bodies::{self, Names};
use super::error::ApiError;
use super::json_response;
use crate::app::App;
use crate::auth::sha256;
use crate::edge::asset;
use crate::games::Game;
use crate::ids::{GameId, PlayerId};
use crate::rules::any::AnyMove;
use crate::rules::{Eyes, Seat};
use crate::texts::Language;
use axum::body::Bytes;
use axum::extract::FromRequestParts;
use axum::http::request::Parts;
use axum::http::{HeaderValue, header};
use base64::{Engine, prelude::BASE64_URL_SAFE_NO_PAD};
use moka::sync::Cache;
use serde::Serialize;
use std::convert::Infallible;
use std::hash::{Hash, Hasher};
use std::sync::Arc;
use std::time::Duration;

/// Raised when the same game would be shown in other bytes, so that no client keeps an old page.
const API_REVISION: u32 = 2;

/// All pages of one sort together take no more than this.
const BYTES: u64 = 32 << 20;
/// What one takes beside its text: what it is of, and its place.
const BESIDES: usize = 256;
/// A page that nobody asks for costs nothing after that.
const IDLE: Duration = Duration::from_mins(1);

/// What is shown, and to whom. Together with the names in it that is everything its bytes depend on, and nothing that
/// the viewer may not know.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ResponseKey {
    game: GameId,
    version: u64,
    seat: Option<Seat>,
    member: bool,
    language: Language,
}

/// Two writes, because a hasher takes as long for each member as for all of them. What else there is differs seldom.
impl Hash for ResponseKey {
    fn hash<H: Hasher>(&self, hasher: &mut H) {
        hasher.write(self.game.as_bytes());
        hasher.write_u64(self.version << 8 | self.seat.map_or(0, |seat| u64::from(seat.0) + 1));
    }
}

impl ResponseKey {
    pub fn of(game: &Game, viewer: Option<PlayerId>, eyes: Eyes, language: Language) -> Self {
        let member = viewer.is_some_and(|player| game.is_member(player));
        let seat = if let Eyes::Seat(seat) = eyes { Some(seat) } else { None };
        Self { game: game.id, version: game.version, seat, member, language }
    }

    /// Names the page with these names in it. Weak: the same page may travel compressed or not.
    fn etag(&self, names: &Names<'_>) -> HeaderValue {
        let Self { game, version, seat, member, language } = *self;
        // All of it of a fixed length, but for the names at the end: no two pages are written the same.
        let mut bytes = [game.as_bytes(), &API_REVISION.to_le_bytes()[..], &version.to_le_bytes()].concat();
        bytes.extend([u8::from(member), language as u8, u8::from(seat.is_some()), seat.map_or(0, |seat| seat.0)]);
        for (player, revision) in names.revisions() {
            bytes.extend_from_slice(player.as_bytes());
            bytes.extend(revision.to_le_bytes());
        }
        let tag = BASE64_URL_SAFE_NO_PAD.encode(&sha256(&bytes)[..16]);
        HeaderValue::try_from(format!("W/\"{tag}\"")).expect("base64 fits a header")
    }
}

/// The page of a game.
pub struct CachedGame {
    pub etag: HeaderValue,
    pub body: Bytes,
    /// How many names had changed before those in it were read.
    changes: Option<u64>,
}

/// The legal moves of a seat, as they were listed.
struct CachedMoves {
    ids: Box<[String]>,
    body: Bytes,
}

/// What was shown a moment ago. Many look at a game again and again while nothing happens in it.
pub struct GameResponses {
    games: Cache<ResponseKey, Arc<CachedGame>>,
    moves: Cache<ResponseKey, Arc<CachedMoves>>,
}

impl Default for GameResponses {
    fn default() -> Self {
        let moves = |listed: &CachedMoves| {
            let ids = listed.ids.iter().map(|id| id.len() + size_of::<String>());
            listed.body.len() + ids.sum::<usize>()
        };
        Self { games: cache(|page: &CachedGame| page.body.len()), moves: cache(moves) }
    }
}

fn cache<T: Send + Sync + 'static>(length: fn(&T) -> usize) -> Cache<ResponseKey, Arc<T>> {
    let weight = move |_: &ResponseKey, kept: &Arc<T>| u32::try_from(length(kept) + BESIDES).unwrap_or(u32::MAX);
    Cache::builder().max_capacity(BYTES).weigher(weight).time_to_idle(IDLE).build()
}

impl GameResponses {
    /// The page of a game, written now if it was not before.
    pub async fn game(
        &self,
        app: &App,
        game: &Game,
        viewer: Option<PlayerId>,
        eyes: Eyes,
        language: Language,
    ) -> Result<Arc<CachedGame>, ApiError> {
        let (pages, what) = (&self.games, ResponseKey::of(game, viewer, eyes, language));
        let changes = app.players.changes();
        let kept = pages.get(&what);
        if let Some(page) = &kept
            && changes.is_some()
            && page.changes == changes
        {
            return Ok(page.clone());
        }
        let names = Names::of(app, bodies::people(game), language).await?;
        let etag = what.etag(&names);
        let body = match kept {
            // Somebody else's name has changed.
            Some(page) if page.etag == etag => page.body.clone(),
            _ => write(&bodies::with_names(game, viewer, eyes, &names)),
        };
        let page = Arc::new(CachedGame { etag, body, changes });
        pages.insert(what, page.clone());
        Ok(page)
    }

    /// The list of a seat's legal moves, which are those: they may depend on the time. How each of them is shown does not.
    pub fn moves<T: Serialize>(&self, what: ResponseKey, moves: &[AnyMove], list: impl FnOnce() -> T) -> Bytes {
        let kept = self.moves.get(&what);
        if let Some(listed) = kept.filter(|listed| listed.ids.iter().eq(moves.iter().map(|mv| &mv.id))) {
            return listed.body.clone();
        }
        let (ids, body) = (moves.iter().map(|mv| mv.id.clone()).collect(), write(&list()));
        self.moves.insert(what, Arc::new(CachedMoves { ids, body: body.clone() }));
        body
    }
}

/// A body as JSON, to be kept: without room to spare.
fn write(body: &impl Serialize) -> Bytes {
    json_response::write(body).into_boxed_slice().into()
}

/// The pages that the caller has, as `If-None-Match` lists them.
pub struct IfNoneMatch(Vec<HeaderValue>);

impl<S: Sync> FromRequestParts<S> for IfNoneMatch {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Infallible> {
        Ok(Self(parts.headers.get_all(header::IF_NONE_MATCH).iter().cloned().collect()))
    }
}

impl IfNoneMatch {
    /// Whether a page is among them.
    pub fn has(&self, tag: &HeaderValue) -> bool {
        asset::lists(&self.0, tag)
    }
}
