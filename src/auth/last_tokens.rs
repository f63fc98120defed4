//! Per-connection cache of verified tokens: most clients send the same token with every request.
//!
//! It remembers that a signature was verified, for as long as the cache of all connections does. A hit needs no hash,
//! and no lock that other connections wait for. Expiry, whether the signing key is still trusted, and whether the
//! session is still valid are checked on every use.

use super::MAX_TOKEN_LENGTH;
use super::identity::Verified;
use std::mem;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Two players may share a connection, for example from two tabs of a browser.
const CAPACITY: usize = 2;

/// The tokens of one connection.
#[derive(Default)]
pub struct LastTokens(Mutex<Tokens>);

#[derive(Default)]
struct Tokens {
    /// Whether a token was seen before. The first is not cached: many connections send one request, then listen for
    /// hours, and should take no memory for it meanwhile.
    has_seen_one: bool,
    /// Newest first.
    entries: [Option<KnownToken>; CAPACITY],
}

/// An `Authorization` header and the token verified from it.
type KnownToken = (Box<[u8]>, Arc<Verified>);

impl LastTokens {
    pub(super) fn find(&self, authorization: &[u8]) -> Option<Arc<Verified>> {
        let tokens = self.lock();
        let (_, verified) = tokens.entries.iter().flatten().find(|(known, _)| **known == *authorization)?;
        Some(verified.clone())
    }

    pub(super) fn insert(&self, authorization: &[u8], verified: &Arc<Verified>) {
        let mut tokens = self.lock();
        // Spaces may make a header much longer than its token.
        if mem::replace(&mut tokens.has_seen_one, true) && authorization.len() <= MAX_TOKEN_LENGTH {
            tokens.entries.rotate_right(1);
            tokens.entries[0] = Some((authorization.into(), verified.clone()));
        }
    }

    /// A poisoned lock is safe to use: no panic leaves the value half updated.
    fn lock(&self) -> MutexGuard<'_, Tokens> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::super::identity::SessionCheck;
    use super::super::{Caller, Session};
    use super::*;
    use crate::ids::{FamilyId, PlayerId};
    use crate::rules::Instant;

    fn somebody() -> Arc<Verified> {
        let (player, session, expires_at) = (PlayerId::new(), Session::Family(FamilyId::new()), Instant(0));
        let caller = Caller { player, session, expires_at };
        Arc::new(Verified {
            caller,
            until: Instant(0),
            kid: String::new(),
            issuer: None,
            session_check: SessionCheck::default(),
        })
    }

    #[test]
    fn all_tokens_but_the_first_are_kept_until_others_come() {
        let (tokens, somebody) = (LastTokens::default(), somebody());
        let knows = |text: &str| tokens.find(text.as_bytes()).is_some_and(|found| Arc::ptr_eq(&found, &somebody));
        tokens.insert(b"first", &somebody);
        assert!(!knows("first"));
        for (text, known) in [("one", ["one", "one"]), ("other", ["one", "other"]), ("third", ["other", "third"])] {
            tokens.insert(text.as_bytes(), &somebody);
            assert!(known.into_iter().all(knows), "{text}");
        }
        assert!(!["one", "othe", "others", ""].into_iter().any(knows));
    }

    #[test]
    fn a_header_that_is_longer_than_any_token_is_not_kept() {
        let tokens = LastTokens::default();
        for length in [1, MAX_TOKEN_LENGTH, MAX_TOKEN_LENGTH + 1] {
            tokens.insert(&vec![b' '; length], &somebody());
        }
        assert!(tokens.find(&[b' '; MAX_TOKEN_LENGTH]).is_some());
        assert!(tokens.find(&[b' '; MAX_TOKEN_LENGTH + 1]).is_none());
    }
}
