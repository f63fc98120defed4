//! Import: reads an export into empty tables, in one transaction.

use super::super::export_format::{End, ImportError, Line, LineReader};
use super::super::export_order::{ExportOrder, Origin};
use super::super::keys;
use super::super::tree::Tree;
use super::PostgresStore;
use super::accounts::{FamilyRow, PlayerRow, encode_revocation};
use super::encoded_append::{EncodedCommand, IndexColumns, uuid};
use super::error::StatementError;
use super::export::StoreTransaction;
use super::verify::verify;
use crate::games::ports::StoreError;
use std::io::BufRead;
use tokio_postgres::types::ToSql;

/// The tables that must be empty.
const TABLES: [&str; 8] =
    ["games", "steps", "snapshots", "kept_snapshots", "commands", "players", "families", "revocations"];

impl PostgresStore {
    /// Imports everything. `progress` receives the number of lines done. After an error the store is unchanged, unless
    /// the connection broke during the commit.
    pub async fn import(&self, input: impl BufRead, progress: &dyn Fn(u64, Option<u64>)) -> Result<End, ImportError> {
        let mut reader = LineReader::start(input)?;
        let mut connection = self.database.connection().await.map_err(StatementError::into_write_error)?;
        let transaction =
            connection.transaction().await.map_err(StatementError::from).map_err(StatementError::into_write_error)?;
        let tx = StoreTransaction(transaction);
        for table in TABLES {
            if !tx.read(&format!("SELECT 1 FROM {table} LIMIT 1"), &[]).await?.is_empty() {
                return Err(ImportError::NotEmpty);
            }
        }
        let mut order = ExportOrder::default();
        let mut lines = 0;
        while let Some(line) = reader.read()? {
            let origin = order.next(&line).map_err(|why| reader.malformed(why))?;
            tx.put(origin, line).await?;
            lines += 1;
            progress(lines, None);
        }
        order.end().map_err(|why| reader.malformed(why))?;
        let verified = verify(&tx, &mut |_, _, _| Ok(()), &|_, _| ()).await?;
        if let Some(finding) = verified.findings.first() {
            return Err(ImportError::Inconsistent(finding.clone()));
        }
        tx.0.commit().await.map_err(StatementError::from).map_err(StatementError::into_write_error)?;
        progress(lines, Some(lines));
        Ok(reader.end().clone())
    }
}

impl StoreTransaction<'_> {
    /// Writes the rows of a line. A key that exists already was in the export twice, which is an error.
    async fn put(&self, origin: Option<Origin>, line: Line) -> Result<(), StoreError> {
        match (line, origin) {
            (Line::Game { id, head }, _) => {
                let (index, game) = (IndexColumns::new(&head), uuid(id.as_bytes()));
                let value = Tree::Heads.encode(id.as_bytes(), &head)?;
                let sql = "
                    INSERT INTO games (id, version, status, kind, listed, since, invite, places, head)
                    VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)";
                let version = head.version.cast_signed();
                let IndexColumns { status, kind, listed, since, invite, members, digest } = &index;
                self.write(sql, &[&game, &version, status, kind, listed, since, invite, digest, &value]).await?;
                let sql = "INSERT INTO members (player, game, status, kind) SELECT member, $2, $3, $4 FROM unnest($1::uuid[]) AS member";
                self.write(sql, &[members, &game, status, kind]).await
            }
            (Line::Step(step), Some(Origin { game, .. })) => {
                let value = Tree::Steps.encode(&keys::step(game, step.version), &step)?;
                let sql = "INSERT INTO steps (game, version, step) VALUES ($1, $2, $3)";
                self.write(sql, &[&uuid(game.as_bytes()), &step.version.cast_signed(), &value]).await
            }
            (Line::Snapshot { version, bytes }, Some(Origin { game, is_newest_snapshot })) => {
                let (id, number, snapshot) = (uuid(game.as_bytes()), version.cast_signed(), (version, bytes.0));
                if is_newest_snapshot {
                    let value = Tree::Snapshots.encode(game.as_bytes(), &snapshot)?;
                    let sql = "INSERT INTO snapshots (game, version, snapshot) VALUES ($1, $2, $3)";
                    self.write(sql, &[&id, &number, &value]).await?;
                }
                if keys::is_kept_version(version) {
                    let value = Tree::Snapshots.encode(&keys::kept_snapshot(game, version), &snapshot)?;
                    let sql = "INSERT INTO kept_snapshots (game, version, snapshot) VALUES ($1, $2, $3)";
                    self.write(sql, &[&id, &number, &value]).await?;
                }
                Ok(())
            }
            (Line::Command(line), _) => {
                let digest = || StoreError::Corrupt("a digest of the wrong length".to_owned());
                let (command, done) = line.read().ok_or_else(digest)?;
                let EncodedCommand { command, scope, player, done: value } = EncodedCommand::new(&done, command)?;
                let sql = "INSERT INTO commands (scope, player, key, at, done) VALUES ($1, $2, $3, $4, $5)";
                self.write(sql, &[&scope, &player, &command.key.as_bytes(), &done.at.0, &value]).await
            }
            (Line::Family(family), _) => {
                let FamilyRow { id, generation, revoked, value } = FamilyRow::new(&family)?;
                let sql = "INSERT INTO families (id, generation, revoked, family) VALUES ($1, $2, $3, $4)";
                self.write(sql, &[&id, &generation, &revoked, &value]).await
            }
            (Line::Player(player), _) => {
                let PlayerRow { id, revision, username, subject, value } = PlayerRow::new(&player)?;
                let sql = "INSERT INTO players (id, revision, username, subject, player) VALUES ($1, $2, $3, $4, $5)";
                self.write(sql, &[&id, &revision, &username, &subject, &value]).await
            }
            (Line::Revocation(revocation), _) => {
                let value = encode_revocation(&revocation)?;
                let sql = "INSERT INTO revocations (mark, needed_until, revocation) VALUES ($1, $2, $3)";
                self.write(sql, &[&&revocation.mark[..], &revocation.needed_until.0, &value]).await
            }
            // [`ExportOrder`] has refused these.
            (Line::Step(_) | Line::Snapshot { .. } | Line::Start { .. } | Line::End(_), _) => Ok(()),
        }
    }

    async fn write(&self, sql: &str, values: &[&(dyn ToSql + Sync)]) -> Result<(), StoreError> {
        self.read(sql, values).await.map(drop)
    }
}
