//! Refresh tokens: opaque to clients, 256 random bits behind the id of their sign-in, kept as a hash only.

use crate::auth::{Secret, sha256};
use crate::ids::FamilyId;
use aws_lc_rs::constant_time::verify_slices_are_equal;
use base64::{Engine, prelude::BASE64_URL_SAFE_NO_PAD};

/// Makes the token recognisable to people and to scanners for leaked secrets.
const PREFIX: &str = "refresh_";
const ID_LENGTH: usize = 16;
const LENGTH: usize = ID_LENGTH + 32;

/// One link in the chain of a sign-in.
pub(super) struct RefreshToken([u8; LENGTH]);

impl RefreshToken {
    pub(super) fn new(family: FamilyId) -> Self {
        let mut bytes = [0; LENGTH];
        let (id, random) = bytes.split_at_mut(ID_LENGTH);
        id.copy_from_slice(family.as_bytes());
        aws_lc_rs::rand::fill(random).expect("the system has randomness");
        Self(bytes)
    }

    pub(super) fn parse(text: &str) -> Option<Self> {
        let encoded = text.strip_prefix(PREFIX)?;
        let bytes = BASE64_URL_SAFE_NO_PAD.decode(encoded).ok()?;
        bytes.try_into().ok().map(Self)
    }

    pub(super) fn family(&self) -> FamilyId {
        FamilyId::from_bytes(*self.0.first_chunk().expect("a token starts with an id"))
    }

    /// What the store keeps of it.
    pub(super) fn hash(&self) -> [u8; 32] {
        sha256(&self.0)
    }

    pub(super) fn has_hash(&self, hash: &[u8; 32]) -> bool {
        verify_slices_are_equal(&self.hash(), hash).is_ok()
    }

    /// What the client keeps of it.
    pub(super) fn text(&self) -> Secret {
        Secret::new(format!("{PREFIX}{}", BASE64_URL_SAFE_NO_PAD.encode(self.0)))
    }
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
    fn no_other_text_is_a_token() {
        let text = RefreshToken::new(FamilyId::new()).text().expose().to_owned();
        for other in [&text[1..], &text[..text.len() - 1], &format!("{text}A"), "", PREFIX, "refresh_é"] {
            assert!(RefreshToken::parse(other).is_none(), "{other}");
        }
    }
}
