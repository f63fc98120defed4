//! Players: as everybody sees them, and as each sees itself; registering, changing, deleting.

use super::error::{UserError, failed, user_error};
use super::request_context::RequestContext;
use super::scalars::DateTime;
use super::tokens::Tokens;
use crate::auth::Secret;
use crate::ids::PlayerId;
use crate::players::{Change, Profile as OwnProfile, former};
use async_graphql::{Context, ID, InputObject, Object, Result, SimpleObject};

/// A player, as everybody sees them.
pub struct Player(pub PlayerId);

/// A player, as everybody sees them.
#[Object]
impl Player {
    /// The same on every face.
    pub async fn id(&self) -> Result<ID> {
        Ok(self.0.into())
    }

    /// What the player is called; of a deleted account, "a former player" in the reader's language.
    async fn display_name(&self, ctx: &Context<'_>) -> Result<String> {
        let context = RequestContext::of(ctx)?;
        let name = context.profile(self.0).await?.and_then(|profile| profile.display_name);
        Ok(name.map_or_else(|| context.say(&former()), |name| name.to_string()))
    }
}

/// A player, as that player sees it.
#[derive(SimpleObject)]
pub struct Profile {
    /// The same on every face.
    id: ID,
    /// What others see.
    display_name: String,
    /// What the account signs in with; a guest has none.
    username: Option<String>,
    /// When the player came.
    created_at: DateTime,
}

impl From<OwnProfile> for Profile {
    fn from(profile: OwnProfile) -> Self {
        let OwnProfile { id, display_name, username, created_at, revision: _ } = profile;
        Self { id: id.into(), display_name, username, created_at: DateTime(created_at) }
    }
}

/// What can be asked of players.
#[derive(Default)]
pub struct PlayerQueries;

#[Object]
impl PlayerQueries {
    /// The caller's own profile; null without a token.
    async fn me(&self, ctx: &Context<'_>) -> Option<Result<Profile>> {
        own_profile(ctx).await.transpose()
    }
}

async fn own_profile(ctx: &Context<'_>) -> Result<Option<Profile>> {
    let context = RequestContext::of(ctx)?;
    let Some(caller) = context.caller else { return Ok(None) };
    let profile = context.app().players.profile(caller.player).await;
    Ok(Some(profile.map_err(|error| failed(context, error))?.into()))
}

/// A new player: a guest with a name, or an account with a username and a password too.
#[derive(InputObject)]
pub struct CreatePlayerInput {
    /// What others see: 1 to 40 characters.
    display_name: String,
    /// 3 to 30 letters, digits, dots, dashes and underscores; for an account.
    username: Option<String>,
    /// 8 to 256 characters; for an account.
    #[graphql(secret)]
    password: Option<String>,
}

/// The new player's tokens.
#[derive(Default, SimpleObject)]
pub struct CreatePlayerPayload {
    /// Null if there is an error.
    tokens: Option<Tokens>,
    /// Why there is no new player.
    user_errors: Vec<UserError>,
}

/// What to change; what is left out stays. A guest who gives a username and a password becomes an account; an account
/// that changes either gives its current password too.
#[derive(InputObject)]
pub struct UpdatePlayerInput {
    /// What others see: 1 to 40 characters.
    display_name: Option<String>,
    /// What the account signs in with.
    username: Option<String>,
    /// A new one signs out everywhere else.
    #[graphql(secret)]
    password: Option<String>,
    /// Needed to change an account's username or password.
    #[graphql(secret)]
    current_password: Option<String>,
}

/// The changed profile.
#[derive(Default, SimpleObject)]
pub struct UpdatePlayerPayload {
    /// As it is now; null if there is an error.
    profile: Option<Profile>,
    /// Why nothing was changed.
    user_errors: Vec<UserError>,
}

/// The deleted account.
#[derive(Default, SimpleObject)]
pub struct DeletePlayerPayload {
    /// Its id, which old games keep; null if there is an error.
    deleted_player_id: Option<ID>,
    /// Why nothing was deleted.
    user_errors: Vec<UserError>,
}

/// What can be done with players.
#[derive(Default)]
pub struct PlayerMutations;

#[Object]
impl PlayerMutations {
    /// Registers a guest or an account, and signs it in.
    async fn create_player(
        &self,
        ctx: &Context<'_>,
        #[graphql(desc = "Who is new.")] input: CreatePlayerInput,
    ) -> Option<Result<CreatePlayerPayload>> {
        Some(create_player(ctx, input).await)
    }

    /// Changes one's own profile: all of it or nothing.
    async fn update_player(
        &self,
        ctx: &Context<'_>,
        #[graphql(desc = "What to change.")] input: UpdatePlayerInput,
    ) -> Option<Result<UpdatePlayerPayload>> {
        Some(update_player(ctx, input).await)
    }

    /// Deletes one's account: stands up, or resigns, everywhere, and signs out everywhere. Old games show "a former
    /// player" in its place.
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
