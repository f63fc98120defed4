//! Commit watermark: the number of the last commit, kept apart from sled and the journal, so that a store that lost
//! something without an error is noticed instead of served.
//!
//! It is written after every commit, once the journal is synced and before anybody is answered. So it never runs ahead of
//! what is durable, and after a kill it names the last commit that was acknowledged, however the journal looks by then. It
//! is written in place and synced rarely, because a second sync would double the price of a commit: after a power cut it
//! may lag behind.
//!
//! There are two lines, written in turn, so that a write that was cut short spoils one of them only.

use super::super::private;
use std::fs::{self, File};
use std::io::{self, Write};
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};

const NAME: &str = "commit-number";
/// The bytes of a line.
const LINE: u64 = 30;

/// The side file of a store.
pub(super) struct SideFile {
    folder: PathBuf,
    /// Open for writing from the first [`write`](Self::write) on.
    file: Option<File>,
    commit: u64,
    synced: u64,
}

impl SideFile {
    /// Reads what was noted; 0 if nothing ever was.
    pub(super) fn read(folder: &Path) -> io::Result<SideFile> {
        let commit = match fs::read(folder.join(NAME)) {
            Ok(bytes) => {
                let unreadable =
                    || io::Error::new(io::ErrorKind::InvalidData, format!("the file {NAME} holds no number"));
                // Line by line: a damaged byte need not be a letter, and spoils no other line.
                bytes.split(|byte| *byte == b'\n').filter_map(parse).max().ok_or_else(unreadable)?
            }
            Err(error) if error.kind() == io::ErrorKind::NotFound => 0,
            Err(error) => return Err(error),
        };
        Ok(SideFile { folder: folder.to_owned(), file: None, commit, synced: commit })
    }

    /// The number that was noted last. The first commit has 1.
    pub(super) fn commit(&self) -> u64 {
        self.commit
    }

    /// How many commits were noted since the last sync.
    pub(super) fn unsynced(&self) -> u64 {
        self.commit - self.synced
    }

    /// Writes a new file with a commit that is durable: first aside, then by a rename, so that there is always one whole
    /// file.
    pub(super) fn write(&mut self, commit: u64) -> io::Result<()> {
        let aside = self.folder.join(format!("{NAME}.new"));
        let mut file = private::create(&aside)?;
        file.write_all([render(commit), render(commit)].concat().as_bytes())?;
        file.sync_all()?;
        fs::rename(aside, self.folder.join(NAME))?;
        sync_folder(&self.folder)?;
        (self.file, self.commit, self.synced) = (Some(file), commit, commit);
        Ok(())
    }

    /// Notes a commit that is durable, in place: a kill leaves it there, a power cut may not.
    pub(super) fn note(&mut self, commit: u64) -> io::Result<()> {
        if let Some(file) = &self.file {
            file.write_all_at(render(commit).as_bytes(), commit % 2 * LINE)?;
            self.commit = commit;
        }
        Ok(())
    }

    /// Makes what was noted survive a power cut too.
    pub(super) fn sync(&mut self) -> io::Result<()> {
        if let Some(file) = &self.file {
            file.sync_data()?;
            self.synced = self.commit;
        }
        Ok(())
    }
}

/// The number, and a checksum of its digits.
fn render(commit: u64) -> String {
    let digits = commit.to_string();
    format!("{digits:>20} {:08x}\n", crc32fast::hash(digits.as_bytes()))
}

/// Reads a line; those of earlier builds are not padded.
fn parse(line: &[u8]) -> Option<u64> {
    let line = str::from_utf8(line).ok()?;
    let commit = line.trim_start().split(' ').next()?.parse().ok()?;
    (render(commit).trim() == line.trim_start()).then_some(commit)
}

/// Creates a folder and those above it, and makes the name of each new one durable.
pub(super) fn create_folder(folder: &Path) -> io::Result<()> {
    let new: Vec<_> = folder.ancestors().take_while(|path| !path.as_os_str().is_empty() && !path.exists()).collect();
    private::create_folder(folder)?;
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
        for commit in 1235..=1240 {
            side.note(commit).unwrap();
            assert_eq!(SideFile::read(folder.path()).unwrap().commit(), commit);
        }
        assert_eq!(side.unsynced(), 6);
        side.sync().unwrap();
        assert_eq!(side.unsynced(), 0);
    }

    #[test]
    fn a_line_that_was_cut_short_leaves_the_one_before() {
        let folder = tempfile::tempdir().unwrap();
        let mut side = SideFile::read(folder.path()).unwrap();
        side.write(8).unwrap();
        side.note(9).unwrap();
        let whole = fs::read(folder.path().join(NAME)).unwrap();
        // The second makes it no text at all.
        for flipped in [1, 0x80] {
            let mut bytes = whole.clone();
            bytes[usize::try_from(LINE).unwrap() + 25] ^= flipped;
            fs::write(folder.path().join(NAME), bytes).unwrap();
            assert_eq!(SideFile::read(folder.path()).unwrap().commit(), 8, "{flipped}");
        }
    }

    #[test]
    fn the_number_of_an_earlier_build_is_read() {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join(NAME), "1234 9be3e0a3\n").unwrap();
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
