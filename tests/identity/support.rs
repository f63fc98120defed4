//! A node with a clock that tests can turn.

use crate::memory::Memory;
use axum::http::{HeaderMap, HeaderValue, header::AUTHORIZATION};
use ludotheque::auth::{Caller, Identity, Keys, Refused, Secret, Settings, real_time};
use ludotheque::players::{PlayerError, Players, Tokens};
use ludotheque::rules::Instant;
use std::{
    path::PathBuf,
    sync::{
        Arc,
        atomic::{AtomicI64, Ordering},
    },
    time::Duration,
};
use tempfile::TempDir;

pub(crate) struct Node {
    pub(crate) players: Players,
    pub(crate) identity: Arc<Identity>,
    pub(crate) keys: Arc<Keys>,
    pub(crate) store: Arc<Memory>,
    ahead: Arc<AtomicI64>,
    data: TempDir,
}

impl Node {
    pub(crate) fn new() -> Self {
        let store = Arc::new(Memory::default());
        let data = tempfile::tempdir().unwrap();
        let keys = Arc::new(Keys::open(data.path()).unwrap());
        let ahead = Arc::new(AtomicI64::new(0));
        let clock = ahead.clone();
        let now = Arc::new(move || Instant(real_time().0 + clock.load(Ordering::Relaxed)));
        let identity = Arc::new(Identity::new(keys.clone(), store.clone(), Settings::default(), now));
        let players = Players::new(store.clone(), identity.clone());
        Self { players, identity, keys, store, ahead, data }
    }

    /// What another node with the same keys and store makes of tokens; its clock is the real one.
    pub(crate) fn twin(&self) -> Identity {
        let keys = Arc::new(Keys::open(self.data.path()).unwrap());
        Identity::new(keys, self.store.clone(), Settings::default(), Arc::new(real_time))
    }

    pub(crate) fn passes(&self, time: Duration) {
        self.ahead.fetch_add(i64::try_from(time.as_millis()).unwrap(), Ordering::Relaxed);
    }

    pub(crate) async fn guest(&self) -> Tokens {
        self.players.register_guest("Ada").await.unwrap()
    }

    pub(crate) async fn refresh(&self, tokens: &Tokens) -> Result<Tokens, PlayerError> {
        self.players.refresh(&tokens.refresh_token).await
    }

    pub(crate) async fn who(&self, token: &Secret) -> Result<Option<Caller>, Refused> {
        self.identity.authenticate(&bearer(token.expose())).await
    }

    pub(crate) async fn caller(&self, tokens: &Tokens) -> Caller {
        self.who(&tokens.access_token).await.unwrap().expect("a token was sent")
    }

    /// The files that hold the signing keys, oldest first.
    pub(crate) fn key_files(&self) -> Vec<PathBuf> {
        let folder = std::fs::read_dir(self.data.path().join("keys")).unwrap();
        let mut files: Vec<_> = folder.map(|entry| entry.unwrap().path()).collect();
        files.sort();
        files
    }
}

pub(crate) fn bearer(token: &str) -> HeaderMap {
    HeaderMap::from_iter([(AUTHORIZATION, HeaderValue::from_str(&format!("Bearer {token}")).unwrap())])
}

pub(crate) fn is_bad(answer: &Result<Option<Caller>, Refused>) -> bool {
    matches!(answer, Err(Refused::BadToken))
}
