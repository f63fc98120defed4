//! Cache of rendered games and legal moves, with their ETags: many clients poll games in which nothing happens.

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

/// Part of every ETag. Raise it when a release renders games differently, so that clients drop old responses.
const API_REVISION: u32 = 2;

/// Capacity of each of the two caches, in bytes.
const CAPACITY_BYTES: u64 = 32 << 20;
/// Overhead of an entry beside its body, in bytes.
const ENTRY_OVERHEAD: usize = 256;
/// Entries that were not read for this long are dropped.
const TIME_TO_IDLE: Duration = Duration::from_mins(1);

/// Cache key: the game and the viewer's perspective. With the players' names, these are all that the bytes of a
/// response depend on. They hold nothing that the viewer may not know.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ResponseKey {
    game: GameId,
    version: u64,
    seat: Option<Seat>,
    member: bool,
    language: Language,
}

/// Two writes, because each write costs as much as hashing all the bytes. The fields left out seldom differ.
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

    /// The ETag of a response that contains these names. Weak, because the response may be compressed or not.
    fn etag(&self, names: &Names<'_>) -> HeaderValue {
        let Self { game, version, seat, member, language } = *self;
        // Fields of fixed length, then the names: two different responses never give the same bytes.
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

/// A rendered game.
pub struct CachedGame {
    pub etag: HeaderValue,
    pub body: Bytes,
    /// The count of name changes before its names were read. As long as the count is the same, so are the names.
    name_changes: Option<u64>,
}

/// A rendered list of a seat's legal moves.
struct CachedMoves {
    ids: Box<[String]>,
    body: Bytes,
}

/// The caches of rendered games and of rendered legal moves.
pub struct GameResponses {
    games: Cache<ResponseKey, Arc<CachedGame>>,
    moves: Cache<ResponseKey, Arc<CachedMoves>>,
}

impl Default for GameResponses {
    fn default() -> Self {
        let moves = |cached: &CachedMoves| {
            let ids = cached.ids.iter().map(|id| id.len() + size_of::<String>());
            cached.body.len() + ids.sum::<usize>()
        };
        Self { games: cache(|cached: &CachedGame| cached.body.len()), moves: cache(moves) }
    }
}

fn cache<T: Send + Sync + 'static>(length: fn(&T) -> usize) -> Cache<ResponseKey, Arc<T>> {
    let weight =
        move |_: &ResponseKey, entry: &Arc<T>| u32::try_from(length(entry) + ENTRY_OVERHEAD).unwrap_or(u32::MAX);
    Cache::builder().max_capacity(CAPACITY_BYTES).weigher(weight).time_to_idle(TIME_TO_IDLE).build()
}

impl GameResponses {
    /// The rendered game, from the cache if the names in it are still current.
    pub async fn game(
        &self,
        app: &App,
        game: &Game,
        viewer: Option<PlayerId>,
        eyes: Eyes,
        language: Language,
    ) -> Result<Arc<CachedGame>, ApiError> {
        let key = ResponseKey::of(game, viewer, eyes, language);
        let name_changes = app.players.changes();
        let cached = self.games.get(&key);
        if let Some(cached) = &cached
            && name_changes.is_some()
            && cached.name_changes == name_changes
        {
            return Ok(cached.clone());
        }
        let names = Names::of(app, bodies::named_players(game), language).await?;
        let etag = key.etag(&names);
        let body = match cached {
            // The name that changed is not in this response.
            Some(cached) if cached.etag == etag => cached.body.clone(),
            _ => write(&bodies::with_names(game, viewer, eyes, &names)),
        };
        let rendered = Arc::new(CachedGame { etag, body, name_changes });
        self.games.insert(key, rendered.clone());
        Ok(rendered)
    }

    /// The rendered list of these legal moves. The key does not determine which moves are legal, because that may
    /// depend on the time; it does determine how each one is rendered.
    pub fn moves<T: Serialize>(&self, key: ResponseKey, moves: &[AnyMove], list: impl FnOnce() -> T) -> Bytes {
        let cached = self.moves.get(&key);
        if let Some(cached) = cached.filter(|cached| cached.ids.iter().eq(moves.iter().map(|mv| &mv.id))) {
            return cached.body.clone();
        }
        let (ids, body) = (moves.iter().map(|mv| mv.id.clone()).collect(), write(&list()));
        self.moves.insert(key, Arc::new(CachedMoves { ids, body: body.clone() }));
        body
    }
}

/// A body as JSON, without spare capacity, because it stays in memory.
fn write(body: &impl Serialize) -> Bytes {
    json_response::write(body).into_boxed_slice().into()
}

/// The ETags of the responses that the caller has, from `If-None-Match`.
pub struct IfNoneMatch(Vec<HeaderValue>);

impl<S: Sync> FromRequestParts<S> for IfNoneMatch {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Infallible> {
        Ok(Self(parts.headers.get_all(header::IF_NONE_MATCH).iter().cloned().collect()))
    }
}

impl IfNoneMatch {
    pub fn contains(&self, tag: &HeaderValue) -> bool {
        asset::lists(&self.0, tag)
    }
}
