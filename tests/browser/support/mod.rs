//! What the tests share: the real program and a real browser.

mod browser;
mod page;

pub use browser::Browser;
pub use page::Page;

use std::io::{BufRead, BufReader};
use std::process::{Child, ChildStdout, Command, Stdio};
use tempfile::TempDir;

/// A running server, until dropped.
pub struct Server {
    process: Child,
    /// `http://127.0.0.1:1234`
    pub origin: String,
    _output: BufReader<ChildStdout>,
    _data: TempDir,
}

impl Server {
    /// Starts a server; it is up once it has told its address.
    pub fn start(settings: &[&str]) -> Self {
        let data = tempfile::tempdir().unwrap();
        let mut command = Command::new(env!("CARGO_BIN_EXE_ludotheque"));
        command.args(["--listen", "127.0.0.1:0", "--log", "error", "--data"]).arg(data.path()).args(settings);
        let mut process = command.stdout(Stdio::piped()).spawn().unwrap();
        let mut output = BufReader::new(process.stdout.take().unwrap());
        let mut line = String::new();
        output.read_line(&mut line).unwrap();
        let origin = line.split_whitespace().find(|word| word.starts_with("http://")).map(|word| {
            let end = word.trim_end_matches('.');
            end.to_owned()
        });
        let origin = origin.unwrap_or_else(|| panic!("no address in {line:?}: {:?}", process.wait()));
        Self { process, origin, _output: output, _data: data }
    }

    pub fn url(&self, path: &str) -> String {
        format!("{}{path}", self.origin)
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _already_dead = self.process.kill().and_then(|()| self.process.wait());
    }
}
