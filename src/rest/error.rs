//! Error responses: RFC 9457 problem details in the caller's language.
//!
//! A handler returns an [`ApiError`], which becomes a response without a body that carries the error as an extension.
//! The outermost layer ([`super::language`]) knows the caller's language and writes the body. It also writes the body
//! of axum's own rejections (unknown route, wrong method, body too large), so that all errors have the same form.

use super::bodies::{self, GameBody, LegalMoveBody};
use crate::app::{App, DeletionError};
use crate::auth::AuthError;
use crate::codes::Code;
use crate::edge::host::HostFault;
use crate::games::{Game, GameError, RejectedStep};
use crate::ids::PlayerId;
use crate::players::PlayerError;
use crate::quota::Limited;
use crate::refusal::Refusal;
use crate::rules::{Fault, Message};
use crate::strict_json::BadJson;
use crate::texts::Language;
use axum::Json;
use axum::extract::rejection::{BytesRejection, PathRejection, QueryRejection};
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use schemars::JsonSchema;
use serde::Serialize;
use std::sync::Arc;

/// An error response that is not in a language yet.
#[derive(Clone)]
pub struct ApiError {
    refusal: Refusal,
    /// The game on which a step was checked, and the player who sent it.
    judged_on: Option<(Arc<Game>, PlayerId)>,
}

/// Why a request was refused, for programs (`code`) and for people (`detail`). RFC 9457.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "Problem")]
#[serde(rename_all = "camelCase")]
pub struct ProblemBody {
    /// The address of a page about the code, such as `/problems/illegal-move`.
    r#type: String,
    /// What the code means, in the language of `Accept-Language`.
    title: String,
    /// The HTTP status of the response.
    status: u16,
    /// Why this request was refused and what to do, in the language of `Accept-Language`.
    detail: String,
    /// Why the request was refused, for programs.
    code: Code,
    /// The path of the invalid field of the request, such as `displayName`, `options.moveSeconds` or `moves.0.id`.
    #[serde(skip_serializing_if = "Option::is_none")]
    field: Option<String>,
    /// With `LIMIT_REACHED`: the name of the limit.
    #[serde(skip_serializing_if = "Option::is_none")]
    limit: Option<&'static str>,
    /// With `LIMIT_REACHED`: the maximum that the limit allows.
    #[serde(skip_serializing_if = "Option::is_none")]
    most: Option<u32>,
    /// With `ILLEGAL_MOVE` and `NOT_YOUR_TURN`: the moves that your seat may play; empty if it has none now.
    #[serde(skip_serializing_if = "Option::is_none")]
    legal_moves: Option<Vec<LegalMoveBody>>,
    /// With `ILLEGAL_MOVE`, `NOT_YOUR_TURN` and `VERSION_CONFLICT`: the version of the game.
    #[serde(skip_serializing_if = "Option::is_none")]
    version: Option<u64>,
    /// With `VERSION_CONFLICT`: the game as you see it now.
    #[serde(skip_serializing_if = "Option::is_none")]
    game: Option<GameBody>,
}

impl ApiError {
    pub fn new(code: Code) -> Self {
        Refusal::new(code).into()
    }

    /// A malformed request, and why it is malformed.
    pub fn malformed(why: Message) -> Self {
        Refusal::malformed(why).into()
    }

    /// A refused step. It keeps the game, for the legal moves in the problem, if the caller may see the game.
    pub fn step(refused: RejectedStep, caller: PlayerId) -> Self {
        let judged_on = refused.judged_on.filter(|game| game.admits(Some(caller))).map(|game| (game, caller));
        Self { judged_on, ..refused.error.into() }
    }

    /// The problem in the caller's language.
    pub async fn render(&self, app: &App, language: Language) -> Response {
        let code = self.refusal.code;
        let mut problem = ProblemBody {
            r#type: format!("/problems/{}", code.kebab()),
            title: self.refusal.title(&app.texts, language),
            status: code.status(),
            detail: self.refusal.detail(&app.texts, language),
            code,
            field: self.refusal.field.clone(),
            limit: self.refusal.cap.as_ref().map(|cap| cap.name),
            most: self.refusal.cap.as_ref().map(|cap| cap.most),
            legal_moves: None,
            version: None,
            game: None,
        };
        if let Some((game, caller)) = &self.judged_on {
            match (code, game.seat_of(*caller)) {
                (Code::IllegalMove | Code::NotYourTurn, Some(seat)) => {
                    problem.version = Some(game.version);
                    let moves = game.legal_moves(seat, app.games.now(game));
                    problem.legal_moves = Some(bodies::legal_moves(app, game, seat, &moves, language));
                }
                (Code::VersionConflict, _) => {
                    problem.version = Some(game.version);
                    problem.game = bodies::game(app, game, Some(*caller), language).await.ok();
                }
                _ => {}
            }
        }
        let mut response = (status(code), Json(problem)).into_response();
        let headers = response.headers_mut();
        headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("application/problem+json"));
        if status(code) == StatusCode::UNAUTHORIZED {
            let challenge = match code {
                Code::InvalidToken => r#"Bearer realm="ludotheque", error="invalid_token""#,
                _ => r#"Bearer realm="ludotheque""#,
            };
            headers.insert(header::WWW_AUTHENTICATE, HeaderValue::from_static(challenge));
        }
        if let Some(seconds) = self.refusal.retry_after {
            headers.insert(header::RETRY_AFTER, seconds.into());
        }
        response
    }
}

fn status(code: Code) -> StatusCode {
    StatusCode::from_u16(code.status()).expect("codes have valid statuses")
}

/// Attaches the error to the response, for the layer that knows the caller's language.
impl IntoResponse for ApiError {
    fn into_response(self) -> Response {
        let mut response = status(self.refusal.code).into_response();
        response.extensions_mut().insert(self);
        response
    }
}

impl From<Refusal> for ApiError {
    fn from(refusal: Refusal) -> Self {
        Self { refusal, judged_on: None }
    }
}

/// Converts the errors of the layers below.
macro_rules! from_below {
    ($($error:ty),*) => {
        $(impl From<$error> for ApiError {
            fn from(error: $error) -> Self {
                Refusal::from(error).into()
            }
        })*
    };
}

from_below!(GameError, PlayerError, DeletionError, AuthError, Limited, Fault, BadJson);

impl From<HostFault> for ApiError {
    fn from(fault: HostFault) -> Self {
        Self::malformed(Message::new(fault.sentence()))
    }
}

impl From<BytesRejection> for ApiError {
    fn from(rejection: BytesRejection) -> Self {
        match rejection.status() {
            StatusCode::PAYLOAD_TOO_LARGE => Self::new(Code::PayloadTooLarge),
            _ => Self::malformed(Message::new("request-body-broken-off")),
        }
    }
}

/// A query string that is not a list of names and values.
impl From<QueryRejection> for ApiError {
    fn from(_: QueryRejection) -> Self {
        Self::malformed(Message::new("request-query-string"))
    }
}

/// A path parameter that can't be parsed refers to nothing that exists.
impl From<PathRejection> for ApiError {
    fn from(_: PathRejection) -> Self {
        Self::new(Code::NotFound)
    }
}
