//! Signing keys for access tokens and their rotation: Ed25519, stored in a [`folder`] that only the owner can read or
//! in another [`Vault`], or [`configured`] by the environment.
//!
//! In a vault, key ids (`kid`) grow with time: the newest key signs, and all others still verify what they signed. To
//! retire a key, remove it once the last token that it signed has expired. A running server notices both by polling the
//! ids ([`Keys::reload`]). In a vault that several nodes share, a new key waits until all nodes know it before it
//! signs.

mod configured;
mod folder;
mod vault;

pub use folder::folder_of;
pub use vault::Vault;

use super::{Secret, after, real_time};
use crate::rules::Instant;
use aws_lc_rs::{
    rand::SystemRandom,
    signature::{Ed25519KeyPair, KeyPair},
};
use folder::Folder;
use jsonwebtoken::jwk::{Jwk, JwkSet, PublicKeyUse};
use jsonwebtoken::{Algorithm, DecodingKey, EncodingKey, Header};
use std::{
    io,
    path::{Path, PathBuf},
    sync::{Arc, PoisonError, RwLock},
    time::Duration,
};
use uuid::Uuid;

/// The only algorithm of our keys (RFC 8725: pinned to the key, never taken from a token).
pub(super) const ALGORITHM: Algorithm = Algorithm::EdDSA;

/// Why an operation on the signing keys failed.
#[derive(Debug, thiserror::Error)]
pub enum KeyError {
    #[error("{}: {error}", path.display())]
    Io { path: PathBuf, error: io::Error },
    #[error(
        "{}: other users can read it. If nobody else has read it, run `chmod go= {}`; otherwise remove it",
        path.display(),
        path.display()
    )]
    TooOpen { path: PathBuf },
    #[error("{}: not an Ed25519 key in PKCS#8 form", path.display())]
    NotAKey { path: PathBuf },
    #[error("signing key number {0} is neither an Ed25519 key in PKCS#8 form, in base64, nor the path of a file")]
    NotGiven(usize),
    #[error("the signing keys come from the environment: change them there")]
    Given,
    #[error("{0}: it contains no keys any more")]
    Empty(String),
    #[error("{vault}: {kid} is not an Ed25519 key in PKCS#8 form")]
    Damaged { vault: String, kid: String },
    #[error("the signing keys are unavailable: {0}")]
    Unavailable(String),
    #[error("there is no key {0}")]
    Unknown(String),
    #[error("key {0} is the one that signs: rotate first, then remove it once its tokens have expired")]
    Signing(String),
}

pub struct Keys {
    /// None if the keys come from the environment.
    vault: Option<Box<dyn Vault>>,
    /// The newest is last. Never empty.
    ring: RwLock<Vec<Arc<Key>>>,
}

pub(super) struct Key {
    pub kid: String,
    pub encoding: EncodingKey,
    pub decoding: DecodingKey,
}

/// Public information about a key.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KeyInfo {
    pub kid: String,
    /// When it was made, if its id contains the time.
    pub made_at: Option<Instant>,
    /// Whether it signs new tokens.
    pub signs: bool,
}

impl Keys {
    /// Reads the keys in the `keys` folder of the data, and creates the first one if there is none. Blocks.
    pub fn open(data: &Path) -> Result<Self, KeyError> {
        Self::in_vault(Box::new(Folder::open(data)?))
    }

    /// Reads the keys in a vault, and creates the first one if there is none. Blocks.
    pub fn in_vault(vault: Box<dyn Vault>) -> Result<Self, KeyError> {
        let mut ring = read(&*vault)?;
        if ring.is_empty() {
            let (kid, pkcs8) = new_key();
            vault.add_first(&kid, &pkcs8)?;
            ring = read(&*vault)?;
        }
        if ring.is_empty() {
            return Err(KeyError::Empty(vault.name()));
        }
        Ok(Self { vault: Some(vault), ring: RwLock::new(ring) })
    }

    /// The keys from the environment, of which the first signs. Reads no vault. Blocks.
    pub fn given(keys: &[Secret]) -> Result<Self, KeyError> {
        let ring = keys.iter().enumerate().rev().map(|(index, key)| configured::read(index + 1, key).map(Arc::new));
        let ring: Vec<_> = ring.collect::<Result<_, _>>()?;
        if ring.is_empty() { Err(KeyError::NotGiven(1)) } else { Ok(Self { vault: None, ring: RwLock::new(ring) }) }
    }

    /// Creates a new key and returns its id. It signs at once, or after the vault's [`grace`](Vault::grace). Blocks
    /// until the key is durable.
    pub fn rotate(&self) -> Result<String, KeyError> {
        let vault = self.vault()?;
        let (kid, pkcs8) = new_key();
        let key = key(vault, &kid, &pkcs8)?;
        vault.add(&kid, &pkcs8)?;
        self.ring.write().unwrap_or_else(PoisonError::into_inner).push(key);
        Ok(kid)
    }

    /// Removes a key, which invalidates all tokens it signed. Fails for the key that signs. Blocks until it is durable.
    pub fn remove(&self, kid: &str) -> Result<(), KeyError> {
        let vault = self.vault()?;
        if self.signing_key().kid == kid {
            return Err(KeyError::Signing(kid.to_owned()));
        }
        // Only an id that was read from the vault is removed: no text from outside becomes part of a path.
        let key = self.find(kid).ok_or_else(|| KeyError::Unknown(kid.to_owned()))?;
        vault.remove(&key.kid)?;
        self.ring.write().unwrap_or_else(PoisonError::into_inner).retain(|other| other.kid != key.kid);
        Ok(())
    }

    /// Reads the vault again if the ids have changed; after an error the keys stay as they were. Blocks.
    pub fn reload(&self) -> Result<(), KeyError> {
        let Ok(vault) = self.vault() else { return Ok(()) };
        let known: Vec<_> = self.list().into_iter().rev().map(|key| key.kid).collect();
        if vault.kids()? == known {
            return Ok(());
        }
        let ring = read(vault)?;
        let Some(newest) = ring.last() else { return Err(KeyError::Empty(vault.name())) };
        tracing::info!(keys = ring.len(), newest = newest.kid, "the signing keys were reloaded");
        *self.ring.write().unwrap_or_else(PoisonError::into_inner) = ring;
        Ok(())
    }

    /// All keys, newest first.
    pub fn list(&self) -> Vec<KeyInfo> {
        let signing = self.signing_key().kid.clone();
        let ring = self.ring.read().unwrap_or_else(PoisonError::into_inner);
        let listed =
            |key: &Arc<Key>| KeyInfo { kid: key.kid.clone(), made_at: made_at(&key.kid), signs: key.kid == signing };
        ring.iter().rev().map(listed).collect()
    }

    /// The public keys as a JWKS, newest first, for services that verify our tokens (RFC 7517, RFC 8037).
    pub fn jwks(&self) -> JwkSet {
        let ring = self.ring.read().unwrap_or_else(PoisonError::into_inner);
        JwkSet { keys: ring.iter().rev().map(|key| key.jwk()).collect() }
    }

    /// The key that signs: the newest one that all nodes have had time to notice, or else the oldest.
    pub(super) fn signing_key(&self) -> Arc<Key> {
        let ring = self.ring.read().unwrap_or_else(PoisonError::into_inner);
        let grace = self.vault.as_ref().map_or(Duration::ZERO, |vault| vault.grace());
        let known_to_all = |key: &&Arc<Key>| {
            grace.is_zero() || made_at(&key.kid).is_none_or(|made_at| after(made_at, grace) <= real_time())
        };
        ring.iter().rev().find(known_to_all).or(ring.first()).expect("there is always a key").clone()
    }

    pub(super) fn find(&self, kid: &str) -> Option<Arc<Key>> {
        let ring = self.ring.read().unwrap_or_else(PoisonError::into_inner);
        ring.iter().find(|key| key.kid == kid).cloned()
    }

    fn vault(&self) -> Result<&dyn Vault, KeyError> {
        self.vault.as_deref().ok_or(KeyError::Given)
    }
}

/// All keys of a vault, oldest first.
fn read(vault: &dyn Vault) -> Result<Vec<Arc<Key>>, KeyError> {
    vault.read()?.into_iter().map(|(kid, pkcs8)| key(vault, &kid, &pkcs8)).collect()
}

fn key(vault: &dyn Vault, kid: &str, pkcs8: &[u8]) -> Result<Arc<Key>, KeyError> {
    let damaged = || KeyError::Damaged { vault: vault.name(), kid: kid.to_owned() };
    Key::new(kid.to_owned(), pkcs8).map(Arc::new).ok_or_else(damaged)
}

/// Generates a key and its id, which sorts after all earlier ids.
fn new_key() -> (String, Vec<u8>) {
    let pkcs8 = Ed25519KeyPair::generate_pkcs8(&SystemRandom::new()).expect("the system has randomness");
    (Uuid::now_v7().simple().to_string(), pkcs8.as_ref().to_vec())
}

impl Key {
    fn new(kid: String, pkcs8: &[u8]) -> Option<Self> {
        let pair = Ed25519KeyPair::from_pkcs8(pkcs8).ok()?;
        let decoding = DecodingKey::from_ed_der(pair.public_key().as_ref());
        Some(Self { kid, encoding: EncodingKey::from_ed_der(pkcs8), decoding })
    }

    /// The header of every token of this type that it signs. Verification accepts no other.
    pub fn header(&self, typ: &str) -> Header {
        Header { typ: Some(typ.to_owned()), kid: Some(self.kid.clone()), ..Header::new(ALGORITHM) }
    }

    fn jwk(&self) -> Jwk {
        let mut jwk = Jwk::from_decoding_key(&self.decoding, Some(ALGORITHM)).expect("an Ed25519 key has 32 bytes");
        jwk.common.key_id = Some(self.kid.clone());
        jwk.common.public_key_use = Some(PublicKeyUse::Signature);
        jwk
    }
}

/// The time in a time-ordered id.
fn made_at(kid: &str) -> Option<Instant> {
    let (seconds, nanos) = Uuid::try_parse(kid).ok()?.get_timestamp()?.to_unix();
    i64::try_from(seconds * 1000 + u64::from(nanos) / 1_000_000).ok().map(Instant)
}

#[cfg(test)]
mod tests {
    use super::*;
    use base64::{Engine, prelude::BASE64_STANDARD};
    use serde_json::json;
    use std::fs;
    use std::os::unix::fs::PermissionsExt;

    fn mode(path: &Path) -> u32 {
        fs::metadata(path).expect("it exists").permissions().mode() & 0o777
    }

    fn key_files(data: &Path) -> Vec<PathBuf> {
        let mut files: Vec<_> = fs::read_dir(folder_of(data)).unwrap().map(|entry| entry.unwrap().path()).collect();
        files.sort();
        files
    }

    #[test]
    fn the_first_start_makes_a_key_that_the_next_one_finds() {
        let data = tempfile::tempdir().unwrap();
        let first = Keys::open(data.path()).unwrap().signing_key().kid.clone();
        assert_eq!(Keys::open(data.path()).unwrap().signing_key().kid, first);
        assert_eq!(key_files(data.path()).len(), 1);
    }

    #[test]
    fn only_the_owner_can_read_the_keys() {
        let data = tempfile::tempdir().unwrap();
        let keys = Keys::open(data.path()).unwrap();
        keys.rotate().unwrap();
        assert_eq!(mode(&folder_of(data.path())), 0o700);
        assert_eq!(key_files(data.path()).iter().map(|file| mode(file)).collect::<Vec<_>>(), [0o600, 0o600]);
    }

    #[test]
    fn a_key_that_others_can_read_is_refused_by_name() {
        let data = tempfile::tempdir().unwrap();
        drop(Keys::open(data.path()).unwrap());
        let file = key_files(data.path()).remove(0);
        fs::set_permissions(&file, fs::Permissions::from_mode(0o640)).unwrap();
        let Err(error) = Keys::open(data.path()) else { panic!("an open key was used") };
        assert!(matches!(&error, KeyError::TooOpen { path } if *path == file), "{error}");
    }

    #[test]
    fn a_file_that_holds_no_key_is_refused_by_name() {
        let data = tempfile::tempdir().unwrap();
        drop(Keys::open(data.path()).unwrap());
        let file = key_files(data.path()).remove(0);
        fs::write(&file, "no key").unwrap();
        let Err(error) = Keys::open(data.path()) else { panic!("half a key was used") };
        assert!(matches!(&error, KeyError::NotAKey { path } if *path == file), "{error}");
    }

    #[test]
    fn a_new_key_signs_and_the_old_one_stays_until_its_file_is_removed() {
        let data = tempfile::tempdir().unwrap();
        let keys = Keys::open(data.path()).unwrap();
        let old = keys.signing_key().kid.clone();
        let new = keys.rotate().unwrap();
        assert_eq!(keys.signing_key().kid, new);
        assert!(keys.find(&old).is_some());

        let reopened = Keys::open(data.path()).unwrap();
        assert_eq!(reopened.signing_key().kid, new);
        assert!(reopened.find(&old).is_some());

        keys.remove(&old).unwrap();
        assert!(keys.find(&old).is_none() && Keys::open(data.path()).unwrap().find(&old).is_none());
    }

    #[test]
    fn the_signing_key_and_unknown_keys_can_not_be_removed() {
        let data = tempfile::tempdir().unwrap();
        let keys = Keys::open(data.path()).unwrap();
        let only = keys.signing_key().kid.clone();
        assert!(matches!(keys.remove(&only), Err(KeyError::Signing(kid)) if kid == only));
        for unknown in ["", ".", "../keys", "0"] {
            assert!(matches!(keys.remove(unknown), Err(KeyError::Unknown(_))), "{unknown}");
        }
        assert_eq!(key_files(data.path()).len(), 1);
    }

    #[test]
    fn another_process_may_rotate_and_remove() {
        let data = tempfile::tempdir().unwrap();
        let (ours, theirs) = (Keys::open(data.path()).unwrap(), Keys::open(data.path()).unwrap());
        let old = ours.signing_key().kid.clone();
        let new = theirs.rotate().unwrap();
        ours.reload().unwrap();
        assert_eq!(ours.list(), theirs.list());
        assert_eq!(
            ours.list().iter().map(|key| (&*key.kid, key.signs)).collect::<Vec<_>>(),
            [(&*new, true), (&*old, false)]
        );
        theirs.remove(&old).unwrap();
        ours.reload().unwrap();
        assert!(ours.find(&old).is_none());
    }

    #[test]
    fn a_folder_that_can_not_be_read_leaves_the_keys_as_they_were() {
        let data = tempfile::tempdir().unwrap();
        let keys = Keys::open(data.path()).unwrap();
        let kid = keys.signing_key().kid.clone();
        fs::write(folder_of(data.path()).join("ffffffff.pk8"), "no key").unwrap();
        assert!(keys.reload().is_err());
        fs::remove_dir_all(folder_of(data.path())).unwrap();
        assert!(keys.reload().is_err());
        fs::create_dir(folder_of(data.path())).unwrap();
        assert!(keys.reload().is_err());
        assert_eq!(keys.signing_key().kid, kid);
    }

    #[test]
    fn given_keys_are_base64_or_files_and_the_first_signs() {
        let data = tempfile::tempdir().unwrap();
        drop(Keys::open(data.path()).unwrap());
        let file = key_files(data.path()).remove(0);
        let other = Ed25519KeyPair::generate().unwrap().to_pkcs8v1().unwrap();
        let (text, path) = (Secret::new(BASE64_STANDARD.encode(other)), Secret::new(file.to_str().unwrap()));
        let keys = Keys::given(&[text.clone(), path.clone()]).unwrap();
        assert_eq!(keys.list().len(), 2);
        let signing = Keys::given(&[text]).unwrap().signing_key().kid.clone();
        assert_eq!(keys.signing_key().kid, signing, "the same key has the same id everywhere");
        assert_eq!(keys.list()[1].kid, Keys::given(&[path]).unwrap().signing_key().kid);
        assert!(matches!(keys.rotate(), Err(KeyError::Given)));
        assert!(matches!(keys.remove(&signing), Err(KeyError::Given)));
        keys.reload().unwrap();
    }

    #[test]
    fn a_given_text_that_is_not_a_key_is_refused_without_being_shown() {
        let short = BASE64_STANDARD.encode([0x30; 20]);
        for (number, given) in [(1, &[""][..]), (1, &[&*short]), (1, &["no such file"]), (1, &[])] {
            let given: Vec<_> = given.iter().map(|text| Secret::new(*text)).collect();
            let Err(error) = Keys::given(&given) else { panic!("no key was used") };
            assert!(matches!(error, KeyError::NotGiven(at) if at == number), "{error}");
            assert!(!error.to_string().contains(&short));
        }
    }

    #[test]
    fn the_published_set_holds_public_halves_only_newest_first() {
        let data = tempfile::tempdir().unwrap();
        let keys = Keys::open(data.path()).unwrap();
        let old = keys.signing_key().kid.clone();
        let new = keys.rotate().unwrap();
        let mut set = serde_json::to_value(keys.jwks()).unwrap();
        for key in set["keys"].as_array_mut().unwrap() {
            let x = key.as_object_mut().unwrap().remove("x").expect("the public key");
            assert_eq!(x.as_str().unwrap().len(), 43);
        }
        let public = |kid: &str| json!({"kty": "OKP", "crv": "Ed25519", "alg": "EdDSA", "use": "sig", "kid": kid});
        assert_eq!(set, json!({"keys": [public(&new), public(&old)]}));
    }
}
