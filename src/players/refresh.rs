//! Refresh-token rotation. A token is the id of a session (token family) and 256 secret bits; the store has only a
//! hash.
//!
//! The first token of a family is random. Each further one is an HMAC of a random salt, keyed by its predecessor. The
//! store contains the salt but no token: neither the store alone nor an old token alone gives a valid token away.
//! Together they give the successor, so that [`RefreshToken::repeated_successor`] can answer a retry with the token
//! whose response was lost, on any node, even if the signing keys have changed.

use super::ports::{Family, Succession};
use crate::auth::{Secret, after, sha256};
use crate::ids::FamilyId;
use crate::rules::Instant;
use aws_lc_rs::constant_time::verify_slices_are_equal;
use aws_lc_rs::hmac;
use base64::{Engine, prelude::BASE64_URL_SAFE_NO_PAD};
use std::time::Duration;

/// Makes the token recognisable to people and to secret scanners.
const PREFIX: &str = "refresh_";
const ID_LENGTH: usize = 16;
const LENGTH: usize = ID_LENGTH + 32;

/// How long a used token can be exchanged again, for the same successor.
const RETRY_WINDOW: Duration = Duration::from_mins(1);
/// The same under the same idempotency key, which an attacker who found the token does not know.
const RETRY_WINDOW_WITH_KEY: Duration = Duration::from_hours(24);

/// One token of a family.
pub(super) struct RefreshToken([u8; LENGTH]);

impl RefreshToken {
    pub(super) fn new(family: FamilyId) -> Self {
        Self::with_secret(family, &random())
    }

    fn with_secret(family: FamilyId, secret: &[u8; 32]) -> Self {
        let mut bytes = [0; LENGTH];
        let (id, rest) = bytes.split_at_mut(ID_LENGTH);
        id.copy_from_slice(family.as_bytes());
        rest.copy_from_slice(secret);
        Self(bytes)
    }

    /// Starts an exchange with a new salt, with or without an idempotency key.
    pub(super) fn succession(&self, at: Instant, key: Option<&str>) -> Succession {
        Succession { at, salt: random(), key_tag: key.map(|key| self.key_tag(key)) }
    }

    /// The token that replaces this one.
    pub(super) fn successor(&self, succession: &Succession) -> Self {
        Self::with_secret(self.family(), &self.derive(b"successor", &succession.salt))
    }

    /// The family's newest token, if this one is exchanged again as a retry: the newest token is this one's successor
    /// and was never used, and the exchange was within a minute, or within a day under the same idempotency key.
    pub(super) fn repeated_successor(&self, family: &Family, key: Option<&str>, now: Instant) -> Option<Self> {
        let succession = family.succession.as_ref()?;
        let successor = self.successor(succession);
        let within = |window| now < after(succession.at, window);
        let same_key = || match (&succession.key_tag, key) {
            (Some(tag), Some(key)) => verify_slices_are_equal(&self.key_tag(key), tag).is_ok(),
            _ => false,
        };
        let is_retry = within(RETRY_WINDOW) || within(RETRY_WINDOW_WITH_KEY) && same_key();
        (successor.has_hash(&family.token_hash) && is_retry).then_some(successor)
    }

    fn key_tag(&self, key: &str) -> [u8; 32] {
        self.derive(b"idempotency key", key.as_bytes())
    }

    /// HMAC-SHA-256 of a text, keyed by the token. `purpose` separates the uses of the same key.
    fn derive(&self, purpose: &[u8], text: &[u8]) -> [u8; 32] {
        let mut hmac = hmac::Context::with_key(&hmac::Key::new(hmac::HMAC_SHA256, &self.0));
        for part in [purpose, &[0], text] {
            hmac.update(part);
        }
        hmac.sign().as_ref().try_into().expect("HMAC-SHA-256 gives 32 bytes")
    }

    pub(super) fn parse(text: &str) -> Option<Self> {
        let encoded = text.strip_prefix(PREFIX)?;
        let bytes = BASE64_URL_SAFE_NO_PAD.decode(encoded).ok()?;
        bytes.try_into().ok().map(Self)
    }

    pub(super) fn family(&self) -> FamilyId {
        FamilyId::from_bytes(*self.0.first_chunk().expect("a token starts with an id"))
    }

    pub(super) fn hash(&self) -> [u8; 32] {
        sha256(&self.0)
    }

    pub(super) fn has_hash(&self, hash: &[u8; 32]) -> bool {
        verify_slices_are_equal(&self.hash(), hash).is_ok()
    }

    /// The token as the client gets it.
    pub(super) fn text(&self) -> Secret {
        Secret::new(format!("{PREFIX}{}", BASE64_URL_SAFE_NO_PAD.encode(self.0)))
    }
}

fn random() -> [u8; 32] {
    let mut bytes = [0; 32];
    aws_lc_rs::rand::fill(&mut bytes).expect("the system has randomness");
    bytes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_token_is_read_back_from_its_text() {
        let family = FamilyId::new();
        let token = RefreshToken::new(family);
        let text = token.text();
        assert_eq!(text.expose().len(), PREFIX.len() + 64);
        let read = RefreshToken::parse(text.expose()).expect("our own text");
        assert_eq!(read.family(), family);
        assert!(read.has_hash(&token.hash()));
    }

    #[test]
    fn two_tokens_of_a_family_differ() {
        let family = FamilyId::new();
        assert!(!RefreshToken::new(family).has_hash(&RefreshToken::new(family).hash()));
    }

    #[test]
    fn a_successor_is_made_again_from_its_predecessor_and_the_stored_salt_only() {
        let token = RefreshToken::new(FamilyId::new());
        let succession = token.succession(Instant(0), None);
        let successor = token.successor(&succession);
        assert!(successor.has_hash(&token.successor(&succession).hash()));
        assert_eq!(successor.family(), token.family());
        let other_salt = token.succession(Instant(0), None);
        assert!(!successor.has_hash(&token.successor(&other_salt).hash()));
        let other_token = RefreshToken::new(token.family());
        assert!(!successor.has_hash(&other_token.successor(&succession).hash()));
        assert!(!successor.has_hash(&token.hash()));
    }

    #[test]
    fn no_other_text_is_a_token() {
        let text = RefreshToken::new(FamilyId::new()).text().expose().to_owned();
        for other in [&text[1..], &text[..text.len() - 1], &format!("{text}A"), "", PREFIX, "refresh_é"] {
            assert!(RefreshToken::parse(other).is_none(), "{other}");
        }
    }
}
