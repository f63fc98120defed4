//! A model of power loss: a disk on which only synced bytes survive, and a program to be killed on it. Knows nothing of what
//! the program is: the store's tests and the server's use the same.

mod victim;

pub use victim::{Victim, acknowledge};

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;
use tempfile::TempDir;

/// A folder whose files reach the platter only when they are synced.
pub struct Disk {
    root: TempDir,
}

/// Whether the disk does what it is asked to, and says so.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Honesty {
    Honest,
    /// `fdatasync` reports success and does nothing: for showing that a test would notice.
    IgnoresFdatasync,
    /// One `fdatasync`, the one of this number, fails and says so.
    FailsFdatasync(u32),
    /// Once, what was written to the file `db` is lost, and the next sync of those who have it open fails. It happens after
    /// this number of calls of `fsync`.
    LosesPages(u32),
    /// The same, where the error is that there is no room, as on file systems that look for it late.
    LosesPagesForWantOfRoom(u32),
}

impl Disk {
    /// A disk that begins as a copy of a folder.
    pub fn of(image: &Path) -> Disk {
        let disk = Disk { root: tempfile::tempdir().unwrap() };
        copy(image, &disk.folder());
        copy(image, &disk.platter());
        disk
    }

    /// What the program works in.
    pub fn folder(&self) -> PathBuf {
        self.root.path().join("watched")
    }

    /// What a power cut leaves.
    pub fn platter(&self) -> PathBuf {
        self.root.path().join("platter")
    }

    /// Whether a disk that [loses pages](Honesty::LosesPages) has done so.
    pub fn has_lost_pages(&self) -> bool {
        self.root.path().join("platter.lost").exists()
    }

    /// Has a program run with this disk.
    pub fn attach(&self, command: &mut Command, honesty: Honesty) {
        command.env("LD_PRELOAD", shim());
        command.env("SHIM_WATCHED", self.folder()).env("SHIM_PLATTER", self.platter());
        match honesty {
            Honesty::Honest => command,
            Honesty::IgnoresFdatasync => command.env("SHIM_IGNORE_FDATASYNC", "1"),
            Honesty::FailsFdatasync(number) => command.env("SHIM_FAIL_FDATASYNC", number.to_string()),
            Honesty::LosesPages(after) => command.env("SHIM_LOSE_PAGES", after.to_string()),
            Honesty::LosesPagesForWantOfRoom(after) => {
                command.env("SHIM_LOSE_PAGES", after.to_string()).env("SHIM_NO_ROOM", "1")
            }
        };
    }
}

/// The preloaded library, compiled on first use.
fn shim() -> &'static Path {
    static SHIM: OnceLock<PathBuf> = OnceLock::new();
    SHIM.get_or_init(|| {
        let beside = std::env::current_exe().unwrap();
        let library = beside.with_file_name("power_loss.so");
        // Another test binary may be at it too: each compiles its own and puts it in place whole.
        let own = library.with_extension(std::process::id().to_string());
        let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/power_loss/shim.c");
        let compiled = Command::new("cc")
            .args(["-shared", "-fPIC", "-O1", "-Wall", "-Wextra", "-Werror", "-o"])
            .args([own.as_path(), &source])
            .args(["-ldl", "-lpthread"])
            .status();
        assert!(compiled.expect("a C compiler, `cc`, is needed").success());
        fs::rename(own, &library).unwrap();
        library
    })
}

/// Copies a folder with all in it.
pub fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap() {
        let entry = entry.unwrap();
        let target = to.join(entry.file_name());
        if entry.file_type().unwrap().is_dir() {
            copy(&entry.path(), &target);
        } else {
            fs::copy(entry.path(), target).unwrap();
        }
    }
}
