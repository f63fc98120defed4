//! The real binary as a child process, which a test can stop or kill.

use crate::tested_store::database_of;
use crate::{Endpoint, folder};
use std::io::{BufRead, BufReader, Read};
use std::ops::{Deref, DerefMut};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Output, Stdio};
use std::sync::{Arc, Mutex};
use std::thread::{self, JoinHandle};
use tempfile::TempDir;

/// Settings that lift the limits of rates and numbers: a test is faster than any person.
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
    endpoint: Endpoint,
    log: Arc<Mutex<String>>,
    readers: Vec<JoinHandle<()>>,
    data: Option<TempDir>,
}

/// The path of the binary under test. Cargo sets a variable for the tests that it runs; a test that is started by hand finds
/// the binary one folder above its own.
pub fn binary() -> PathBuf {
    std::env::var_os("CARGO_BIN_EXE_ludotheque").map_or_else(
        || {
            let this = std::env::current_exe().expect("a test is a program");
            this.ancestors().nth(2).expect("tests are built in a folder of the binary's").join("ludotheque")
        },
        PathBuf::from,
    )
}

/// The binary with its data folder, on a free port.
pub fn ludotheque(data: &Path) -> Command {
    let mut command = Command::new(binary());
    command.arg("--data").arg(data).args(["--listen", "127.0.0.1:0"]);
    command
}

/// The same without limits of rates and numbers, on the store that is tested.
pub fn ludotheque_unlimited(data: &Path) -> Command {
    let mut command = ludotheque(data);
    command.args(["--log", "error"]).args(UNLIMITED);
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
    /// With the limits as shipped, and these settings.
    pub fn start(data: &Path, settings: &[&str]) -> Self {
        let mut command = ludotheque(data);
        command.args(settings);
        Self::spawn(command)
    }

    /// The same, with a data folder that goes with it.
    pub fn fresh(settings: &[&str]) -> Self {
        let data = folder();
        let mut program = Self::start(data.path(), settings);
        program.data = Some(data);
        program
    }

    /// Without limits, on the store that is tested.
    pub fn unlimited(data: &Path) -> Self {
        Self::spawn(ludotheque_unlimited(data))
    }

    /// Starts a server; it is up once it has told its address.
    pub fn spawn(mut command: Command) -> Self {
        let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("the binary runs");
        let log = Arc::<Mutex<String>>::default();
        let errors = gather(child.stderr.take().expect("it is piped"), log.clone());
        let mut output = BufReader::new(child.stdout.take().expect("it is piped"));
        let mut line = String::new();
        output.read_line(&mut line).expect("it speaks");
        let address = line.split("http://").nth(1).and_then(|rest| rest.split(". ").next());
        let Some(address) = address.map(str::trim_end) else {
            let status = child.wait();
            errors.join().unwrap();
            panic!("no address in {line:?}: {status:?}\n{}", log.lock().unwrap());
        };
        let readers = vec![errors, gather(output, Arc::default())];
        Self { child, endpoint: Endpoint::new(format!("http://{address}")), log, readers, data: None }
    }

    /// What was logged so far.
    pub fn log(&self) -> String {
        self.log.lock().unwrap().clone()
    }

    /// The process.
    pub fn id(&self) -> u32 {
        self.child.id()
    }

    /// Tells it to end, and goes on at once.
    pub fn terminate(&self) {
        let told = Command::new("kill").args(["-TERM", &self.id().to_string()]).status().unwrap();
        assert!(told.success());
    }

    /// Waits for its end, and tells how it was and all that was logged.
    pub fn ends(mut self) -> (ExitStatus, String) {
        let status = self.child.wait().unwrap();
        for reader in self.readers.drain(..) {
            reader.join().unwrap();
        }
        (status, self.log())
    }

    /// Ends it in order.
    pub fn stop(self) -> String {
        self.terminate();
        let (status, log) = self.ends();
        assert!(status.success(), "{status}\n{log}");
        log
    }

    /// Kills it without warning.
    pub fn kill(mut self) {
        self.child.kill().expect("it runs");
        self.child.wait().expect("it ends");
    }
}

fn gather(from: impl Read + Send + 'static, into: Arc<Mutex<String>>) -> JoinHandle<()> {
    thread::spawn(move || {
        for line in BufReader::new(from).split(b'\n').map_while(Result::ok) {
            let mut all = into.lock().unwrap();
            all.push_str(&String::from_utf8_lossy(&line));
            all.push('\n');
        }
    })
}

impl Deref for Program {
    type Target = Endpoint;

    fn deref(&self) -> &Endpoint {
        &self.endpoint
    }
}

impl DerefMut for Program {
    fn deref_mut(&mut self) -> &mut Endpoint {
        &mut self.endpoint
    }
}

impl Drop for Program {
    fn drop(&mut self) {
        // After a failed test nothing is left behind; a program that is dead already is fine.
        let _already_dead = self.child.kill().and_then(|()| self.child.wait());
        if thread::panicking() {
            eprintln!("{}", self.log());
        }
    }
}
