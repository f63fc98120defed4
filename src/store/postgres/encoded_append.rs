//! Encoded appends: the value of each column.

use super::super::keys::{self, IdleIndex};
use super::super::tree::{MAX_VALUE_BYTES, Tree};
use crate::games::ports::{Append, Command, Done, Head, Scope, StoreError};
use crate::ids::{GameId, PlayerId};
use crate::rules::Instant;
use aws_lc_rs::digest::{SHA256, digest};
use uuid::Uuid;

/// An [`Append`], encoded.
#[derive(Debug)]
pub(super) struct EncodedAppend {
    pub(super) id: GameId,
    pub(super) game: Uuid,
    pub(super) expected: i64,
    pub(super) at: Instant,
    pub(super) index: IndexColumns,
    pub(super) head: Vec<u8>,
    pub(super) step: Vec<u8>,
    pub(super) snapshot: Option<Vec<u8>>,
    /// The snapshot once more, under its own key, if it is kept as long as the game.
    pub(super) kept: Option<Vec<u8>>,
    pub(super) command: Option<EncodedCommand>,
    /// Whether rows in `members` must be written with it.
    pub(super) with_members: bool,
}

/// What lists find a game by; derived from the head alone.
#[derive(Debug)]
pub(super) struct IndexColumns {
    pub(super) status: i16,
    pub(super) kind: String,
    pub(super) listed: bool,
    pub(super) since: Option<i64>,
    pub(super) invite: Option<Vec<u8>>,
    pub(super) members: Vec<Uuid>,
    /// SHA-256 of everything in the rows of `members`.
    pub(super) digest: Vec<u8>,
}

#[derive(Debug)]
pub(super) struct EncodedCommand {
    pub(super) command: Command,
    pub(super) scope: Uuid,
    pub(super) player: Uuid,
    pub(super) done: Vec<u8>,
}

impl EncodedAppend {
    pub(super) fn new(append: Append) -> Result<EncodedAppend, StoreError> {
        let Append { game, expected, step, head, snapshot, command, epoch: _ } = append;
        let version = step.version;
        if expected.checked_add(1) != Some(version) || head.version != version {
            let why = format!("a step to version {version} does not follow {expected}, or its head differs");
            return Err(StoreError::Unavailable(why));
        }
        let number = |version: u64| {
            i64::try_from(version).map_err(|_| StoreError::Unavailable(format!("version {version} is too large")))
        };
        number(version)?;
        let done = |digest| Done { game, version, digest, at: step.at };
        let command = command.map(|command| EncodedCommand::new(&done(command.digest), command)).transpose()?;
        // A snapshot only saves loading time, so one that is too large is no reason to refuse the step.
        let snapshot = snapshot.filter(|bytes| bytes.len() < MAX_VALUE_BYTES - 64);
        let snapshot = snapshot.map(|bytes| (version, bytes));
        let encode = |key: &[u8]| snapshot.as_ref().map(|snapshot| Tree::Snapshots.encode(key, snapshot)).transpose();
        let kept = if keys::is_kept_version(version) { encode(&keys::kept_snapshot(game, version))? } else { None };
        Ok(EncodedAppend {
            id: game,
            game: uuid(game.as_bytes()),
            expected: number(expected)?,
            at: step.at,
            index: IndexColumns::new(&head),
            head: Tree::Heads.encode(game.as_bytes(), &head)?,
            step: Tree::Steps.encode(&keys::step(game, version), &step)?,
            snapshot: encode(game.as_bytes())?,
            kept,
            command,
            with_members: expected == 0,
        })
    }

    pub(super) fn version(&self) -> i64 {
        self.expected + 1
    }
}

impl EncodedCommand {
    pub(super) fn new(done: &Done, command: Command) -> Result<Self, StoreError> {
        let done = Tree::Commands.encode(&keys::command(command.scope, &command.key), done)?;
        let (scope, player) = (scope(command.scope), uuid(command.scope.player.as_bytes()));
        Ok(Self { command, scope, player, done })
    }
}

impl IndexColumns {
    pub(super) fn new(head: &Head) -> Self {
        let status = keys::status(head.status);
        let members: Vec<_> = head.members.iter().map(|player| uuid(player.as_bytes())).collect();
        let mut hashed = vec![status];
        for member in &members {
            hashed.extend_from_slice(member.as_bytes());
        }
        hashed.extend_from_slice(head.kind.as_bytes());
        Self {
            status: status.into(),
            kind: head.kind.clone(),
            listed: head.listed,
            since: IdleIndex::of(head.status).map(|_| head.updated_at.0),
            invite: head.invite.as_ref().map(|code| code.as_bytes().to_vec()),
            members,
            digest: digest(&SHA256, &hashed).as_ref().to_vec(),
        }
    }
}

pub(super) fn uuid(bytes: &[u8; 16]) -> Uuid {
    Uuid::from_bytes(*bytes)
}

/// The game that a command was sent to; the nil UUID if the command created one.
pub(super) fn scope(scope: Scope) -> Uuid {
    scope.game.map_or(Uuid::nil(), |game| uuid(game.as_bytes()))
}

/// The inverse of [`scope`].
pub(super) fn read_scope(scope: Uuid, player: Uuid) -> Scope {
    let game = (!scope.is_nil()).then(|| GameId::from_bytes(scope.into_bytes()));
    Scope { player: PlayerId::from_bytes(player.into_bytes()), game }
}
