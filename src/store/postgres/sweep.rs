//! Sweeps: remove expired rows, one slice at a time. Every statement checks its condition itself, so several nodes may
//! sweep at once.

use super::super::keys;
use super::accounts::{decode_family, decode_player};
use super::database::Database;
use super::error::StatementError;
use super::read::{COMMAND_LIFETIME_MILLIS, game_at, to_i64};
use crate::games::ports::{Cursor, Status, StoreError, Swept};
use crate::ids::GameId;
use crate::rules::Instant;
use tokio_postgres::Row;
use uuid::Uuid;

/// See [`Store::remove_expired_commands`](crate::games::ports::Store::remove_expired_commands).
pub(super) async fn remove_expired_commands(
    database: &Database,
    now: Instant,
    limit: usize,
) -> Result<Swept, StoreError> {
    let sql = "
        DELETE FROM commands WHERE at <= $1 AND (scope, player, key) IN (
            SELECT scope, player, key FROM commands WHERE at <= $1 ORDER BY at LIMIT $2)
        RETURNING at";
    remove_oldest(database, sql, now.0.saturating_sub(COMMAND_LIFETIME_MILLIS), limit).await
}

/// See [`PlayerStore::remove_expired_revocations`](crate::players::ports::PlayerStore::remove_expired_revocations).
pub(super) async fn remove_expired_revocations(
    database: &Database,
    now: Instant,
    limit: usize,
) -> Result<Swept, StoreError> {
    let sql = "
        DELETE FROM revocations WHERE needed_until <= $1 AND mark IN (
            SELECT mark FROM revocations WHERE needed_until <= $1 ORDER BY needed_until LIMIT $2)
        RETURNING needed_until";
    remove_oldest(database, sql, now.0, limit).await
}

/// Removes the oldest expired rows. An index finds them, so no other rows are read and the next call needs no position:
/// the cursor is empty, and only says that there may be more.
async fn remove_oldest(database: &Database, sql: &str, until: i64, limit: usize) -> Result<Swept, StoreError> {
    let removed = database
        .query_idempotent(sql, &[&until, &to_i64(limit)])
        .await
        .map_err(StatementError::into_write_error)?
        .len();
    let next = (removed > 0 && removed == limit).then(|| Cursor(Vec::new()));
    Ok(Swept { removed, next })
}

/// See [`PlayerStore::remove_ended_sign_ins`](crate::players::ports::PlayerStore::remove_ended_sign_ins).
pub(super) async fn remove_ended_sign_ins(
    database: &Database,
    now: Instant,
    from: Option<Cursor>,
    limit: usize,
) -> Result<Swept, StoreError> {
    let select = "SELECT id, family FROM families WHERE id > $1 ORDER BY id LIMIT $2";
    let delete = "
        DELETE FROM families USING unnest($1::uuid[], $2::bytea[]) AS due (id, family)
        WHERE families.id = due.id AND families.family = due.family RETURNING families.id";
    remove_unchanged(database, (select, delete), from, limit, |row| Ok(decode_family(row)?.has_ended(now))).await
}

/// See [`PlayerStore::remove_idle_guests`](crate::players::ports::PlayerStore::remove_idle_guests). If a guest joins a
/// first game at the same moment, the guest may still be removed; the game then shows a former player.
pub(super) async fn remove_idle_guests(
    database: &Database,
    created_before: Instant,
    from: Option<Cursor>,
    limit: usize,
) -> Result<Swept, StoreError> {
    let select = "SELECT id, player FROM players WHERE id > $1 ORDER BY id LIMIT $2";
    let delete = "
        DELETE FROM players USING unnest($1::uuid[], $2::bytea[]) AS due (id, player)
        WHERE players.id = due.id AND players.player = due.player
        AND NOT EXISTS (SELECT 1 FROM members WHERE members.player = due.id) RETURNING players.id";
    let is_due = |row: &Row| Ok(decode_player(row)?.can_go(created_before));
    remove_unchanged(database, (select, delete), from, limit, is_due).await
}

/// Reads a slice of rows, and removes those that have expired and still have the same value.
async fn remove_unchanged(
    database: &Database,
    (select, delete): (&str, &str),
    from: Option<Cursor>,
    limit: usize,
    is_due: impl Fn(&Row) -> Result<bool, StoreError>,
) -> Result<Swept, StoreError> {
    let from = from.and_then(|Cursor(bytes)| Uuid::from_slice(&bytes).ok()).unwrap_or(Uuid::nil());
    let rows = database.read(select, &[&from, &to_i64(limit)]).await?;
    let (mut ids, mut values) = (Vec::new(), Vec::new());
    for row in &rows {
        if is_due(row)? {
            ids.push(row.get::<_, Uuid>(0));
            values.push(row.get::<_, &[u8]>(1));
        }
    }
    let removed = if ids.is_empty() {
        0
    } else {
        database.query_idempotent(delete, &[&ids, &values]).await.map_err(StatementError::into_write_error)?.len()
    };
    let last = rows.last().filter(|_| rows.len() == limit);
    Ok(Swept { removed, next: last.map(|row| Cursor(row.get::<_, Uuid>(0).as_bytes().to_vec())) })
}

/// See [`Store::abandoned_games`](crate::games::ports::Store::abandoned_games).
pub(super) async fn abandoned_games(
    database: &Database,
    before: Instant,
    from: Option<Cursor>,
    limit: usize,
) -> Result<(Vec<GameId>, Option<Cursor>), StoreError> {
    let (since, game) = from.as_ref().and_then(read_position).unwrap_or((i64::MIN, Uuid::nil()));
    let sql = "
        SELECT id, status, since FROM games WHERE status >= 2 AND since < $1 AND (since, id) > ($2, $3)
        ORDER BY since, id LIMIT $4";
    let rows = database.read(sql, &[&before.0, &since, &game, &to_i64(limit)]).await?;
    let abandoned = i16::from(keys::status(Status::Abandoned));
    let found = rows.iter().filter(|row| row.get::<_, i16>(1) == abandoned).map(|row| game_at(row, 0)).collect();
    Ok((found, rows.last().map(|row| position(row.get(2), row.get(0)))))
}

/// A cursor of `abandoned_games`: a position in the index by `since` and `id`.
fn position(since: i64, game: Uuid) -> Cursor {
    Cursor([&since.to_be_bytes()[..], game.as_bytes()].concat())
}

fn read_position(Cursor(bytes): &Cursor) -> Option<(i64, Uuid)> {
    let (since, game) = bytes.split_first_chunk()?;
    Some((i64::from_be_bytes(*since), Uuid::from_slice(game).ok()?))
}
