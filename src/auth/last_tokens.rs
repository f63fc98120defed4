//! The tokens that came over one connection last, verified already: most clients send the same with every request.
//!
//! As in the cache of all connections, what a signature proved is remembered, and for as long. Finding a token here takes
//! no hash, and no lock that others wait for. Whether it has expired since, whether its key is still trusted and whether
//! what stands behind it still does is asked on every use all the same.

use super::MAX_TOKEN_LENGTH;
use super::identity::Verified;
use std::mem;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Two players may share a connection, such as those of a browser's two tabs.
const KEPT: usize = 2;

/// The tokens of one connection.
#[derive(Default)]
pub struct LastTokens(Mutex<Tokens>);

#[derive(Default)]
struct Tokens {
    /// Whether there was one yet. The first is not kept: many connections ask once, then listen for hours, and should take
    /// no memory for it meanwhile.
    any: bool,
    /// What `Authorization` said, and whose token that is; the newest first.
    kept: [Option<KnownToken>; KEPT],
}

/// An `Authorization` header and what it proved.
type KnownToken = (Box<[u8]>, Arc<Verified>);

impl LastTokens {
    pub(super) fn find(&self, authorization: &[u8]) -> Option<Arc<Verified>> {
        let tokens = self.lock();
        let (_, verified) = tokens.kept.iter().flatten().find(|(known, _)| **known == *authorization)?;
        Some(verified.clone())
    }

    pub(super) fn keep(&self, authorization: &[u8], verified: &Arc<Verified>) {
        let mut tokens = self.lock();
        // Spaces may make a header much longer than its token.
        if mem::replace(&mut tokens.any, true) && authorization.len() <= MAX_TOKEN_LENGTH {
            tokens.kept.rotate_right(1);
            tokens.kept[0] = Some((authorization.into(), verified.clone()));
        }
    }

    /// Nothing behind this lock is left half done, even by a panic.
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
        Arc::new(Verified { caller, until: Instant(0), kid: String::new(), issuer: None, session_check: SessionCheck::default() })
    }

    #[test]
    fn all_tokens_but_the_first_are_kept_until_others_come() {
        let (tokens, somebody) = (LastTokens::default(), somebody());
        let knows = |text: &str| tokens.find(text.as_bytes()).is_some_and(|found| Arc::ptr_eq(&found, &somebody));
        tokens.keep(b"first", &somebody);
        assert!(!knows("first"));
        for (text, known) in [("one", ["one", "one"]), ("other", ["one", "other"]), ("third", ["other", "third"])] {
            tokens.keep(text.as_bytes(), &somebody);
            assert!(known.into_iter().all(knows), "{text}");
        }
        assert!(!["one", "othe", "others", ""].into_iter().any(knows));
    }

    #[test]
    fn a_header_that_is_longer_than_any_token_is_not_kept() {
        let tokens = LastTokens::default();
        for length in [1, MAX_TOKEN_LENGTH, MAX_TOKEN_LENGTH + 1] {
            tokens.keep(&vec![b' '; length], &somebody());
        }
        assert!(tokens.find(&[b' '; MAX_TOKEN_LENGTH]).is_some());
        assert!(tokens.find(&[b' '; MAX_TOKEN_LENGTH + 1]).is_none());
    }
}
