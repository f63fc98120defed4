//! What handlers ask of a request, each named for what it proves.

use super::body_limit;
use super::error::ApiError;
use crate::app::App;
use crate::auth::{Caller, Refused};
use crate::codes::Code;
use crate::edge::log;
use crate::games::Call;
use crate::ids::{GameId, PlayerId};
use crate::quota::{Client, Meter};
use crate::rules::Seat;
use axum::Json;
use axum::extract::rejection::JsonRejection;
use axum::extract::{DefaultBodyLimit, FromRequest, FromRequestParts, OptionalFromRequest, Path, Query, Request};
use axum::http::request::Parts;
use serde::de::DeserializeOwned;
use serde_json::value::RawValue;
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
pub struct Asking(pub Call);

/// The header that makes a step safe to repeat, as the description has it.
#[derive(utoipa::IntoParams)]
#[into_params(parameter_in = Header)]
#[expect(dead_code, reason = "it describes what `Asking` reads")]
pub struct IdempotencyKey {
    /// The same key with the same request is carried out once, and answered the same: visible ASCII characters.
    #[param(rename = "idempotency-key", min_length = 1, max_length = 255, pattern = "^[!-~]([ -~]*[!-~])?$")]
    key: Option<String>,
}

/// A JSON body of the right shape.
pub struct Body<T>(pub T);

/// A JSON body of the right shape, or none at all.
pub struct MaybeBody<T>(pub Option<T>);

/// A query string of the right shape.
pub struct Asked<T>(pub T);

/// A game id in the path. Whatever is no id names no game.
pub struct OfGame(pub GameId);

/// A game id and a seat in the path.
pub struct OfSeat(pub GameId, pub Seat);

/// A game id and the number of one of its parts in the path.
pub struct OfPart(pub GameId, pub u8);

impl MaybeSignedIn {
    pub fn player(&self) -> Option<PlayerId> {
        self.0.as_ref().map(|caller| caller.player)
    }
}

/// Who calls, if anybody in particular: named in the log, and charged for the request.
async fn caller(parts: &Parts, app: &App) -> Result<Option<Caller>, ApiError> {
    let caller = app.identity.authenticate(&parts.headers).await?;
    if let Some(caller) = &caller {
        log::note_player(caller.player);
        if let Some(meter) = parts.extensions.get::<Arc<Meter>>() {
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
        Ok(Self(parts.extensions.get::<Arc<Meter>>().cloned().unwrap_or_default()))
    }
}

impl FromRequestParts<Arc<App>> for SignedIn {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, app: &Arc<App>) -> Result<Self, ApiError> {
        Ok(Self(caller(parts, app).await?.ok_or(Refused::NoToken)?))
    }
}

impl FromRequestParts<Arc<App>> for MaybeSignedIn {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, app: &Arc<App>) -> Result<Self, ApiError> {
        Ok(Self(caller(parts, app).await?))
    }
}

impl FromRequestParts<Arc<App>> for Asking {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, app: &Arc<App>) -> Result<Self, ApiError> {
        let SignedIn(caller) = SignedIn::from_request_parts(parts, app).await?;
        let mut keys = parts.headers.get_all("idempotency-key").iter();
        let key = match (keys.next(), keys.next()) {
            (None, _) => None,
            // What is no text, and two keys, are refused as a key that is none.
            (Some(key), None) => Some(key.to_str().unwrap_or_default()),
            (Some(_), Some(_)) => Some(""),
        };
        Ok(Self(Call::new(caller.player, key)?))
    }
}

impl<T: DeserializeOwned> FromRequest<Arc<App>> for Body<T> {
    type Rejection = ApiError;

    async fn from_request(mut request: Request, app: &Arc<App>) -> Result<Self, ApiError> {
        DefaultBodyLimit::max(body_limit(app)).apply(&mut request);
        let Json(body) = in_time(<Json<Box<RawValue>> as FromRequest<_>>::from_request(request, app)).await?;
        read(&body).map(Self)
    }
}

impl<T: DeserializeOwned> FromRequest<Arc<App>> for MaybeBody<T> {
    type Rejection = ApiError;

    async fn from_request(mut request: Request, app: &Arc<App>) -> Result<Self, ApiError> {
        DefaultBodyLimit::max(body_limit(app)).apply(&mut request);
        let body = in_time(<Json<Box<RawValue>> as OptionalFromRequest<_>>::from_request(request, app)).await?;
        let body = body.filter(|Json(body)| body.get() != "null");
        Ok(Self(body.map(|Json(body)| read(&body)).transpose()?))
    }
}

/// Reads a body to its end, for as long as that may take in all: one that comes byte by byte is slow too.
async fn in_time<T>(reading: impl Future<Output = Result<T, JsonRejection>>) -> Result<T, ApiError> {
    let read = timeout(BODY_DEADLINE, reading).await;
    Ok(read.map_err(|_| ApiError::new(Code::RequestTimeout))??)
}

/// Reads an object. Left to itself, serde would take an array for a struct, field by field.
fn read<T: DeserializeOwned>(body: &RawValue) -> Result<T, ApiError> {
    if !body.get().starts_with('{') {
        return Err(ApiError::malformed("the body must be a JSON object"));
    }
    serde_json::from_str(body.get()).map_err(|error| ApiError::malformed(error.to_string()))
}

impl<T: DeserializeOwned> FromRequestParts<Arc<App>> for Asked<T> {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, app: &Arc<App>) -> Result<Self, ApiError> {
        let Query(query) = Query::from_request_parts(parts, app).await?;
        Ok(Self(query))
    }
}

impl FromRequestParts<Arc<App>> for OfGame {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, app: &Arc<App>) -> Result<Self, ApiError> {
        let Path(id) = Path::from_request_parts(parts, app).await?;
        Ok(Self(id))
    }
}

impl FromRequestParts<Arc<App>> for OfPart {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, app: &Arc<App>) -> Result<Self, ApiError> {
        let Path((id, number)) = Path::from_request_parts(parts, app).await?;
        Ok(Self(id, number))
    }
}

impl FromRequestParts<Arc<App>> for OfSeat {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, app: &Arc<App>) -> Result<Self, ApiError> {
        let Path((id, seat)) = Path::from_request_parts(parts, app).await?;
        Ok(Self(id, seat))
    }
}
