//! Players: registering, and one's own profile.

use super::Rest;
use super::error::ApiError;
use super::extract::{Body, Metered, SignedIn};
use super::openapi::{OwnProblems, SignInProblems};
use super::schema;
use super::tokens::TokensBody;
use crate::app::App;
use crate::auth::Secret;
use crate::ids::PlayerId;
use crate::players::{Change, Profile, fields};
use crate::rules::Instant;
use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::IntoResponse;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::sync::Arc;
use utoipa_axum::{router::OpenApiRouter, routes};

pub fn router() -> OpenApiRouter<Rest> {
    OpenApiRouter::new().routes(routes!(create_player)).routes(routes!(get_player, update_player, delete_player))
}

/// A new player: a guest with a name, or an account with a username and a password too.
#[derive(Deserialize, JsonSchema)]
#[schemars(rename = "Register", example = serde_json::json!({"displayName": "Ada"}))]
#[schemars(transform = schema::both_or_none("username", "password"))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct RegisterBody {
    /// What others see: 1 to 40 characters.
    #[schemars(transform = schema::text(&fields::DISPLAY_NAME))]
    display_name: String,
    /// 3 to 30 letters, digits, dots, dashes and underscores; for an account.
    #[schemars(transform = schema::text(&fields::USERNAME))]
    username: Option<String>,
    /// 8 to 256 characters; for an account.
    #[schemars(with = "Option<String>", transform = schema::text(&fields::PASSWORD))]
    password: Option<Secret>,
}

/// A player, as that player sees it.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "Profile")]
#[serde(rename_all = "camelCase")]
pub struct ProfileBody {
    /// The player's id, for good.
    pub id: PlayerId,
    /// What others see.
    pub display_name: String,
    /// What the account signs in with; a guest has none.
    pub username: Option<String>,
    /// When the player registered.
    pub created_at: Instant,
}

/// What to change; what is left out stays. A guest who gives a username and a password becomes an account; an account
/// that changes either gives its current password too.
#[derive(Deserialize, JsonSchema)]
#[schemars(rename = "ProfileChanges", example = serde_json::json!({"displayName": "Ada L."}))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ProfileChangesBody {
    /// What others see: 1 to 40 characters.
    #[schemars(transform = schema::text(&fields::DISPLAY_NAME))]
    display_name: Option<String>,
    /// What the account signs in with: 3 to 30 letters, digits, dots, dashes and underscores.
    #[schemars(transform = schema::text(&fields::USERNAME))]
    username: Option<String>,
    /// The new password: 8 to 256 characters.
    #[schemars(with = "Option<String>", transform = schema::text(&fields::PASSWORD))]
    password: Option<Secret>,
    /// The password until now, for an account that changes its username or password.
    #[schemars(with = "Option<String>")]
    current_password: Option<Secret>,
}

impl From<Profile> for ProfileBody {
    fn from(profile: Profile) -> Self {
        let Profile { id, display_name, username, created_at, revision: _ } = profile;
        Self { id, display_name, username, created_at }
    }
}

/// Register a guest or an account
///
/// A display name makes a guest; a username and a password besides make an account that can sign in again. Comes back with
/// an access token for the header `Authorization: Bearer …` and a refresh token for `POST /v1/tokens`. A guest who loses
/// both can't come back. Fails with `USERNAME_TAKEN` if the username belongs to somebody else.
#[utoipa::path(
    post, path = "/v1/players", operation_id = "create_player", tag = "players", security(()),
    request_body = RegisterBody,
    responses((status = 201, description = "The player and its tokens", body = TokensBody), SignInProblems),
)]
async fn create_player(
    State(app): State<Arc<App>>,
    metered: Metered,
    Body(body): Body<RegisterBody>,
) -> Result<impl IntoResponse, ApiError> {
    let client = metered.client(None);
    let RegisterBody { display_name, username, password } = body;
    let tokens = app.players.register_player(&display_name, username.as_deref(), password, &client).await?;
    Ok((StatusCode::CREATED, Json(TokensBody::from(tokens))))
}

/// Get your profile
///
/// With your username, which nobody else is shown.
#[utoipa::path(
    get, path = "/v1/players/me", operation_id = "get_player", tag = "players", security(("bearer" = [])),
    responses((status = 200, description = "The profile", body = ProfileBody), OwnProblems),
)]
async fn get_player(State(app): State<Arc<App>>, SignedIn(caller): SignedIn) -> Result<Json<ProfileBody>, ApiError> {
    Ok(Json(app.players.profile(caller.player).await?.into()))
}

/// Change your profile
///
/// All changes are made, or none. A guest becomes an account by giving a username and a password, and stays the same player.
/// A new password signs out everywhere else. Fails with `USERNAME_TAKEN` if the username belongs to somebody else.
#[utoipa::path(
    patch, path = "/v1/players/me", operation_id = "update_player", tag = "players", security(("bearer" = [])),
    request_body = ProfileChangesBody,
    responses((status = 200, description = "The profile as it is now", body = ProfileBody), OwnProblems),
)]
async fn update_player(
    State(app): State<Arc<App>>,
    SignedIn(caller): SignedIn,
    metered: Metered,
    Body(body): Body<ProfileChangesBody>,
) -> Result<Json<ProfileBody>, ApiError> {
    let ProfileChangesBody { display_name, username, password, current_password } = body;
    let change = Change { display_name, username, password, current_password };
    Ok(Json(app.players.change(&caller, change, &metered.client(Some(caller.player))).await?.into()))
}

/// Delete your account
///
/// You stand up or resign in all your games, and are signed out everywhere. Old games show "a former player" in your place.
/// A player who signs in with another issuer may come back with a newer token, as a new player.
#[utoipa::path(
    delete, path = "/v1/players/me", operation_id = "delete_player", tag = "players", security(("bearer" = [])),
    responses((status = 204, description = "Deleted"), OwnProblems),
)]
async fn delete_player(State(app): State<Arc<App>>, SignedIn(caller): SignedIn) -> Result<StatusCode, ApiError> {
    app.delete_player(caller.player).await?;
    Ok(StatusCode::NO_CONTENT)
}
