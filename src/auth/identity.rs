//! Turns a token into the player who calls, quickly and without believing it longer than it deserves.
//!
//! Two caches stand before the costly questions. A signature is verified once per token and remembered under the
//! token's hash; expiry, and whether its key is still trusted, is looked at on every use. Whether the sign-in still
//! stands is asked of the store at most every few seconds: a sign-out on this node is seen at once, because every answer
//! that is remembered with a token is forgotten with the next sign-out, whosever it is. A store that other
//! nodes write to is asked for every request, so that a sign-out there is seen at once too; only streams, which ask with
//! every step they tell, make do with an answer that is a few seconds old.

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

/// How long it is believed that a sign-in stands, where another node may end it: a little less than passes between two
/// looks of a quiet stream, so that each of them asks anew.
const BELIEVED_FOR: Duration = Duration::from_secs(4);

/// How long a change of the signing keys may stay unnoticed.
const KEYS_NOTICED_AFTER: Duration = Duration::from_secs(5);

/// How many tokens and sign-ins are remembered: some 10 MB of each at most.
const REMEMBERED: u64 = 50_000;

/// An access token, fresh from the press.
#[derive(Clone, Debug)]
pub struct AccessToken {
    pub token: Secret,
    pub expires_in: Duration,
}

/// Issues access tokens and tells whose they are.
pub struct Identity {
    tokens: AccessTokens,
    issuers: Issuers,
    store: Arc<dyn PlayerStore>,
    /// What a token proved when it was first seen, by its SHA-256. Only tokens that passed are here, so that a flood of
    /// forged ones displaces nothing.
    verified: Cache<Sha256Digest, Arc<Verified>>,
    /// Whether what stands behind a player's token still does.
    sessions: Cache<SessionKey, bool>,
    /// Counts what was ended on this node.
    revocations: AtomicU64,
    /// Counts how often nothing that was known of sign-ins could be believed any more.
    cache_generation: AtomicU64,
    clock_watch: ClockWatch,
}

/// What stands behind a player's token, after so many doubts: an answer to a question that was asked before the last of
/// them is never found again.
type SessionKey = (Session, PlayerId, u64);

/// A token that passed, and the key that its passing depends on.
pub(super) struct Verified {
    pub(super) caller: Caller,
    /// Until when it is remembered that it passed.
    pub(super) until: Instant,
    pub(super) kid: String,
    /// Whose key it is; ours if nobody's.
    pub(super) issuer: Option<Arc<Issuer>>,
    pub(super) session_check: SessionCheck,
}

/// When what stands behind a token was last found standing.
#[derive(Default)]
pub(super) struct SessionCheck {
    at: AtomicI64,
    /// How many things had been ended on this node by then; one more, so that nothing is like nothing yet.
    after: AtomicU64,
}

impl SessionCheck {
    /// Whether nothing was ended since, and it is not long ago.
    fn is_fresh(&self, revocations: u64, now: Instant) -> bool {
        let lately = 0..i64::try_from(BELIEVED_FOR.as_millis()).unwrap_or(0);
        self.after.load(Ordering::Acquire) == revocations + 1
            && lately.contains(&now.0.saturating_sub(self.at.load(Ordering::Relaxed)))
    }

    fn note(&self, revocations: u64, now: Instant) {
        self.at.store(now.0, Ordering::Relaxed);
        self.after.store(revocations + 1, Ordering::Release);
    }
}

impl Verified {
    /// Says in the log that a token which was good is refused now, if another issuer made it.
    fn note_end(&self, refused: &AuthError) {
        if let (Some(issuer), AuthError::BadToken) = (&self.issuer, refused) {
            log_refusal(issuer.name(), Some(&self.kid), &ENDED);
        }
    }
}

/// Why a token is refused that an issuer's key has signed and that was good once.
const ENDED: &str = "it has expired since, was signed out, or its account was deleted";

impl Identity {
    pub fn new(keys: Arc<Keys>, store: Arc<dyn PlayerStore>, settings: Settings, now: Now) -> Self {
        let verified = Cache::builder().max_capacity(REMEMBERED).time_to_live(settings.lifetime).build();
        let sessions = Cache::builder().max_capacity(REMEMBERED).time_to_live(BELIEVED_FOR).build();
        let issuers = Issuers::new(&settings.issuers);
        let (revocations, cache_generation) = (AtomicU64::new(0), AtomicU64::new(0));
        let (tokens, clock_watch) = (AccessTokens::new(keys, settings, now), ClockWatch::default());
        Self { tokens, issuers, store, verified, sessions, revocations, cache_generation, clock_watch }
    }

    pub fn issue(&self, player: PlayerId, family: FamilyId) -> AccessToken {
        AccessToken { token: self.tokens.issue(player, family), expires_in: self.tokens.settings.lifetime }
    }

    /// When a refresh token that is made now expires, unless it is used before.
    pub fn refresh_until(&self) -> Instant {
        after(self.now(), self.tokens.settings.refresh_lifetime)
    }

    /// Whose token it is, if it is good and what stands behind it still does.
    pub async fn authenticate_token(&self, token: &str) -> Result<Caller, AuthError> {
        let verified = self.verify(token).await?;
        self.admit_verified(&verified, self.now()).await
    }

    /// Whose token it is that passed, if it has not expired and what stands behind it still does.
    pub(super) async fn admit_verified(&self, verified: &Verified, now: Instant) -> Result<Caller, AuthError> {
        let caller = verified.caller;
        // Before the store is asked: what is ended while it answers counts as ended since.
        let revocations = self.revocations.load(Ordering::Acquire);
        if !self.store.is_shared() && verified.session_check.is_fresh(revocations, now) {
            check_expiry(caller.expires_at, now).inspect_err(|refused| verified.note_end(refused))?;
        } else {
            self.admit(&caller).await.inspect_err(|refused| verified.note_end(refused))?;
            verified.session_check.note(revocations, self.now());
        }
        Ok(caller)
    }

    /// Whether somebody may ask for something: not expired, and not signed out on whichever node.
    pub async fn admit(&self, caller: &Caller) -> Result<(), AuthError> {
        if !self.store.is_shared() {
            return self.check(caller).await;
        }
        check_expiry(caller.expires_at, self.now())?;
        let key = self.session_key(caller.session, caller.player);
        let stands = Box::pin(self.ask(caller)).await?;
        // As below, what a sign-out left is newer; what was ended stays so.
        if stands {
            self.sessions.entry(key).or_insert(true);
        } else {
            self.sessions.insert(key, false);
        }
        if stands { Ok(()) } else { Err(AuthError::BadToken) }
    }

    /// Whether a caller who was let in may stay: not expired, not signed out. Streams ask now and then.
    pub async fn check(&self, caller: &Caller) -> Result<(), AuthError> {
        check_expiry(caller.expires_at, self.now())?;
        if self.stands(caller).await? { Ok(()) } else { Err(AuthError::BadToken) }
    }

    /// Ends what stands behind a caller's token, at once on this node: a sign-in with its refresh token and all its
    /// access tokens, or the one token.
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

    /// Ends a sign-in of a player's.
    pub async fn revoke_family(self: &Arc<Self>, family: FamilyId, player: PlayerId) -> Result<(), StoreError> {
        let this = Arc::clone(self);
        spawn_uncancellable(async move {
            this.store.revoke_family(family).await?;
            this.mark_revoked(Session::Family(family), player);
            Ok(())
        })
        .await
    }

    /// How much was ended on this node: who was signed in stays so while it is the same. Nothing where other nodes end
    /// sign-ins too.
    pub fn revocations(&self) -> Option<u64> {
        (!self.store.is_shared()).then(|| self.revocations.load(Ordering::Acquire))
    }

    /// Makes sure that what was ended is noticed at once on this node.
    fn mark_revoked(&self, session: Session, player: PlayerId) {
        self.sessions.insert(self.session_key(session, player), false);
        self.revocations.fetch_add(1, Ordering::Release);
    }

    /// What ends every token about somebody that may be accepted by now. A node takes tokens that are dated ahead of its
    /// clock by the leeway, and another node's clock may be ahead of ours by as much.
    pub fn revocation_of(&self, subject: &Subject) -> Revocation {
        let issued_until = after(self.now(), 2 * LEEWAY);
        let needed_until = after(issued_until, LONGEST_LIFETIME + LEEWAY);
        Revocation { mark: subject.mark(), issued_until, needed_until }
    }

    /// Whether a player may have a password of ours, and sign-ins that follow from it. One whom another issuer vouches for
    /// stays that issuer's, unless its entry says otherwise.
    pub fn allows_password(&self, player: &Player) -> bool {
        player.subject.as_ref().is_none_or(|Subject { issuer, .. }| {
            *issuer == self.tokens.settings.issuer
                || self.issuers.find(issuer).is_some_and(|issuer| issuer.allows_passwords())
        })
    }

    /// Makes sure that a deleted account, or a new password, is noticed at once on this node: sign-ins ended with it.
    pub fn note_revocations(&self) {
        self.cache_generation.fetch_add(1, Ordering::AcqRel);
        self.revocations.fetch_add(1, Ordering::Release);
    }

    /// Under which an answer is remembered to a question that is asked now.
    fn session_key(&self, session: Session, player: PlayerId) -> SessionKey {
        (session, player, self.cache_generation.load(Ordering::Acquire))
    }

    /// The public keys, for whoever wants to check our tokens.
    pub fn jwks(&self) -> JwkSet {
        self.tokens.keys.jwks()
    }

    /// The real time, as tokens count it.
    pub fn now(&self) -> Instant {
        (self.tokens.now)()
    }

    /// Looks after the keys until the server closes.
    pub async fn keep_refreshing(self: Arc<Self>, closing: CancellationToken) {
        while closing.run_until_cancelled(self.refresh()).await.is_some() {
            let _ = closing.run_until_cancelled(tokio::time::sleep(KEYS_NOTICED_AFTER)).await;
        }
    }

    /// How far this node's clock is ahead of that of the store that nodes share, in milliseconds, when they were last
    /// compared.
    pub fn clock_ahead(&self) -> Option<i64> {
        self.clock_watch.ahead()
    }

    /// Reads what has changed, or is due: our own keys, those of other issuers, and the time.
    pub async fn refresh(&self) {
        let keys = self.tokens.keys.clone();
        if let Ok(Err(error)) = tokio::task::spawn_blocking(move || keys.reload()).await {
            tracing::warn!(%error, "the signing keys could not be read again; going on as before");
        }
        self.issuers.refresh(self.now()).await;
        // Last, since a store that hangs must not keep keys from being read.
        self.clock_watch.look(&*self.store, &self.tokens.now).await;
    }

    /// What a token proves by itself; from the cache, if it passed lately.
    pub(super) async fn verify(&self, token: &str) -> Result<Arc<Verified>, AuthError> {
        // Before it is hashed, so that a long text costs nothing.
        if token.len() > MAX_TOKEN_LENGTH {
            return Err(AuthError::BadToken);
        }
        let mark = sha256(token.as_bytes());
        if let Some(verified) = self.verified.get(&mark)
            && self.trusts(&verified)
        {
            return Ok(verified);
        }
        // In a box, like all that is seldom waited for: no request that needs none of it shall carry it along.
        Box::pin(self.verify_anew(token, mark)).await
    }

    /// Of a token that was not seen before, or not lately.
    async fn verify_anew(&self, token: &str, mark: Sha256Digest) -> Result<Arc<Verified>, AuthError> {
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
        let (player, session) = self.recognise(who, mark).await.inspect_err(|refused| {
            if issuer.is_some() && matches!(refused, AuthError::BadToken) {
                log(&ENDED);
            }
        })?;
        let caller = Caller { player, session, expires_at };
        let until = after(self.now(), self.tokens.settings.lifetime);
        let verified = Arc::new(Verified { caller, until, kid, issuer, session_check: SessionCheck::default() });
        self.verified.insert(mark, verified.clone());
        Ok(verified)
    }

    /// Whether a token that passed need not be verified again.
    pub(super) fn still_passes(&self, verified: &Verified, now: Instant) -> bool {
        now < verified.until && self.trusts(verified)
    }

    fn trusts(&self, verified: &Verified) -> bool {
        match &verified.issuer {
            Some(issuer) => issuer.has(&verified.kid),
            None => self.tokens.keys.find(&verified.kid).is_some(),
        }
    }

    /// The player whom a token is about.
    async fn recognise(&self, who: Who, token: Sha256Digest) -> Result<(PlayerId, Session), AuthError> {
        match who {
            Who::SignedIn { player, family } => Ok((player, Session::Family(family))),
            Who::Player { player, issued_at } => Ok((player, Session::Token { token, subject: None, issued_at })),
            Who::Subject { subject, name, issued_at } => {
                let mark = subject.mark();
                let session = Session::Token { token, subject: Some(mark), issued_at };
                if let Some(player) = self.store.player_by_subject(&subject).await? {
                    return Ok((player.id, session));
                }
                // An ended token must not bring back, as a new player, somebody whose account was deleted.
                if self.store.is_revoked(&[token, mark], issued_at).await? {
                    return Err(AuthError::BadToken);
                }
                let newcomer = Player::newcomer(subject, name.as_deref(), self.now());
                Ok((self.store.admit_player(newcomer).await?.id, session))
            }
        }
    }

    async fn stands(&self, caller: &Caller) -> Result<bool, StoreError> {
        let key = self.session_key(caller.session, caller.player);
        if let Some(stands) = self.sessions.get(&key) {
            return Ok(stands);
        }
        let stands = Box::pin(self.ask(caller)).await?;
        // A sign-out may have come in since the store answered: what it left in the cache is newer than `stands`.
        Ok(self.sessions.entry(key).or_insert(stands).into_value())
    }

    /// Whether what stands behind a caller's token does, as the store has it.
    async fn ask(&self, caller: &Caller) -> Result<bool, StoreError> {
        Ok(match caller.session {
            Session::Family(id) => {
                let (player, family) = self.store.session(caller.player, id).await?;
                let session = player.zip(family);
                session.is_some_and(|(player, family)| player.stands_by(&family) && self.allows_password(&player))
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

/// Carries something out whatever becomes of whoever asked for it. A request that is given up half-way is dropped where it
/// waits; what it had sent to the store is written all the same, and has to be noted here.
pub(crate) async fn spawn_uncancellable<T: Send + 'static>(
    work: impl Future<Output = Result<T, StoreError>> + Send + 'static,
) -> Result<T, StoreError> {
    tokio::spawn(work).await.unwrap_or_else(|error| Err(StoreError::Unknown(error.to_string())))
}
