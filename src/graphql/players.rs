//! Players: public and own profiles; registering, changing and deleting accounts.

use super::error::{UserError, graphql_error, user_error};
use super::request_context::RequestContext;
use super::scalars::DateTime;
use super::tokens::Tokens;
use crate::auth::Secret;
use crate::ids::PlayerId;
use crate::players::{Change, Profile as OwnProfile, former};
use async_graphql::{Context, ID, InputObject, Object, Result, SimpleObject};

pub struct Player(pub PlayerId);

/// A player, as everyone sees them.
#[Object]
impl Player {
    /// The player's id; the same in REST and GraphQL.
    pub async fn id(&self) -> Result<ID> {
        Ok(self.0.into())
    }

    /// The player's name. For a deleted account it is "a former player", in the language of the request.
    async fn display_name(&self, ctx: &Context<'_>) -> Result<String> {
        let context = RequestContext::of(ctx)?;
        let name = context.profile(self.0).await?.and_then(|profile| profile.display_name);
        Ok(name.map_or_else(|| context.say(&former()), |name| name.to_string()))
    }
}

/// The caller's own profile.
#[derive(SimpleObject)]
pub struct Profile {
    /// The player's id; the same in REST and GraphQL.
    id: ID,
    /// The name that others see.
    display_name: String,
    /// The name that the account signs in with; null for a guest.
    username: Option<String>,
    /// When the player registered.
    created_at: DateTime,
}

impl From<OwnProfile> for Profile {
    fn from(profile: OwnProfile) -> Self {
        let OwnProfile { id, display_name, username, created_at, revision: _ } = profile;
        Self { id: id.into(), display_name, username, created_at: DateTime(created_at) }
    }
}

#[derive(Default)]
pub struct PlayerQueries;

#[Object]
impl PlayerQueries {
    /// Get the caller's own profile; null without a token.
    async fn me(&self, ctx: &Context<'_>) -> Option<Result<Profile>> {
        own_profile(ctx).await.transpose()
    }
}

async fn own_profile(ctx: &Context<'_>) -> Result<Option<Profile>> {
    let context = RequestContext::of(ctx)?;
    let Some(caller) = context.caller else { return Ok(None) };
    let profile = context.app().players.profile(caller.player).await;
    Ok(Some(profile.map_err(|error| graphql_error(context, error))?.into()))
}

/// The player to register: a guest has a display name only, an account also has a username and a password.
#[derive(InputObject)]
pub struct CreatePlayerInput {
    /// The name that others see, 1 to 40 characters.
    display_name: String,
    /// The name to sign in with, for an account: 3 to 30 letters, digits, dots, hyphens and underscores.
    username: Option<String>,
    /// The password, for an account: 8 to 256 characters.
    #[graphql(secret)]
    password: Option<String>,
}

/// The tokens of the new player.
#[derive(Default, SimpleObject)]
pub struct CreatePlayerPayload {
    /// The tokens; null after a refusal.
    tokens: Option<Tokens>,
    /// Why the player was not registered; empty if it was.
    user_errors: Vec<UserError>,
}

/// The changes to the caller's profile; fields that are left out stay as they are. A guest becomes an account by
/// sending a username and a password. An account needs its current password to change either of them.
#[derive(InputObject)]
pub struct UpdatePlayerInput {
    /// The name that others see, 1 to 40 characters.
    display_name: Option<String>,
    /// The new username: 3 to 30 letters, digits, dots, hyphens and underscores.
    username: Option<String>,
    /// The new password, 8 to 256 characters. It signs the player out everywhere else.
    #[graphql(secret)]
    password: Option<String>,
    /// The current password. An account needs it to change its username or password.
    #[graphql(secret)]
    current_password: Option<String>,
}

/// The changed profile.
#[derive(Default, SimpleObject)]
pub struct UpdatePlayerPayload {
    /// The profile after the changes; null after a refusal.
    profile: Option<Profile>,
    /// Why the profile was not changed; empty if it was.
    user_errors: Vec<UserError>,
}

/// The deleted account.
#[derive(Default, SimpleObject)]
pub struct DeletePlayerPayload {
    /// The id of the deleted player, which old games keep; null after a refusal.
    deleted_player_id: Option<ID>,
    /// Why the account was not deleted; empty if it was.
    user_errors: Vec<UserError>,
}

#[derive(Default)]
pub struct PlayerMutations;

#[Object]
impl PlayerMutations {
    /// Register a guest or an account, and sign it in. Returns an access token and a refresh token. A guest who loses
    /// both can't come back. Fails with `USERNAME_TAKEN` if another player has the username.
    async fn create_player(
        &self,
        ctx: &Context<'_>,
        #[graphql(desc = "The player to register.")] input: CreatePlayerInput,
    ) -> Option<Result<CreatePlayerPayload>> {
        Some(create_player(ctx, input).await)
    }

    /// Change the caller's profile. All changes are made, or none. A guest who becomes an account stays the same
    /// player. Fails with `USERNAME_TAKEN` if another player has the username, and with `MALFORMED` if
    /// `currentPassword` is missing or wrong.
    async fn update_player(
        &self,
        ctx: &Context<'_>,
        #[graphql(desc = "The fields to change.")] input: UpdatePlayerInput,
    ) -> Option<Result<UpdatePlayerPayload>> {
        Some(update_player(ctx, input).await)
    }

    /// Delete the caller's account. The player leaves or resigns from all games and is signed out everywhere. Old games
    /// show "a former player" instead of the name.
    async fn delete_player(&self, ctx: &Context<'_>) -> Option<Result<DeletePlayerPayload>> {
        Some(delete_player(ctx).await)
    }
}

async fn create_player(ctx: &Context<'_>, input: CreatePlayerInput) -> Result<CreatePlayerPayload> {
    let context = RequestContext::of(ctx)?;
    let CreatePlayerInput { display_name, username, password } = input;
    let registered = context
        .app()
        .players
        .register_player(&display_name, username.as_deref(), password.map(Secret::new), &context.client())
        .await;
    Ok(match registered {
        Ok(tokens) => CreatePlayerPayload { tokens: Some(tokens.into()), ..Default::default() },
        Err(error) => CreatePlayerPayload { user_errors: vec![user_error(context, error)?], ..Default::default() },
    })
}

async fn update_player(ctx: &Context<'_>, input: UpdatePlayerInput) -> Result<UpdatePlayerPayload> {
    let context = RequestContext::of(ctx)?;
    let UpdatePlayerInput { display_name, username, password, current_password } = input;
    let change = Change {
        display_name,
        username,
        password: password.map(Secret::new),
        current_password: current_password.map(Secret::new),
    };
    Ok(match context.app().players.change(&context.signed_in()?, change, &context.client()).await {
        Ok(profile) => UpdatePlayerPayload { profile: Some(profile.into()), ..Default::default() },
        Err(error) => UpdatePlayerPayload { user_errors: vec![user_error(context, error)?], ..Default::default() },
    })
}

async fn delete_player(ctx: &Context<'_>) -> Result<DeletePlayerPayload> {
    let context = RequestContext::of(ctx)?;
    let player = context.signed_in()?.player;
    Ok(match context.app().delete_player(player).await {
        Ok(()) => DeletePlayerPayload { deleted_player_id: Some(player.into()), ..Default::default() },
        Err(error) => DeletePlayerPayload { user_errors: vec![user_error(context, error)?], ..Default::default() },
    })
}
