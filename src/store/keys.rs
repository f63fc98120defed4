//! The keys of what is stored: those of sled's trees, and what a value is checked against in every store. For ever: what
//! is written here can't change without a new format number.

use crate::games::ports::{KEPT_SNAPSHOT_EVERY, Scope, Status};
use crate::ids::{FamilyId, GameId, PlayerId};
use crate::players::ports::{Sha256Digest, Subject};
use crate::rules::Instant;
use std::ops::Range;

/// The length of an id.
pub(super) const ID: usize = 16;

/// Words of tree `m`.
pub(super) const FORMAT: &[u8] = b"format";
pub(super) const COMMIT: &[u8] = b"commit";
/// There while an import is under way: until it is complete, the store is not to be used.
pub(super) const IMPORTING: &[u8] = b"importing";

/// What the first byte of a key of tree `a` says it is.
pub(super) const PLAYER: u8 = b'p';
pub(super) const USERNAME: u8 = b'u';
pub(super) const FAMILY: u8 = b'f';
pub(super) const INVITE: u8 = b'i';
pub(super) const SUBJECT: u8 = b's';
pub(super) const REVOCATION: u8 = b'r';

pub(super) fn step(game: GameId, version: u64) -> [u8; ID + 8] {
    let mut key = [0; ID + 8];
    key[..ID].copy_from_slice(game.as_bytes());
    key[ID..].copy_from_slice(&version.to_be_bytes());
    key
}

/// A snapshot that is kept for good, beside the newest one under the game's id alone.
pub(super) fn kept_snapshot(game: GameId, version: u64) -> [u8; ID + 8] {
    step(game, version)
}

/// Whether snapshots of a version are kept for good.
pub(super) fn is_kept(version: u64) -> bool {
    version > 0 && version.is_multiple_of(KEPT_SNAPSHOT_EVERY)
}

/// The versions up to one whose snapshots are kept.
pub(super) fn kept_versions(version: u64) -> impl Iterator<Item = u64> {
    (1..=version / KEPT_SNAPSHOT_EVERY).map(|number| number * KEPT_SNAPSHOT_EVERY)
}

/// The first id in a key.
pub(super) fn game_at(key: &[u8]) -> Option<GameId> {
    key.first_chunk().map(|bytes| GameId::from_bytes(*bytes))
}

/// Game and version of a key of tree `e`, or of a kept snapshot.
pub(super) fn read_step(key: &[u8]) -> Option<(GameId, u64)> {
    let (game, version) = key.split_first_chunk::<ID>()?;
    Some((GameId::from_bytes(*game), u64::from_be_bytes(version.try_into().ok()?)))
}

/// Commands of a game start with `g` and the game, so that they are found with it; those that create one with `n`.
pub(super) fn command(scope: Scope, key: &str) -> Vec<u8> {
    let scope = match scope.game {
        Some(game) => [b"g", &game.as_bytes()[..], scope.player.as_bytes()].concat(),
        None => [b"n", &scope.player.as_bytes()[..]].concat(),
    };
    [&scope, key.as_bytes()].concat()
}

/// What all commands of one game start with.
pub(super) fn commands_of(game: GameId) -> Vec<u8> {
    [b"g", &game.as_bytes()[..]].concat()
}

/// What all commands that created a game start with.
pub(super) const CREATIONS: &[u8] = b"n";

pub(super) fn read_command(bytes: &[u8]) -> Option<(Scope, &str)> {
    let (tag, rest) = bytes.split_first()?;
    let (game, rest) = match tag {
        b'g' => rest.split_first_chunk::<ID>().map(|(game, rest)| (Some(GameId::from_bytes(*game)), rest))?,
        b'n' => (None, rest),
        _ => return None,
    };
    let (player, key) = rest.split_first_chunk::<ID>()?;
    Some((Scope { player: PlayerId::from_bytes(*player), game }, str::from_utf8(key).ok()?))
}

pub(super) fn player(id: PlayerId) -> Vec<u8> {
    [&[PLAYER], &id.as_bytes()[..]].concat()
}

/// `name` as [`Player::username_key`](crate::players::ports::Player::username_key) makes it.
pub(super) fn username(name: &str) -> Vec<u8> {
    [&[USERNAME], name.as_bytes()].concat()
}

pub(super) fn family(id: FamilyId) -> Vec<u8> {
    [&[FAMILY], &id.as_bytes()[..]].concat()
}

pub(super) fn invite(code: &str) -> Vec<u8> {
    [&[INVITE], code.as_bytes()].concat()
}

/// The issuer carries its length, so that no two subjects have one key.
pub(super) fn subject(subject: &Subject) -> Vec<u8> {
    let length = u16::try_from(subject.issuer.len()).unwrap_or(u16::MAX);
    [&[SUBJECT], &length.to_be_bytes()[..], subject.issuer.as_bytes(), subject.sub.as_bytes()].concat()
}

pub(super) fn revocation(mark: &Sha256Digest) -> Vec<u8> {
    [&[REVOCATION], &mark[..]].concat()
}

/// The number a status has in keys.
pub(super) fn status(status: Status) -> u8 {
    match status {
        Status::Lobby => 0,
        Status::Active => 1,
        Status::Finished => 2,
        Status::Abandoned => 3,
    }
}

/// What the rows of one status of a list start with; `whose` is a player, or nothing for the public list.
pub(super) fn shelf(whose: &[u8], at: Status) -> Vec<u8> {
    [whose, &[status(at)]].concat()
}

/// What the rows of one status and kind start with: only the game follows. The kind carries its length, so that no
/// kind's rows lie between those of another.
pub(super) fn stack(whose: &[u8], at: Status, kind: &str) -> Vec<u8> {
    let length = u8::try_from(kind.len()).unwrap_or(u8::MAX);
    [whose, &[status(at), length], kind.as_bytes()].concat()
}

/// Games found by the time of their last step, because something is done to them when it lies far enough back.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Resting {
    Lobby,
    Over,
}

impl Resting {
    pub(super) fn of(status: Status) -> Option<Resting> {
        match status {
            Status::Lobby => Some(Resting::Lobby),
            Status::Active => None,
            Status::Finished | Status::Abandoned => Some(Resting::Over),
        }
    }

    /// What the rows start with: no status has these numbers.
    fn tag(self) -> u8 {
        match self {
            Resting::Lobby => b'L',
            Resting::Over => b'O',
        }
    }

    /// The row of a game where something last happened then.
    pub(super) fn row(self, touched: Instant, game: GameId) -> Vec<u8> {
        [&[self.tag()], &millis(touched)[..], game.as_bytes()].concat()
    }

    /// The rows of all games where nothing happened since then.
    pub(super) fn since(self, then: Instant) -> Range<Vec<u8>> {
        vec![self.tag()]..[&[self.tag()], &millis(then)[..]].concat()
    }
}

/// In the order of time; before 1970 nothing happened.
fn millis(moment: Instant) -> [u8; 8] {
    u64::try_from(moment.0).unwrap_or(0).to_be_bytes()
}

/// The stack a row belongs to, and its game.
pub(super) fn read_row(row: &[u8]) -> Option<(&[u8], GameId)> {
    let (stack, game) = row.split_last_chunk::<ID>()?;
    Some((stack, GameId::from_bytes(*game)))
}
