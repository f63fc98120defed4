//! Appending steps: one statement stores the steps of many games, and accepts or refuses each by itself.
//!
//! The statement locks the games, compares their versions, records the commands, and writes heads, steps and snapshots,
//! in one round trip and one transaction. Rows in `members` are written only when they change, in a transaction of a
//! few more statements.
//!
//! A statement that was never answered may have been executed, or may be executed later. It is safe to send the same
//! append again, because it only applies to the version before it: whichever copy comes second finds that the game has
//! moved on. The step stored at that version then shows whose append it was. One more write confirms this finding,
//! because an interrupted commit may be readable before the standby has it.

use super::database::{Database, put_back};
use super::encoded_append::{EncodedAppend, uuid};
use super::error::StatementError;
use super::read;
use crate::games::ports::{Appended, StoreError};
use deadpool_postgres::Object;
use std::collections::HashMap;
use tokio_postgres::types::ToSql;
use uuid::Uuid;

/// Contains the lifetime of a command in milliseconds, the same as `read::COMMAND_LIFETIME_MILLIS`. The column `places`
/// is the digest of a game's rows in `members`: while it stays the same, a step need not write them.
const APPEND: &str = "
    WITH appends AS (
        SELECT * FROM unnest(
            $1::uuid[], $2::int8[], $3::int2[], $4::text[], $5::bool[], $6::int8[], $7::bytea[], $8::bytea[], $9::bytea[],
            $10::bytea[], $11::bytea[], $12::int8[], $13::uuid[], $14::uuid[], $15::bytea[], $16::bytea[],
            $17::bytea[])
        AS appends (
            game, expected, status, kind, listed, since, invite, places, head,
            step, snapshot, at, scope, player, key, done, kept)
    ), locked_games AS (
        SELECT id, version, places FROM games WHERE id = ANY($1) ORDER BY id FOR UPDATE
    ), applicable AS (
        SELECT appends.* FROM appends LEFT JOIN locked_games ON locked_games.id = appends.game
        WHERE appends.expected = coalesce(locked_games.version, 0) AND ($18 OR locked_games.places = appends.places)
    ), new_commands AS (
        INSERT INTO commands (scope, player, key, at, done)
        SELECT scope, player, key, at, done FROM applicable WHERE key IS NOT NULL
        ON CONFLICT (scope, player, key) DO UPDATE SET at = excluded.at, done = excluded.done
        WHERE commands.at <= excluded.at - 86400000
        RETURNING scope, player, key
    ), advanced AS (
        INSERT INTO games (id, version, status, kind, listed, since, invite, places, head)
        SELECT game, expected + 1, status, kind, listed, since, invite, places, head FROM applicable
        WHERE key IS NULL OR EXISTS (
            SELECT 1 FROM new_commands
            WHERE new_commands.scope = applicable.scope AND new_commands.player = applicable.player
                AND new_commands.key = applicable.key)
        ON CONFLICT (id) DO UPDATE SET
            version = excluded.version, status = excluded.status, kind = excluded.kind, listed = excluded.listed,
            since = excluded.since, invite = excluded.invite, places = excluded.places, head = excluded.head
        WHERE games.version = excluded.version - 1
        RETURNING id
    ), new_steps AS (
        INSERT INTO steps (game, version, step)
        SELECT game, expected + 1, step FROM applicable JOIN advanced ON advanced.id = applicable.game
    ), new_snapshots AS (
        INSERT INTO snapshots (game, version, snapshot)
        SELECT game, expected + 1, snapshot FROM applicable JOIN advanced ON advanced.id = applicable.game
        WHERE snapshot IS NOT NULL
        ON CONFLICT (game) DO UPDATE SET version = excluded.version, snapshot = excluded.snapshot
    ), new_kept AS (
        INSERT INTO kept_snapshots (game, version, snapshot)
        SELECT game, expected + 1, kept FROM applicable JOIN advanced ON advanced.id = applicable.game
        WHERE kept IS NOT NULL
    )
    SELECT appends.game, advanced.id IS NOT NULL,
        coalesce(locked_games.version = appends.expected AND locked_games.places <> appends.places, false)
    FROM appends
        LEFT JOIN locked_games ON locked_games.id = appends.game
        LEFT JOIN advanced ON advanced.id = appends.game";

/// The result of one append in a statement.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Verdict {
    Stored,
    /// The version matches, but the game's rows in `members` must be rewritten too.
    MembersChanged,
    /// The version does not match, or the command was executed before.
    Refused,
}

/// Executes appends of different games, either all with their rows in `members` or all without.
pub(super) async fn execute(
    database: &Database,
    appends: &[&EncodedAppend],
    with_members: bool,
) -> Result<Vec<Verdict>, StatementError> {
    let mut connection = database.connection().await?;
    let result = database.within(append(&mut connection, appends, with_members)).await;
    put_back(connection, result)
}

async fn append(
    connection: &mut Object,
    appends: &[&EncodedAppend],
    with_members: bool,
) -> Result<Vec<Verdict>, tokio_postgres::Error> {
    let columns = Columns::new(appends);
    let rows = if with_members {
        let transaction = connection.transaction().await?;
        let statement = transaction.prepare_cached(APPEND).await?;
        let rows = transaction.query(&statement, &columns.values(&true)).await?;
        let stored: Vec<Uuid> = rows.iter().filter(|row| row.get(1)).map(|row| row.get(0)).collect();
        let delete = transaction.prepare_cached("DELETE FROM members WHERE game = ANY($1)").await?;
        transaction.execute(&delete, &[&stored]).await?;
        let members = Members::of(appends.iter().filter(|append| stored.contains(&append.game)).copied());
        let insert = transaction.prepare_cached(Members::INSERT).await?;
        transaction.execute(&insert, &members.values()).await?;
        transaction.commit().await?;
        rows
    } else {
        let statement = connection.prepare_cached(APPEND).await?;
        connection.query(&statement, &columns.values(&false)).await?
    };
    let verdicts: HashMap<Uuid, Verdict> = rows
        .iter()
        .map(|row| {
            let verdict = match (row.get(1), row.get(2)) {
                (true, _) => Verdict::Stored,
                (false, true) if !with_members => Verdict::MembersChanged,
                (false, _) => Verdict::Refused,
            };
            (row.get(0), verdict)
        })
        .collect();
    Ok(appends.iter().map(|append| verdicts.get(&append.game).copied().unwrap_or(Verdict::Refused)).collect())
}

/// The answer to a refused append: the first result if the command was executed before, otherwise a conflict.
pub(super) async fn refusal(database: &Database, append: &EncodedAppend) -> Result<Appended, StoreError> {
    let Some(command) = &append.command else { return Ok(Appended::Conflict) };
    let done = read::command(database, command.command.scope, &command.command.key, append.at).await?;
    Ok(done.map_or(Appended::Conflict, Appended::Duplicate))
}

/// Determines whether an append that was sent was stored; sends it again if not.
pub(super) async fn resolve(database: &Database, append: &EncodedAppend) -> Result<Appended, StatementError> {
    if let Some(appended) = stored_outcome(database, append).await? {
        return Ok(appended);
    }
    match execute(database, &[append], true).await?[..] {
        [Verdict::Stored] => Ok(Appended::Stored(append.version().cast_unsigned())),
        // The first copy may have been executed in between.
        _ => match stored_outcome(database, append).await? {
            Some(appended) => Ok(appended),
            None => refusal(database, append).await.map_err(|error| StatementError::Unsent(error.to_string())),
        },
    }
}

/// The outcome that the step at the append's version proves; `None` if there is no such step.
async fn stored_outcome(database: &Database, append: &EncodedAppend) -> Result<Option<Appended>, StatementError> {
    let (game, version) = (uuid(append.id.as_bytes()), append.version());
    let sql = "SELECT step FROM steps WHERE game = $1 AND version = $2";
    let rows = database.query_idempotent(sql, &[&game, &version]).await?;
    match rows.first().map(|row| row.get::<_, &[u8]>(0)) {
        None => Ok(None),
        Some(step) if step == append.step => {
            database.probe_write().await?;
            Ok(Some(Appended::Stored(version.cast_unsigned())))
        }
        Some(_) => refusal(database, append).await.map(Some).map_err(|error| StatementError::Unsent(error.to_string())),
    }
}

/// The parameters of the statement, one array per column.
#[derive(Default)]
struct Columns<'a> {
    games: Vec<Uuid>,
    expected: Vec<i64>,
    statuses: Vec<i16>,
    kinds: Vec<&'a str>,
    listed: Vec<bool>,
    since: Vec<Option<i64>>,
    invites: Vec<Option<&'a [u8]>>,
    digests: Vec<&'a [u8]>,
    heads: Vec<&'a [u8]>,
    steps: Vec<&'a [u8]>,
    snapshots: Vec<Option<&'a [u8]>>,
    at: Vec<i64>,
    scopes: Vec<Option<Uuid>>,
    players: Vec<Option<Uuid>>,
    keys: Vec<Option<&'a [u8]>>,
    done: Vec<Option<&'a [u8]>>,
    kept: Vec<Option<&'a [u8]>>,
}

impl<'a> Columns<'a> {
    fn new(appends: &[&'a EncodedAppend]) -> Self {
        let mut columns = Self::default();
        for append in appends {
            let (index, command) = (&append.index, append.command.as_ref());
            columns.games.push(append.game);
            columns.expected.push(append.expected);
            columns.statuses.push(index.status);
            columns.kinds.push(&index.kind);
            columns.listed.push(index.listed);
            columns.since.push(index.since);
            columns.invites.push(index.invite.as_deref());
            columns.digests.push(&index.digest);
            columns.heads.push(&append.head);
            columns.steps.push(&append.step);
            columns.snapshots.push(append.snapshot.as_deref());
            columns.at.push(append.at.0);
            columns.scopes.push(command.map(|command| command.scope));
            columns.players.push(command.map(|command| command.player));
            columns.keys.push(command.map(|command| command.command.key.as_bytes()));
            columns.done.push(command.map(|command| &command.done[..]));
            columns.kept.push(append.kept.as_deref());
        }
        columns
    }

    fn values<'b>(&'b self, with_members: &'b bool) -> [&'b (dyn ToSql + Sync); 18] {
        [
            &self.games,
            &self.expected,
            &self.statuses,
            &self.kinds,
            &self.listed,
            &self.since,
            &self.invites,
            &self.digests,
            &self.heads,
            &self.steps,
            &self.snapshots,
            &self.at,
            &self.scopes,
            &self.players,
            &self.keys,
            &self.done,
            &self.kept,
            with_members,
        ]
    }
}

/// The rows in `members` of some games.
#[derive(Default)]
pub(super) struct Members<'a> {
    players: Vec<Uuid>,
    games: Vec<Uuid>,
    statuses: Vec<i16>,
    kinds: Vec<&'a str>,
}

impl<'a> Members<'a> {
    pub(super) const INSERT: &'static str = "
        INSERT INTO members (player, game, status, kind)
        SELECT * FROM unnest($1::uuid[], $2::uuid[], $3::int2[], $4::text[])";

    pub(super) fn of(appends: impl IntoIterator<Item = &'a EncodedAppend>) -> Self {
        let mut rows = Self::default();
        for append in appends {
            for member in &append.index.members {
                rows.players.push(*member);
                rows.games.push(append.game);
                rows.statuses.push(append.index.status);
                rows.kinds.push(&append.index.kind);
            }
        }
        rows
    }

    pub(super) fn values(&self) -> [&(dyn ToSql + Sync); 4] {
        [&self.players, &self.games, &self.statuses, &self.kinds]
    }
}
