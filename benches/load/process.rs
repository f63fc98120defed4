//! Programs that are measured: started here, each in a process of its own, asked for their processor time and memory, and
//! ended when they are no longer needed.

use super::Result;
use std::ffi::{OsStr, OsString};
use std::fs;
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, ChildStdout, Command, Stdio};

/// What /proc counts processor time in, on every Linux.
const TICKS_PER_SECOND: f64 = 100.0;

/// No limits per address, because all load comes from this machine.
pub const UNLIMITED: &[&str] = &["--address-rate", "0", "--address-connections", "0"];

/// Caps that would end a measurement. Variables and not flags: a build of an older commit, which may be measured too, does
/// not know all of them.
const UNCAPPED: [&str; 4] = [
    "LUDOTHEQUE_ADDRESS_PLAYERS_PER_HOUR=0",
    "LUDOTHEQUE_ADDRESS_GAMES_PER_HOUR=0",
    "LUDOTHEQUE_PLAYER_LOBBIES=0",
    "LUDOTHEQUE_PLAYER_GAMES=0",
];

/// Path of a server to measure instead of the one that cargo built for this run: another build, or another commit's.
const SERVER_VARIABLE: &str = "LUDOTHEQUE_BENCH_SERVER";

/// A running program; ended when dropped.
pub struct Process {
    child: Child,
    out: BufReader<ChildStdout>,
}

/// A server that has said where it listens.
pub struct Server {
    pub process: Process,
    /// Host and port.
    pub address: String,
}

impl Process {
    /// Starts a program with as many descriptors as it may have.
    pub fn start<W: AsRef<OsStr>>(words: impl IntoIterator<Item = W>, folder: Option<&Path>) -> Result<Self> {
        Self::spawn(words, folder, Stdio::null())
    }

    /// Starts a program whose standard input stays open until [`Self::close_input`], or until this process ends.
    pub fn start_with_input<W: AsRef<OsStr>>(words: impl IntoIterator<Item = W>) -> Result<Self> {
        Self::spawn(words, None, Stdio::piped())
    }

    fn spawn<W: AsRef<OsStr>>(words: impl IntoIterator<Item = W>, folder: Option<&Path>, input: Stdio) -> Result<Self> {
        let mut command = Command::new("sh");
        command.args(["-c", r#"ulimit -n "$(ulimit -Hn)"; exec "$@""#, "sh"]).args(words);
        command.env("NODE_ENV", "production").stdin(input).stdout(Stdio::piped());
        if let Some(folder) = folder {
            command.current_dir(folder);
        }
        let mut child = command.spawn()?;
        let out = BufReader::new(child.stdout.take().ok_or("no output")?);
        Ok(Self { child, out })
    }

    /// The next line it prints.
    pub fn line(&mut self) -> Result<String> {
        let mut line = String::new();
        match self.out.read_line(&mut line)? {
            0 => Err("a program ended before it had said what it was started for".into()),
            _ => Ok(line.trim_end().to_owned()),
        }
    }

    /// Closes its standard input.
    pub fn close_input(&mut self) {
        drop(self.child.stdin.take());
    }

    pub fn id(&self) -> u32 {
        self.child.id()
    }

    /// Seconds that processors have worked for it.
    pub fn cpu(&self) -> Result<f64> {
        let stat = fs::read_to_string(format!("/proc/{}/stat", self.child.id()))?;
        // The name, in brackets, may contain anything; user and system time are the 12th and 13th after it.
        let (_, after) = stat.rsplit_once(')').ok_or("no name")?;
        let mut ticks = after.split_whitespace().skip(11).take(2).map(str::parse::<f64>);
        let (user, system) = ticks.next().zip(ticks.next()).ok_or("no times")?;
        Ok((user? + system?) / TICKS_PER_SECOND)
    }

    /// Bytes of memory that it has.
    pub fn memory(&self) -> Result<f64> {
        memory_of(self.child.id())
    }
}

/// Resident memory of a process, in bytes.
pub fn memory_of(process: u32) -> Result<f64> {
    let status = fs::read_to_string(format!("/proc/{process}/status"))?;
    let kib = status.lines().find_map(|line| line.strip_prefix("VmRSS:")?.split_whitespace().next());
    Ok(kib.ok_or("no memory")?.parse::<f64>()? * 1024.0)
}

/// The server to measure.
pub fn server_program() -> OsString {
    std::env::var_os(SERVER_VARIABLE).unwrap_or_else(|| env!("CARGO_BIN_EXE_ludotheque").into())
}

impl Drop for Process {
    fn drop(&mut self) {
        let _already_gone = self.child.kill();
        let _status = self.child.wait();
    }
}

impl Server {
    /// Starts a program that begins by telling its address.
    pub fn start<W: AsRef<OsStr>>(words: impl IntoIterator<Item = W>, folder: Option<&Path>) -> Result<Self> {
        let mut process = Process::start(words, folder)?;
        loop {
            let line = process.line()?;
            if let Some((_, address)) = line.split_once("http://") {
                let address = address.split_whitespace().next().unwrap_or_default();
                return Ok(Self { address: address.trim_end_matches(['.', '/']).to_owned(), process });
            }
        }
    }

    /// Our own, with its data in a folder and nothing that slows callers down on purpose.
    pub fn ours(data: &Path) -> Result<Self> {
        Self::ours_with(data, UNLIMITED)
    }

    /// Our own, with further settings.
    pub fn ours_with(data: &Path, settings: &[&str]) -> Result<Self> {
        Self::launch(data, &UNCAPPED, &[&["--player-rate", "0"], settings].concat())
    }

    /// Our own, with its default limits unless the settings say otherwise.
    pub fn with_defaults(data: &Path, settings: &[&str]) -> Result<Self> {
        Self::launch(data, &[], settings)
    }

    fn launch(data: &Path, variables: &[&str], settings: &[&str]) -> Result<Self> {
        let before = ["env"].iter().chain(variables).map(OsString::from);
        let fixed = ["--listen", "127.0.0.1:0", "--log", "warn"];
        let after = fixed.iter().chain(settings).map(OsString::from);
        let data = ["--data".into(), data.into()];
        Self::start(before.chain([server_program()]).chain(after).chain(data), None)
    }

    /// Runs something, and tells how many seconds the server's processors worked meanwhile.
    pub fn cpu_of<T>(&self, work: impl FnOnce() -> Result<T>) -> Result<(T, f64)> {
        let before = self.process.cpu()?;
        let done = work()?;
        Ok((done, self.process.cpu()? - before))
    }
}

/// Runs one of our own commands on a data folder to its end.
pub fn command(data: &Path, words: &[&str]) -> Result<()> {
    let mut command = Command::new(server_program());
    let output = command.args(words).arg("--data").arg(data).stdin(Stdio::null()).output()?;
    if output.status.success() { Ok(()) } else { Err(String::from_utf8_lossy(&output.stderr).into()) }
}
