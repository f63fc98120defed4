//! The real binary, as a process that can be killed.

use super::Door;
use crate::postgres::kept::database_of;
use std::io::{BufRead, BufReader};
use std::ops::Deref;
use std::path::Path;
use std::process::{Child, Command, Output, Stdio};

/// Settings without which a test that is faster than any person is refused.
pub const UNLIMITED: [&str; 12] = [
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

/// A running server.
pub struct Program {
    child: Child,
    door: Door,
}

/// The binary with its data folder, ready for a command.
pub fn ludotheque(data: &Path) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_ludotheque"));
    command.arg("--data").arg(data).args(["--listen", "127.0.0.1:0", "--log", "error"]);
    command.args(UNLIMITED);
    if let Some(url) = database_of(data) {
        command.args(["--store", &url]);
    }
    command
}

/// Runs a command to its end.
pub fn run(mut command: Command) -> Output {
    command.output().expect("the binary runs")
}

impl Program {
    pub fn start(data: &Path) -> Self {
        Self::spawn(ludotheque(data))
    }

    /// Starts a server; it is up once it has told its address.
    pub fn spawn(mut command: Command) -> Self {
        let mut child = command.stdout(Stdio::piped()).spawn().expect("the binary runs");
        let mut line = String::new();
        BufReader::new(child.stdout.take().expect("it is piped")).read_line(&mut line).expect("it speaks");
        let address = line.split("http://").nth(1).and_then(|rest| rest.split(". ").next());
        let address = address.unwrap_or_else(|| panic!("no address in {line:?}: {:?}", child.wait()));
        Self { door: Door::new(format!("http://{address}")), child }
    }

    /// Kills it without warning.
    pub fn kill(mut self) {
        self.child.kill().expect("it runs");
        self.child.wait().expect("it ends");
    }
}

impl Deref for Program {
    type Target = Door;

    fn deref(&self) -> &Door {
        &self.door
    }
}

impl Drop for Program {
    fn drop(&mut self) {
        // After a failed test nothing is left behind; a program that is dead already is fine.
        let _already_dead = self.child.kill().and_then(|()| self.child.wait());
    }
}
