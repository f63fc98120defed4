//! Export: writes the whole store in the [`export_format`](crate::store::export_format), from one transaction. The
//! nodes may keep writing meanwhile.

use super::super::export_format::{Base64, CommandLine, End, ExportError, Line, LineWriter};
use super::super::keys;
use super::super::tree::Tree;
use super::encoded_append::{read_scope, uuid};
use super::error::StatementError;
use super::read::{self, game_at, is_remembered};
use super::{PostgresStore, accounts};
use crate::games::ports::{Done, Scope, StoreError};
use crate::ids::GameId;
use crate::rules::Instant;
use deadpool_postgres::Transaction;
use std::io::Write;
use tokio_postgres::types::ToSql;
use tokio_postgres::{IsolationLevel, Row};
use uuid::Uuid;

const PAGE: i64 = 1000;

impl PostgresStore {
    /// Exports all games, players and sign-ins, and the commands and revoked tokens that have not expired `now`.
    /// `progress` receives the number of games done and the total.
    pub async fn export(
        &self,
        out: impl Write,
        now: Instant,
        progress: &dyn Fn(u64, Option<u64>),
    ) -> Result<End, ExportError> {
        let mut connection = self.database.connection().await.map_err(StatementError::into_read_error)?;
        let repeatable_read =
            connection.build_transaction().isolation_level(IsolationLevel::RepeatableRead).read_only(true);
        let tx = StoreTransaction(
            repeatable_read.start().await.map_err(StatementError::from).map_err(StatementError::into_read_error)?,
        );
        let mut out = LineWriter::start(out)?;
        for command in tx.commands(Uuid::nil(), now).await? {
            out.write(&Line::Command(command))?;
        }
        let total = tx.count_games().await?;
        let mut done = 0;
        let mut after = None;
        loop {
            let page = tx.games(after).await?;
            let Some(last) = page.last() else { break };
            after = Some(*last);
            for game in page {
                progress(done, Some(total));
                export_game(&tx, &mut out, game, now).await?;
                done += 1;
            }
        }
        tx.accounts(&mut out, now).await?;
        progress(total, Some(total));
        Ok(out.finish()?)
    }
}

/// Exports head, steps, snapshots and commands of a game.
async fn export_game(
    tx: &StoreTransaction<'_>,
    out: &mut LineWriter<impl Write>,
    game: GameId,
    now: Instant,
) -> Result<(), ExportError> {
    let rows = tx.read("SELECT version, head FROM games WHERE id = $1", &[&uuid(game.as_bytes())]).await?;
    let Some(row) = rows.first() else { return Ok(()) };
    let version = row.get::<_, i64>(0).cast_unsigned();
    out.write(&Line::Game { id: game, head: Tree::Heads.decode(game.as_bytes(), row.get(1))? })?;
    let mut after = 0;
    while after < version {
        let steps = tx.steps(game, after).await?;
        if steps.is_empty() {
            return Err(Tree::Heads.storage_key(game.as_bytes()).corrupt("the last steps are missing").into());
        }
        after += steps.len() as u64;
        for step in read::decode_steps(game, after - steps.len() as u64, steps.iter().map(|row| row.get(0)))? {
            out.write(&Line::Step(step))?;
        }
    }
    let mut snapshot = tx.snapshot(game).await?;
    while let Some((version, bytes)) = snapshot {
        out.write(&Line::Snapshot { version, bytes: Base64(bytes) })?;
        snapshot = tx.kept_snapshot_before(game, version).await?;
    }
    for command in tx.commands(uuid(game.as_bytes()), now).await? {
        out.write(&Line::Command(command))?;
    }
    Ok(())
}

/// A transaction over the whole store: repeatable-read for export and verification, read-write for import.
pub(super) struct StoreTransaction<'a>(pub(super) Transaction<'a>);

impl StoreTransaction<'_> {
    pub(super) async fn read(&self, sql: &str, values: &[&(dyn ToSql + Sync)]) -> Result<Vec<Row>, StoreError> {
        let work = async {
            let statement = self.0.prepare_cached(sql).await?;
            self.0.query(&statement, values).await
        };
        work.await.map_err(|error| StatementError::from(error).into_read_error())
    }

    pub(super) async fn count_games(&self) -> Result<u64, StoreError> {
        let rows = self.read("SELECT count(*) FROM games", &[]).await?;
        Ok(rows.first().map_or(0, |row| row.get::<_, i64>(0).cast_unsigned()))
    }

    /// The next games after one, in order of ids.
    pub(super) async fn games(&self, after: Option<GameId>) -> Result<Vec<GameId>, StoreError> {
        let rows = match after {
            None => self.read("SELECT id FROM games ORDER BY id LIMIT $1", &[&PAGE]).await?,
            Some(game) => {
                let sql = "SELECT id FROM games WHERE id > $2 ORDER BY id LIMIT $1";
                self.read(sql, &[&PAGE, &uuid(game.as_bytes())]).await?
            }
        };
        Ok(rows.iter().map(|row| game_at(row, 0)).collect())
    }

    pub(super) async fn steps(&self, game: GameId, after: u64) -> Result<Vec<Row>, StoreError> {
        let sql = "SELECT step FROM steps WHERE game = $1 AND version > $2 ORDER BY version LIMIT $3";
        self.read(sql, &[&uuid(game.as_bytes()), &after.cast_signed(), &PAGE]).await
    }

    pub(super) async fn snapshot(&self, game: GameId) -> Result<Option<(u64, Vec<u8>)>, StoreError> {
        let sql = "SELECT version, snapshot FROM snapshots WHERE game = $1";
        let rows = self.read(sql, &[&uuid(game.as_bytes())]).await?;
        let Some(row) = rows.first() else { return Ok(None) };
        let version = row.get::<_, i64>(0).cast_unsigned();
        Ok(Some((version, read::read_snapshot(game, version, row.get(1))?)))
    }

    /// The newest kept snapshot that is older than `version`.
    pub(super) async fn kept_snapshot_before(
        &self,
        game: GameId,
        version: u64,
    ) -> Result<Option<(u64, Vec<u8>)>, StoreError> {
        let sql = "
            SELECT version, snapshot FROM kept_snapshots WHERE game = $1 AND version < $2
            ORDER BY version DESC LIMIT 1";
        let rows = self.read(sql, &[&uuid(game.as_bytes()), &version.cast_signed()]).await?;
        let Some(row) = rows.first() else { return Ok(None) };
        let version = row.get::<_, i64>(0).cast_unsigned();
        Ok(Some((version, read::read_kept_snapshot(game, version, row.get(1))?)))
    }

    /// The commands of one scope that are still remembered.
    async fn commands(&self, scope: Uuid, now: Instant) -> Result<Vec<CommandLine>, StoreError> {
        let sql = "SELECT scope, player, key, done FROM commands WHERE scope = $1 ORDER BY player, key";
        let mut lines = Vec::new();
        for row in self.read(sql, &[&scope]).await? {
            let (scope, key, done) = decode_command(&row)?;
            if is_remembered(&done, now) {
                lines.push(CommandLine::new(scope, &key, &done));
            }
        }
        Ok(lines)
    }

    async fn accounts(&self, out: &mut LineWriter<impl Write>, now: Instant) -> Result<(), ExportError> {
        let families = "SELECT id, family FROM families WHERE id > $1 ORDER BY id LIMIT $2";
        let mut page = self.read(families, &[&Uuid::nil(), &PAGE]).await?;
        while let Some(last) = page.last() {
            for row in &page {
                out.write(&Line::Family(accounts::decode_family(row)?))?;
            }
            page = self.read(families, &[&last.get::<_, Uuid>(0), &PAGE]).await?;
        }
        let players = "SELECT id, player FROM players WHERE id > $1 ORDER BY id LIMIT $2";
        let mut page = self.read(players, &[&Uuid::nil(), &PAGE]).await?;
        while let Some(last) = page.last() {
            for row in &page {
                out.write(&Line::Player(accounts::decode_player(row)?))?;
            }
            page = self.read(players, &[&last.get::<_, Uuid>(0), &PAGE]).await?;
        }
        let revocations = "SELECT mark, revocation FROM revocations WHERE needed_until > $1 ORDER BY mark";
        for row in self.read(revocations, &[&now.0]).await? {
            out.write(&Line::Revocation(accounts::decode_revocation(&row)?))?;
        }
        Ok(())
    }
}

pub(super) fn decode_command(row: &Row) -> Result<(Scope, String, Done), StoreError> {
    let scope = read_scope(row.get(0), row.get(1));
    let bytes: &[u8] = row.get(2);
    let key = str::from_utf8(bytes).map_err(|_| Tree::Commands.storage_key(bytes).corrupt("not a command key"))?;
    let done = Tree::Commands.decode(&keys::command(scope, key), row.get(3))?;
    Ok((scope, key.to_owned(), done))
}
