//! Tokens: signing in, refreshing, signing out.

use super::error::{UserError, user_error};
use super::players::Player;
use super::request_context::RequestContext;
use crate::auth::Secret;
use crate::games::check_key;
use crate::players::{PlayerError, Tokens as Signed};
use async_graphql::{Context, InputObject, Object, Result, SimpleObject};

/// A player's tokens.
#[derive(SimpleObject)]
pub struct Tokens {
    /// Whose they are.
    player: Player,
    /// For the header `Authorization: Bearer …`, and for `connection_init`.
    access_token: String,
    /// For `refreshTokens`, once.
    refresh_token: String,
    /// Always `Bearer`.
    token_type: &'static str,
    /// Seconds until the access token expires.
    expires_in: u32,
}

impl From<Signed> for Tokens {
    fn from(tokens: Signed) -> Self {
        Self {
            player: Player(tokens.player.id),
            access_token: tokens.access_token.expose().to_owned(),
            refresh_token: tokens.refresh_token.expose().to_owned(),
            token_type: "Bearer",
            expires_in: u32::try_from(tokens.expires_in.as_secs()).unwrap_or(i32::MAX.unsigned_abs()),
        }
    }
}

/// Who signs in.
#[derive(InputObject)]
pub struct SignInInput {
    /// The account's.
    username: String,
    /// The account's.
    #[graphql(secret)]
    password: String,
}

/// The player's tokens.
#[derive(Default, SimpleObject)]
pub struct SignInPayload {
    /// Null if there is an error.
    tokens: Option<Tokens>,
    /// Why there are no tokens.
    user_errors: Vec<UserError>,
}

/// Which sign-in goes on.
#[derive(InputObject)]
pub struct RefreshTokensInput {
    /// Good for one use: the answer has the next one. If the answer is lost, send the same request again: within 60
    /// seconds, or within 24 hours with the same `idempotencyKey`, it is answered with the same next token, until that one
    /// is used. Any other second use ends the whole sign-in.
    #[graphql(secret)]
    refresh_token: String,
    /// The same key with the same refresh token is answered with the same next one for 24 hours; REST knows the same keys.
    idempotency_key: Option<String>,
}

/// The player's next tokens.
#[derive(Default, SimpleObject)]
pub struct RefreshTokensPayload {
    /// Null if there is an error.
    tokens: Option<Tokens>,
    /// Why there are no tokens.
    user_errors: Vec<UserError>,
}

/// The end of a sign-in.
#[derive(Default, SimpleObject)]
pub struct SignOutPayload {
    /// Whose it was; null if there is an error.
    player: Option<Player>,
    /// Why nothing has ended.
    user_errors: Vec<UserError>,
}

/// What can be done with tokens.
#[derive(Default)]
pub struct TokenMutations;

#[Object]
impl TokenMutations {
    /// Signs in. The operations that follow bring the access token themselves.
    async fn sign_in(
        &self,
        ctx: &Context<'_>,
        #[graphql(desc = "Who signs in.")] input: SignInInput,
    ) -> Option<Result<SignInPayload>> {
        Some(sign_in(ctx, input).await)
    }

    /// Gives new tokens for a refresh token.
    async fn refresh_tokens(
        &self,
        ctx: &Context<'_>,
        #[graphql(desc = "Which sign-in goes on.")] input: RefreshTokensInput,
    ) -> Option<Result<RefreshTokensPayload>> {
        Some(refresh_tokens(ctx, input).await)
    }

    /// Ends the sign-in that the access token belongs to: this token and its refresh token are good no more. Of a token
    /// that another issuer made, this one token is.
    async fn sign_out(&self, ctx: &Context<'_>) -> Option<Result<SignOutPayload>> {
        Some(sign_out(ctx).await)
    }
}

async fn sign_in(ctx: &Context<'_>, input: SignInInput) -> Result<SignInPayload> {
    let context = RequestContext::of(ctx)?;
    let signed = context.app().players.sign_in(&input.username, Secret::new(input.password), &context.client()).await;
    let (tokens, user_errors) = either(context, signed)?;
    Ok(SignInPayload { tokens, user_errors })
}

async fn refresh_tokens(ctx: &Context<'_>, input: RefreshTokensInput) -> Result<RefreshTokensPayload> {
    let context = RequestContext::of(ctx)?;
    let key = match check_key(input.idempotency_key.as_deref()) {
        Ok(key) => key,
        Err(error) => {
            let user_errors = vec![user_error(context, error)?];
            return Ok(RefreshTokensPayload { user_errors, ..Default::default() });
        }
    };
    let signed = context.app().players.refresh(&Secret::new(input.refresh_token), key).await;
    let (tokens, user_errors) = either(context, signed)?;
    Ok(RefreshTokensPayload { tokens, user_errors })
}

async fn sign_out(ctx: &Context<'_>) -> Result<SignOutPayload> {
    let context = RequestContext::of(ctx)?;
    let caller = context.signed_in()?;
    Ok(match context.app().players.sign_out(&caller).await {
        Ok(()) => SignOutPayload { player: Some(Player(caller.player)), ..Default::default() },
        Err(error) => SignOutPayload { user_errors: vec![user_error(context, error)?], ..Default::default() },
    })
}

fn either(context: &RequestContext, signed: Result<Signed, PlayerError>) -> Result<(Option<Tokens>, Vec<UserError>)> {
    Ok(match signed {
        Ok(tokens) => (Some(tokens.into()), Vec::new()),
        Err(error) => (None, vec![user_error(context, error)?]),
    })
}
