//! Extractors: each type states what it has validated about a request.

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

/// The whole body has to arrive within this time.
const BODY_DEADLINE: Duration = Duration::from_secs(15);

pub struct SignedIn(pub Caller);

/// A player with a valid token, or an anonymous caller. An invalid token is refused.
pub struct MaybeSignedIn(pub Option<Caller>);

/// A player with a valid token who requests a step, with an optional idempotency key.
pub struct AuthorizedCall(pub Call);

/// A valid idempotency key, or none.
pub struct OptionalKey(pub Option<String>);

/// The OpenAPI description of the header `Idempotency-Key`.
#[derive(utoipa::IntoParams)]
#[into_params(parameter_in = Header)]
#[expect(dead_code, reason = "it only describes what `AuthorizedCall` reads")]
pub struct IdempotencyKey {
    /// Makes the request safe to repeat: for 24 hours, a repetition with the same key changes nothing and gets the same
    /// response, as far as you may still see it. A refused request does not use up its key. Visible ASCII characters,
    /// such as a UUID; a new key for each new request.
    #[param(rename = "idempotency-key", min_length = 1, max_length = 255, pattern = "^[!-~]([ -~]*[!-~])?$")]
    key: Option<String>,
}

/// A JSON body that matches the type.
pub struct Body<T>(pub T);

/// A JSON body that matches the type, or no body.
pub struct MaybeBody<T>(pub Option<T>);

/// A query string that matches the type.
pub struct ValidQuery<T>(pub T);

/// A game id in the path. Anything else in its place is `NOT_FOUND`.
pub struct GamePath(pub GameId);

pub struct SeatPath(pub GameId, pub Seat);

impl MaybeSignedIn {
    pub fn player(&self) -> Option<PlayerId> {
        self.0.as_ref().map(|caller| caller.player)
    }
}

/// Authenticates the caller, if there is a token. From then on the log names the player, whose rate limit is charged.
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

/// Charges the rate limit for work beyond the price of the route.
pub struct Metered(Arc<Meter>);

impl Metered {
    /// The client to charge: the player if known, else the address.
    pub fn client(&self, player: Option<PlayerId>) -> Client {
        self.0.client(player)
    }

    /// Charges points before the work is done.
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

/// The value of the header. A value that is not ASCII, or a second header, gives an empty key, which is never valid.
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
        if !is_json(request.headers()) {
            return Err(ApiError::new(Code::UnsupportedMediaType));
        }
        read(&bytes(request, rest).await?).map(Self)
    }
}

/// An empty body counts as none even with a `Content-Type`: some clients send that header with every POST.
impl<T: DeserializeOwned> FromRequest<Rest> for MaybeBody<T> {
    type Rejection = ApiError;

    async fn from_request(request: Request, rest: &Rest) -> Result<Self, ApiError> {
        let is_json = is_json(request.headers());
        let bytes = bytes(request, rest).await?;
        match bytes.trim_ascii() {
            b"" => Ok(Self(None)),
            _ if !is_json => Err(ApiError::new(Code::UnsupportedMediaType)),
            b"null" => Ok(Self(None)),
            _ => read(&bytes).map(|body| Self(Some(body))),
        }
    }
}

/// Whether the `Content-Type` is `application/json` or `application/*+json`.
fn is_json(headers: &HeaderMap) -> bool {
    let media = headers.get(header::CONTENT_TYPE).and_then(|value| value.to_str().ok()).unwrap_or_default();
    let media = media.split(';').next().unwrap_or_default().trim().to_ascii_lowercase();
    media == "application/json" || (media.starts_with("application/") && media.ends_with("+json"))
}

/// Reads a whole body. The deadline is for all of it, so that a client that sends byte by byte can't prolong it.
async fn bytes(mut request: Request, rest: &Rest) -> Result<Bytes, ApiError> {
    DefaultBodyLimit::max(body_limit(&rest.app)).apply(&mut request);
    let read = timeout(BODY_DEADLINE, Bytes::from_request(request, rest)).await;
    Ok(read.map_err(|_| ApiError::new(Code::RequestTimeout))??)
}

/// Parses a JSON object.
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
