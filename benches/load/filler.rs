//! Stores with many games: some are really played, and imported again and again under new ids.

use super::process::{Server, command, server_program};
use super::progress::Bar;
use super::table::{Setup, play};
use super::{Bench, Result};
use ludotheque::games::ports::Status;
use ludotheque::ids::GameId;
use ludotheque::store::export_format::{Base64, Line, LineReader, LineWriter};
use std::fs::File;
use std::io::{BufReader, BufWriter};
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

/// Tokens that end a game of two, unless said otherwise.
const TOKENS: u8 = 3;
/// About how many games are imported in a second.
const IMPORTED: u64 = 1500;

/// Games that were played to their end, each with its lines in an export, and whatever else was in it.
pub struct Played {
    games: Vec<Vec<Line>>,
    rest: Vec<Line>,
}

impl Played {
    pub fn new(bench: &Bench) -> Result<Self> {
        let data = bench.folder("played");
        let server = Server::ours(&data)?;
        play(bench, &server, &Setup { target: Some(TOKENS), ..Setup::of(bench.tables) })?;
        drop(server);
        let file = bench.folder("export");
        command(&data, &["export", &file.to_string_lossy()])?;
        Self::read(&file)
    }

    fn read(file: &Path) -> Result<Self> {
        let mut lines = LineReader::start(BufReader::new(File::open(file)?))?;
        let (mut games, mut rest) = (Vec::new(), Vec::new());
        while let Some(line) = lines.read()? {
            match &line {
                Line::Game { .. } => games.push(vec![line]),
                Line::Step(_) | Line::Snapshot { .. } => games.last_mut().ok_or("a step before any game")?.push(line),
                Line::Family(_) | Line::Player(_) => rest.push(line),
                Line::Start { .. } | Line::Command(_) | Line::Revocation(_) | Line::End(_) => {}
            }
        }
        let is_finished =
            |game: &Vec<Line>| matches!(&game[0], Line::Game { head, .. } if head.status == Status::Finished);
        games.retain(is_finished);
        if games.is_empty() { Err("no game came to its end; play for longer".into()) } else { Ok(Self { games, rest }) }
    }

    /// Imports games into a new folder, and returns their ids.
    pub fn import(&self, data: &Path, count: usize) -> Result<Vec<GameId>> {
        let _bar = Bar::new(format!("importing {count} games"), Duration::from_secs(count as u64 / IMPORTED + 1));
        let mut import = Command::new(server_program())
            .args(["import", "-", "--data"])
            .arg(data)
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .spawn()?;
        let mut lines = LineWriter::start(BufWriter::new(import.stdin.take().ok_or("no input")?))?;
        let mut ids = Vec::with_capacity(count);
        for game in self.games.iter().cycle().take(count) {
            let id = GameId::new();
            ids.push(id);
            for line in game {
                lines.write(&renamed(line, id))?;
            }
        }
        for line in &self.rest {
            lines.write(line)?;
        }
        lines.finish()?;
        // The end of its input is all that the import waits for.
        if import.wait()?.success() { Ok(ids) } else { Err("the import failed".into()) }
    }
}

/// The same line for another game. A snapshot begins with its game's id.
fn renamed(line: &Line, id: GameId) -> Line {
    match line {
        Line::Game { head, .. } => Line::Game { id, head: head.clone() },
        Line::Snapshot { version, bytes } => {
            let bytes = id.as_bytes().iter().chain(bytes.0.iter().skip(id.as_bytes().len())).copied().collect();
            Line::Snapshot { version: *version, bytes: Base64(bytes) }
        }
        other => other.clone(),
    }
}
