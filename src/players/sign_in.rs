//! Registration, sign-in, refresh-token rotation and sign-out.
//!
//! A refresh token is exchanged for its successor. A response may get lost, so the same exchange can be repeated, for
//! the same successor: within a minute, or within a day under the same idempotency key, and only until the successor is
//! used. Any other reuse means that two parties have the token, and there is no telling which of them stole it: the
//! whole family is revoked, for both (RFC 9700, 4.14.2).

use super::fields;
use super::ports::{Family, Player, Written};
use super::refresh::RefreshToken;
use super::{PlayerError, Players, Profile};
use crate::auth::{Caller, Secret};
use crate::ids::FamilyId;
use crate::quota::Client;
use crate::rules::Message;
use std::time::Duration;

/// Attempts at an exchange: a second one if a concurrent request exchanged the same token first.
const ATTEMPTS: usize = 2;

#[derive(Clone, Debug)]
pub struct Tokens {
    pub player: Profile,
    pub access_token: Secret,
    pub refresh_token: Secret,
    /// Of the access token.
    pub expires_in: Duration,
}

impl Players {
    /// Registers an account if there is a username and a password, a guest if there is neither.
    pub async fn register_player(
        &self,
        display_name: &str,
        username: Option<&str>,
        password: Option<Secret>,
        client: &Client,
    ) -> Result<Tokens, PlayerError> {
        match (username, password) {
            (None, None) => self.register_guest(display_name, client).await,
            (Some(username), Some(password)) => self.register_account(display_name, username, password, client).await,
            (None, Some(_)) => Err(PlayerError::invalid("username", Message::new("player-username-needed"))),
            (Some(_), None) => Err(PlayerError::invalid("password", Message::new("player-password-needed"))),
        }
    }

    pub async fn register_guest(&self, display_name: &str, client: &Client) -> Result<Tokens, PlayerError> {
        let display_name = fields::display_name(display_name)?;
        self.charge_registration(client)?;
        self.register(display_name, None, None).await
    }

    pub async fn register_account(
        &self,
        display_name: &str,
        username: &str,
        password: Secret,
        client: &Client,
    ) -> Result<Tokens, PlayerError> {
        let display_name = fields::display_name(display_name)?;
        let username = fields::username(username)?;
        fields::new_password(&password)?;
        self.charge_registration(client)?;
        let hash = self.passwords.hash(password, &client.anonymous()).await?;
        self.register(display_name, Some(username), Some(hash)).await
    }

    /// Refuses a client whose address has registered too many players.
    fn charge_registration(&self, client: &Client) -> Result<(), PlayerError> {
        if let (Some(registrations), Some(address)) = (&self.registrations, client.address) {
            registrations.take(&address, 1)?;
        }
        Ok(())
    }

    async fn register(
        &self,
        display_name: String,
        username: Option<String>,
        password_hash: Option<String>,
    ) -> Result<Tokens, PlayerError> {
        let player = Player { username, password_hash, ..Player::new(display_name, self.identity.now()) };
        let (family, refresh) = self.new_family(&player);
        match self.store.create_player(player.clone(), family).await? {
            Written::Done => Ok(self.tokens(player, &refresh)),
            Written::UsernameTaken => Err(PlayerError::UsernameTaken),
            Written::Conflict => Err(PlayerError::Busy),
        }
    }

    /// Signs in with a username and a password. An unknown username takes as long as a wrong password, and gets the
    /// same answer.
    pub async fn sign_in(&self, username: &str, password: Secret, client: &Client) -> Result<Tokens, PlayerError> {
        let player = match fields::username(username) {
            Ok(username) => self.store.player_by_username(&Player::username_key(&username)).await?,
            Err(_) => None,
        };
        let player = player.filter(|player| self.identity.allows_password(player));
        let hash = player.as_ref().and_then(|player| player.password_hash.clone());
        let attempt = self.attempts.begin(username, client)?;
        let right = match self.passwords.verify(password, hash, &client.anonymous()).await {
            Ok(right) => right,
            Err(error) => {
                attempt.take_back();
                return Err(error);
            }
        };
        let player = player.filter(|_| right).ok_or(PlayerError::BadCredentials)?;
        attempt.take_back();
        // The session belongs to the era in which the password was verified: a password that is set concurrently ends
        // it.
        let (family, refresh) = self.new_family(&player);
        self.store.create_family(family).await?;
        Ok(self.tokens(player, &refresh))
    }

    /// Exchanges a refresh token for new tokens. It can't be used again, except for retries: see the head of this
    /// module.
    pub async fn refresh(&self, token: &Secret, key: Option<&str>) -> Result<Tokens, PlayerError> {
        let token = RefreshToken::parse(token.expose()).ok_or(PlayerError::BadRefreshToken)?;
        for _ in 0..ATTEMPTS {
            let now = self.identity.now();
            let family = self.store.family(token.family()).await?;
            let family = family.filter(|family| !family.revoked && now < family.expires_at);
            let family = family.ok_or(PlayerError::BadRefreshToken)?;
            let is_newest = token.has_hash(&family.token_hash);
            let repeated = token.repeated_successor(&family, key, now);
            if !is_newest && repeated.is_none() {
                return self.revoke_reused(&family).await;
            }
            // Before the token is exchanged, so that a failure of the store costs no player the session.
            let player = self.player(family.player).await.map_err(|error| match error {
                PlayerError::NoSuchPlayer => PlayerError::BadRefreshToken,
                error => error,
            })?;
            if !player.accepts_session(&family) || !self.identity.allows_password(&player) {
                return Err(PlayerError::BadRefreshToken);
            }
            if let Some(successor) = repeated {
                tracing::debug!(family = %family.id, "a refresh token was retried; it gets the same successor");
                return Ok(self.tokens(player, &successor));
            }
            let succession = token.succession(now, key);
            let successor = token.successor(&succession);
            let rotated = Family {
                generation: family.generation + 1,
                token_hash: successor.hash(),
                expires_at: self.identity.refresh_until(),
                succession: Some(succession),
                ..family
            };
            if self.store.rotate_family(rotated).await? == Written::Done {
                return Ok(self.tokens(player, &successor));
            }
        }
        Err(PlayerError::Busy)
    }

    /// Revokes the caller's session: its access tokens and its refresh token. For a user of another issuer it revokes
    /// the one token; only that issuer can end the user's other tokens.
    pub async fn sign_out(&self, caller: &Caller) -> Result<(), PlayerError> {
        Ok(self.identity.revoke(caller).await?)
    }

    async fn revoke_reused(&self, family: &Family) -> Result<Tokens, PlayerError> {
        tracing::warn!(family = %family.id, "a refresh token was reused; its session is revoked");
        self.identity.revoke_family(family.id, family.player).await?;
        Err(PlayerError::BadRefreshToken)
    }

    fn new_family(&self, player: &Player) -> (Family, RefreshToken) {
        let id = FamilyId::new();
        let token = RefreshToken::new(id);
        let family = Family {
            id,
            player: player.id,
            era: player.era.number,
            generation: 1,
            token_hash: token.hash(),
            expires_at: self.identity.refresh_until(),
            revoked: false,
            succession: None,
        };
        (family, token)
    }

    fn tokens(&self, player: Player, refresh: &RefreshToken) -> Tokens {
        let access = self.identity.issue(player.id, refresh.family());
        Tokens {
            player: player.into(),
            access_token: access.token,
            refresh_token: refresh.text(),
            expires_in: access.expires_in,
        }
    }
}
