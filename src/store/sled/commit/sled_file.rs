//! The file in which sled keeps everything, opened once more by ourselves.
//!
//! A disk that can't write a page says so once to each who has the file open, at their next sync, and holds the page for
//! written from then on. sled syncs by the same descriptor from two threads; one of them, which flushes now and then,
//! only logs such an error, and the other is told that all is well. So whoever must know asks by a descriptor of their
//! own, opened before sled writes anything.

use crate::store::{fdatasync_interposer, private_files};
use std::fs::File;
use std::io;
use std::path::Path;

pub(in crate::store::sled) struct SledFile(File);

impl SledFile {
    /// Opens the file in a folder, and makes durable what a program that was killed had only written: sled takes it for
    /// durable.
    pub(in crate::store::sled) fn open(folder: &Path) -> io::Result<SledFile> {
        let path = folder.join("db");
        let log = SledFile(private_files::options().read(true).write(true).create(true).truncate(false).open(path)?);
        log.sync()?;
        Ok(log)
    }

    /// All that was written is on the disk, by whomever; an error if any of it may not be.
    pub(in crate::store::sled) fn sync(&self) -> io::Result<()> {
        fdatasync_interposer::sync(&self.0)
    }
}
