//! Profiles: a player's own, which can be changed, and what others see of it.

use super::fields;
use super::ports::{Era, Player, PlayerStore, Written};
use super::{PlayerError, Players};
use crate::auth::{Caller, Secret, spawn_uncancellable};
use crate::games::ports::StoreError;
use crate::ids::PlayerId;
use crate::quota::Client;
use crate::rules::{Instant, Message};
use moka::Entry;
use moka::sync::Cache;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

/// How long a change made on another node may stay unseen here.
const CHANGE_SEEN_AFTER: Duration = Duration::from_secs(5);

/// How many shown names are remembered: a few MB at most.
const REMEMBERED: u64 = 50_000;

/// How often a change is tried again when another one came first.
const ATTEMPTS: usize = 4;

/// A player, as shown to that player.
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

/// A player, as shown to everybody.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PublicProfile {
    pub id: PlayerId,
    /// Nothing once the account is deleted: "a former player", in the reader's language.
    pub display_name: Option<Arc<str>>,
    pub revision: u32,
}

/// What a player is called who has no name any more.
pub fn former() -> Message {
    Message::new("player-former")
}

/// What to change of a profile; what is `None` stays as it is.
///
/// A guest who gives a username and a password becomes an account. An account that changes either of them must give its
/// current password too: whoever finds an unlocked telephone shall not be able to keep the account. A new password signs
/// out everywhere else.
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
    /// A player's among those of several, as [`Players::public_profiles`] has them.
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
    Cache::builder().max_capacity(REMEMBERED).time_to_live(CHANGE_SEEN_AFTER).build()
}

impl Players {
    pub async fn profile(&self, id: PlayerId) -> Result<Profile, PlayerError> {
        self.player(id).await.map(Profile::from)
    }

    /// How often any player has changed what is shown: as long as it stays the same, so does every name. Nothing where
    /// other nodes change names too.
    pub fn changes(&self) -> Option<u64> {
        (!self.store.is_shared()).then(|| self.changes.load(Ordering::Acquire))
    }

    /// What everybody may see of those of the players that exist, in the order of their ids.
    pub async fn public_profiles(
        &self,
        ids: impl IntoIterator<Item = PlayerId>,
    ) -> Result<Vec<PublicProfile>, PlayerError> {
        let mut ids: Vec<_> = ids.into_iter().collect();
        ids.sort_unstable();
        ids.dedup();
        let mut profiles = Vec::with_capacity(ids.len());
        ids.retain(|id| match self.shown.get(id) {
            Some(profile) => {
                profiles.push(profile);
                false
            }
            None => true,
        });
        if !ids.is_empty() {
            for player in self.store.players(&ids).await? {
                // A change may have come in since the store answered: what it left in the cache is newer.
                profiles.push(self.shown.entry(player.id).or_insert_with(|| (&player).into()).into_value());
            }
            profiles.sort_unstable_by_key(|profile| profile.id);
        }
        Ok(profiles)
    }

    /// Those of the players whose accounts were not deleted, as the store has them at this moment.
    pub async fn existing(&self, ids: &[PlayerId]) -> Result<Vec<PlayerId>, PlayerError> {
        let players = self.store.players(ids).await?;
        Ok(players.into_iter().filter(|player| !player.deleted).map(|player| player.id).collect())
    }

    /// Changes the caller's profile. All of the change is made, or nothing of it.
    pub async fn change(
        self: &Arc<Self>,
        caller: &Caller,
        change: Change,
        client: &Client,
    ) -> Result<Profile, PlayerError> {
        for _ in 0..ATTEMPTS {
            let old = self.player(caller.player).await?;
            let era = old.era.number;
            let player = self.changed(old, caller, change.clone(), client).await?;
            let ends = player.era.number != era;
            let write = |store: Arc<dyn PlayerStore>, player| async move { store.update_player(player).await };
            if self.replace(player.clone(), ends, write).await? {
                return Ok(player.into());
            }
        }
        Err(PlayerError::Busy)
    }

    /// Deletes an account: nothing is kept of it but its id, and all its sign-ins end. Deleting it twice is fine.
    ///
    /// Whoever another issuer vouched for can come back with a token issued later, as a new player; all tokens issued
    /// until now are good no more.
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

    /// Writes a changed player, and notes what changed with it. Nothing is replaced if another change came first.
    async fn replace<F>(
        self: &Arc<Self>,
        player: Player,
        ends_sign_ins: bool,
        write: impl FnOnce(Arc<dyn PlayerStore>, Player) -> F,
    ) -> Result<bool, PlayerError>
    where
        F: Future<Output = Result<Written, StoreError>> + Send + 'static,
    {
        let (this, writing) = (Arc::clone(self), write(self.store.clone(), player.clone()));
        let written = spawn_uncancellable(async move {
            let written = writing.await?;
            if written == Written::Done {
                this.show(&player);
                if ends_sign_ins {
                    this.identity.note_revocations();
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

    /// Of two changes that were written one after the other, the later may come here first.
    fn show(&self, player: &Player) {
        self.shown.entry(player.id).and_upsert_with(|shown| match shown.map(Entry::into_value) {
            Some(newer) if newer.revision > player.revision => newer,
            _ => player.into(),
        });
        self.changes.fetch_add(1, Ordering::Release);
    }

    async fn changed(
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
            self.must_allow_password(&player, password.is_some())?;
            match &player.password_hash {
                Some(_) => self.check_current_password(&player, current_password, client).await?,
                None => both(username.is_some(), password.is_some())?,
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

    /// A player of another issuer has no username and password of ours, unless that issuer's entry allows it.
    fn must_allow_password(&self, player: &Player, has_password: bool) -> Result<(), PlayerError> {
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

/// A guest becomes an account with a username and a password, not with one of them.
fn both(username: bool, password: bool) -> Result<(), PlayerError> {
    match (username, password) {
        (true, false) => Err(PlayerError::invalid("password", Message::new("player-password-needed"))),
        (false, true) => Err(PlayerError::invalid("username", Message::new("player-username-needed"))),
        _ => Ok(()),
    }
}
