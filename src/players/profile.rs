//! Profiles: a player's own, which the player can change, and the public part that others see.

use super::fields;
use super::ports::{Era, Player, PlayerStore, Written};
use super::{PlayerError, Players};
use crate::auth::{Caller, Secret, spawn_uncancellable};
use crate::games::ports::StoreError;
use crate::ids::{BotPlayer, PlayerId};
use crate::quota::Client;
use crate::rules::{Instant, Message};
use moka::Entry;
use moka::sync::Cache;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

/// How long a change on another node may go unnoticed: the lifetime of a cached profile.
const PROFILE_TTL: Duration = Duration::from_secs(5);

/// Cached public profiles: a few MB at most.
const CACHE_CAPACITY: u64 = 50_000;

/// Attempts at a change while concurrent changes come first.
const ATTEMPTS: usize = 4;

/// A player's own profile.
#[derive(Clone, Debug, PartialEq)]
pub struct Profile {
    pub id: PlayerId,
    pub display_name: String,
    /// A guest has none.
    pub username: Option<String>,
    pub created_at: Instant,
    /// Counts the changes, from 1.
    pub revision: u32,
}

/// The public part of a profile.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PublicProfile {
    pub id: PlayerId,
    /// None once the account is deleted: clients show "a former player", in the reader's language.
    pub display_name: Option<Arc<str>>,
    pub revision: u32,
}

pub fn former() -> Message {
    Message::new("player-former")
}

/// A change of a profile; `None` keeps the current value.
///
/// A guest who sets a username and a password becomes an account. An account that changes either must give its current
/// password too, so that a person who finds an unlocked telephone can't take over the account. A new password ends all
/// other sessions.
#[derive(Clone, Debug, Default)]
pub struct Change {
    pub display_name: Option<String>,
    pub username: Option<String>,
    pub password: Option<Secret>,
    pub current_password: Option<Secret>,
}

impl From<Player> for Profile {
    fn from(player: Player) -> Self {
        let Player { id, display_name, username, created_at, revision, .. } = player;
        Self { id, display_name, username, created_at, revision }
    }
}

impl PublicProfile {
    /// Finds a player among profiles in the order of [`Players::public_profiles`].
    pub fn find(profiles: &[Self], id: PlayerId) -> Option<&Self> {
        profiles.binary_search_by_key(&id, |profile| profile.id).ok().map(|place| &profiles[place])
    }
}

impl From<&Player> for PublicProfile {
    fn from(player: &Player) -> Self {
        let display_name = (!player.deleted).then(|| player.display_name.as_str().into());
        Self { id: player.id, display_name, revision: player.revision }
    }
}

pub(super) fn cache() -> Cache<PlayerId, PublicProfile> {
    Cache::builder().max_capacity(CACHE_CAPACITY).time_to_live(PROFILE_TTL).build()
}

impl Players {
    pub async fn profile(&self, id: PlayerId) -> Result<Profile, PlayerError> {
        self.player(id).await.map(Profile::from)
    }

    /// Number of changes to public profiles: as long as it stays the same, so does every name. None on a shared store,
    /// where other nodes change names too.
    pub fn changes(&self) -> Option<u64> {
        (!self.store.is_shared()).then(|| self.changes.load(Ordering::Acquire))
    }

    /// The public profiles of the players that exist, sorted by id.
    pub async fn public_profiles(
        &self,
        ids: impl IntoIterator<Item = PlayerId>,
    ) -> Result<Vec<PublicProfile>, PlayerError> {
        let mut ids: Vec<_> = ids.into_iter().collect();
        ids.sort_unstable();
        ids.dedup();
        let mut profiles = Vec::with_capacity(ids.len());
        ids.retain(|id| match BotPlayer::of(*id) {
            Some(bot) => {
                profiles.push(PublicProfile { id: *id, display_name: Some(bot.name().into()), revision: 0 });
                false
            }
            None => true,
        });
        ids.retain(|id| match self.public_profiles.get(id) {
            Some(profile) => {
                profiles.push(profile);
                false
            }
            None => true,
        });
        if !ids.is_empty() {
            for player in self.store.players(&ids).await? {
                // A concurrent change may have cached a newer profile since the store answered: keep that.
                profiles.push(self.public_profiles.entry(player.id).or_insert_with(|| (&player).into()).into_value());
            }
            profiles.sort_unstable_by_key(|profile| profile.id);
        }
        Ok(profiles)
    }

    /// The players whose accounts were not deleted, read from the store.
    pub async fn existing(&self, ids: &[PlayerId]) -> Result<Vec<PlayerId>, PlayerError> {
        let players = self.store.players(ids).await?;
        Ok(players.into_iter().filter(|player| !player.deleted).map(|player| player.id).collect())
    }

    pub async fn change(
        self: &Arc<Self>,
        caller: &Caller,
        change: Change,
        client: &Client,
    ) -> Result<Profile, PlayerError> {
        for _ in 0..ATTEMPTS {
            let old = self.player(caller.player).await?;
            let era = old.era.number;
            let player = self.apply(old, caller, change.clone(), client).await?;
            let ends_sessions = player.era.number != era;
            let write = |store: Arc<dyn PlayerStore>, player| async move { store.update_player(player).await };
            if self.replace(player.clone(), ends_sessions, write).await? {
                return Ok(player.into());
            }
        }
        Err(PlayerError::Busy)
    }

    /// Deletes an account: only its id is kept, and all its sessions end. Idempotent.
    ///
    /// A user of another issuer can come back as a new player with a token issued later; all tokens issued until now
    /// are revoked.
    pub async fn delete(self: &Arc<Self>, id: PlayerId) -> Result<(), PlayerError> {
        for _ in 0..ATTEMPTS {
            let Some(player) = self.store.player(id).await?.filter(|player| !player.deleted) else { return Ok(()) };
            let ended = player.subject.as_ref().map(|subject| self.identity.revocation_of(subject));
            let gone = Player {
                id,
                era: player.era,
                revision: player.revision + 1,
                deleted: true,
                ..Player::new(String::new(), player.created_at)
            };
            let write = |store: Arc<dyn PlayerStore>, gone| async move { store.delete_player(gone, ended).await };
            if self.replace(gone, true, write).await? {
                return Ok(());
            }
        }
        Err(PlayerError::Busy)
    }

    /// Writes a changed player, and updates the caches. Returns false if a concurrent change came first.
    async fn replace<F>(
        self: &Arc<Self>,
        player: Player,
        ends_sessions: bool,
        write: impl FnOnce(Arc<dyn PlayerStore>, Player) -> F,
    ) -> Result<bool, PlayerError>
    where
        F: Future<Output = Result<Written, StoreError>> + Send + 'static,
    {
        let (this, writing) = (Arc::clone(self), write(self.store.clone(), player.clone()));
        let written = spawn_uncancellable(async move {
            let written = writing.await?;
            if written == Written::Done {
                this.cache_profile(&player);
                if ends_sessions {
                    this.identity.invalidate_sessions();
                }
            }
            Ok(written)
        });
        match written.await? {
            Written::Done => Ok(true),
            Written::UsernameTaken => Err(PlayerError::UsernameTaken),
            Written::Conflict => Ok(false),
        }
    }

    /// Caches a changed profile, unless a later change was cached first: two writes may arrive here in either order.
    fn cache_profile(&self, player: &Player) {
        self.public_profiles.entry(player.id).and_upsert_with(|cached| match cached.map(Entry::into_value) {
            Some(newer) if newer.revision > player.revision => newer,
            _ => player.into(),
        });
        self.changes.fetch_add(1, Ordering::Release);
    }

    async fn apply(
        &self,
        mut player: Player,
        caller: &Caller,
        change: Change,
        client: &Client,
    ) -> Result<Player, PlayerError> {
        let Change { display_name, username, password, current_password } = change;
        if let Some(name) = display_name {
            player.display_name = fields::display_name(&name)?;
        }
        let username = username.as_deref().map(fields::username).transpose()?;
        if let Some(password) = &password {
            fields::new_password(password)?;
        }
        if username.is_some() || password.is_some() {
            self.check_password_allowed(&player, password.is_some())?;
            match &player.password_hash {
                Some(_) => self.check_current_password(&player, current_password, client).await?,
                None => require_both(username.is_some(), password.is_some())?,
            }
        }
        if let Some(password) = password {
            player.password_hash = Some(self.passwords.hash(password, client).await?);
            player.era = Era { number: player.era.number + 1, begun_by: caller.session.family() };
        }
        player.username = username.or(player.username);
        player.revision += 1;
        Ok(player)
    }

    /// A user of another issuer can have a username and a password here only if that issuer's entry allows it.
    fn check_password_allowed(&self, player: &Player, has_password: bool) -> Result<(), PlayerError> {
        match &player.subject {
            Some(subject) if !self.identity.allows_password(player) => {
                let field = if has_password { "password" } else { "username" };
                let message = Message::new("player-password-not-allowed").with("issuer", subject.issuer.clone());
                Err(PlayerError::invalid(field, message))
            }
            _ => Ok(()),
        }
    }

    async fn check_current_password(
        &self,
        player: &Player,
        given: Option<Secret>,
        client: &Client,
    ) -> Result<(), PlayerError> {
        let refused = |key: &'static str| PlayerError::invalid("currentPassword", Message::new(key));
        let given = given.ok_or_else(|| refused("player-current-password-needed"))?;
        let attempt = self.attempts.begin(player.username.as_deref().unwrap_or_default(), client)?;
        let right = self.passwords.verify(given, player.password_hash.clone(), client).await;
        if let Ok(false) = right {
            return Err(refused("player-current-password-wrong"));
        }
        attempt.take_back();
        right.map(|_| ())
    }

    pub(super) async fn player(&self, id: PlayerId) -> Result<Player, PlayerError> {
        self.store.player(id).await?.filter(|player| !player.deleted).ok_or(PlayerError::NoSuchPlayer)
    }
}

/// A guest becomes an account only with both a username and a password.
fn require_both(username: bool, password: bool) -> Result<(), PlayerError> {
    match (username, password) {
        (true, false) => Err(PlayerError::invalid("password", Message::new("player-password-needed"))),
        (false, true) => Err(PlayerError::invalid("username", Message::new("player-username-needed"))),
        _ => Ok(()),
    }
}
