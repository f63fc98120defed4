//! Signing keys as files, one each, in a folder only the owner can read.

use super::{Key, KeyError};
use aws_lc_rs::{rand::SystemRandom, signature::Ed25519KeyPair};
use std::{
    fs::{self, DirBuilder, File, OpenOptions},
    io::{self, Write},
    os::unix::fs::{DirBuilderExt, OpenOptionsExt, PermissionsExt},
    path::{Path, PathBuf},
    sync::Arc,
};
use uuid::Uuid;

/// The permission bits of everybody but the owner.
const OTHERS: u32 = 0o077;

const FOLDER: &str = "keys";
const EXTENSION: &str = "pk8";

/// Where the keys are within the data.
pub fn folder_of(data: &Path) -> PathBuf {
    data.join(FOLDER)
}

/// The folder that the keys are in.
pub(super) struct Folder(PathBuf);

impl Folder {
    /// The folder within the data, which is made if it is not there.
    pub(super) fn open(data: &Path) -> Result<Self, KeyError> {
        let folder = folder_of(data);
        if !folder.exists() {
            DirBuilder::new().recursive(true).mode(0o700).create(&folder).at(&folder)?;
            sync(data)?;
        }
        Ok(Self(folder))
    }

    pub(super) fn path(&self) -> &Path {
        &self.0
    }

    /// The ids of all keys, oldest first.
    pub(super) fn kids(&self) -> Result<Vec<String>, KeyError> {
        Ok(self.files()?.into_iter().map(|(kid, _)| kid).collect())
    }

    /// All keys, oldest first.
    pub(super) fn read(&self) -> Result<Vec<Arc<Key>>, KeyError> {
        owner_only(&self.0)?;
        self.files()?.into_iter().map(|(kid, path)| read(kid, &path).map(Arc::new)).collect()
    }

    /// A new key, on disk before it signs anything: tokens must survive a crash of the node that signed them.
    pub(super) fn create(&self) -> Result<Key, KeyError> {
        let kid = Uuid::now_v7().simple().to_string();
        let pkcs8 = Ed25519KeyPair::generate_pkcs8(&SystemRandom::new()).expect("the system has randomness");
        let path = self.file_of(&kid);
        // Under its real name only when it is whole: half a file would stop the next start.
        let draft = self.0.join(format!("{kid}.new"));
        let mut file = OpenOptions::new().write(true).create_new(true).mode(0o600).open(&draft).at(&draft)?;
        file.write_all(pkcs8.as_ref()).and_then(|()| file.sync_all()).at(&draft)?;
        fs::rename(&draft, &path).at(&path)?;
        sync(&self.0)?;
        Key::new(kid, pkcs8.as_ref()).ok_or(KeyError::NotAKey { path })
    }

    pub(super) fn remove(&self, kid: &str) -> Result<(), KeyError> {
        let path = self.file_of(kid);
        fs::remove_file(&path).at(&path)?;
        sync(&self.0)
    }

    fn file_of(&self, kid: &str) -> PathBuf {
        self.0.join(format!("{kid}.{EXTENSION}"))
    }

    fn files(&self) -> Result<Vec<(String, PathBuf)>, KeyError> {
        let mut files = Vec::new();
        for entry in fs::read_dir(&self.0).at(&self.0)? {
            let path = entry.at(&self.0)?.path();
            if path.extension().is_some_and(|extension| extension == EXTENSION) {
                let kid = path.file_stem().and_then(|stem| stem.to_str()).map(str::to_owned);
                files.push((kid.ok_or_else(|| KeyError::NotAKey { path: path.clone() })?, path));
            }
        }
        files.sort();
        Ok(files)
    }
}

fn read(kid: String, path: &Path) -> Result<Key, KeyError> {
    let pkcs8 = read_file(path)?;
    Key::new(kid, &pkcs8).ok_or_else(|| KeyError::NotAKey { path: path.to_owned() })
}

/// What is in a file that only the owner can read.
pub(super) fn read_file(path: &Path) -> Result<Vec<u8>, KeyError> {
    owner_only(path)?;
    fs::read(path).at(path)
}

/// A key that others could read may have been copied, so it is refused rather than quietly locked up.
fn owner_only(path: &Path) -> Result<(), KeyError> {
    let mode = fs::metadata(path).at(path)?.permissions().mode();
    if mode & OTHERS == 0 { Ok(()) } else { Err(KeyError::TooOpen { path: path.to_owned() }) }
}

fn sync(folder: &Path) -> Result<(), KeyError> {
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
