//! Adding steps: one statement for steps of many games, each of which is stored or refused by itself.
//!
//! The statement locks the games, compares their versions, notes the commands, and writes head, step and snapshot, all in
//! one round trip and one transaction. Rows in `members` are only written when they change, in a transaction of a few
//! statements more.
//!
//! A statement whose answer never came may have been carried out, or may yet be. To send the very same append again is safe,
//! because it only fits onto the version before it: whichever of the two comes second finds the game moved on. Then the
//! step at that version tells whose it is. What is found that way is confirmed by one more write, because a commit that was
//! cut off may be there to read before the standby has it.

use super::database::{Database, put_back};
use super::encoded_append::{EncodedAppend, uuid};
use super::error::StatementError;
use super::read;
use crate::games::ports::{Appended, StoreError};
use deadpool_postgres::Object;
use std::collections::HashMap;
use tokio_postgres::types::ToSql;
use uuid::Uuid;

/// How long a command counts, in milliseconds, is written into it: the same as `read::REMEMBERED`.
const APPEND: &str = "
    WITH asked AS (
        SELECT * FROM unnest(
            $1::uuid[], $2::int8[], $3::int2[], $4::text[], $5::bool[], $6::int8[], $7::bytea[], $8::bytea[], $9::bytea[],
            $10::bytea[], $11::bytea[], $12::int8[], $13::uuid[], $14::uuid[], $15::bytea[], $16::bytea[],
            $17::bytea[])
        AS asked (
            game, expected, status, kind, listed, since, invite, places, head,
            step, snapshot, at, scope, player, key, done, kept)
    ), held AS (
        SELECT id, version, places FROM games WHERE id = ANY($1) ORDER BY id FOR UPDATE
    ), fitting AS (
        SELECT asked.* FROM asked LEFT JOIN held ON held.id = asked.game
        WHERE asked.expected = coalesce(held.version, 0) AND ($18 OR held.places = asked.places)
    ), noted AS (
        INSERT INTO commands (scope, player, key, at, done)
        SELECT scope, player, key, at, done FROM fitting WHERE key IS NOT NULL
        ON CONFLICT (scope, player, key) DO UPDATE SET at = excluded.at, done = excluded.done
        WHERE commands.at <= excluded.at - 86400000
        RETURNING scope, player, key
    ), grown AS (
        INSERT INTO games (id, version, status, kind, listed, since, invite, places, head)
        SELECT game, expected + 1, status, kind, listed, since, invite, places, head FROM fitting
        WHERE key IS NULL OR EXISTS (
            SELECT 1 FROM noted
            WHERE noted.scope = fitting.scope AND noted.player = fitting.player AND noted.key = fitting.key)
        ON CONFLICT (id) DO UPDATE SET
            version = excluded.version, status = excluded.status, kind = excluded.kind, listed = excluded.listed,
            since = excluded.since, invite = excluded.invite, places = excluded.places, head = excluded.head
        WHERE games.version = excluded.version - 1
        RETURNING id
    ), stepped AS (
        INSERT INTO steps (game, version, step)
        SELECT game, expected + 1, step FROM fitting JOIN grown ON grown.id = fitting.game
    ), pictured AS (
        INSERT INTO snapshots (game, version, snapshot)
        SELECT game, expected + 1, snapshot FROM fitting JOIN grown ON grown.id = fitting.game
        WHERE snapshot IS NOT NULL
        ON CONFLICT (game) DO UPDATE SET version = excluded.version, snapshot = excluded.snapshot
    ), retained AS (
        INSERT INTO kept_snapshots (game, version, snapshot)
        SELECT game, expected + 1, kept FROM fitting JOIN grown ON grown.id = fitting.game
        WHERE kept IS NOT NULL
    )
    SELECT asked.game, grown.id IS NOT NULL,
        coalesce(held.version = asked.expected AND held.places <> asked.places, false)
    FROM asked LEFT JOIN held ON held.id = asked.game LEFT JOIN grown ON grown.id = asked.game";

/// What became of one append of a statement.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Verdict {
    Stored,
    /// It fits, but its rows in `members` have to be written with it.
    Unplaced,
    /// The version does not fit, or the command was carried out before.
    Refused,
}

/// Carries out appends of different games, all with their rows in `members` or all without.
pub(super) async fn carry_out(
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
        let gone = transaction.prepare_cached("DELETE FROM members WHERE game = ANY($1)").await?;
        transaction.execute(&gone, &[&stored]).await?;
        let members = Members::of(appends.iter().filter(|append| stored.contains(&append.game)).copied());
        let come = transaction.prepare_cached(Members::INSERT).await?;
        transaction.execute(&come, &members.values()).await?;
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
                (false, true) if !with_members => Verdict::Unplaced,
                (false, _) => Verdict::Refused,
            };
            (row.get(0), verdict)
        })
        .collect();
    Ok(appends.iter().map(|append| verdicts.get(&append.game).copied().unwrap_or(Verdict::Refused)).collect())
}

/// What an append that was refused is told: its command is looked up before anything else.
pub(super) async fn refusal(database: &Database, append: &EncodedAppend) -> Result<Appended, StoreError> {
    let Some(prepared) = &append.command else { return Ok(Appended::Conflict) };
    let done = read::command(database, prepared.command.scope, &prepared.command.key, append.at).await?;
    Ok(done.map_or(Appended::Conflict, Appended::Duplicate))
}

/// Finds out what became of an append that was sent, or carries it out.
pub(super) async fn find_out(database: &Database, append: &EncodedAppend) -> Result<Appended, StatementError> {
    if let Some(appended) = look(database, append).await? {
        return Ok(appended);
    }
    match carry_out(database, &[append], true).await?[..] {
        [Verdict::Stored] => Ok(Appended::Stored(append.version().cast_unsigned())),
        // What was sent before may have come in between.
        _ => match look(database, append).await? {
            Some(appended) => Ok(appended),
            None => refusal(database, append).await.map_err(|error| StatementError::Unsent(error.to_string())),
        },
    }
}

/// Whose step is at the append's version, if there is one.
async fn look(database: &Database, append: &EncodedAppend) -> Result<Option<Appended>, StatementError> {
    let (game, version) = (uuid(append.id.as_bytes()), append.version());
    let sql = "SELECT step FROM steps WHERE game = $1 AND version = $2";
    let rows = database.again(sql, &[&game, &version]).await?;
    match rows.first().map(|row| row.get::<_, &[u8]>(0)) {
        None => Ok(None),
        Some(step) if step == append.step => {
            database.touch().await?;
            Ok(Some(Appended::Stored(version.cast_unsigned())))
        }
        Some(_) => refusal(database, append).await.map(Some).map_err(|error| StatementError::Unsent(error.to_string())),
    }
}

/// The columns of some appends.
#[derive(Default)]
struct Columns<'a> {
    games: Vec<Uuid>,
    expected: Vec<i64>,
    statuses: Vec<i16>,
    kinds: Vec<&'a str>,
    listed: Vec<bool>,
    since: Vec<Option<i64>>,
    invites: Vec<Option<&'a [u8]>>,
    places: Vec<&'a [u8]>,
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
            let (places, command) = (&append.places, append.command.as_ref());
            columns.games.push(append.game);
            columns.expected.push(append.expected);
            columns.statuses.push(places.status);
            columns.kinds.push(&places.kind);
            columns.listed.push(places.listed);
            columns.since.push(places.since);
            columns.invites.push(places.invite.as_deref());
            columns.places.push(&places.digest);
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
            &self.places,
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
            for member in &append.places.members {
                rows.players.push(*member);
                rows.games.push(append.game);
                rows.statuses.push(append.places.status);
                rows.kinds.push(&append.places.kind);
            }
        }
        rows
    }

    pub(super) fn values(&self) -> [&(dyn ToSql + Sync); 4] {
        [&self.players, &self.games, &self.statuses, &self.kinds]
    }
}
