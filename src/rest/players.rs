//! Players: registration and profiles.

use super::Rest;
use super::error::ApiError;
use super::extract::{Body, Metered, SignedIn};
use super::problems::{AccountProblems, BodyProblems, ServiceProblems, UsernameProblems};
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

/// The player to register: a guest has a display name only, an account also has a username and a password.
#[derive(Deserialize, JsonSchema)]
#[schemars(rename = "Register", example = serde_json::json!({"displayName": "Ada"}))]
#[schemars(transform = schema::both_or_none("username", "password"))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct RegisterBody {
    /// The name that others see, 1 to 40 characters.
    #[schemars(transform = schema::text(&fields::DISPLAY_NAME))]
    display_name: String,
    /// The name to sign in with, for an account: 3 to 30 letters, digits, dots, hyphens and underscores.
    #[schemars(transform = schema::text(&fields::USERNAME))]
    username: Option<String>,
    /// The password, for an account: 8 to 256 characters.
    #[schemars(with = "Option<String>", transform = schema::text(&fields::PASSWORD))]
    password: Option<Secret>,
}

/// A player's own profile.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "Profile")]
#[serde(rename_all = "camelCase")]
pub struct ProfileBody {
    /// The player's id; the same in REST and GraphQL.
    pub id: PlayerId,
    /// The name that others see.
    pub display_name: String,
    /// The name that the account signs in with; null for a guest.
    pub username: Option<String>,
    /// When the player registered.
    pub created_at: Instant,
}

/// The fields to change; those that are left out stay as they are. A guest becomes an account by sending a username and
/// a password. An account needs its current password to change either of them.
#[derive(Deserialize, JsonSchema)]
#[schemars(rename = "ProfileChanges", example = serde_json::json!({"displayName": "Ada L."}))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ProfileChangesBody {
    /// The name that others see, 1 to 40 characters.
    #[schemars(transform = schema::text(&fields::DISPLAY_NAME))]
    display_name: Option<String>,
    /// The new username: 3 to 30 letters, digits, dots, hyphens and underscores.
    #[schemars(transform = schema::text(&fields::USERNAME))]
    username: Option<String>,
    /// The new password, 8 to 256 characters. It signs the player out everywhere else.
    #[schemars(with = "Option<String>", transform = schema::text(&fields::PASSWORD))]
    password: Option<Secret>,
    /// The current password. An account needs it to change its username or password.
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
/// Send a display name to register a guest. Add a username and a password to register an account, which can sign in
/// again. Returns an access token for the header `Authorization: Bearer …` and a refresh token for `POST /v1/tokens`. A
/// guest who loses both can't sign in again. Fails with `USERNAME_TAKEN` if another player has the username.
#[utoipa::path(
    post, path = "/v1/players", operation_id = "create_player", tag = "players", security(()),
    request_body = RegisterBody,
    responses((status = 201, description = "The player and its tokens", body = TokensBody), ServiceProblems, UsernameProblems, BodyProblems),
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
/// Returns your names and id. Only you see your `username`.
#[utoipa::path(
    get, path = "/v1/players/me", operation_id = "get_player", tag = "players", security(("bearer" = [])),
    responses((status = 200, description = "The profile", body = ProfileBody), AccountProblems),
)]
async fn get_player(State(app): State<Arc<App>>, SignedIn(caller): SignedIn) -> Result<Json<ProfileBody>, ApiError> {
    Ok(Json(app.players.profile(caller.player).await?.into()))
}

/// Change your profile
///
/// Applies all the changes or none. A guest who sends a username and a password becomes an account and stays the same
/// player. A new password ends all other sessions. Returns the changed profile. Fails with `USERNAME_TAKEN` if another
/// player has the username, and with `MALFORMED` if `currentPassword` is missing or wrong.
#[utoipa::path(
    patch, path = "/v1/players/me", operation_id = "update_player", tag = "players", security(("bearer" = [])),
    request_body = ProfileChangesBody,
    responses((status = 200, description = "The changed profile", body = ProfileBody), AccountProblems, UsernameProblems, BodyProblems),
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
/// You leave all lobbies, resign from all games and are signed out everywhere. Finished games show "a former player" in
/// your place. If an external issuer signs your tokens, a newer token from it registers you as a new player.
#[utoipa::path(
    delete, path = "/v1/players/me", operation_id = "delete_player", tag = "players", security(("bearer" = [])),
    responses((status = 204, description = "Deleted"), AccountProblems),
)]
async fn delete_player(State(app): State<Arc<App>>, SignedIn(caller): SignedIn) -> Result<StatusCode, ApiError> {
    app.delete_player(caller.player).await?;
    Ok(StatusCode::NO_CONTENT)
}
