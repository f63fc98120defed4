//! The program under test.

use std::io::{BufRead, BufReader};
use std::process::{Child, Command, Stdio};

/// Settings without which a test that is faster than any person is refused.
const UNLIMITED: [&str; 12] = [
    "--player-rate",
    "0",
    "--address-rate",
    "0",
    "--address-players-per-hour",
    "0",
    "--address-games-per-hour",
    "0",
    "--player-lobbies",
    "0",
    "--player-games",
    "0",
];

/// A server of its own, until dropped.
pub struct Server {
    process: Child,
    pub url: String,
    _data: tempfile::TempDir,
}

impl Server {
    pub fn start() -> Self {
        let data = tempfile::tempdir().unwrap();
        let mut process = Command::new(env!("CARGO_BIN_EXE_ludotheque"))
            .args(UNLIMITED)
            .args(["--listen", "127.0.0.1:0", "--log", "warn", "--data"])
            .arg(data.path())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut said = String::new();
        BufReader::new(process.stdout.take().unwrap()).read_line(&mut said).unwrap();
        let url = said.split_whitespace().find(|word| word.starts_with("http://")).unwrap_or_else(|| panic!("{said}"));
        Self { process, url: url.trim_end_matches('.').to_owned(), _data: data }
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        // Both fail only if it has ended already.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}
