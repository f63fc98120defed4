//! Key encoding: the keys of sled's trees, which every store's checksums cover too. Stored keys are permanent: changing
//! one needs a new format number.

use crate::games::ports::{KEPT_SNAPSHOT_EVERY, Scope, Status};
use crate::ids::{FamilyId, GameId, PlayerId};
use crate::players::ports::{Sha256Digest, Subject};
use crate::rules::Instant;
use std::ops::Range;

pub(super) const ID_BYTES: usize = 16;

/// Keys of tree `m`.
pub(super) const FORMAT: &[u8] = b"format";
pub(super) const COMMIT: &[u8] = b"commit";
/// Present while an import runs; a store that has it can't be opened.
pub(super) const IMPORTING: &[u8] = b"importing";

/// First byte of the keys of tree `a`.
pub(super) const PLAYER: u8 = b'p';
pub(super) const USERNAME: u8 = b'u';
pub(super) const FAMILY: u8 = b'f';
pub(super) const INVITE: u8 = b'i';
pub(super) const SUBJECT: u8 = b's';
pub(super) const REVOCATION: u8 = b'r';

pub(super) fn step(game: GameId, version: u64) -> [u8; ID_BYTES + 8] {
    let mut key = [0; ID_BYTES + 8];
    key[..ID_BYTES].copy_from_slice(game.as_bytes());
    key[ID_BYTES..].copy_from_slice(&version.to_be_bytes());
    key
}

/// A snapshot that is kept as long as its game. The newest snapshot has the game's id alone as its key.
pub(super) fn kept_snapshot(game: GameId, version: u64) -> [u8; ID_BYTES + 8] {
    step(game, version)
}

/// Whether snapshots of this version are kept as long as the game.
pub(super) fn is_kept_version(version: u64) -> bool {
    version > 0 && version.is_multiple_of(KEPT_SNAPSHOT_EVERY)
}

/// All such versions up to `version`.
pub(super) fn kept_versions(version: u64) -> impl Iterator<Item = u64> {
    (1..=version / KEPT_SNAPSHOT_EVERY).map(|number| number * KEPT_SNAPSHOT_EVERY)
}

/// Reads the game id at the start of a key.
pub(super) fn read_game(key: &[u8]) -> Option<GameId> {
    key.first_chunk().map(|bytes| GameId::from_bytes(*bytes))
}

/// Reads the key of a step or of a kept snapshot.
pub(super) fn read_step(key: &[u8]) -> Option<(GameId, u64)> {
    let (game, version) = key.split_first_chunk::<ID_BYTES>()?;
    Some((GameId::from_bytes(*game), u64::from_be_bytes(version.try_into().ok()?)))
}

/// The key of a command: `g` and the game, so that a game's commands lie together, or `n` if the command created the
/// game.
pub(super) fn command(scope: Scope, key: &str) -> Vec<u8> {
    let scope = match scope.game {
        Some(game) => [b"g", &game.as_bytes()[..], scope.player.as_bytes()].concat(),
        None => [b"n", &scope.player.as_bytes()[..]].concat(),
    };
    [&scope, key.as_bytes()].concat()
}

/// The prefix of all commands of one game.
pub(super) fn commands_of(game: GameId) -> Vec<u8> {
    [b"g", &game.as_bytes()[..]].concat()
}

/// The prefix of all commands that created a game.
pub(super) const CREATIONS: &[u8] = b"n";

pub(super) fn read_command(bytes: &[u8]) -> Option<(Scope, &str)> {
    let (tag, rest) = bytes.split_first()?;
    let (game, rest) = match tag {
        b'g' => rest.split_first_chunk::<ID_BYTES>().map(|(game, rest)| (Some(GameId::from_bytes(*game)), rest))?,
        b'n' => (None, rest),
        _ => return None,
    };
    let (player, key) = rest.split_first_chunk::<ID_BYTES>()?;
    Some((Scope { player: PlayerId::from_bytes(*player), game }, str::from_utf8(key).ok()?))
}

pub(super) fn player(id: PlayerId) -> Vec<u8> {
    [&[PLAYER], &id.as_bytes()[..]].concat()
}

/// `name` must be normalized by [`Player::username_key`](crate::players::ports::Player::username_key).
pub(super) fn username(name: &str) -> Vec<u8> {
    [&[USERNAME], name.as_bytes()].concat()
}

pub(super) fn family(id: FamilyId) -> Vec<u8> {
    [&[FAMILY], &id.as_bytes()[..]].concat()
}

pub(super) fn invite(code: &str) -> Vec<u8> {
    [&[INVITE], code.as_bytes()].concat()
}

/// The key of an external identity. The issuer is prefixed with its length, so that no two subjects share a key.
pub(super) fn subject(subject: &Subject) -> Vec<u8> {
    let length = u16::try_from(subject.issuer.len()).unwrap_or(u16::MAX);
    [&[SUBJECT], &length.to_be_bytes()[..], subject.issuer.as_bytes(), subject.sub.as_bytes()].concat()
}

pub(super) fn revocation(mark: &Sha256Digest) -> Vec<u8> {
    [&[REVOCATION], &mark[..]].concat()
}

/// The stored number of a status.
pub(super) fn status(status: Status) -> u8 {
    match status {
        Status::Lobby => 0,
        Status::Active => 1,
        Status::Finished => 2,
        Status::Abandoned => 3,
    }
}

/// The prefix of the rows of one status; `whose` is a player, or empty for the public list.
pub(super) fn status_prefix(whose: &[u8], at: Status) -> Vec<u8> {
    [whose, &[status(at)]].concat()
}

/// The prefix of the rows of one status and kind, which only the game id follows. The kind is prefixed with its length,
/// so that no rows of another kind sort in between.
pub(super) fn status_kind_prefix(whose: &[u8], at: Status, kind: &str) -> Vec<u8> {
    let length = u8::try_from(kind.len()).unwrap_or(u8::MAX);
    [whose, &[status(at), length], kind.as_bytes()].concat()
}

/// Index of games by the time of their last step, for housekeeping of idle ones.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum IdleIndex {
    Lobby,
    Over,
}

impl IdleIndex {
    pub(super) fn of(status: Status) -> Option<IdleIndex> {
        match status {
            Status::Lobby => Some(IdleIndex::Lobby),
            Status::Active => None,
            Status::Finished | Status::Abandoned => Some(IdleIndex::Over),
        }
    }

    /// The first byte of the rows; no status has these numbers.
    fn tag(self) -> u8 {
        match self {
            IdleIndex::Lobby => b'L',
            IdleIndex::Over => b'O',
        }
    }

    /// The row of a game with this last step.
    pub(super) fn row(self, last_step: Instant, game: GameId) -> Vec<u8> {
        [&[self.tag()], &millis(last_step)[..], game.as_bytes()].concat()
    }

    /// The rows of all games whose last step was before `before`.
    pub(super) fn older_than(self, before: Instant) -> Range<Vec<u8>> {
        vec![self.tag()]..[&[self.tag()], &millis(before)[..]].concat()
    }
}

/// Big-endian, so that keys sort by time; times before 1970 count as 0.
fn millis(moment: Instant) -> [u8; 8] {
    u64::try_from(moment.0).unwrap_or(0).to_be_bytes()
}

/// Splits a row into its prefix and its game.
pub(super) fn read_row(row: &[u8]) -> Option<(&[u8], GameId)> {
    let (prefix, game) = row.split_last_chunk::<ID_BYTES>()?;
    Some((prefix, GameId::from_bytes(*game)))
}
