//! Authenticates callers: verifies their tokens and checks that their sessions were not revoked.
//!
//! Two caches stand in front of the expensive steps:
//!
//! - Verified tokens, by their SHA-256: a signature is verified once per token. Expiry, and whether the signing key is
//!   still trusted, are checked on every use.
//! - Session checks: the store is asked at most once per `SESSION_TTL` whether a session is still valid. A revocation
//!   on this node takes effect at once, because every revocation makes the last checks of all tokens stale.
//!
//! If other nodes write to the store, every request asks it, so that a revocation there takes effect at once too. Only
//! streams, which check with every event, accept an answer that is up to `SESSION_TTL` old.

use super::caller::{Caller, Proven, Session, Who};
use super::claims::{AccessTokens, Settings};
use super::clock_watch::ClockWatch;
use super::issuers::{Claimed, Issuer, Issuers, LONGEST_LIFETIME, log_refusal};
use super::{AuthError, Keys, LEEWAY, MAX_TOKEN_LENGTH, Now, Secret, after, sha256};
use crate::games::ports::StoreError;
use crate::ids::{FamilyId, PlayerId};
use crate::players::ports::{Player, PlayerStore, Revocation, Sha256Digest, Subject};
use crate::rules::Instant;
use jsonwebtoken::jwk::JwkSet;
use jsonwebtoken::{TokenData, dangerous::insecure_decode};
use moka::sync::Cache;
use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, AtomicU64, Ordering};
use std::time::Duration;
use tokio_util::sync::CancellationToken;

/// How long a session check is reused. It is a little less than the interval between two checks of a quiet stream, so
/// that each of them asks the store: on a shared store, another node may have revoked the session.
const SESSION_TTL: Duration = Duration::from_secs(4);

/// Poll interval of the signing keys: a change is noticed within this time.
const KEY_RELOAD_INTERVAL: Duration = Duration::from_secs(5);

/// Entries in each of the two caches: some 10 MB each at most.
const CACHE_CAPACITY: u64 = 50_000;

#[derive(Clone, Debug)]
pub struct AccessToken {
    pub token: Secret,
    pub expires_in: Duration,
}

/// Issues access tokens and authenticates callers.
pub struct Identity {
    tokens: AccessTokens,
    issuers: Issuers,
    store: Arc<dyn PlayerStore>,
    /// Verified tokens, by SHA-256. Only valid tokens are inserted, so that a flood of forged ones evicts nothing.
    verified: Cache<Sha256Digest, Arc<Verified>>,
    /// Whether a session is still valid.
    sessions: Cache<SessionKey, bool>,
    /// Number of revocations on this node.
    revocations: AtomicU64,
    /// Part of every key of `sessions`; incrementing it invalidates all entries.
    cache_generation: AtomicU64,
    clock_watch: ClockWatch,
}

/// Session, player, and the cache generation at the time when the store was asked. Answers from before the last
/// invalidation have an older generation, so they are never found again.
type SessionKey = (Session, PlayerId, u64);

/// A verified token, and the key that its validity depends on.
pub(super) struct Verified {
    pub(super) caller: Caller,
    /// Until when the verification may be reused.
    pub(super) until: Instant,
    pub(super) kid: String,
    /// The issuer whose key it is; None for our own keys.
    pub(super) issuer: Option<Arc<Issuer>>,
    pub(super) session_check: SessionCheck,
}

/// The last time that a token's session was found valid.
#[derive(Default)]
pub(super) struct SessionCheck {
    checked_at: AtomicI64,
    /// `revocations + 1` when the session was last checked; 0 means never checked.
    revocations: AtomicU64,
}

impl SessionCheck {
    /// Whether nothing was revoked on this node since the last check, and that is less than `SESSION_TTL` ago. A clock
    /// that was set back makes a check stale.
    fn is_fresh(&self, revocations: u64, now: Instant) -> bool {
        let fresh_age = 0..i64::try_from(SESSION_TTL.as_millis()).unwrap_or(0);
        self.revocations.load(Ordering::Acquire) == revocations + 1
            && fresh_age.contains(&now.0.saturating_sub(self.checked_at.load(Ordering::Relaxed)))
    }

    fn record(&self, revocations: u64, now: Instant) {
        self.checked_at.store(now.0, Ordering::Relaxed);
        self.revocations.store(revocations + 1, Ordering::Release);
    }
}

impl Verified {
    /// Logs that a token of another issuer, which was verified before, is refused now.
    fn log_invalidation(&self, refused: &AuthError) {
        if let (Some(issuer), AuthError::BadToken) = (&self.issuer, refused) {
            log_refusal(issuer.name(), Some(&self.kid), &NO_LONGER_VALID);
        }
    }
}

/// Log reason for a token of another issuer whose signature is good.
const NO_LONGER_VALID: &str = "it has expired, was signed out, or its account was deleted";

impl Identity {
    pub fn new(keys: Arc<Keys>, store: Arc<dyn PlayerStore>, settings: Settings, now: Now) -> Self {
        let verified = Cache::builder().max_capacity(CACHE_CAPACITY).time_to_live(settings.lifetime).build();
        let sessions = Cache::builder().max_capacity(CACHE_CAPACITY).time_to_live(SESSION_TTL).build();
        let issuers = Issuers::new(&settings.issuers);
        let (revocations, cache_generation) = (AtomicU64::new(0), AtomicU64::new(0));
        let (tokens, clock_watch) = (AccessTokens::new(keys, settings, now), ClockWatch::default());
        Self { tokens, issuers, store, verified, sessions, revocations, cache_generation, clock_watch }
    }

    pub fn issue(&self, player: PlayerId, family: FamilyId) -> AccessToken {
        AccessToken { token: self.tokens.issue(player, family), expires_in: self.tokens.settings.lifetime }
    }

    /// When a refresh token issued now expires if it is not used.
    pub fn refresh_until(&self) -> Instant {
        after(self.now(), self.tokens.settings.refresh_lifetime)
    }

    /// Verifies a token and checks its session.
    pub async fn authenticate_token(&self, token: &str) -> Result<Caller, AuthError> {
        let verified = self.verify(token).await?;
        self.admit_verified(&verified, self.now()).await
    }

    /// Checks the expiry and the session of a verified token.
    pub(super) async fn admit_verified(&self, verified: &Verified, now: Instant) -> Result<Caller, AuthError> {
        let caller = verified.caller;
        // Read before the store is asked: a revocation that comes in while it answers makes this check stale.
        let revocations = self.revocations.load(Ordering::Acquire);
        if !self.store.is_shared() && verified.session_check.is_fresh(revocations, now) {
            check_expiry(caller.expires_at, now).inspect_err(|refused| verified.log_invalidation(refused))?;
        } else {
            self.admit(&caller).await.inspect_err(|refused| verified.log_invalidation(refused))?;
            verified.session_check.record(revocations, self.now());
        }
        Ok(caller)
    }

    /// Checks that a caller may make a request: not expired, and not revoked on any node.
    pub async fn admit(&self, caller: &Caller) -> Result<(), AuthError> {
        if !self.store.is_shared() {
            return self.check(caller).await;
        }
        check_expiry(caller.expires_at, self.now())?;
        let key = self.session_key(caller.session, caller.player);
        let is_valid = Box::pin(self.ask_store(caller)).await?;
        // A revocation may have cached `false` since the store answered, so `true` must not overwrite an entry. `false`
        // may: a revoked session never becomes valid again.
        if is_valid {
            self.sessions.entry(key).or_insert(true);
        } else {
            self.sessions.insert(key, false);
        }
        if is_valid { Ok(()) } else { Err(AuthError::BadToken) }
    }

    /// Checks that the caller of a stream may stay: not expired, and not revoked. On a shared store, a revocation by
    /// another node may be noticed up to `SESSION_TTL` late.
    pub async fn check(&self, caller: &Caller) -> Result<(), AuthError> {
        check_expiry(caller.expires_at, self.now())?;
        if self.has_valid_session(caller).await? { Ok(()) } else { Err(AuthError::BadToken) }
    }

    /// Revokes a caller's session, at once on this node: the refresh token and all access tokens of a session of ours,
    /// or else the one token.
    pub async fn revoke(self: &Arc<Self>, caller: &Caller) -> Result<(), StoreError> {
        match caller.session {
            Session::Family(family) => self.revoke_family(family, caller.player).await,
            Session::Token { token, issued_at, .. } => {
                let needed_until = after(caller.expires_at, LEEWAY);
                let revocation = Revocation { mark: token, issued_until: issued_at, needed_until };
                let (this, caller) = (Arc::clone(self), *caller);
                spawn_uncancellable(async move {
                    this.store.revoke_tokens(revocation).await?;
                    this.mark_revoked(caller.session, caller.player);
                    Ok(())
                })
                .await
            }
        }
    }

    pub async fn revoke_family(self: &Arc<Self>, family: FamilyId, player: PlayerId) -> Result<(), StoreError> {
        let this = Arc::clone(self);
        spawn_uncancellable(async move {
            this.store.revoke_family(family).await?;
            this.mark_revoked(Session::Family(family), player);
            Ok(())
        })
        .await
    }

    /// Number of revocations on this node: while it is unchanged, a session that was found valid still is. None on a
    /// shared store, where other nodes revoke sessions too.
    pub fn revocations(&self) -> Option<u64> {
        (!self.store.is_shared()).then(|| self.revocations.load(Ordering::Acquire))
    }

    /// Makes a revocation take effect at once on this node.
    fn mark_revoked(&self, session: Session, player: PlayerId) {
        self.sessions.insert(self.session_key(session, player), false);
        self.revocations.fetch_add(1, Ordering::Release);
    }

    /// A revocation of all tokens about a subject that any node accepts now. A node accepts tokens dated up to one
    /// leeway ahead of its clock, and another node's clock may be one leeway ahead of ours: hence twice the leeway.
    pub fn revocation_of(&self, subject: &Subject) -> Revocation {
        let issued_until = after(self.now(), 2 * LEEWAY);
        let needed_until = after(issued_until, LONGEST_LIFETIME + LEEWAY);
        Revocation { mark: subject.mark(), issued_until, needed_until }
    }

    /// Whether a player may have a password here, and so sessions of ours. For a player of another issuer, that
    /// issuer's `allowPasswords` decides.
    pub fn allows_password(&self, player: &Player) -> bool {
        player.subject.as_ref().is_none_or(|Subject { issuer, .. }| {
            *issuer == self.tokens.settings.issuer
                || self.issuers.find(issuer).is_some_and(|issuer| issuer.allows_passwords())
        })
    }

    /// Invalidates all cached session checks on this node: a deleted account or a new password has ended sessions.
    pub fn invalidate_sessions(&self) {
        self.cache_generation.fetch_add(1, Ordering::AcqRel);
        self.revocations.fetch_add(1, Ordering::Release);
    }

    fn session_key(&self, session: Session, player: PlayerId) -> SessionKey {
        (session, player, self.cache_generation.load(Ordering::Acquire))
    }

    /// The public keys, for services that verify our tokens.
    pub fn jwks(&self) -> JwkSet {
        self.tokens.keys.jwks()
    }

    pub fn now(&self) -> Instant {
        (self.tokens.now)()
    }

    /// Refreshes keys periodically until the server closes.
    pub async fn keep_refreshing(self: Arc<Self>, closing: CancellationToken) {
        while closing.run_until_cancelled(self.refresh()).await.is_some() {
            let _ = closing.run_until_cancelled(tokio::time::sleep(KEY_RELOAD_INTERVAL)).await;
        }
    }

    /// How far this node's clock was ahead of the shared store's at the last comparison, in milliseconds.
    pub fn clock_ahead(&self) -> Option<i64> {
        self.clock_watch.ahead()
    }

    /// Reloads our own keys if they changed, and other issuers' keys and the clock comparison if they are due.
    pub async fn refresh(&self) {
        let keys = self.tokens.keys.clone();
        if let Ok(Err(error)) = tokio::task::spawn_blocking(move || keys.reload()).await {
            tracing::warn!(%error, "failed to reload the signing keys; the previous ones stay in use");
        }
        self.issuers.refresh(self.now()).await;
        // Last, because a store that hangs must not delay the keys.
        self.clock_watch.compare_if_due(&*self.store, &self.tokens.now).await;
    }

    /// Verifies a token without checking its session; cached if it was verified lately.
    pub(super) async fn verify(&self, token: &str) -> Result<Arc<Verified>, AuthError> {
        // Before hashing, so that a long text costs nothing.
        if token.len() > MAX_TOKEN_LENGTH {
            return Err(AuthError::BadToken);
        }
        let mark = sha256(token.as_bytes());
        if let Some(verified) = self.verified.get(&mark)
            && self.trusts_key_of(&verified)
        {
            return Ok(verified);
        }
        // Boxed: see docs/performance.md.
        Box::pin(self.verify_uncached(token, mark)).await
    }

    /// Verifies a token that is not cached.
    async fn verify_uncached(&self, token: &str, mark: Sha256Digest) -> Result<Arc<Verified>, AuthError> {
        let TokenData { header, claims: Claimed { iss } } = insecure_decode(token).map_err(|_| AuthError::BadToken)?;
        let log = |reason: &dyn fmt::Display| log_refusal(&iss, header.kid.as_deref(), reason);
        let (proven, issuer) = if iss == self.tokens.settings.issuer {
            (self.tokens.verify(token, &header)?, None)
        } else {
            match self.issuers.verify(token, &header, &iss, self.now()).await? {
                Ok((proven, issuer)) => (proven, Some(issuer)),
                Err(rejection) => {
                    log(&rejection);
                    return Err(AuthError::BadToken);
                }
            }
        };
        let Proven { who, kid, expires_at } = proven;
        check_expiry(expires_at, self.now())?;
        let (player, session) = self.resolve_player(who, mark).await.inspect_err(|refused| {
            if issuer.is_some() && matches!(refused, AuthError::BadToken) {
                log(&NO_LONGER_VALID);
            }
        })?;
        let caller = Caller { player, session, expires_at };
        let until = after(self.now(), self.tokens.settings.lifetime);
        let verified = Arc::new(Verified { caller, until, kid, issuer, session_check: SessionCheck::default() });
        self.verified.insert(mark, verified.clone());
        Ok(verified)
    }

    /// Whether an earlier verification may be reused.
    pub(super) fn is_still_verified(&self, verified: &Verified, now: Instant) -> bool {
        now < verified.until && self.trusts_key_of(verified)
    }

    fn trusts_key_of(&self, verified: &Verified) -> bool {
        match &verified.issuer {
            Some(issuer) => issuer.has(&verified.kid),
            None => self.tokens.keys.find(&verified.kid).is_some(),
        }
    }

    /// The player that a token identifies. A user of another issuer becomes a player when first seen.
    async fn resolve_player(&self, who: Who, token: Sha256Digest) -> Result<(PlayerId, Session), AuthError> {
        match who {
            Who::SignedIn { player, family } => Ok((player, Session::Family(family))),
            Who::Player { player, issued_at } => Ok((player, Session::Token { token, subject: None, issued_at })),
            Who::Subject { subject, name, issued_at } => {
                let mark = subject.mark();
                let session = Session::Token { token, subject: Some(mark), issued_at };
                if let Some(player) = self.store.player_by_subject(&subject).await? {
                    return Ok((player.id, session));
                }
                // A revoked token must not recreate a player whose account was deleted.
                if self.store.is_revoked(&[token, mark], issued_at).await? {
                    return Err(AuthError::BadToken);
                }
                let newcomer = Player::newcomer(subject, name.as_deref(), self.now());
                Ok((self.store.admit_player(newcomer).await?.id, session))
            }
        }
    }

    async fn has_valid_session(&self, caller: &Caller) -> Result<bool, StoreError> {
        let key = self.session_key(caller.session, caller.player);
        if let Some(is_valid) = self.sessions.get(&key) {
            return Ok(is_valid);
        }
        let is_valid = Box::pin(self.ask_store(caller)).await?;
        // A revocation may have cached `false` since the store answered, which is newer than `is_valid`.
        Ok(self.sessions.entry(key).or_insert(is_valid).into_value())
    }

    /// Asks the store whether a caller's session is valid.
    async fn ask_store(&self, caller: &Caller) -> Result<bool, StoreError> {
        Ok(match caller.session {
            Session::Family(id) => {
                let (player, family) = self.store.session(caller.player, id).await?;
                let session = player.zip(family);
                session.is_some_and(|(player, family)| player.accepts_session(&family) && self.allows_password(&player))
            }
            Session::Token { token, subject, issued_at } => {
                let player = self.store.player(caller.player).await?;
                let marks: Vec<_> = subject.into_iter().chain([token]).collect();
                player.is_some_and(|player| !player.deleted) && !self.store.is_revoked(&marks, issued_at).await?
            }
        })
    }
}

fn check_expiry(expires_at: Instant, now: Instant) -> Result<(), AuthError> {
    if now < after(expires_at, LEEWAY) { Ok(()) } else { Err(AuthError::BadToken) }
}

/// Runs a write, and the update of the caches after it, to the end even if the request is cancelled. Cancelling drops
/// the request's future while it waits for the store, but the store still completes the write.
pub(crate) async fn spawn_uncancellable<T: Send + 'static>(
    work: impl Future<Output = Result<T, StoreError>> + Send + 'static,
) -> Result<T, StoreError> {
    tokio::spawn(work).await.unwrap_or_else(|error| Err(StoreError::Unknown(error.to_string())))
}
