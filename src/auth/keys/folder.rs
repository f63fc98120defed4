//! Folder of signing keys: one file for each, readable by the owner only.

use super::{KeyError, Vault};
use aws_lc_rs::signature::Ed25519KeyPair;
use std::{
    fs::{self, DirBuilder, File, OpenOptions},
    io::{self, Write},
    os::unix::fs::{DirBuilderExt, OpenOptionsExt, PermissionsExt},
    path::{Path, PathBuf},
};

/// Permission bits of the group and of others.
const OTHERS: u32 = 0o077;

const FOLDER: &str = "keys";
const EXTENSION: &str = "pk8";

/// The folder of the keys within the data.
pub fn folder_of(data: &Path) -> PathBuf {
    data.join(FOLDER)
}

/// A vault whose key ids are the names of its files.
pub(super) struct Folder(PathBuf);

impl Folder {
    /// Opens the folder within the data; creates it if it does not exist.
    pub(super) fn open(data: &Path) -> Result<Self, KeyError> {
        let folder = folder_of(data);
        if !folder.exists() {
            DirBuilder::new().recursive(true).mode(0o700).create(&folder).at(&folder)?;
            sync(data)?;
        }
        Ok(Self(folder))
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

impl Vault for Folder {
    fn name(&self) -> String {
        self.0.display().to_string()
    }

    fn kids(&self) -> Result<Vec<String>, KeyError> {
        Ok(self.files()?.into_iter().map(|(kid, _)| kid).collect())
    }

    fn read(&self) -> Result<Vec<(String, Vec<u8>)>, KeyError> {
        owner_only(&self.0)?;
        self.files()?.into_iter().map(|(kid, path)| read_key(&path).map(|pkcs8| (kid, pkcs8))).collect()
    }

    /// Durable before the key signs anything: tokens must survive a crash of the node that signed them.
    fn add(&self, kid: &str, pkcs8: &[u8]) -> Result<(), KeyError> {
        let path = self.file_of(kid);
        // Renamed only when complete: half a file would keep the server from starting.
        let draft = self.0.join(format!("{kid}.new"));
        let mut file = OpenOptions::new().write(true).create_new(true).mode(0o600).open(&draft).at(&draft)?;
        file.write_all(pkcs8).and_then(|()| file.sync_all()).at(&draft)?;
        fs::rename(&draft, &path).at(&path)?;
        sync(&self.0)
    }

    fn remove(&self, kid: &str) -> Result<(), KeyError> {
        let path = self.file_of(kid);
        fs::remove_file(&path).at(&path)?;
        sync(&self.0)
    }
}

/// Reads a file and checks that it contains a key.
fn read_key(path: &Path) -> Result<Vec<u8>, KeyError> {
    let pkcs8 = read_file(path)?;
    if Ed25519KeyPair::from_pkcs8(&pkcs8).is_ok() {
        Ok(pkcs8)
    } else {
        Err(KeyError::NotAKey { path: path.to_owned() })
    }
}

/// Reads a file, unless others than its owner can read it.
pub(super) fn read_file(path: &Path) -> Result<Vec<u8>, KeyError> {
    owner_only(path)?;
    fs::read(path).at(path)
}

/// A key that others could read may have been copied, so it is refused instead of repairing its permissions silently.
fn owner_only(path: &Path) -> Result<(), KeyError> {
    let mode = fs::metadata(path).at(path)?.permissions().mode();
    if mode & OTHERS == 0 { Ok(()) } else { Err(KeyError::TooOpen { path: path.to_owned() }) }
}

fn sync(folder: &Path) -> Result<(), KeyError> {
    File::open(folder).and_then(|folder| folder.sync_all()).at(folder)
}

/// Adds the path to an I/O error.
trait At<T> {
    fn at(self, path: &Path) -> Result<T, KeyError>;
}

impl<T> At<T> for io::Result<T> {
    fn at(self, path: &Path) -> Result<T, KeyError> {
        self.map_err(|error| KeyError::Io { path: path.to_owned(), error })
    }
}
