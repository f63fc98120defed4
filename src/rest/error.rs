//! Refusals as RFC 9457 problem details, in the caller's language.
//!
//! A handler returns an [`ApiError`]; it becomes a response without a body that carries the error along. The outermost
//! layer ([`super::language`]) knows the caller's language and writes the body. Refusals that axum makes by itself
//! (unknown route, wrong method, body too large) are written there too, so that every refusal looks alike.

use super::shapes::{self, GameBody, LegalMoveBody};
use crate::app::{App, DeletionError};
use crate::auth::Refused as TokenRefused;
use crate::codes::Code;
use crate::edge::limits::Limited;
use crate::games::{Game, GameError, Refused};
use crate::ids::PlayerId;
use crate::players::PlayerError;
use crate::rules::Message;
use crate::texts::Language;
use axum::Json;
use axum::extract::rejection::{JsonRejection, PathRejection, QueryRejection};
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use schemars::JsonSchema;
use serde::Serialize;
use std::sync::Arc;

/// A refusal on its way to the caller.
#[derive(Clone)]
pub struct ApiError {
    pub code: Code,
    /// What there is to say beyond the code's own sentence.
    detail: Option<Message>,
    /// The field of the request that is at fault.
    field: Option<&'static str>,
    /// The game a step was judged on, and who asked.
    judged_on: Option<(Arc<Game>, PlayerId)>,
    /// In how many seconds the same request may go better.
    retry_after: Option<u64>,
}

/// A problem: why a request was refused, for people (`detail`) and for programs (`code`).
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "Problem")]
#[serde(rename_all = "camelCase")]
pub struct ProblemBody {
    /// A URI reference that names the sort of problem: `/problems/illegal-move`.
    r#type: String,
    title: String,
    status: u16,
    detail: String,
    code: Code,
    /// The field of the request that is at fault.
    #[serde(skip_serializing_if = "Option::is_none")]
    field: Option<&'static str>,
    /// What the seat may play instead; with `ILLEGAL_MOVE` and `NOT_YOUR_TURN`.
    #[serde(skip_serializing_if = "Option::is_none")]
    legal_moves: Option<Vec<LegalMoveBody>>,
    /// The version the game stands at; with `ILLEGAL_MOVE`, `NOT_YOUR_TURN` and `VERSION_CONFLICT`.
    #[serde(skip_serializing_if = "Option::is_none")]
    version: Option<u64>,
    /// The game as the caller sees it now; with `VERSION_CONFLICT`.
    #[serde(skip_serializing_if = "Option::is_none")]
    game: Option<GameBody>,
}

impl ApiError {
    pub fn new(code: Code) -> Self {
        let retry_after = (code == Code::Unavailable).then_some(1);
        Self { code, detail: None, field: None, judged_on: None, retry_after }
    }

    /// A request that can't be read, with a text for developers.
    pub fn malformed(why: impl Into<String>) -> Self {
        Self::new(Code::Malformed).because(Message::new("request-unreadable").with("why", why.into()))
    }

    pub fn because(self, detail: Message) -> Self {
        Self { detail: Some(detail), ..self }
    }

    /// A refused step of a caller's, with what would help that caller.
    pub fn step(refused: Refused, caller: PlayerId) -> Self {
        let judged_on = refused.judged_on.filter(|game| game.admits(Some(caller))).map(|game| (game, caller));
        Self { judged_on, ..refused.error.into() }
    }

    /// The problem in the caller's language.
    pub async fn render(&self, app: &App, language: Language) -> Response {
        let code = self.code.kebab();
        let detail = self.detail.clone().unwrap_or_else(|| Message::new(format!("error-{code}-detail")));
        let mut problem = ProblemBody {
            r#type: format!("/problems/{code}"),
            title: app.texts.render(&Message::new(format!("error-{code}")), language),
            status: self.code.status(),
            detail: app.texts.render(&detail, language),
            code: self.code,
            field: self.field,
            legal_moves: None,
            version: None,
            game: None,
        };
        if let Some((game, caller)) = &self.judged_on {
            match (self.code, game.seat_of(*caller)) {
                (Code::IllegalMove | Code::NotYourTurn, Some(seat)) => {
                    problem.version = Some(game.version);
                    problem.legal_moves = Some(shapes::legal_moves(app, game, seat, language));
                }
                (Code::VersionConflict, _) => {
                    problem.version = Some(game.version);
                    problem.game = shapes::game(app, game, Some(*caller), language).await.ok();
                }
                _ => {}
            }
        }
        let mut response = (status(self.code), Json(problem)).into_response();
        let headers = response.headers_mut();
        headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("application/problem+json"));
        if status(self.code) == StatusCode::UNAUTHORIZED {
            let challenge = match self.code {
                Code::InvalidToken => r#"Bearer realm="ludotheque", error="invalid_token""#,
                _ => r#"Bearer realm="ludotheque""#,
            };
            headers.insert(header::WWW_AUTHENTICATE, HeaderValue::from_static(challenge));
        }
        if let Some(seconds) = self.retry_after {
            headers.insert(header::RETRY_AFTER, seconds.into());
        }
        response
    }
}

fn status(code: Code) -> StatusCode {
    StatusCode::from_u16(code.status()).expect("codes have valid statuses")
}

/// Carries the error to the layer that knows the caller's language.
impl IntoResponse for ApiError {
    fn into_response(self) -> Response {
        let mut response = status(self.code).into_response();
        response.extensions_mut().insert(self);
        response
    }
}

impl From<GameError> for ApiError {
    fn from(error: GameError) -> Self {
        let refusal = Self::new(error.code());
        match &error {
            GameError::Unreadable(why) => return Self::malformed(why.clone()),
            GameError::Store(error) => tracing::error!(%error, "the store failed"),
            _ => {}
        }
        Self { detail: error.reason(), ..refusal }
    }
}

impl From<PlayerError> for ApiError {
    fn from(error: PlayerError) -> Self {
        let code = match &error {
            PlayerError::Invalid { .. } => Code::Malformed,
            PlayerError::UsernameTaken => Code::UsernameTaken,
            PlayerError::BadCredentials | PlayerError::NoSuchPlayer => Code::Unauthenticated,
            PlayerError::BadRefreshToken => Code::InvalidToken,
            PlayerError::Busy | PlayerError::Store(_) => Code::Unavailable,
        };
        if let PlayerError::Store(error) = &error {
            tracing::error!(%error, "the store failed");
        }
        let field = match error {
            PlayerError::Invalid { field, .. } => Some(field),
            _ => None,
        };
        Self { detail: error.message(), field, ..Self::new(code) }
    }
}

impl From<DeletionError> for ApiError {
    fn from(error: DeletionError) -> Self {
        match error {
            DeletionError::Games(error) => error.into(),
            DeletionError::Players(error) => error.into(),
        }
    }
}

impl From<Limited> for ApiError {
    fn from(Limited { wait }: Limited) -> Self {
        // Whole seconds, and never too early.
        Self { retry_after: Some(wait.as_secs() + 1), ..Self::new(Code::RateLimited) }
    }
}

impl From<TokenRefused> for ApiError {
    fn from(refused: TokenRefused) -> Self {
        Self::new(match refused {
            TokenRefused::NoToken => Code::Unauthenticated,
            TokenRefused::BadToken => Code::InvalidToken,
            TokenRefused::Unavailable(error) => {
                tracing::error!(%error, "a token could not be checked");
                Code::Unavailable
            }
        })
    }
}

impl From<JsonRejection> for ApiError {
    fn from(rejection: JsonRejection) -> Self {
        match rejection.status() {
            StatusCode::UNSUPPORTED_MEDIA_TYPE => Self::new(Code::UnsupportedMediaType),
            StatusCode::PAYLOAD_TOO_LARGE => Self::new(Code::PayloadTooLarge),
            _ => Self::malformed(rejection.body_text()),
        }
    }
}

impl From<QueryRejection> for ApiError {
    fn from(rejection: QueryRejection) -> Self {
        Self::malformed(rejection.body_text())
    }
}

/// A path that can't be read names nothing there is.
impl From<PathRejection> for ApiError {
    fn from(_: PathRejection) -> Self {
        Self::new(Code::NotFound)
    }
}
