//! The keys that access tokens are signed with: Ed25519, one file each, in a folder only the owner can read.
//!
//! A file's name is its key's id (`kid`), and ids grow with time: the newest key signs, all others still verify what
//! they signed. To retire a key is to remove its file, once the last token it signed has expired.

use aws_lc_rs::{
    rand::SystemRandom,
    signature::{Ed25519KeyPair, KeyPair},
};
use jsonwebtoken::jwk::{Jwk, JwkSet, PublicKeyUse};
use jsonwebtoken::{Algorithm, DecodingKey, EncodingKey, Header};
use std::{
    fs::{self, DirBuilder, File, OpenOptions},
    io::{self, Write},
    os::unix::fs::{DirBuilderExt, OpenOptionsExt, PermissionsExt},
    path::{Path, PathBuf},
    sync::{Arc, PoisonError, RwLock},
};
use uuid::Uuid;

/// The one algorithm our keys are for (RFC 8725: pinned to the key, never taken from a token).
pub(super) const ALGORITHM: Algorithm = Algorithm::EdDSA;

/// RFC 9068: says that a token is an access token, so that no other sort of JWT passes for one.
const TYPE: &str = "at+jwt";

/// The permission bits of everybody but the owner.
const OTHERS: u32 = 0o077;

const FOLDER: &str = "keys";
const EXTENSION: &str = "pk8";

/// Why the keys can't be used.
#[derive(Debug, thiserror::Error)]
pub enum KeyError {
    #[error("{}: {error}", path.display())]
    Io { path: PathBuf, error: io::Error },
    #[error("{}: others can read it. If nobody has, `chmod go= {}`; else remove it", path.display(), path.display())]
    TooOpen { path: PathBuf },
    #[error("{}: not an Ed25519 key in PKCS#8 form", path.display())]
    NotAKey { path: PathBuf },
}

/// All signing keys.
pub struct Keys {
    folder: PathBuf,
    /// In the order of their ids: the newest is last. Never empty.
    ring: RwLock<Vec<Arc<Key>>>,
}

/// One signing key.
pub(super) struct Key {
    pub kid: String,
    /// The header of every token it signs, and of no other.
    pub header: Header,
    pub encoding: EncodingKey,
    pub decoding: DecodingKey,
}

impl Keys {
    /// Reads the keys in the data folder's `keys`, and makes the first one if there is none. Blocks.
    pub fn open(data: &Path) -> Result<Self, KeyError> {
        let folder = data.join(FOLDER);
        if !folder.exists() {
            DirBuilder::new().recursive(true).mode(0o700).create(&folder).at(&folder)?;
            sync_folder(data)?;
        }
        let mut ring = read_all(&folder)?;
        if ring.is_empty() {
            ring.push(Arc::new(create(&folder)?));
        }
        Ok(Self { folder, ring: RwLock::new(ring) })
    }

    /// Makes a new key, which signs from now on, and returns its id. Blocks until it is durable.
    pub fn rotate(&self) -> Result<String, KeyError> {
        let key = create(&self.folder)?;
        let kid = key.kid.clone();
        self.ring.write().unwrap_or_else(PoisonError::into_inner).push(Arc::new(key));
        Ok(kid)
    }

    /// The public halves, newest first, for whoever wants to check our tokens (RFC 7517, RFC 8037).
    pub fn jwks(&self) -> JwkSet {
        let ring = self.ring.read().unwrap_or_else(PoisonError::into_inner);
        JwkSet { keys: ring.iter().rev().map(|key| key.jwk()).collect() }
    }

    pub(super) fn newest(&self) -> Arc<Key> {
        let ring = self.ring.read().unwrap_or_else(PoisonError::into_inner);
        ring.last().expect("there is always a key").clone()
    }

    pub(super) fn find(&self, kid: &str) -> Option<Arc<Key>> {
        let ring = self.ring.read().unwrap_or_else(PoisonError::into_inner);
        ring.iter().find(|key| key.kid == kid).cloned()
    }
}

impl Key {
    fn new(kid: String, pkcs8: &[u8]) -> Option<Self> {
        let pair = Ed25519KeyPair::from_pkcs8(pkcs8).ok()?;
        let mut header = Header::new(ALGORITHM);
        header.typ = Some(TYPE.to_owned());
        header.kid = Some(kid.clone());
        let decoding = DecodingKey::from_ed_der(pair.public_key().as_ref());
        Some(Self { kid, header, encoding: EncodingKey::from_ed_der(pkcs8), decoding })
    }

    fn jwk(&self) -> Jwk {
        let mut jwk = Jwk::from_decoding_key(&self.decoding, Some(ALGORITHM)).expect("an Ed25519 key has 32 bytes");
        jwk.common.key_id = Some(self.kid.clone());
        jwk.common.public_key_use = Some(PublicKeyUse::Signature);
        jwk
    }
}

fn read_all(folder: &Path) -> Result<Vec<Arc<Key>>, KeyError> {
    owner_only(folder)?;
    let mut ring = Vec::new();
    for entry in fs::read_dir(folder).at(folder)? {
        let path = entry.at(folder)?.path();
        if path.extension().is_some_and(|extension| extension == EXTENSION) {
            ring.push(Arc::new(read(path)?));
        }
    }
    ring.sort_by(|a, b| a.kid.cmp(&b.kid));
    Ok(ring)
}

fn read(path: PathBuf) -> Result<Key, KeyError> {
    owner_only(&path)?;
    let pkcs8 = fs::read(&path).at(&path)?;
    let kid = path.file_stem().and_then(|stem| stem.to_str()).map(str::to_owned);
    kid.and_then(|kid| Key::new(kid, &pkcs8)).ok_or(KeyError::NotAKey { path })
}

/// A key that others could read may have been copied, so it is refused rather than quietly locked up.
fn owner_only(path: &Path) -> Result<(), KeyError> {
    let mode = fs::metadata(path).at(path)?.permissions().mode();
    if mode & OTHERS == 0 { Ok(()) } else { Err(KeyError::TooOpen { path: path.to_owned() }) }
}

/// A new key, on disk before it signs anything: tokens must survive a crash of the node that signed them.
fn create(folder: &Path) -> Result<Key, KeyError> {
    let kid = Uuid::now_v7().simple().to_string();
    let pkcs8 = Ed25519KeyPair::generate_pkcs8(&SystemRandom::new()).expect("the system has randomness");
    let path = folder.join(format!("{kid}.{EXTENSION}"));
    // Under its real name only when it is whole: half a file would stop the next start.
    let draft = folder.join(format!("{kid}.new"));
    let mut file = OpenOptions::new().write(true).create_new(true).mode(0o600).open(&draft).at(&draft)?;
    file.write_all(pkcs8.as_ref()).and_then(|()| file.sync_all()).at(&draft)?;
    fs::rename(&draft, &path).at(&path)?;
    sync_folder(folder)?;
    Key::new(kid, pkcs8.as_ref()).ok_or(KeyError::NotAKey { path })
}

fn sync_folder(folder: &Path) -> Result<(), KeyError> {
    File::open(folder).and_then(|folder| folder.sync_all()).at(folder)
}

/// Says which path an error is about.
trait At<T> {
    fn at(self, path: &Path) -> Result<T, KeyError>;
}

impl<T> At<T> for io::Result<T> {
    fn at(self, path: &Path) -> Result<T, KeyError> {
        self.map_err(|error| KeyError::Io { path: path.to_owned(), error })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn mode(path: &Path) -> u32 {
        fs::metadata(path).expect("it exists").permissions().mode() & 0o777
    }

    fn key_files(data: &Path) -> Vec<PathBuf> {
        let mut files: Vec<_> = fs::read_dir(data.join(FOLDER)).unwrap().map(|entry| entry.unwrap().path()).collect();
        files.sort();
        files
    }

    #[test]
    fn the_first_start_makes_a_key_that_the_next_one_finds() {
        let data = tempfile::tempdir().unwrap();
        let first = Keys::open(data.path()).unwrap().newest().kid.clone();
        assert_eq!(Keys::open(data.path()).unwrap().newest().kid, first);
        assert_eq!(key_files(data.path()).len(), 1);
    }

    #[test]
    fn only_the_owner_can_read_the_keys() {
        let data = tempfile::tempdir().unwrap();
        let keys = Keys::open(data.path()).unwrap();
        keys.rotate().unwrap();
        assert_eq!(mode(&data.path().join(FOLDER)), 0o700);
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
        let old = keys.newest().kid.clone();
        let new = keys.rotate().unwrap();
        assert_eq!(keys.newest().kid, new);
        assert!(keys.find(&old).is_some());

        let reopened = Keys::open(data.path()).unwrap();
        assert_eq!(reopened.newest().kid, new);
        assert!(reopened.find(&old).is_some());

        fs::remove_file(data.path().join(FOLDER).join(format!("{old}.{EXTENSION}"))).unwrap();
        assert!(Keys::open(data.path()).unwrap().find(&old).is_none());
    }

    #[test]
    fn the_published_set_holds_public_halves_only_newest_first() {
        let data = tempfile::tempdir().unwrap();
        let keys = Keys::open(data.path()).unwrap();
        let old = keys.newest().kid.clone();
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
