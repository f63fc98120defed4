//! Export format: JSON Lines, so that a store of any size can be streamed in little memory.
//!
//! The first line names the format. The last one has the counts and a checksum of all lines before it, so that a
//! truncated or changed file is detected. A game is followed by its steps, its snapshots (newest first; the older ones
//! are those kept as long as the game) and its commands. Data that refers to other data comes first, so that an export
//! of a store in use never refers to something written too late to be in it: commands that created games, games,
//! sign-ins, players, revoked tokens.

use crate::games::ports::{Command, Done, Head, Scope, StoreError};
use crate::games::step::Step;
use crate::ids::{GameId, PlayerId};
use crate::players::ports::{Family, Player, Revocation};
use crate::rules::Instant;
use base64::{Engine, prelude::BASE64_STANDARD};
use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error};
use std::fmt;
use std::io::{self, BufRead, Read, Write};

/// Name and newest version of the format. In version 1 a game had at most one snapshot.
const FORMAT_NAME: &str = "ludotheque export";
const FORMAT: u32 = 2;
/// The longest line accepted, so that a file that is no export is not read into memory.
const MAX_LINE_BYTES: u64 = 1 << 20;

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub enum Line {
    Start { what: String, format: u32 },
    Command(CommandLine),
    Game { id: GameId, head: Head },
    Step(Step),
    Snapshot { version: u64, bytes: Base64 },
    Family(Family),
    Player(Player),
    Revocation(Revocation),
    End(End),
}

/// A command that is still remembered for idempotency.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct CommandLine {
    pub player: PlayerId,
    /// The game it was sent to; `None` if it created one.
    pub scope: Option<GameId>,
    pub key: String,
    pub digest: Base64,
    /// The game of the step it led to.
    pub game: GameId,
    pub version: u64,
    pub at: Instant,
}

impl CommandLine {
    pub fn new(scope: Scope, key: &str, done: &Done) -> Self {
        let digest = Base64(done.digest.to_vec());
        let Done { game, version, at, .. } = *done;
        Self { player: scope.player, scope: scope.game, key: key.to_owned(), digest, game, version, at }
    }

    /// The command and its result; `None` if the digest has the wrong length.
    pub fn read(self) -> Option<(Command, Done)> {
        let digest = self.digest.0.try_into().ok()?;
        let scope = Scope { player: self.player, game: self.scope };
        let done = Done { game: self.game, version: self.version, digest, at: self.at };
        Some((Command { scope, key: self.key, digest }, done))
    }
}

/// The last line: what the export contains.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct End {
    pub games: u64,
    pub steps: u64,
    pub snapshots: u64,
    pub commands: u64,
    pub families: u64,
    pub revocations: u64,
    pub players: u64,
    /// CRC-32 of every byte before this line.
    pub checksum: u32,
}

impl fmt::Display for End {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let End { games, steps, snapshots, commands, families, revocations, players, checksum } = self;
        write!(
            f,
            "{games} games with {steps} steps, {snapshots} snapshots and {commands} commands, {players} players with \
             {families} sign-ins, {revocations} revoked tokens, checksum {checksum:08x}"
        )
    }
}

impl End {
    fn count(&mut self, line: &Line) {
        match line {
            Line::Game { .. } => self.games += 1,
            Line::Step(_) => self.steps += 1,
            Line::Snapshot { .. } => self.snapshots += 1,
            Line::Command(_) => self.commands += 1,
            Line::Family(_) => self.families += 1,
            Line::Revocation(_) => self.revocations += 1,
            Line::Player(_) => self.players += 1,
            Line::Start { .. } | Line::End(_) => {}
        }
    }
}

/// Bytes, in base64.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Base64(pub Vec<u8>);

impl Serialize for Base64 {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&BASE64_STANDARD.encode(&self.0))
    }
}

impl<'de> Deserialize<'de> for Base64 {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        BASE64_STANDARD.decode(String::deserialize(deserializer)?).map(Base64).map_err(D::Error::custom)
    }
}

pub struct LineWriter<W> {
    out: W,
    end: End,
    hasher: crc32fast::Hasher,
}

impl<W: Write> LineWriter<W> {
    pub fn start(out: W) -> io::Result<Self> {
        let mut writer = Self { out, end: End::default(), hasher: crc32fast::Hasher::new() };
        writer.write(&Line::Start { what: FORMAT_NAME.to_owned(), format: FORMAT })?;
        Ok(writer)
    }

    pub fn write(&mut self, line: &Line) -> io::Result<()> {
        let mut text = serde_json::to_vec(line)?;
        text.push(b'\n');
        self.hasher.update(&text);
        self.end.count(line);
        self.out.write_all(&text)
    }

    /// Writes the last line, flushes, and returns the counts.
    pub fn finish(mut self) -> io::Result<End> {
        let end = End { checksum: self.hasher.clone().finalize(), ..self.end.clone() };
        self.write(&Line::End(end.clone()))?;
        self.out.flush()?;
        Ok(end)
    }
}

/// Why an export can't be read.
#[derive(Debug, thiserror::Error)]
pub enum ExportFormatError {
    #[error(transparent)]
    Io(#[from] io::Error),
    #[error("line {line}: {why}")]
    Malformed { line: u64, why: String },
}

/// Reads an export line by line. Nothing read is verified until [`LineReader::read`] has returned `None`.
pub struct LineReader<R> {
    input: R,
    line: u64,
    seen: End,
    hasher: crc32fast::Hasher,
    finished: bool,
}

impl<R: BufRead> LineReader<R> {
    /// Reads and checks the first line.
    pub fn start(input: R) -> Result<Self, ExportFormatError> {
        let hasher = crc32fast::Hasher::new();
        let mut reader = Self { input, line: 0, seen: End::default(), hasher, finished: false };
        match reader.read()? {
            Some(Line::Start { what, format }) if what == FORMAT_NAME && (1..=FORMAT).contains(&format) => Ok(reader),
            Some(Line::Start { what, format }) if what == FORMAT_NAME => {
                Err(reader.malformed(format!("format {format} is newer than this program")))
            }
            _ => Err(reader.malformed("this is no export")),
        }
    }

    /// The error for the line read last.
    pub fn malformed(&self, why: impl Into<String>) -> ExportFormatError {
        ExportFormatError::Malformed { line: self.line, why: why.into() }
    }

    /// The next line; `None` once the last line was read and agrees with everything before it.
    pub fn read(&mut self) -> Result<Option<Line>, ExportFormatError> {
        if self.finished {
            return Ok(None);
        }
        let text = self.next_text()?;
        let line: Line = serde_json::from_slice(&text).map_err(|error| self.malformed(error.to_string()))?;
        if let Line::End(end) = line {
            let seen = End { checksum: self.hasher.clone().finalize(), ..self.seen.clone() };
            if end != seen {
                return Err(self.malformed(format!("the last line says {end}, but the export has {seen}")));
            }
            if !self.input.fill_buf()?.is_empty() {
                return Err(self.malformed("data follows the last line"));
            }
            (self.finished, self.seen) = (true, seen);
            return Ok(None);
        }
        self.hasher.update(&text);
        self.seen.count(&line);
        Ok(Some(line))
    }

    /// The counts so far; those of the last line once it was read.
    pub fn end(&self) -> &End {
        &self.seen
    }

    fn next_text(&mut self) -> Result<Vec<u8>, ExportFormatError> {
        let mut text = Vec::new();
        self.line += 1;
        self.input.by_ref().take(MAX_LINE_BYTES).read_until(b'\n', &mut text)?;
        if text.last() != Some(&b'\n') {
            let why = if text.len() as u64 == MAX_LINE_BYTES { "too long" } else { "the export is truncated" };
            return Err(self.malformed(why));
        }
        Ok(text)
    }
}

#[derive(Debug, thiserror::Error)]
pub enum ExportError {
    #[error(transparent)]
    Io(#[from] io::Error),
    #[error(transparent)]
    Store(#[from] StoreError),
}

#[derive(Debug, thiserror::Error)]
pub enum ImportError {
    #[error("the store is not empty; import into a new one")]
    NotEmpty,
    #[error("the export can't be read: {0}")]
    Export(#[from] ExportFormatError),
    #[error("the export is inconsistent: {0}")]
    Inconsistent(String),
    #[error(transparent)]
    Store(#[from] StoreError),
}
