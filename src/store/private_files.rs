//! File permissions: files and folders are readable by their owner only, because they hold the cards of running games
//! and hashes of passwords.

use rustix::fs::Mode;
use std::fs::{self, DirBuilder, File, OpenOptions, Permissions};
use std::io;
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt, PermissionsExt};
use std::path::Path;

const FILE_MODE: u32 = 0o600;
const FOLDER_MODE: u32 = 0o700;
/// Permission bits of group and others.
const OTHERS_BITS: u32 = 0o077;

/// Sets the umask so that everything this process creates is its owner's alone, including sled's files and the
/// operator's socket.
pub fn set_umask() {
    rustix::process::umask(Mode::RWXG | Mode::RWXO);
}

/// Creates a file, or truncates an existing one.
pub fn create(path: &Path) -> io::Result<File> {
    let file = open(path)?;
    file.set_len(0)?;
    Ok(file)
}

/// Opens a file for writing; creates it if it does not exist.
pub fn open(path: &Path) -> io::Result<File> {
    let file = options().write(true).create(true).truncate(false).open(path)?;
    restrict(path)?;
    Ok(file)
}

/// Options that create files with owner-only permissions.
pub(super) fn options() -> OpenOptions {
    let mut options = OpenOptions::new();
    options.mode(FILE_MODE);
    options
}

/// Creates a folder and its parents.
pub(super) fn create_folder(path: &Path) -> io::Result<()> {
    DirBuilder::new().recursive(true).mode(FOLDER_MODE).create(path)
}

/// Removes the permissions of group and others.
pub(super) fn restrict(path: &Path) -> io::Result<()> {
    let metadata = fs::metadata(path)?;
    if metadata.permissions().mode() & OTHERS_BITS == 0 {
        return Ok(());
    }
    let mode = if metadata.is_dir() { FOLDER_MODE } else { FILE_MODE };
    fs::set_permissions(path, Permissions::from_mode(mode))
}

/// The same for a folder and everything in it. Files of another user can't be changed; that is only logged, because it
/// is no reason not to serve.
pub(super) fn restrict_all(path: &Path) {
    let restricted = restrict(path).and_then(|()| {
        let entries = if path.is_dir() { Some(fs::read_dir(path)?) } else { None };
        for entry in entries.into_iter().flatten() {
            let entry = entry?;
            if !entry.file_type()?.is_symlink() {
                restrict_all(&entry.path());
            }
        }
        Ok(())
    });
    if let Err(error) = restricted {
        tracing::warn!(path = %path.display(), %error, "other users of this machine may be able to read this");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mode(path: &Path) -> u32 {
        fs::metadata(path).unwrap().permissions().mode() & 0o777
    }

    #[test]
    fn what_others_could_read_is_taken_away_from_them() {
        let folder = tempfile::tempdir().unwrap();
        let (inner, file) = (folder.path().join("inner"), folder.path().join("inner/file"));
        fs::create_dir(&inner).unwrap();
        fs::write(&file, "secret").unwrap();
        fs::set_permissions(folder.path(), Permissions::from_mode(0o755)).unwrap();
        fs::set_permissions(&inner, Permissions::from_mode(0o777)).unwrap();
        fs::set_permissions(&file, Permissions::from_mode(0o644)).unwrap();
        restrict_all(folder.path());
        assert_eq!([mode(folder.path()), mode(&inner), mode(&file)], [0o700, 0o700, 0o600]);
    }

    #[test]
    fn a_file_that_is_written_again_becomes_its_owners_alone() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("file");
        fs::write(&file, "old").unwrap();
        fs::set_permissions(&file, Permissions::from_mode(0o644)).unwrap();
        drop(create(&file).unwrap());
        assert_eq!((mode(&file), fs::read(&file).unwrap()), (0o600, Vec::new()));
    }
}
