//! A store, whose answers can be made to fail, or to come late.

use async_trait::async_trait;
use ludotheque::games::ports::{Cursor, StoreError, Swept};
use ludotheque::ids::{FamilyId, PlayerId};
use ludotheque::players::ports::{Family, Player, PlayerStore, Revocation, Sha256Digest, Subject, Written};
use ludotheque::rules::Instant;
use std::{
    path::Path,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
};
use test_support::TestedStore;
use tokio::sync::{Mutex, Notify};

pub(crate) struct TestStore {
    inner: Arc<dyn PlayerStore>,
    /// Set it to have every call fail.
    pub(crate) broken: AtomicBool,
    /// Lock it to hold back what was read of sign-ins, and the time, until it is unlocked.
    pub(crate) late: Mutex<()>,
    /// Told when something that was read is being held back.
    pub(crate) held_back: Notify,
    /// Lock it to hold back the answers to writes, which are in the store by then, until it is unlocked.
    pub(crate) late_writes: Mutex<()>,
    /// Told when the answer to a write is being held back.
    pub(crate) is_written: Notify,
    /// What the store's own clock says, if it has one.
    pub(crate) time: std::sync::Mutex<Option<Instant>>,
}

impl TestStore {
    pub(crate) async fn open(data: &Path) -> Self {
        let inner = TestedStore::open(data).await.players();
        Self {
            inner,
            broken: AtomicBool::new(false),
            late: Mutex::new(()),
            held_back: Notify::new(),
            late_writes: Mutex::new(()),
            is_written: Notify::new(),
            time: std::sync::Mutex::default(),
        }
    }

    async fn hold_back(&self) {
        if self.late.try_lock().is_err() {
            self.held_back.notify_one();
            drop(self.late.lock().await);
        }
    }

    /// Holds back the answer to a write.
    async fn written<T>(&self, answer: T) -> T {
        if self.late_writes.try_lock().is_err() {
            self.is_written.notify_one();
            drop(self.late_writes.lock().await);
        }
        answer
    }

    fn inner(&self) -> Result<&dyn PlayerStore, StoreError> {
        if self.broken.load(Ordering::Relaxed) {
            return Err(StoreError::Unavailable("broken on purpose".into()));
        }
        Ok(&*self.inner)
    }
}

#[async_trait]
impl PlayerStore for TestStore {
    async fn create_player(&self, player: Player, family: Family) -> Result<Written, StoreError> {
        self.inner()?.create_player(player, family).await
    }

    async fn update_player(&self, player: Player) -> Result<Written, StoreError> {
        let answer = self.inner()?.update_player(player).await;
        self.written(answer).await
    }

    async fn delete_player(&self, gone: Player, ended: Option<Revocation>) -> Result<Written, StoreError> {
        let answer = self.inner()?.delete_player(gone, ended).await;
        self.written(answer).await
    }

    async fn admit_player(&self, newcomer: Player) -> Result<Player, StoreError> {
        self.inner()?.admit_player(newcomer).await
    }

    async fn player(&self, id: PlayerId) -> Result<Option<Player>, StoreError> {
        self.inner()?.player(id).await
    }

    async fn players(&self, ids: &[PlayerId]) -> Result<Vec<Player>, StoreError> {
        self.inner()?.players(ids).await
    }

    async fn player_by_username(&self, username: &str) -> Result<Option<Player>, StoreError> {
        self.inner()?.player_by_username(username).await
    }

    async fn player_by_subject(&self, subject: &Subject) -> Result<Option<Player>, StoreError> {
        self.inner()?.player_by_subject(subject).await
    }

    async fn create_family(&self, family: Family) -> Result<(), StoreError> {
        self.inner()?.create_family(family).await
    }

    async fn family(&self, id: FamilyId) -> Result<Option<Family>, StoreError> {
        let family = self.inner()?.family(id).await;
        self.hold_back().await;
        family
    }

    async fn time(&self) -> Result<Option<Instant>, StoreError> {
        self.hold_back().await;
        Ok(*self.time.lock().unwrap())
    }

    async fn rotate_family(&self, family: Family) -> Result<Written, StoreError> {
        self.inner()?.rotate_family(family).await
    }

    async fn revoke_family(&self, id: FamilyId) -> Result<(), StoreError> {
        let answer = self.inner()?.revoke_family(id).await;
        self.written(answer).await
    }

    async fn revoke_tokens(&self, revocation: Revocation) -> Result<(), StoreError> {
        self.inner()?.revoke_tokens(revocation).await
    }

    async fn is_revoked(&self, marks: &[Sha256Digest], issued_at: Instant) -> Result<bool, StoreError> {
        self.inner()?.is_revoked(marks, issued_at).await
    }

    async fn remove_ended_sign_ins(
        &self,
        now: Instant,
        from: Option<Cursor>,
        limit: usize,
    ) -> Result<Swept, StoreError> {
        self.inner()?.remove_ended_sign_ins(now, from, limit).await
    }

    async fn remove_expired_revocations(
        &self,
        now: Instant,
        from: Option<Cursor>,
        limit: usize,
    ) -> Result<Swept, StoreError> {
        self.inner()?.remove_expired_revocations(now, from, limit).await
    }

    async fn remove_idle_guests(
        &self,
        created_before: Instant,
        from: Option<Cursor>,
        limit: usize,
    ) -> Result<Swept, StoreError> {
        self.inner()?.remove_idle_guests(created_before, from, limit).await
    }
}
