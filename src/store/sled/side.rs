//! The side file: a recent commit number, kept apart from sled and synced, so that a store that lost its content
//! without an error is noticed instead of served.
//!
//! It never runs ahead of the store, because a number is noted only when its commit is durable. So a store that stands
//! at a lower number than the file has lost something.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

const NAME: &str = "commit-number";

/// The side file of a store.
pub(super) struct SideFile {
    folder: PathBuf,
    commit: u64,
}

impl SideFile {
    /// Reads what was noted; 0 if nothing ever was.
    pub(super) fn read(folder: &Path) -> io::Result<SideFile> {
        let commit = match fs::read_to_string(folder.join(NAME)) {
            Ok(text) => parse(&text).ok_or_else(|| {
                io::Error::new(io::ErrorKind::InvalidData, format!("the file {NAME} holds no commit number"))
            })?,
            Err(error) if error.kind() == io::ErrorKind::NotFound => 0,
            Err(error) => return Err(error),
        };
        Ok(SideFile { folder: folder.to_owned(), commit })
    }

    pub(super) fn commit(&self) -> u64 {
        self.commit
    }

    fn path(&self) -> PathBuf {
        self.folder.join(NAME)
    }

    /// Notes a commit that is durable: first aside, then by a rename, so that there is always one whole file.
    pub(super) fn write(&mut self, commit: u64) -> io::Result<()> {
        let aside = self.folder.join(format!("{NAME}.new"));
        let mut file = File::create(&aside)?;
        file.write_all(render(commit).as_bytes())?;
        file.sync_all()?;
        fs::rename(aside, self.path())?;
        sync_folder(&self.folder)?;
        self.commit = commit;
        Ok(())
    }
}

/// The number, and a checksum of its digits.
fn render(commit: u64) -> String {
    format!("{commit} {:08x}\n", crc32fast::hash(commit.to_string().as_bytes()))
}

fn parse(text: &str) -> Option<u64> {
    let commit = text.split(' ').next()?.parse().ok()?;
    (render(commit) == text).then_some(commit)
}

/// Creates a folder and those above it, and makes the name of each new one durable.
pub(super) fn create_folder(folder: &Path) -> io::Result<()> {
    let new: Vec<_> = folder.ancestors().take_while(|path| !path.as_os_str().is_empty() && !path.exists()).collect();
    fs::create_dir_all(folder)?;
    new.into_iter().try_for_each(sync_parent)
}

/// Makes the name of a file or folder durable.
pub(super) fn sync_parent(path: &Path) -> io::Result<()> {
    match path.parent() {
        // A path of one part lies in the working folder.
        Some(parent) if parent.as_os_str().is_empty() => sync_folder(Path::new(".")),
        Some(parent) => sync_folder(parent),
        None => Ok(()),
    }
}

/// Makes the names in a folder durable: a file that was created, renamed or removed is so only from here on.
pub(super) fn sync_folder(folder: &Path) -> io::Result<()> {
    File::open(folder)?.sync_all()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_number_is_read_back() {
        let folder = tempfile::tempdir().unwrap();
        let mut side = SideFile::read(folder.path()).unwrap();
        assert_eq!(side.commit(), 0);
        side.write(7).unwrap();
        side.write(1234).unwrap();
        assert_eq!(SideFile::read(folder.path()).unwrap().commit(), 1234);
    }

    #[test]
    fn a_damaged_number_is_an_error() {
        for damaged in ["", "7", "7 00000000\n", "12 34", &render(7).replace('7', "8")] {
            let folder = tempfile::tempdir().unwrap();
            fs::write(folder.path().join(NAME), damaged).unwrap();
            assert!(SideFile::read(folder.path()).is_err(), "{damaged:?}");
        }
    }
}
