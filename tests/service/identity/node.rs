//! A node with a clock that tests can turn.

use crate::identity::store::TestStore;
use axum::http::{HeaderMap, HeaderValue, header::AUTHORIZATION};
use ludotheque::auth::{AuthError, Caller, Identity, Keys, Secret, Settings, real_time};
use ludotheque::ids::FamilyId;
use ludotheque::players::{PlayerError, Players, Tokens};
use ludotheque::quota::Client;
use ludotheque::rules::Instant;
use std::{
    path::Path,
    sync::{
        Arc,
        atomic::{AtomicI64, Ordering},
    },
    time::Duration,
};
use tempfile::TempDir;

pub(crate) struct Node {
    pub(crate) players: Arc<Players>,
    pub(crate) identity: Arc<Identity>,
    pub(crate) keys: Arc<Keys>,
    pub(crate) store: Arc<TestStore>,
    settings: Settings,
    ahead: Arc<AtomicI64>,
    data: Arc<TempDir>,
}

impl Node {
    pub(crate) async fn new() -> Self {
        Self::with(Settings::default()).await
    }

    pub(crate) async fn with(settings: Settings) -> Self {
        let data = tempfile::tempdir().unwrap();
        let store = Arc::new(TestStore::open(data.path()).await);
        Self::on(store, settings, Arc::default(), Arc::new(data))
    }

    /// A node with other settings on the same data.
    pub(crate) fn restarted_with(&self, settings: Settings) -> Self {
        Self::on(self.store.clone(), settings, self.ahead.clone(), self.data.clone())
    }

    fn on(store: Arc<TestStore>, settings: Settings, ahead: Arc<AtomicI64>, data: Arc<TempDir>) -> Self {
        let keys = Arc::new(Keys::open(data.path()).unwrap());
        let clock = ahead.clone();
        let now = Arc::new(move || Instant(real_time().0 + clock.load(Ordering::Relaxed)));
        let identity = Arc::new(Identity::new(keys.clone(), store.clone(), settings.clone(), now));
        let players = Arc::new(Players::new(store.clone(), identity.clone()));
        Self { players, identity, keys, store, settings, ahead, data }
    }

    /// What another node with the same keys and store makes of tokens; its clock is the real one.
    pub(crate) fn twin(&self) -> Identity {
        self.twin_with(self.settings.clone())
    }

    pub(crate) fn twin_with(&self, settings: Settings) -> Identity {
        let keys = Arc::new(Keys::open(self.data.path()).unwrap());
        Identity::new(keys, self.store.clone(), settings, Arc::new(real_time))
    }

    /// The same with other signing keys.
    pub(crate) fn twin_with_keys(&self, keys: Keys) -> Identity {
        Identity::new(Arc::new(keys), self.store.clone(), self.settings.clone(), Arc::new(real_time))
    }

    pub(crate) fn data(&self) -> &Path {
        self.data.path()
    }

    pub(crate) fn passes(&self, time: Duration) {
        self.ahead.fetch_add(i64::try_from(time.as_millis()).unwrap(), Ordering::Relaxed);
    }

    /// The time in whole seconds, as tokens tell it.
    pub(crate) fn now(&self) -> i64 {
        self.identity.now().0 / 1000
    }

    pub(crate) async fn guest(&self) -> Tokens {
        self.players.register_guest("Ada", &Client::default()).await.unwrap()
    }

    pub(crate) async fn refresh(&self, tokens: &Tokens) -> Result<Tokens, PlayerError> {
        self.refresh_under(tokens, None).await
    }

    /// Refreshes under an idempotency key.
    pub(crate) async fn refresh_under(&self, tokens: &Tokens, key: Option<&str>) -> Result<Tokens, PlayerError> {
        self.players.refresh(&tokens.refresh_token, key).await
    }

    pub(crate) async fn who(&self, token: &Secret) -> Result<Option<Caller>, AuthError> {
        self.identity.authenticate(&bearer(token.expose()), None).await
    }

    pub(crate) async fn caller(&self, tokens: &Tokens) -> Caller {
        self.who(&tokens.access_token).await.unwrap().expect("a token was sent")
    }

    pub(crate) async fn family(&self, tokens: &Tokens) -> FamilyId {
        self.caller(tokens).await.session.family().expect("a sign-in of ours")
    }
}

pub(crate) fn bearer(token: &str) -> HeaderMap {
    HeaderMap::from_iter([(AUTHORIZATION, HeaderValue::from_str(&format!("Bearer {token}")).unwrap())])
}

pub(crate) fn is_bad(answer: &Result<Option<Caller>, AuthError>) -> bool {
    matches!(answer, Err(AuthError::BadToken))
}
