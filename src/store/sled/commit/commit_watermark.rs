//! Commit watermark: the number of the last commit, in a file apart from sled and the journal, so that a store that
//! silently lost data is refused instead of served.
//!
//! It is written after every commit: after the journal's sync and before any answer. So it is never ahead of what is
//! durable, and after a kill it names the last acknowledged commit, whatever happened to the journal. It is written in
//! place and rarely synced, because a second sync would double the cost of a commit. So after a power cut it may lag
//! behind.
//!
//! The file has two lines, written alternately, so that a torn write damages only one of them.

use crate::store::private_files;
use std::fs::{self, File};
use std::io::{self, Write};
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};

const FILE_NAME: &str = "commit-number";
const LINE_BYTES: u64 = 30;

pub(in crate::store::sled) struct CommitWatermark {
    folder: PathBuf,
    /// Open for writing after the first [`replace`](Self::replace).
    file: Option<File>,
    commit: u64,
    synced: u64,
}

impl CommitWatermark {
    /// Reads the file; the watermark is 0 if there is none.
    pub(in crate::store::sled) fn read(folder: &Path) -> io::Result<CommitWatermark> {
        let commit = match fs::read(folder.join(FILE_NAME)) {
            Ok(bytes) => {
                let unreadable =
                    || io::Error::new(io::ErrorKind::InvalidData, format!("the file {FILE_NAME} holds no number"));
                // Split as bytes: a damaged byte may be invalid UTF-8, and must not spoil the other line.
                bytes.split(|byte| *byte == b'\n').filter_map(parse).max().ok_or_else(unreadable)?
            }
            Err(error) if error.kind() == io::ErrorKind::NotFound => 0,
            Err(error) => return Err(error),
        };
        Ok(CommitWatermark { folder: folder.to_owned(), file: None, commit, synced: commit })
    }

    /// The last commit written; the first commit has number 1.
    pub(in crate::store::sled) fn commit(&self) -> u64 {
        self.commit
    }

    /// How many commits were written since the last sync.
    pub(super) fn unsynced(&self) -> u64 {
        self.commit - self.synced
    }

    /// Writes and syncs a new file for a durable commit, and renames it over the old one, so that there is always one
    /// complete file.
    pub(in crate::store::sled) fn replace(&mut self, commit: u64) -> io::Result<()> {
        let new = self.folder.join(format!("{FILE_NAME}.new"));
        let mut file = private_files::create(&new)?;
        file.write_all([render(commit), render(commit)].concat().as_bytes())?;
        file.sync_all()?;
        fs::rename(new, self.folder.join(FILE_NAME))?;
        sync_folder(&self.folder)?;
        (self.file, self.commit, self.synced) = (Some(file), commit, commit);
        Ok(())
    }

    /// Writes a durable commit in place. This survives a kill, but not always a power cut.
    pub(super) fn update(&mut self, commit: u64) -> io::Result<()> {
        if let Some(file) = &self.file {
            file.write_all_at(render(commit).as_bytes(), commit % 2 * LINE_BYTES)?;
            self.commit = commit;
        }
        Ok(())
    }

    /// Syncs the file, so that the last update survives a power cut too.
    pub(super) fn sync(&mut self) -> io::Result<()> {
        if let Some(file) = &self.file {
            file.sync_data()?;
            self.synced = self.commit;
        }
        Ok(())
    }
}

/// A line: the number, and a CRC-32 of its digits.
fn render(commit: u64) -> String {
    let digits = commit.to_string();
    format!("{digits:>20} {:08x}\n", crc32fast::hash(digits.as_bytes()))
}

/// Reads a line. Earlier builds did not pad the number.
fn parse(line: &[u8]) -> Option<u64> {
    let line = str::from_utf8(line).ok()?;
    let commit = line.trim_start().split(' ').next()?.parse().ok()?;
    (render(commit).trim() == line.trim_start()).then_some(commit)
}

/// Creates a folder and its parents, and syncs the directory entry of each new one.
pub(in crate::store::sled) fn create_folder(folder: &Path) -> io::Result<()> {
    let new: Vec<_> = folder.ancestors().take_while(|path| !path.as_os_str().is_empty() && !path.exists()).collect();
    private_files::create_folder(folder)?;
    new.into_iter().try_for_each(sync_parent)
}

/// Syncs the directory entry of a file or folder.
pub(in crate::store::sled) fn sync_parent(path: &Path) -> io::Result<()> {
    match path.parent() {
        // A relative path of one component lies in the working directory.
        Some(parent) if parent.as_os_str().is_empty() => sync_folder(Path::new(".")),
        Some(parent) => sync_folder(parent),
        None => Ok(()),
    }
}

/// Syncs a directory: only then is the creation, renaming or removal of its entries durable.
pub(in crate::store::sled) fn sync_folder(folder: &Path) -> io::Result<()> {
    File::open(folder)?.sync_all()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_number_is_read_back() {
        let folder = tempfile::tempdir().unwrap();
        let mut watermark = CommitWatermark::read(folder.path()).unwrap();
        assert_eq!(watermark.commit(), 0);
        watermark.replace(7).unwrap();
        watermark.replace(1234).unwrap();
        for commit in 1235..=1240 {
            watermark.update(commit).unwrap();
            assert_eq!(CommitWatermark::read(folder.path()).unwrap().commit(), commit);
        }
        assert_eq!(watermark.unsynced(), 6);
        watermark.sync().unwrap();
        assert_eq!(watermark.unsynced(), 0);
    }

    #[test]
    fn a_line_that_was_cut_short_leaves_the_one_before() {
        let folder = tempfile::tempdir().unwrap();
        let mut watermark = CommitWatermark::read(folder.path()).unwrap();
        watermark.replace(8).unwrap();
        watermark.update(9).unwrap();
        let whole = fs::read(folder.path().join(FILE_NAME)).unwrap();
        // The second flip makes the line invalid UTF-8.
        for flipped in [1, 0x80] {
            let mut bytes = whole.clone();
            bytes[usize::try_from(LINE_BYTES).unwrap() + 25] ^= flipped;
            fs::write(folder.path().join(FILE_NAME), bytes).unwrap();
            assert_eq!(CommitWatermark::read(folder.path()).unwrap().commit(), 8, "{flipped}");
        }
    }

    #[test]
    fn the_number_of_an_earlier_build_is_read() {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join(FILE_NAME), "1234 9be3e0a3\n").unwrap();
        assert_eq!(CommitWatermark::read(folder.path()).unwrap().commit(), 1234);
    }

    #[test]
    fn a_damaged_number_is_an_error() {
        for damaged in ["", "7", "7 00000000\n", "12 34", &render(7).replace('7', "8")] {
            let folder = tempfile::tempdir().unwrap();
            fs::write(folder.path().join(FILE_NAME), damaged).unwrap();
            assert!(CommitWatermark::read(folder.path()).is_err(), "{damaged:?}");
        }
    }
}
