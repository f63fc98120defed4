//! sled's data file, opened a second time so that no failed sync is missed.
//!
//! When the kernel can't write back a page, it reports the error once per open file, at the next sync, and treats the
//! page as written from then on. sled syncs one open file from two threads. Its periodic flusher only logs such an
//! error, and the other thread's next sync then succeeds. So we sync through an open file of our own, opened before
//! sled writes anything.

use crate::store::{fdatasync_interposer, private_files};
use std::fs::File;
use std::io;
use std::path::Path;

pub(in crate::store::sled) struct SledFile(File);

impl SledFile {
    /// Opens the file in a folder and syncs it: sled assumes that its file is durable, but a killed process may have
    /// written to it without a sync.
    pub(in crate::store::sled) fn open(folder: &Path) -> io::Result<SledFile> {
        let path = folder.join("db");
        let file = SledFile(private_files::options().read(true).write(true).create(true).truncate(false).open(path)?);
        file.sync()?;
        Ok(file)
    }

    /// Fails if anything written to the file, through any descriptor, may not be on disk.
    pub(in crate::store::sled) fn sync(&self) -> io::Result<()> {
        fdatasync_interposer::sync(&self.0)
    }
}
