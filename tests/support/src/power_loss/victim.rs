//! A program that tells what was acknowledged to it, until it is killed.

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::thread;
use std::time::Duration;

/// What an acknowledgement starts with on the program's output.
const MARK: &str = "ack ";
/// No program takes that long to the next acknowledgement, however busy the machine.
const PATIENCE: Duration = Duration::from_mins(1);

/// A running program.
pub struct Victim {
    child: Child,
    lines: Receiver<String>,
    /// What it has acknowledged so far.
    pub acknowledged: Vec<String>,
}

impl Victim {
    pub fn start(command: &mut Command) -> Victim {
        let mut child = command.stdout(Stdio::piped()).spawn().unwrap();
        let output = BufReader::new(child.stdout.take().unwrap());
        let (sender, lines) = mpsc::channel();
        thread::spawn(move || {
            // A line that was cut off by the kill was not acknowledged to anybody.
            for line in output.split(b'\n').map_while(Result::ok) {
                let line = String::from_utf8_lossy(&line);
                if let Some(what) = line.split_once(MARK).and_then(|(_, rest)| rest.strip_suffix('.'))
                    && sender.send(what.to_owned()).is_err()
                {
                    return;
                }
            }
        });
        Victim { child, lines, acknowledged: Vec::new() }
    }

    /// Waits until `count` more things were acknowledged.
    pub fn acknowledges(&mut self, count: usize) {
        for _ in 0..count {
            match self.lines.recv_timeout(PATIENCE) {
                Ok(line) => self.acknowledged.push(line),
                Err(RecvTimeoutError::Timeout) => panic!("nothing was acknowledged for a minute"),
                Err(RecvTimeoutError::Disconnected) => panic!("it ended by itself: {:?}", self.child.wait()),
            }
        }
    }

    /// Waits until `count` more things were acknowledged, or until the program ends by itself.
    pub fn acknowledges_or_ends(&mut self, count: usize) {
        for _ in 0..count {
            match self.lines.recv_timeout(PATIENCE) {
                Ok(line) => self.acknowledged.push(line),
                Err(RecvTimeoutError::Timeout) => panic!("nothing was acknowledged for a minute"),
                Err(RecvTimeoutError::Disconnected) => return,
            }
        }
    }

    /// Waits until it ends by itself, and tells everything it acknowledged.
    pub fn ends(mut self) -> Vec<String> {
        self.acknowledged.extend(self.lines.iter());
        self.child.wait().unwrap();
        self.acknowledged
    }

    /// Kills it without warning, and tells everything it acknowledged before.
    pub fn kill(mut self) -> Vec<String> {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
        self.acknowledged.extend(self.lines.iter());
        self.acknowledged
    }
}

/// Called by the program: tells that something was acknowledged.
pub fn acknowledge(what: &str) {
    // One write, so that lines of several threads never mix.
    let line = format!("{MARK}{what}.\n");
    let mut out = std::io::stdout().lock();
    out.write_all(line.as_bytes()).and_then(|()| out.flush()).expect("somebody listens");
}
