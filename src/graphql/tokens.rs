//! Tokens: sign in, refresh, sign out.

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
    /// The player whom the tokens belong to.
    player: Player,
    /// The access token, for the header `Authorization: Bearer …` and for the payload of `connection_init`.
    access_token: String,
    /// The refresh token. `refreshTokens` accepts it once.
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

/// The credentials of an account.
#[derive(InputObject)]
pub struct SignInInput {
    /// The account's username.
    username: String,
    /// The account's password.
    #[graphql(secret)]
    password: String,
}

/// The tokens of the player.
#[derive(Default, SimpleObject)]
pub struct SignInPayload {
    /// The tokens; null after a refusal.
    tokens: Option<Tokens>,
    /// Why no tokens were issued; empty if they were.
    user_errors: Vec<UserError>,
}

/// The refresh token to exchange.
#[derive(InputObject)]
pub struct RefreshTokensInput {
    /// A refresh token, valid for one use: the answer contains the next one. If the answer is lost, send the same
    /// request again within 60 seconds, or within 24 hours with the same `idempotencyKey`: it returns the same next
    /// token, as long as that token has not been used. Any other second use ends the session.
    #[graphql(secret)]
    refresh_token: String,
    /// Makes the mutation safe to repeat: for 24 hours, repeated with the same key and the same refresh token, it
    /// returns the same new tokens. REST and GraphQL share the keys.
    idempotency_key: Option<String>,
}

/// The new tokens of the player.
#[derive(Default, SimpleObject)]
pub struct RefreshTokensPayload {
    /// The tokens; null after a refusal.
    tokens: Option<Tokens>,
    /// Why no tokens were issued; empty if they were.
    user_errors: Vec<UserError>,
}

/// The result of signing out.
#[derive(Default, SimpleObject)]
pub struct SignOutPayload {
    /// The player who was signed out; null after a refusal.
    player: Option<Player>,
    /// Why the caller was not signed out; empty if they were.
    user_errors: Vec<UserError>,
}

#[derive(Default)]
pub struct TokenMutations;

#[Object]
impl TokenMutations {
    /// Sign in to an account. Returns an access token and a refresh token. Send the access token from the next request
    /// on; other mutations in the same document still run without it. Fails with `UNAUTHENTICATED` if the username or
    /// the password is wrong.
    async fn sign_in(
        &self,
        ctx: &Context<'_>,
        #[graphql(desc = "The credentials of an account.")] input: SignInInput,
    ) -> Option<Result<SignInPayload>> {
        Some(sign_in(ctx, input).await)
    }

    /// Exchange a refresh token for new tokens. Fails with `INVALID_TOKEN` if the refresh token was used before or its
    /// session has ended: sign in again then.
    async fn refresh_tokens(
        &self,
        ctx: &Context<'_>,
        #[graphql(desc = "The refresh token to exchange.")] input: RefreshTokensInput,
    ) -> Option<Result<RefreshTokensPayload>> {
        Some(refresh_tokens(ctx, input).await)
    }

    /// Sign out: end the session of the access token. The server no longer accepts this token or the refresh token of
    /// the session. If an external issuer signed the token, only this token is revoked.
    async fn sign_out(&self, ctx: &Context<'_>) -> Option<Result<SignOutPayload>> {
        Some(sign_out(ctx).await)
    }
}

async fn sign_in(ctx: &Context<'_>, input: SignInInput) -> Result<SignInPayload> {
    let context = RequestContext::of(ctx)?;
    let signed = context.app().players.sign_in(&input.username, Secret::new(input.password), &context.client()).await;
    let (tokens, user_errors) = tokens_or_error(context, signed)?;
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
    let (tokens, user_errors) = tokens_or_error(context, signed)?;
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

fn tokens_or_error(
    context: &RequestContext,
    signed: Result<Signed, PlayerError>,
) -> Result<(Option<Tokens>, Vec<UserError>)> {
    Ok(match signed {
        Ok(tokens) => (Some(tokens.into()), Vec::new()),
        Err(error) => (None, vec![user_error(context, error)?]),
    })
}
