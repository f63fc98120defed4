//! Tokens: signing in, refreshing, signing out.

use super::Rest;
use super::bodies::PlayerBody;
use super::error::ApiError;
use super::extract::{Body, IdempotencyKey, Metered, OptionalKey, SignedIn};
use super::problems::{AccountProblems, BodyProblems, SignInProblems};
use super::schema;
use crate::app::App;
use crate::auth::Secret;
use crate::players::Tokens;
use crate::rules::Message;
use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::sync::Arc;
use utoipa_axum::{router::OpenApiRouter, routes};

pub fn router() -> OpenApiRouter<Rest> {
    OpenApiRouter::new().routes(routes!(create_token)).routes(routes!(delete_token))
}

/// Credentials: a username with its password, or a refresh token.
#[derive(Deserialize, JsonSchema)]
#[schemars(rename = "SignIn", example = serde_json::json!({"username": "ada", "password": "correct horse"}))]
#[schemars(transform = schema::either("refreshToken", &["username", "password"]))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct SignInBody {
    /// The account's username.
    username: Option<String>,
    /// The account's password.
    #[schemars(with = "Option<String>")]
    password: Option<Secret>,
    /// A refresh token, valid for one use: the response contains the next one. If the response is lost, send the same
    /// request again within 60 seconds, or within 24 hours with the same `Idempotency-Key`: it returns the same next
    /// token, as long as that token has not been used. Any other second use ends the session.
    #[schemars(with = "Option<String>")]
    refresh_token: Option<Secret>,
}

/// A player with new tokens.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "Tokens")]
#[serde(rename_all = "camelCase")]
pub struct TokensBody {
    /// The player to whom the tokens belong.
    player: PlayerBody,
    /// The access token, for the header `Authorization: Bearer …`.
    access_token: String,
    /// The refresh token, for one use with `POST /v1/tokens`.
    refresh_token: String,
    /// Always `Bearer`.
    token_type: &'static str,
    /// Seconds until the access token expires.
    expires_in: u64,
}

impl From<Tokens> for TokensBody {
    fn from(tokens: Tokens) -> Self {
        Self {
            player: PlayerBody { id: tokens.player.id, display_name: tokens.player.display_name.into() },
            access_token: tokens.access_token.expose().to_owned(),
            refresh_token: tokens.refresh_token.expose().to_owned(),
            token_type: "Bearer",
            expires_in: tokens.expires_in.as_secs(),
        }
    }
}

/// Sign in, or refresh tokens
///
/// Send a username and its password, or a refresh token, which is valid for one use. Returns new tokens; the new
/// refresh token replaces the one you sent. If the response to a refresh is lost, the same request can be repeated
/// within a minute, or within a day if it has an `Idempotency-Key`. Fails with `UNAUTHENTICATED` if the credentials are
/// wrong, and with `INVALID_TOKEN` if the refresh token was used before or its session has ended: sign in again.
#[utoipa::path(
    post, path = "/v1/tokens", operation_id = "create_token", tag = "players", security(()),
    params(IdempotencyKey), request_body = SignInBody,
    responses((status = 201, description = "The player and new tokens", body = TokensBody), SignInProblems, BodyProblems),
)]
async fn create_token(
    State(app): State<Arc<App>>,
    metered: Metered,
    OptionalKey(key): OptionalKey,
    Body(body): Body<SignInBody>,
) -> Result<(StatusCode, Json<TokensBody>), ApiError> {
    let tokens = match (&body.username, body.password, &body.refresh_token) {
        (Some(username), Some(password), None) => {
            app.players.sign_in(username, password, &metered.client(None)).await?
        }
        (None, None, Some(token)) => app.players.refresh(token, key.as_deref()).await?,
        _ => return Err(ApiError::malformed(Message::new("request-credentials"))),
    };
    Ok((StatusCode::CREATED, Json(tokens.into())))
}

/// Sign out
///
/// Ends the session of the access token: the server no longer accepts this token or the refresh token of the session.
/// If an external issuer signed the token, only this token is revoked.
#[utoipa::path(
    delete, path = "/v1/tokens/current", operation_id = "delete_token", tag = "players", security(("bearer" = [])),
    responses((status = 204, description = "Signed out"), AccountProblems),
)]
async fn delete_token(State(app): State<Arc<App>>, SignedIn(caller): SignedIn) -> Result<StatusCode, ApiError> {
    app.players.sign_out(&caller).await?;
    Ok(StatusCode::NO_CONTENT)
}
