//! The rivals of `benches/rivals/`: installed from their lock files, started, and played at by their own clients.

use super::process::{Process, Server};
use super::progress::Bar;
use super::times::Summary;
use super::{Bench, Result};
use serde::Deserialize;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

/// How much longer than the measurement a rival may live: tables are laid first.
const AROUND_IT: u64 = 120;

#[derive(Clone, Copy)]
pub enum Rival {
    BoardgameIoInMemory,
    BoardgameIoOnFiles,
    Colyseus,
}

/// What a rival's client measured.
pub struct Rivalry {
    pub summary: Summary,
    pub per_cpu_second: f64,
    pub bytes_per_event: f64,
    pub create_p50: f64,
}

/// The line that a client prints.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Line {
    moves: f64,
    per_second: f64,
    p50: f64,
    p99: f64,
    p999: f64,
    create_p50: f64,
    bytes_per_event: f64,
}

impl Rival {
    pub fn name(self) -> &'static str {
        match self {
            Self::BoardgameIoInMemory => "boardgame.io in memory",
            Self::BoardgameIoOnFiles => "boardgame.io on flat files",
            Self::Colyseus => "Colyseus, a patch per move",
        }
    }

    /// Creates games one by one, then plays at several tables with several watchers each.
    pub fn play(self, bench: &Bench, tables: usize, watchers: usize, creations: usize) -> Result<Rivalry> {
        let folder = install(match self {
            Self::BoardgameIoInMemory | Self::BoardgameIoOnFiles => "boardgame.io",
            Self::Colyseus => "colyseus",
        })?;
        let _bar = Bar::new(format!("{}, {tables} tables", self.name()), bench.seconds);
        let files = bench.folder("flat-files");
        let store = if matches!(self, Self::BoardgameIoOnFiles) { files.to_string_lossy() } else { "memory".into() };
        let lifetime = (bench.seconds + Duration::from_secs(AROUND_IT)).as_secs().to_string();
        let server = Server::start(["node", "server.mjs", "--store", &store, "--seconds", &lifetime], Some(&folder))?;
        let (url, seconds) = (format!("http://{}", server.address), bench.seconds.as_secs().to_string());
        let [tables, watchers, creations] = [tables, watchers, creations].map(|number| number.to_string());
        let words = ["node", "client.mjs", "--server", &url, "--seconds", &seconds, "--tables", &tables];
        let words = words.into_iter().chain(["--watchers", &watchers, "--creations", &creations]);
        let mut client = Process::start(words, Some(&folder))?;
        client.line()?;
        let (line, cpu) = server.cpu_of(|| client.line())?;
        let Line { moves, per_second, p50, p99, p999, create_p50, bytes_per_event } = serde_json::from_str(&line)?;
        let summary = Summary { per_second, p50, p99, p999 };
        Ok(Rivalry { summary, per_cpu_second: moves / cpu, bytes_per_event, create_p50 })
    }
}

/// A copy of the rivals with all they need, installed once for each lock file.
fn install(name: &str) -> Result<PathBuf> {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("benches/rivals");
    let copy = Path::new(env!("CARGO_TARGET_TMPDIR")).join("rivals");
    let folder = copy.join(name);
    fs::create_dir_all(&folder)?;
    copy_files(&source, &copy)?;
    copy_files(&source.join(name), &folder)?;
    let (lock, installed) = (folder.join("package-lock.json"), folder.join("installed"));
    if fs::read(&installed).ok() == fs::read(&lock).ok() {
        return Ok(folder);
    }
    let words = ["ci", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"];
    let npm = Command::new("npm").args(words).current_dir(&folder).output();
    let npm = npm.map_err(|error| format!("npm can't be run ({error}); the rivals need node 20 or later, and npm"))?;
    if !npm.status.success() {
        return Err(format!("npm ci for {name}: {}", String::from_utf8_lossy(&npm.stderr)).into());
    }
    fs::copy(lock, installed)?;
    Ok(folder)
}

fn copy_files(from: &Path, to: &Path) -> Result<()> {
    for entry in fs::read_dir(from)? {
        let entry = entry?;
        if entry.file_type()?.is_file() {
            fs::copy(entry.path(), to.join(entry.file_name()))?;
        }
    }
    Ok(())
}
