//! Reads: each is one statement, and so consistent.

use super::super::keys::{self, IdleIndex};
use super::super::tree::Tree;
use super::database::{Database, Params};
use super::encoded_append::{scope as scope_of, uuid};
use crate::games::ports::{Done, Head, ListQuery, STEPS_PER_READ, Scope, Status, StoreError, Stored, Usage, Whose};
use crate::games::step::Step;
use crate::ids::{GameId, PlayerId};
use crate::rules::Instant;
use tokio_postgres::Row;
use tokio_postgres::types::ToSql;
use uuid::Uuid;

/// How long a command is remembered for idempotency.
pub(super) const COMMAND_LIFETIME_MILLIS: i64 = 24 * 60 * 60 * 1000;

/// Whether a command is still remembered.
pub(super) fn is_remembered(done: &Done, now: Instant) -> bool {
    now.0.saturating_sub(done.at.0) < COMMAND_LIFETIME_MILLIS
}

pub(super) async fn version(database: &Database, game: GameId) -> Result<Option<u64>, StoreError> {
    let rows = database.read("SELECT version FROM games WHERE id = $1", &[&uuid(game.as_bytes())]).await?;
    Ok(rows.first().map(|row| row.get::<_, i64>(0).cast_unsigned()))
}

pub(super) async fn head(database: &Database, game: GameId) -> Result<Option<Head>, StoreError> {
    let rows = database.read("SELECT head FROM games WHERE id = $1", &[&uuid(game.as_bytes())]).await?;
    rows.first().map(|row| Tree::Heads.decode(game.as_bytes(), row.get(0))).transpose()
}

pub(super) async fn load(database: &Database, game: GameId) -> Result<Option<Stored>, StoreError> {
    let sql = "
        SELECT games.version, snapshots.version, snapshots.snapshot, ARRAY(
            SELECT step FROM steps WHERE steps.game = games.id AND steps.version > coalesce(snapshots.version, 0)
            ORDER BY steps.version)
        FROM games LEFT JOIN snapshots ON snapshots.game = games.id WHERE games.id = $1";
    let rows = database.read(sql, &[&uuid(game.as_bytes())]).await?;
    let Some(row) = rows.first() else { return Ok(None) };
    let version = row.get::<_, i64>(0).cast_unsigned();
    let after = row.get::<_, Option<i64>>(1).unwrap_or(0).cast_unsigned();
    let snapshot = row.get::<_, Option<&[u8]>>(2).map(|bytes| read_snapshot(game, after, bytes)).transpose()?;
    let steps = decode_steps(game, after, row.get::<_, Vec<&[u8]>>(3))?;
    if after.checked_add(steps.len() as u64) != Some(version) {
        let reached = format!("the head is at version {version}, but the steps end at {after} + {}", steps.len());
        return Err(Tree::Heads.storage_key(game.as_bytes()).corrupt(reached));
    }
    Ok(Some(Stored { snapshot, steps }))
}

/// See [`Store::load_at`](crate::games::ports::Store::load_at). If both tables have a snapshot of the same version,
/// either will do.
pub(super) async fn load_at(database: &Database, game: GameId, version: u64) -> Result<Option<Stored>, StoreError> {
    let Ok(until @ 1..) = i64::try_from(version) else { return Ok(None) };
    let sql = "
        SELECT nearest.version, nearest.snapshot, nearest.kept, ARRAY(
            SELECT step FROM steps
            WHERE steps.game = games.id AND steps.version > coalesce(nearest.version, 0) AND steps.version <= $2
            ORDER BY steps.version LIMIT $3)
        FROM games LEFT JOIN LATERAL (
            SELECT version, snapshot, false AS kept FROM snapshots WHERE game = games.id AND version <= $2
            UNION ALL
            (SELECT version, snapshot, true AS kept FROM kept_snapshots WHERE game = games.id AND version <= $2
             ORDER BY version DESC LIMIT 1)
            ORDER BY version DESC LIMIT 1) AS nearest ON true
        WHERE games.id = $1 AND games.version >= $2";
    let rows = database.read(sql, &[&uuid(game.as_bytes()), &until, &to_i64(STEPS_PER_READ)]).await?;
    let Some(row) = rows.first() else { return Ok(None) };
    let after = row.get::<_, Option<i64>>(0).unwrap_or(0).cast_unsigned();
    let snapshot = match (row.get::<_, Option<&[u8]>>(1), row.get::<_, Option<bool>>(2)) {
        (Some(bytes), Some(true)) => Some(read_kept_snapshot(game, after, bytes)?),
        (Some(bytes), _) => Some(read_snapshot(game, after, bytes)?),
        (None, _) => None,
    };
    let steps = decode_steps(game, after, row.get::<_, Vec<&[u8]>>(3))?;
    let missing = usize::try_from(version.saturating_sub(after)).unwrap_or(usize::MAX).min(STEPS_PER_READ);
    if steps.len() < missing {
        let ends = format!("expected steps from {after} to {version}, found {}", steps.len());
        return Err(Tree::Heads.storage_key(game.as_bytes()).corrupt(ends));
    }
    Ok(Some(Stored { snapshot, steps }))
}

/// Decodes the newest snapshot, and checks that it has the version of its row.
pub(super) fn read_snapshot(game: GameId, version: u64, bytes: &[u8]) -> Result<Vec<u8>, StoreError> {
    snapshot_under(game.as_bytes(), version, bytes)
}

/// The same for a kept snapshot.
pub(super) fn read_kept_snapshot(game: GameId, version: u64, bytes: &[u8]) -> Result<Vec<u8>, StoreError> {
    snapshot_under(&keys::kept_snapshot(game, version), version, bytes)
}

fn snapshot_under(key: &[u8], version: u64, bytes: &[u8]) -> Result<Vec<u8>, StoreError> {
    match Tree::Snapshots.decode::<(u64, Vec<u8>)>(key, bytes)? {
        (of, snapshot) if of == version => Ok(snapshot),
        _ => Err(Tree::Snapshots.storage_key(key).corrupt("the snapshot is of another version")),
    }
}

/// Up to `limit` steps after a version; a gap is reported as corruption.
pub(super) async fn steps(
    database: &Database,
    game: GameId,
    after: u64,
    limit: usize,
) -> Result<Vec<Step>, StoreError> {
    let Ok(from) = i64::try_from(after) else { return Ok(Vec::new()) };
    let sql = "SELECT step FROM steps WHERE game = $1 AND version > $2 ORDER BY version LIMIT $3";
    let rows = database.read(sql, &[&uuid(game.as_bytes()), &from, &to_i64(limit)]).await?;
    decode_steps(game, after, rows.iter().map(|row| row.get(0)))
}

/// Decodes consecutive steps after a version. Their checksums cover the version, so no step can pass for another.
pub(super) fn decode_steps<'a>(
    game: GameId,
    after: u64,
    rows: impl IntoIterator<Item = &'a [u8]>,
) -> Result<Vec<Step>, StoreError> {
    let numbered = rows.into_iter().zip(after + 1..);
    numbered.map(|(bytes, version)| Tree::Steps.decode(&keys::step(game, version), bytes)).collect()
}

pub(super) async fn command(
    database: &Database,
    scope: Scope,
    key: &str,
    now: Instant,
) -> Result<Option<Done>, StoreError> {
    let sql = "SELECT done FROM commands WHERE scope = $1 AND player = $2 AND key = $3";
    let values: Params = &[&scope_of(scope), &uuid(scope.player.as_bytes()), &key.as_bytes()];
    let rows = database.read(sql, values).await?;
    let done = rows.first().map(|row| Tree::Commands.decode::<Done>(&keys::command(scope, key), row.get(0)));
    Ok(done.transpose()?.filter(|done| is_remembered(done, now)))
}

pub(super) async fn game_of_invite(database: &Database, code: &str) -> Result<Option<GameId>, StoreError> {
    let rows = database.read("SELECT id FROM games WHERE invite = $1", &[&code.as_bytes()]).await?;
    Ok(rows.first().map(|row| game_at(row, 0)))
}

/// Games without a step since `before`, the longest idle first.
pub(super) async fn idle_games(
    database: &Database,
    at: IdleIndex,
    before: Instant,
    limit: usize,
) -> Result<Vec<GameId>, StoreError> {
    let sql = match at {
        IdleIndex::Lobby => "SELECT id FROM games WHERE status = 0 AND since < $1 ORDER BY since, id LIMIT $2",
        IdleIndex::Over => "SELECT id FROM games WHERE status >= 2 AND since < $1 ORDER BY since, id LIMIT $2",
    };
    let rows = database.read(sql, &[&before.0, &to_i64(limit)]).await?;
    Ok(rows.iter().map(|row| game_at(row, 0)).collect())
}

/// Rows per statement of a list whose filter needs the head, which SQL can't look into.
const ROWS_PER_SLICE: usize = 256;

pub(super) async fn list(database: &Database, query: &ListQuery) -> Result<Vec<(GameId, Head)>, StoreError> {
    let Whose::WaitingFor(player) = &query.whose else {
        return page(database, query, query.before, query.limit).await;
    };
    let mut found = Vec::new();
    let mut before = query.before;
    // Only the head says which players a game waits for, because that changes with every move. Slices have a fixed
    // size: if each had only as many rows as matches are missing, the last match could take a statement per row.
    while found.len() < query.limit {
        let slice = page(database, query, before, ROWS_PER_SLICE).await?;
        let is_last = slice.len() < ROWS_PER_SLICE;
        before = slice.last().map(|(game, _)| *game);
        found.extend(slice.into_iter().filter(|(_, head)| head.waiting.contains(player)));
        if is_last {
            break;
        }
    }
    found.truncate(query.limit);
    Ok(found)
}

/// See [`Store::count_games`](crate::games::ports::Store::count_games).
pub(super) async fn count_games(
    database: &Database,
    player: PlayerId,
    status: Status,
    most: usize,
) -> Result<usize, StoreError> {
    let sql = "
        SELECT count(*) FROM (SELECT 1 FROM members WHERE player = $1 AND status = $2 LIMIT $3) AS counted";
    let values: Params = &[&uuid(player.as_bytes()), &i16::from(keys::status(status)), &to_i64(most)];
    let rows = database.read(sql, values).await?;
    Ok(rows.first().map_or(0, |row| usize::try_from(row.get::<_, i64>(0)).unwrap_or(0)))
}

async fn page(
    database: &Database,
    query: &ListQuery,
    before: Option<GameId>,
    limit: usize,
) -> Result<Vec<(GameId, Head)>, StoreError> {
    let kind = query.kind.as_deref();
    // `kind` is the only value from a caller that is compared as text, which can't contain NUL in PostgreSQL. No kind
    // contains it.
    if kind.is_some_and(|kind| kind.contains('\0')) {
        return Ok(Vec::new());
    }
    let status = query.status.map(|status| i16::from(keys::status(status)));
    let before = before.map(|game| uuid(game.as_bytes()));
    let limit = to_i64(limit);
    let player = match query.whose {
        Whose::Listed => None,
        Whose::Of(player) | Whose::WaitingFor(player) => Some(uuid(player.as_bytes())),
    };
    let mut values: Vec<&(dyn ToSql + Sync)> = vec![&limit];
    let (mut sql, table, id) = match &player {
        None => ("SELECT id, head FROM games WHERE listed".to_owned(), "games", "id"),
        Some(player) => {
            values.push(player);
            let joined = "SELECT id, head FROM members JOIN games ON games.id = members.game WHERE player = $2";
            (joined.to_owned(), "members", "game")
        }
    };
    let mut narrow = |condition: &str, value| {
        values.push(value);
        sql.extend([" AND ", table, ".", condition, " $", &values.len().to_string()]);
    };
    if let Some(status) = &status {
        narrow("status =", status);
    }
    if let Some(kind) = &kind {
        narrow("kind =", kind);
    }
    if let Some(before) = &before {
        narrow(&format!("{id} <"), before);
    }
    // A game that is over waits for no player.
    if matches!(query.whose, Whose::WaitingFor(_)) {
        sql.extend([" AND ", table, ".status < ", &keys::status(Status::Finished).to_string()]);
    }
    sql.extend([" ORDER BY ", table, ".", id, " DESC LIMIT $1"]);
    let rows = database.read(&sql, &values).await?;
    rows.iter().map(head_at).collect()
}

fn head_at(row: &Row) -> Result<(GameId, Head), StoreError> {
    let game = game_at(row, 0);
    Ok((game, Tree::Heads.decode(game.as_bytes(), row.get(1))?))
}

pub(super) fn game_at(row: &Row, column: usize) -> GameId {
    GameId::from_bytes(row.get::<_, Uuid>(column).into_bytes())
}

/// The size of the database, unless the query fails, and the connections of the pool.
pub(super) async fn usage(database: &Database) -> Usage {
    let rows = database.query("SELECT pg_database_size(current_database())", &[]).await;
    let bytes = rows.ok().and_then(|rows| rows.first().map(|row| row.get::<_, i64>(0).cast_unsigned()));
    Usage { bytes, connections: Some(database.connections()), ..Usage::default() }
}

pub(super) fn to_i64(limit: usize) -> i64 {
    i64::try_from(limit).unwrap_or(i64::MAX)
}
