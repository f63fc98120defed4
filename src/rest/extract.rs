//! What handlers ask of a request, each named for what it proves.

use super::Rest;
use super::body_limit;
use super::error::ApiError;
use crate::app::App;
use crate::auth::{AuthError, Caller};
use crate::codes::Code;
use crate::edge::arrival::Arrival;
use crate::edge::log;
use crate::games::{self, Call};
use crate::ids::{GameId, PlayerId};
use crate::quota::{Client, Meter};
use crate::rules::{Fault, Seat, reader};
use crate::strict_json;
use axum::body::Bytes;
use axum::extract::{DefaultBodyLimit, FromRequest, FromRequestParts, Path, Query, Request};
use axum::http::request::Parts;
use axum::http::{HeaderMap, header};
use serde::de::DeserializeOwned;
use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;
use tokio::time::timeout;

/// A body that arrives more slowly than this is not waited for.
const BODY_DEADLINE: Duration = Duration::from_secs(15);

/// A player with a valid token.
pub struct SignedIn(pub Caller);

/// A player with a valid token, or nobody in particular. A bad token is refused all the same.
pub struct MaybeSignedIn(pub Option<Caller>);

/// A player with a valid token who asks for a step, under an idempotency key or not.
pub struct AuthorizedCall(pub Call);

/// An idempotency key that can be kept, or none.
pub struct OptionalKey(pub Option<String>);

/// The header that makes a step safe to repeat, as the description has it.
#[derive(utoipa::IntoParams)]
#[into_params(parameter_in = Header)]
#[expect(dead_code, reason = "it describes what `AuthorizedCall` reads")]
pub struct IdempotencyKey {
    /// Makes the request safe to repeat: under the same key it takes effect once, and gets the same answer, as far as you may
    /// still see it. Any visible ASCII characters, such as a UUID.
    #[param(rename = "idempotency-key", min_length = 1, max_length = 255, pattern = "^[!-~]([ -~]*[!-~])?$")]
    key: Option<String>,
}

/// A JSON body of the right shape.
pub struct Body<T>(pub T);

/// A JSON body of the right shape, or none at all.
pub struct MaybeBody<T>(pub Option<T>);

/// A query string of the right shape.
pub struct ValidQuery<T>(pub T);

/// A game id in the path. Whatever is no id names no game.
pub struct GamePath(pub GameId);

/// A game id and a seat in the path.
pub struct SeatPath(pub GameId, pub Seat);

impl MaybeSignedIn {
    pub fn player(&self) -> Option<PlayerId> {
        self.0.as_ref().map(|caller| caller.player)
    }
}

/// Who calls, if anybody in particular: named in the log, and charged for the request.
async fn caller(parts: &Parts, app: &App) -> Result<Option<Caller>, ApiError> {
    let arrival = parts.extensions.get::<Arrival>();
    let last_tokens = arrival.and_then(Arrival::last_tokens);
    let caller = app.identity.authenticate(&parts.headers, last_tokens).await?;
    if let Some(caller) = &caller {
        log::note_player(caller.player);
        if let Some(Arrival { meter, .. }) = arrival {
            meter.identify(&app.edge.budgets, caller.player)?;
        }
    }
    Ok(caller)
}

/// Charges a request for work beyond the price of its route.
pub struct Metered(Arc<Meter>);

impl Metered {
    /// The client, once it is known which player it is.
    pub fn client(&self, player: Option<PlayerId>) -> Client {
        self.0.client(player)
    }

    /// Charges for work that is about to be done, in points.
    pub fn charge(&self, app: &App, player: Option<PlayerId>, points: u32) -> Result<(), ApiError> {
        Ok(self.0.charge(&app.edge.budgets, player, points)?)
    }
}

impl<S: Sync> FromRequestParts<S> for Metered {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Infallible> {
        Ok(Self(parts.extensions.get::<Arrival>().map(|arrival| arrival.meter.clone()).unwrap_or_default()))
    }
}

impl FromRequestParts<Rest> for SignedIn {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, rest: &Rest) -> Result<Self, ApiError> {
        Ok(Self(caller(parts, &rest.app).await?.ok_or(AuthError::NoToken)?))
    }
}

impl FromRequestParts<Rest> for MaybeSignedIn {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, rest: &Rest) -> Result<Self, ApiError> {
        Ok(Self(caller(parts, &rest.app).await?))
    }
}

impl FromRequestParts<Rest> for AuthorizedCall {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, rest: &Rest) -> Result<Self, ApiError> {
        let SignedIn(caller) = SignedIn::from_request_parts(parts, rest).await?;
        let address = parts.extensions.get::<Arrival>().and_then(|arrival| arrival.meter.address());
        Ok(Self(Call::new(caller.player, idempotency_key(parts), address)?))
    }
}

impl<S: Sync> FromRequestParts<S> for OptionalKey {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, ApiError> {
        Ok(Self(games::check_key(idempotency_key(parts))?.map(str::to_owned)))
    }
}

/// What the one header says. What is no text, and two keys, are answered as a key that can't be one.
fn idempotency_key(parts: &Parts) -> Option<&str> {
    let mut keys = parts.headers.get_all("idempotency-key").iter();
    match (keys.next(), keys.next()) {
        (None, _) => None,
        (Some(key), None) => Some(key.to_str().unwrap_or_default()),
        (Some(_), Some(_)) => Some(""),
    }
}

impl<T: DeserializeOwned> FromRequest<Rest> for Body<T> {
    type Rejection = ApiError;

    async fn from_request(request: Request, rest: &Rest) -> Result<Self, ApiError> {
        let is_json = says_json(request.headers());
        if !is_json {
            return Err(ApiError::new(Code::UnsupportedMediaType));
        }
        read(&bytes(request, rest).await?).map(Self)
    }
}

/// A body without a byte is none, whatever type it says it has: some clients name one for every POST.
impl<T: DeserializeOwned> FromRequest<Rest> for MaybeBody<T> {
    type Rejection = ApiError;

    async fn from_request(request: Request, rest: &Rest) -> Result<Self, ApiError> {
        let is_json = says_json(request.headers());
        let bytes = bytes(request, rest).await?;
        match bytes.trim_ascii() {
            b"" => Ok(Self(None)),
            _ if !is_json => Err(ApiError::new(Code::UnsupportedMediaType)),
            b"null" => Ok(Self(None)),
            _ => read(&bytes).map(|body| Self(Some(body))),
        }
    }
}

/// Whether a request says that its body is JSON: `application/json`, or a type that is written as JSON.
fn says_json(headers: &HeaderMap) -> bool {
    let media = headers.get(header::CONTENT_TYPE).and_then(|value| value.to_str().ok()).unwrap_or_default();
    let media = media.split(';').next().unwrap_or_default().trim().to_ascii_lowercase();
    media == "application/json" || (media.starts_with("application/") && media.ends_with("+json"))
}

/// Reads a body to its end, for as long as that may take in all: one that comes byte by byte is slow too.
async fn bytes(mut request: Request, rest: &Rest) -> Result<Bytes, ApiError> {
    DefaultBodyLimit::max(body_limit(&rest.app)).apply(&mut request);
    let read = timeout(BODY_DEADLINE, Bytes::from_request(request, rest)).await;
    Ok(read.map_err(|_| ApiError::new(Code::RequestTimeout))??)
}

/// Reads an object.
fn read<T: DeserializeOwned>(body: &[u8]) -> Result<T, ApiError> {
    let value = strict_json::parse(body)?;
    if !value.is_object() {
        return Err(Fault::not_an_object().into());
    }
    Ok(reader::read(&value)?)
}

impl<T: DeserializeOwned> FromRequestParts<Rest> for ValidQuery<T> {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, rest: &Rest) -> Result<Self, ApiError> {
        let Query(pairs) = Query::<Vec<(String, String)>>::from_request_parts(parts, rest).await?;
        Ok(Self(reader::read_pairs(pairs)?))
    }
}

impl FromRequestParts<Rest> for GamePath {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, rest: &Rest) -> Result<Self, ApiError> {
        let Path(id) = Path::from_request_parts(parts, rest).await?;
        Ok(Self(id))
    }
}

impl FromRequestParts<Rest> for SeatPath {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, rest: &Rest) -> Result<Self, ApiError> {
        let Path((id, seat)) = Path::from_request_parts(parts, rest).await?;
        Ok(Self(id, seat))
    }
}
