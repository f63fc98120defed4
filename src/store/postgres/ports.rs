//! Implements the ports [`Store`] and [`PlayerStore`]: queues appends for the `writer`, and calls `read`, `accounts`
//! and `sweep` for almost everything else.

use super::super::keys::IdleIndex;
use super::database::{Database, put_back};
use super::encoded_append::uuid;
use super::error::StatementError;
use super::{PostgresStore, accounts, read, sweep};
use crate::games::ports::{
    Append, Appended, Cursor, Done, Head, ListQuery, Scope, Status, Store, StoreError, Stored, Swept, Usage,
};
use crate::games::step::Step;
use crate::ids::{FamilyId, GameId, PlayerId};
use crate::players::ports::{Family, Player, PlayerStore, Revocation, Sha256Digest, Subject, Written};
use crate::rules::Instant;
use async_trait::async_trait;
use futures::future::BoxFuture;

#[async_trait]
impl Store for PostgresStore {
    fn append(&self, append: Append) -> BoxFuture<'static, Result<Appended, StoreError>> {
        self.writer.push(append)
    }

    async fn load(&self, game: GameId) -> Result<Option<Stored>, StoreError> {
        read::load(&self.database, game).await
    }

    async fn load_at(&self, game: GameId, version: u64) -> Result<Option<Stored>, StoreError> {
        read::load_at(&self.database, game, version).await
    }

    async fn steps(&self, game: GameId, after: u64, limit: usize) -> Result<Vec<Step>, StoreError> {
        read::steps(&self.database, game, after, limit).await
    }

    async fn command(&self, scope: Scope, key: &str, now: Instant) -> Result<Option<Done>, StoreError> {
        read::command(&self.database, scope, key, now).await
    }

    async fn list(&self, query: ListQuery) -> Result<Vec<(GameId, Head)>, StoreError> {
        read::list(&self.database, &query).await
    }

    async fn count_games(&self, player: PlayerId, status: Status, most: usize) -> Result<usize, StoreError> {
        read::count_games(&self.database, player, status, most).await
    }

    async fn head(&self, game: GameId) -> Result<Option<Head>, StoreError> {
        read::head(&self.database, game).await
    }

    async fn idle_lobbies(&self, before: Instant, limit: usize) -> Result<Vec<GameId>, StoreError> {
        read::idle_games(&self.database, IdleIndex::Lobby, before, limit).await
    }

    async fn games_over(&self, before: Instant, limit: usize) -> Result<Vec<GameId>, StoreError> {
        read::idle_games(&self.database, IdleIndex::Over, before, limit).await
    }

    async fn abandoned_games(
        &self,
        before: Instant,
        from: Option<Cursor>,
        limit: usize,
    ) -> Result<(Vec<GameId>, Option<Cursor>), StoreError> {
        sweep::abandoned_games(&self.database, before, from, limit).await
    }

    async fn remove_expired_commands(
        &self,
        now: Instant,
        _from: Option<Cursor>,
        limit: usize,
    ) -> Result<Swept, StoreError> {
        sweep::remove_expired_commands(&self.database, now, limit).await
    }

    async fn remove(&self, game: GameId, before: Instant) -> Result<bool, StoreError> {
        remove(&self.database, game, before).await
    }

    async fn game_of_invite(&self, code: &str) -> Result<Option<GameId>, StoreError> {
        read::game_of_invite(&self.database, code).await
    }

    fn is_shared(&self) -> bool {
        true
    }

    async fn version(&self, game: GameId) -> Result<Option<u64>, StoreError> {
        read::version(&self.database, game).await
    }

    async fn health(&self) -> Result<(), StoreError> {
        self.database.probe_write().await.map_err(StatementError::into_write_error)
    }

    async fn usage(&self) -> Result<Usage, StoreError> {
        Ok(read::usage(&self.database).await)
    }
}

/// Removes a game that has been over since `before`. The command that created the game, and a rematch command that led
/// to it, belong to other scopes and are not removed here: they expire after a day, before the game does.
async fn remove(database: &Database, game: GameId, before: Instant) -> Result<bool, StoreError> {
    let game = uuid(game.as_bytes());
    let mut connection = database.connection().await.map_err(StatementError::into_write_error)?;
    let work = async {
        let transaction = connection.transaction().await?;
        let delete = "DELETE FROM games WHERE id = $1 AND status >= 2 AND since < $2";
        if transaction.execute(delete, &[&game, &before.0]).await? == 0 {
            return Ok(false);
        }
        // Kept snapshots are deleted with the row in `games` (ON DELETE CASCADE).
        for table in ["steps WHERE game", "snapshots WHERE game", "members WHERE game", "commands WHERE scope"] {
            transaction.execute(&format!("DELETE FROM {table} = $1"), &[&game]).await?;
        }
        transaction.commit().await?;
        Ok(true)
    };
    let result = database.within(work).await;
    put_back(connection, result).map_err(StatementError::into_write_error)
}

#[async_trait]
impl PlayerStore for PostgresStore {
    async fn create_player(&self, player: Player, family: Family) -> Result<Written, StoreError> {
        accounts::create_player(&self.database, &player, &family).await
    }

    async fn update_player(&self, player: Player) -> Result<Written, StoreError> {
        accounts::replace_player(&self.database, &player, None).await
    }

    async fn delete_player(&self, player: Player, revocation: Option<Revocation>) -> Result<Written, StoreError> {
        accounts::replace_player(&self.database, &player, revocation.as_ref()).await
    }

    async fn admit_player(&self, newcomer: Player) -> Result<Player, StoreError> {
        accounts::admit_player(&self.database, &newcomer).await
    }

    async fn player(&self, id: PlayerId) -> Result<Option<Player>, StoreError> {
        Ok(accounts::players(&self.database, &[id]).await?.pop())
    }

    async fn players(&self, ids: &[PlayerId]) -> Result<Vec<Player>, StoreError> {
        accounts::players(&self.database, ids).await
    }

    async fn player_by_username(&self, username: &str) -> Result<Option<Player>, StoreError> {
        accounts::by_username(&self.database, username).await
    }

    async fn player_by_subject(&self, subject: &Subject) -> Result<Option<Player>, StoreError> {
        accounts::by_subject(&self.database, subject).await
    }

    async fn create_family(&self, family: Family) -> Result<(), StoreError> {
        accounts::create_family(&self.database, &family).await
    }

    async fn family(&self, id: FamilyId) -> Result<Option<Family>, StoreError> {
        accounts::family(&self.database, id).await
    }

    async fn session(
        &self,
        player: PlayerId,
        family: FamilyId,
    ) -> Result<(Option<Player>, Option<Family>), StoreError> {
        accounts::session(&self.database, player, family).await
    }

    async fn time(&self) -> Result<Option<Instant>, StoreError> {
        accounts::time(&self.database).await
    }

    async fn rotate_family(&self, family: Family) -> Result<Written, StoreError> {
        accounts::rotate_family(&self.database, &family).await
    }

    async fn revoke_family(&self, id: FamilyId) -> Result<(), StoreError> {
        accounts::revoke_family(&self.database, id).await
    }

    async fn revoke_tokens(&self, revocation: Revocation) -> Result<(), StoreError> {
        accounts::revoke_tokens(&self.database, &revocation).await
    }

    async fn is_revoked(&self, marks: &[Sha256Digest], issued_at: Instant) -> Result<bool, StoreError> {
        accounts::is_revoked(&self.database, marks, issued_at).await
    }

    async fn remove_ended_sign_ins(
        &self,
        now: Instant,
        from: Option<Cursor>,
        limit: usize,
    ) -> Result<Swept, StoreError> {
        sweep::remove_ended_sign_ins(&self.database, now, from, limit).await
    }

    async fn remove_expired_revocations(
        &self,
        now: Instant,
        _from: Option<Cursor>,
        limit: usize,
    ) -> Result<Swept, StoreError> {
        sweep::remove_expired_revocations(&self.database, now, limit).await
    }

    async fn remove_idle_guests(
        &self,
        created_before: Instant,
        from: Option<Cursor>,
        limit: usize,
    ) -> Result<Swept, StoreError> {
        sweep::remove_idle_guests(&self.database, created_before, from, limit).await
    }

    fn is_shared(&self) -> bool {
        true
    }
}
