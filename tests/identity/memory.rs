//! A `PlayerStore` in memory, as strict as its port asks for.

use async_trait::async_trait;
use ludotheque::games::ports::StoreError;
use ludotheque::ids::{FamilyId, PlayerId};
use ludotheque::players::ports::{Family, Player, PlayerStore, Written};
use std::{
    collections::HashMap,
    sync::{
        Mutex, MutexGuard,
        atomic::{AtomicBool, Ordering},
    },
};
use tokio::task::yield_now;

#[derive(Default)]
pub(crate) struct Memory {
    tables: Mutex<Tables>,
    /// Set it to have every call fail.
    pub(crate) broken: AtomicBool,
}

#[derive(Default)]
struct Tables {
    players: HashMap<PlayerId, Player>,
    families: HashMap<FamilyId, Family>,
}

impl Tables {
    fn username_is_taken(&self, player: &Player) -> bool {
        let key = player.username.as_deref().map(Player::username_key);
        key.is_some() && self.players.values().any(|other| other.id != player.id && key_of(other) == key)
    }
}

fn key_of(player: &Player) -> Option<String> {
    player.username.as_deref().map(Player::username_key)
}

impl Memory {
    fn tables(&self) -> Result<MutexGuard<'_, Tables>, StoreError> {
        if self.broken.load(Ordering::Relaxed) {
            return Err(StoreError::Unavailable("broken on purpose".into()));
        }
        Ok(self.tables.lock().unwrap())
    }
}

/// Every answer comes one turn after it was true, so that callers who run together overlap.
#[async_trait]
impl PlayerStore for Memory {
    async fn create_player(&self, player: Player, family: Family) -> Result<Written, StoreError> {
        let mut tables = self.tables()?;
        if tables.username_is_taken(&player) {
            return Ok(Written::UsernameTaken);
        }
        tables.families.insert(family.id, family);
        tables.players.insert(player.id, player);
        Ok(Written::Done)
    }

    async fn update_player(&self, player: Player) -> Result<Written, StoreError> {
        let mut tables = self.tables()?;
        if tables.players.get(&player.id).is_none_or(|old| old.revision + 1 != player.revision) {
            return Ok(Written::Conflict);
        }
        if tables.username_is_taken(&player) {
            return Ok(Written::UsernameTaken);
        }
        tables.players.insert(player.id, player);
        Ok(Written::Done)
    }

    async fn player(&self, id: PlayerId) -> Result<Option<Player>, StoreError> {
        let player = self.tables()?.players.get(&id).cloned();
        yield_now().await;
        Ok(player)
    }

    async fn players(&self, ids: &[PlayerId]) -> Result<Vec<Player>, StoreError> {
        let found = {
            let tables = self.tables()?;
            ids.iter().filter_map(|id| tables.players.get(id).cloned()).collect()
        };
        yield_now().await;
        Ok(found)
    }

    async fn player_by_username(&self, username: &str) -> Result<Option<Player>, StoreError> {
        let found = self.tables()?.players.values().find(|player| key_of(player).as_deref() == Some(username)).cloned();
        yield_now().await;
        Ok(found)
    }

    async fn create_family(&self, family: Family) -> Result<(), StoreError> {
        self.tables()?.families.insert(family.id, family);
        Ok(())
    }

    async fn family(&self, id: FamilyId) -> Result<Option<Family>, StoreError> {
        let family = self.tables()?.families.get(&id).cloned();
        yield_now().await;
        Ok(family)
    }

    async fn rotate_family(&self, family: Family) -> Result<Written, StoreError> {
        let mut tables = self.tables()?;
        let fits = |old: &Family| !old.revoked && old.generation + 1 == family.generation;
        if !tables.families.get(&family.id).is_some_and(fits) {
            return Ok(Written::Conflict);
        }
        tables.families.insert(family.id, family);
        Ok(Written::Done)
    }

    async fn revoke_family(&self, id: FamilyId) -> Result<(), StoreError> {
        if let Some(family) = self.tables()?.families.get_mut(&id) {
            family.revoked = true;
        }
        Ok(())
    }
}
