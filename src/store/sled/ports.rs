//! Implements the ports of the use cases by queueing writes and reading trees.

use super::commit::write;
use super::keys::IdleIndex;
use super::sweep::{self, SweepTarget};
use super::trees::{Tree, Trees};
use super::{SledStore, keys, list, read};
use crate::games::ports::{
    Append, Appended, Cursor, Done, Head, ListQuery, Scope, Status, Store, StoreError, Stored, Swept, Usage,
};
use crate::games::step::Step;
use crate::ids::{FamilyId, GameId, PlayerId};
use crate::players::ports::{Family, Player, PlayerStore, Revocation, Sha256Digest, Subject, Written};
use crate::rules::Instant;
use async_trait::async_trait;
use futures::future::BoxFuture;
use std::collections::BTreeSet;

#[async_trait]
impl Store for SledStore {
    fn append(&self, append: Append) -> BoxFuture<'static, Result<Appended, StoreError>> {
        let game_epoch = (append.game, append.epoch);
        let encoded = write::EncodedStep::new(append);
        self.write(move |context| write::append(context, game_epoch, &encoded)).into_future()
    }

    async fn load(&self, game: GameId) -> Result<Option<Stored>, StoreError> {
        self.read_inline(move |trees| read::load(trees, game)).await
    }

    async fn load_at(&self, game: GameId, version: u64) -> Result<Option<Stored>, StoreError> {
        self.read(move |trees| read::load_at(trees, game, version)).await
    }

    async fn steps(&self, game: GameId, after: u64, limit: usize) -> Result<Vec<Step>, StoreError> {
        self.read(move |trees| read::steps(trees, game, after, limit)).await
    }

    async fn command(&self, scope: Scope, key: &str, now: Instant) -> Result<Option<Done>, StoreError> {
        let key = key.to_owned();
        self.read(move |trees| read::command(trees, scope, &key, now)).await
    }

    async fn list(&self, mut query: ListQuery) -> Result<Vec<(GameId, Head)>, StoreError> {
        let mut found = Vec::new();
        loop {
            let page = query.clone();
            let mut slice = self.read(move |trees| list::slice(trees, &page)).await?;
            query.limit -= slice.found.len();
            found.append(&mut slice.found);
            match slice.next {
                Some(last) => query.before = Some(last),
                None => return Ok(found),
            }
        }
    }

    async fn count_games(&self, player: PlayerId, status: Status, most: usize) -> Result<usize, StoreError> {
        let (mut games, mut last) = (0, None);
        loop {
            let (after, left) = (last, most - games);
            let count = move |trees: &Trees| list::count(trees, (player, status), after.as_ref(), left);
            let (rows, next) = self.read_inline(count).await?;
            games += rows;
            if next.is_none() || games == most {
                return Ok(games);
            }
            last = next;
        }
    }

    async fn head(&self, game: GameId) -> Result<Option<Head>, StoreError> {
        self.read(move |trees| read::head(trees, game)).await
    }

    async fn idle_lobbies(&self, before: Instant, limit: usize) -> Result<Vec<GameId>, StoreError> {
        self.read(move |trees| read::idle_games(trees, IdleIndex::Lobby, before, limit)).await
    }

    async fn games_over(&self, before: Instant, limit: usize) -> Result<Vec<GameId>, StoreError> {
        self.read(move |trees| read::idle_games(trees, IdleIndex::Over, before, limit)).await
    }

    async fn abandoned_games(
        &self,
        before: Instant,
        from: Option<Cursor>,
        limit: usize,
    ) -> Result<(Vec<GameId>, Option<Cursor>), StoreError> {
        self.read(move |trees| sweep::abandoned(trees, before, from, limit)).await
    }

    async fn remove_expired_commands(
        &self,
        now: Instant,
        from: Option<Cursor>,
        limit: usize,
    ) -> Result<Swept, StoreError> {
        self.sweep(SweepTarget::Command { now }, from, limit).await
    }

    async fn remove(&self, game: GameId, before: Instant) -> Result<bool, StoreError> {
        let commands = self.read(move |trees| read::commands_of(trees, game)).await?;
        self.write(move |context| write::remove(context.tx, game, before, &commands)).into_future().await
    }

    async fn game_of_invite(&self, code: &str) -> Result<Option<GameId>, StoreError> {
        let code = code.to_owned();
        self.read(move |trees| read::game_of_invite(trees, &code)).await
    }

    async fn health(&self) -> Result<(), StoreError> {
        // Every commit writes its number, so a job without changes is a real write too.
        self.write(|_| Ok(())).into_future().await
    }

    async fn usage(&self) -> Result<Usage, StoreError> {
        let shared = self.shared()?;
        let reading = tokio::task::spawn_blocking(move || shared.disk_space.usage(&shared.trees)).await;
        reading.map_err(|error| StoreError::Corrupt(format!("reading failed: {error}")))?
    }
}

#[async_trait]
impl PlayerStore for SledStore {
    async fn create_player(&self, player: Player, family: Family) -> Result<Written, StoreError> {
        self.write(move |context| write::create_player(context.tx, &player, &family)).into_future().await
    }

    async fn update_player(&self, player: Player) -> Result<Written, StoreError> {
        self.write(move |context| write::update_player(context.tx, &player)).into_future().await
    }

    async fn delete_player(&self, player: Player, revocation: Option<Revocation>) -> Result<Written, StoreError> {
        self.write_regardless(move |context| write::delete_player(context.tx, &player, revocation.as_ref()))
            .into_future()
            .await
    }

    async fn admit_player(&self, newcomer: Player) -> Result<Player, StoreError> {
        self.write_regardless(move |context| write::admit_player(context.tx, &newcomer)).into_future().await
    }

    async fn player(&self, id: PlayerId) -> Result<Option<Player>, StoreError> {
        self.read_inline(move |trees| read::player(trees, id)).await
    }

    async fn players(&self, ids: &[PlayerId]) -> Result<Vec<Player>, StoreError> {
        let ids: BTreeSet<_> = ids.iter().copied().collect();
        self.read_inline(move |trees| ids.iter().filter_map(|id| read::player(trees, *id).transpose()).collect()).await
    }

    async fn player_by_username(&self, username: &str) -> Result<Option<Player>, StoreError> {
        let key = keys::username(username);
        self.read(move |trees| read::player_by_name(trees, &key)).await
    }

    async fn player_by_subject(&self, subject: &Subject) -> Result<Option<Player>, StoreError> {
        let key = keys::subject(subject);
        self.read(move |trees| read::player_by_name(trees, &key)).await
    }

    async fn create_family(&self, family: Family) -> Result<(), StoreError> {
        self.write(move |context| write::create_family(context.tx, &family)).into_future().await
    }

    async fn family(&self, id: FamilyId) -> Result<Option<Family>, StoreError> {
        self.read(move |trees| trees.get(Tree::Accounts, keys::family(id))).await
    }

    async fn rotate_family(&self, family: Family) -> Result<Written, StoreError> {
        self.write(move |context| write::rotate_family(context.tx, &family)).into_future().await
    }

    async fn revoke_family(&self, id: FamilyId) -> Result<(), StoreError> {
        self.write(move |context| write::revoke_family(context.tx, id)).into_future().await
    }
    async fn revoke_tokens(&self, revocation: Revocation) -> Result<(), StoreError> {
        self.write_regardless(move |context| write::revoke_tokens(context.tx, &revocation)).into_future().await
    }

    async fn is_revoked(&self, marks: &[Sha256Digest], issued_at: Instant) -> Result<bool, StoreError> {
        let marks = marks.to_vec();
        self.read(move |trees| read::is_revoked(trees, &marks, issued_at)).await
    }

    async fn remove_ended_sign_ins(
        &self,
        now: Instant,
        from: Option<Cursor>,
        limit: usize,
    ) -> Result<Swept, StoreError> {
        self.sweep(SweepTarget::SignIn { now }, from, limit).await
    }

    async fn remove_expired_revocations(
        &self,
        now: Instant,
        from: Option<Cursor>,
        limit: usize,
    ) -> Result<Swept, StoreError> {
        self.sweep(SweepTarget::Revocation { now }, from, limit).await
    }

    async fn remove_idle_guests(
        &self,
        created_before: Instant,
        from: Option<Cursor>,
        limit: usize,
    ) -> Result<Swept, StoreError> {
        self.sweep(SweepTarget::Guest { created_before }, from, limit).await
    }
}
