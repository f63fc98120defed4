//! The format of an export: JSON, one thing a line, so that a store of any size passes through little memory.
//!
//! The first line says what it is, the last how much there was, with a checksum of all lines before it: a file that was
//! cut short or changed is noticed. A game is followed by its steps, its snapshots and its commands. The first snapshot of
//! a game is its newest; those that are kept for good follow, the newest of them first. What refers to something
//! comes before it, so that an export of a store in use never refers to what came too late to be in it: commands
//! that created games, games, sign-ins, players, ended tokens.

use crate::games::ports::{Command, Done, Head, Scope, StoreError};
use crate::games::step::Step;
use crate::ids::{GameId, PlayerId};
use crate::players::ports::{Family, Player, Revocation};
use crate::rules::Instant;
use base64::{Engine, prelude::BASE64_STANDARD};
use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error};
use std::fmt;
use std::io::{self, BufRead, Read, Write};

/// What the first line calls the format, and the newest one there is. In format 1 a game had one snapshot at most.
const NAME: &str = "ludotheque export";
const FORMAT: u32 = 2;
/// No line is longer; what claims to be is no export.
const LONGEST: u64 = 1 << 20;

/// One line of an export.
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

/// A command that is still remembered.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct CommandLine {
    pub player: PlayerId,
    /// The game it was for; none if it created one.
    pub scope: Option<GameId>,
    pub key: String,
    pub digest: Base64,
    /// The step it led to.
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

    /// The command and what became of it; nothing if the digest is of the wrong length.
    pub fn read(self) -> Option<(Command, Done)> {
        let digest = self.digest.0.try_into().ok()?;
        let scope = Scope { player: self.player, game: self.scope };
        let done = Done { game: self.game, version: self.version, digest, at: self.at };
        Some((Command { scope, key: self.key, digest }, done))
    }
}

/// The last line.
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
             {families} sign-ins, {revocations} ended tokens, checksum {checksum:08x}"
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

/// Bytes, as text.
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

/// Writes an export line by line.
pub struct LineWriter<W> {
    out: W,
    end: End,
    hasher: crc32fast::Hasher,
}

impl<W: Write> LineWriter<W> {
    pub fn start(out: W) -> io::Result<Self> {
        let mut writer = Self { out, end: End::default(), hasher: crc32fast::Hasher::new() };
        writer.write(&Line::Start { what: NAME.to_owned(), format: FORMAT })?;
        Ok(writer)
    }

    pub fn write(&mut self, line: &Line) -> io::Result<()> {
        let mut text = serde_json::to_vec(line)?;
        text.push(b'\n');
        self.hasher.update(&text);
        self.end.count(line);
        self.out.write_all(&text)
    }

    /// Writes the last line and tells what it says.
    pub fn finish(mut self) -> io::Result<End> {
        let end = End { checksum: self.hasher.clone().finalize(), ..self.end.clone() };
        self.write(&Line::End(end.clone()))?;
        self.out.flush()?;
        Ok(end)
    }
}

/// What is wrong with an export.
#[derive(Debug, thiserror::Error)]
pub enum ExportFormatError {
    #[error(transparent)]
    Io(#[from] io::Error),
    #[error("line {line}: {why}")]
    Malformed { line: u64, why: String },
}

/// Reads an export line by line. Nothing read may be relied on before [`LineReader::read`] has told the end.
pub struct LineReader<R> {
    input: R,
    line: u64,
    seen: End,
    hasher: crc32fast::Hasher,
    over: bool,
}

impl<R: BufRead> LineReader<R> {
    /// Reads the first line.
    pub fn start(input: R) -> Result<Self, ExportFormatError> {
        let hasher = crc32fast::Hasher::new();
        let mut reader = Self { input, line: 0, seen: End::default(), hasher, over: false };
        match reader.read()? {
            Some(Line::Start { what, format }) if what == NAME && (1..=FORMAT).contains(&format) => Ok(reader),
            Some(Line::Start { what, format }) if what == NAME => {
                Err(reader.malformed(format!("format {format} is newer than this program")))
            }
            _ => Err(reader.malformed("this is no export")),
        }
    }

    /// The error for something wrong with the line read last.
    pub fn malformed(&self, why: impl Into<String>) -> ExportFormatError {
        ExportFormatError::Malformed { line: self.line, why: why.into() }
    }

    /// The next line; nothing once the end was read and found to agree with all before it.
    pub fn read(&mut self) -> Result<Option<Line>, ExportFormatError> {
        if self.over {
            return Ok(None);
        }
        let text = self.next_text()?;
        let line: Line = serde_json::from_slice(&text).map_err(|error| self.malformed(error.to_string()))?;
        if let Line::End(end) = line {
            let seen = End { checksum: self.hasher.clone().finalize(), ..self.seen.clone() };
            if end != seen {
                return Err(self.malformed(format!("the end tells of {end}, but there was {seen}")));
            }
            if !self.input.fill_buf()?.is_empty() {
                return Err(self.malformed("something follows the end"));
            }
            (self.over, self.seen) = (true, seen);
            return Ok(None);
        }
        self.hasher.update(&text);
        self.seen.count(&line);
        Ok(Some(line))
    }

    /// What the last line says, once it was read; until then what was counted.
    pub fn end(&self) -> &End {
        &self.seen
    }

    fn next_text(&mut self) -> Result<Vec<u8>, ExportFormatError> {
        let mut text = Vec::new();
        self.line += 1;
        self.input.by_ref().take(LONGEST).read_until(b'\n', &mut text)?;
        if text.last() != Some(&b'\n') {
            let why = if text.len() as u64 == LONGEST { "too long" } else { "the export was cut short" };
            return Err(self.malformed(why));
        }
        Ok(text)
    }
}

/// Why an export failed.
#[derive(Debug, thiserror::Error)]
pub enum ExportError {
    #[error(transparent)]
    Io(#[from] io::Error),
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// Why an import failed.
#[derive(Debug, thiserror::Error)]
pub enum ImportError {
    #[error("the store is not empty; import into a new one")]
    NotEmpty,
    #[error("the export can't be read: {0}")]
    Export(#[from] ExportFormatError),
    #[error("the export does not hold together: {0}")]
    Inconsistent(String),
    #[error(transparent)]
    Store(#[from] StoreError),
}
