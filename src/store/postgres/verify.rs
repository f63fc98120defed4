//! Verification: reads every value of every table and reports what is wrong.

use super::super::export_format::ExportError;
use super::super::keys;
use super::super::tree::Tree;
use super::super::verify_report::{Judge, Verified};
use super::PostgresStore;
use super::accounts::{self, PlayerRow};
use super::encoded_append::{IndexColumns, uuid};
use super::error::StatementError;
use super::export::{StoreTransaction, decode_command};
use super::read;
use crate::games::ports::{Head, StoreError};
use crate::ids::GameId;
use std::collections::BTreeSet;
use tokio_postgres::{IsolationLevel, Row};
use uuid::Uuid;

impl PostgresStore {
    /// Verifies everything in one transaction; the nodes may keep writing. Passes each readable game to `judge`, whose
    /// error becomes a finding. `progress` receives the number of games done and the total.
    pub async fn verify(
        &self,
        judge: Judge<'_>,
        progress: &(dyn Fn(u64, Option<u64>) + Sync),
    ) -> Result<Verified, ExportError> {
        let mut connection = self.database.connection().await.map_err(StatementError::into_read_error)?;
        let repeatable_read =
            connection.build_transaction().isolation_level(IsolationLevel::RepeatableRead).read_only(true);
        let tx = StoreTransaction(
            repeatable_read.start().await.map_err(StatementError::from).map_err(StatementError::into_read_error)?,
        );
        Ok(verify(&tx, judge, progress).await?)
    }
}

pub(super) async fn verify(
    tx: &StoreTransaction<'_>,
    judge: Judge<'_>,
    progress: &(dyn Fn(u64, Option<u64>) + Sync),
) -> Result<Verified, StoreError> {
    let mut verified = Verified::default();
    let total = tx.count_games().await?;
    let mut after = None;
    loop {
        let page = tx.games(after).await?;
        let Some(last) = page.last() else { break };
        after = Some(*last);
        for game in page {
            progress(verified.counts.games, Some(total));
            verified.counts.games += 1;
            verified.read_game(tx, game, judge).await?;
        }
    }
    verified.read_strays(tx).await?;
    verified.read_accounts(tx).await?;
    Ok(verified)
}

impl Verified {
    /// Checks that the steps reach the head's version without a gap, and that columns and rows agree with the head.
    async fn read_game(&mut self, tx: &StoreTransaction<'_>, game: GameId, judge: Judge<'_>) -> Result<(), StoreError> {
        const HERE: Tree = Tree::Heads;
        let (id, key) = (uuid(game.as_bytes()), game.as_bytes());
        let sql = "SELECT version, status, kind, listed, since, invite, places, head FROM games WHERE id = $1";
        let rows = tx.read(sql, &[&id]).await?;
        let Some(row) = rows.first() else { return Ok(()) };
        let Some(head) = self.check::<Head>(HERE.decode(key, row.get(7))) else { return Ok(()) };
        self.expect(columns_agree(row, &head), HERE, key, "its columns differ from its head");
        self.read_members(tx, id, &head).await?;
        let mut steps = Vec::new();
        loop {
            let page = tx.steps(game, steps.len() as u64).await?;
            if page.is_empty() {
                break;
            }
            let decoded = read::decode_steps(game, steps.len() as u64, page.iter().map(|row| row.get(0)));
            match self.check(decoded) {
                Some(decoded) => steps.extend(decoded),
                None => return Ok(()),
            }
        }
        self.counts.steps += steps.len() as u64;
        self.counts.invites += u64::from(head.invite.is_some());
        let gap = format_args!("the head is at version {}, but the steps end at {}", head.version, steps.len());
        self.expect(steps.len() as u64 == head.version, HERE, key, gap);
        if let Err(objection) = judge(game, &head, &steps) {
            self.add_finding(format_args!("{game}: {objection}"));
        }
        if let Some(Some((version, _))) = self.check(tx.snapshot(game).await) {
            self.counts.snapshots += 1;
            self.expect(
                version <= head.version,
                Tree::Snapshots,
                key,
                "the game does not exist or has not reached that version",
            );
        }
        self.read_kept_snapshots(tx, game, &head).await
    }

    /// Checks that the kept snapshots have versions that the game has had and that are kept.
    async fn read_kept_snapshots(
        &mut self,
        tx: &StoreTransaction<'_>,
        game: GameId,
        head: &Head,
    ) -> Result<(), StoreError> {
        let sql = "SELECT version FROM kept_snapshots WHERE game = $1 ORDER BY version";
        for row in tx.read(sql, &[&uuid(game.as_bytes())]).await? {
            let version = row.get::<_, i64>(0).cast_unsigned();
            self.counts.snapshots += 1;
            let key = keys::kept_snapshot(game, version);
            let fits = version <= head.version && keys::is_kept_version(version);
            self.expect(
                fits,
                Tree::Snapshots,
                &key,
                "the game has not reached that version, or keeps no snapshot there",
            );
            self.check(tx.kept_snapshot_before(game, version.saturating_add(1)).await);
        }
        Ok(())
    }

    async fn read_members(&mut self, tx: &StoreTransaction<'_>, game: Uuid, head: &Head) -> Result<(), StoreError> {
        let columns = IndexColumns::new(head);
        let rows = tx.read("SELECT player, status, kind FROM members WHERE game = $1", &[&game]).await?;
        self.counts.rows += rows.len() as u64;
        let rows: BTreeSet<(Uuid, i16, String)> = rows.iter().map(|row| (row.get(0), row.get(1), row.get(2))).collect();
        let due = columns.members.iter().map(|member| (*member, columns.status, columns.kind.clone())).collect();
        self.expect(rows == due, Tree::Members, game.as_bytes(), "the rows in members differ from its head");
        Ok(())
    }

    /// Finds rows without a game, and commands with a version that their game has not reached.
    async fn read_strays(&mut self, tx: &StoreTransaction<'_>) -> Result<(), StoreError> {
        let tables = [
            ("steps", Tree::Steps),
            ("snapshots", Tree::Snapshots),
            ("kept_snapshots", Tree::Snapshots),
            ("members", Tree::Members),
        ];
        for (table, tree) in tables {
            let sql =
                format!("SELECT game FROM {table} WHERE NOT EXISTS (SELECT 1 FROM games WHERE id = game) LIMIT 1000");
            for row in tx.read(&sql, &[]).await? {
                self.expect(false, tree, row.get::<_, Uuid>(0).as_bytes(), "the game does not exist");
            }
        }
        let mut after = (Uuid::nil(), Uuid::nil(), Vec::<u8>::new());
        loop {
            let sql = "
                SELECT scope, player, key, done FROM commands WHERE (scope, player, key) > ($1, $2, $3)
                ORDER BY scope, player, key LIMIT 1000";
            let page = tx.read(sql, &[&after.0, &after.1, &after.2]).await?;
            let Some(last) = page.last() else { return Ok(()) };
            after = (last.get(0), last.get(1), last.get(2));
            for row in &page {
                self.counts.commands += 1;
                let Some((scope, name, done)) = self.check(decode_command(row)) else { continue };
                let sql = "SELECT version FROM games WHERE id = $1";
                let game = tx.read(sql, &[&uuid(done.game.as_bytes())]).await?;
                // The game may have been removed since. If it exists, it has reached that version.
                let reached = game.first().is_none_or(|row| done.version <= row.get::<_, i64>(0).cast_unsigned());
                self.expect(
                    reached,
                    Tree::Commands,
                    &keys::command(scope, &name),
                    "the game does not exist or has not reached that version",
                );
            }
        }
    }

    async fn read_accounts(&mut self, tx: &StoreTransaction<'_>) -> Result<(), StoreError> {
        const HERE: Tree = Tree::Accounts;
        let sql = "SELECT id, player, revision, username, subject FROM players WHERE id > $1 ORDER BY id LIMIT 1000";
        let mut page = tx.read(sql, &[&Uuid::nil()]).await?;
        while let Some(last) = page.last() {
            for row in &page {
                self.counts.players += 1;
                let Some(player) = self.check(accounts::decode_player(row)) else { continue };
                let due = PlayerRow::new(&player)?;
                let agree = (due.revision, due.username, due.subject) == (row.get(2), row.get(3), row.get(4));
                self.expect(agree, HERE, &keys::player(player.id), "its columns differ from the player");
            }
            page = tx.read(sql, &[&last.get::<_, Uuid>(0)]).await?;
        }
        let sql = "SELECT id, family, generation, revoked FROM families WHERE id > $1 ORDER BY id LIMIT 1000";
        let mut page = tx.read(sql, &[&Uuid::nil()]).await?;
        while let Some(last) = page.last() {
            for row in &page {
                self.counts.families += 1;
                let Some(family) = self.check(accounts::decode_family(row)) else { continue };
                let agree = (i64::from(family.generation), family.revoked) == (row.get(2), row.get(3));
                self.expect(agree, HERE, &keys::family(family.id), "its columns differ from the sign-in");
            }
            page = tx.read(sql, &[&last.get::<_, Uuid>(0)]).await?;
        }
        for row in tx.read("SELECT mark, revocation FROM revocations", &[]).await? {
            self.counts.revocations += 1;
            self.check(accounts::decode_revocation(&row));
        }
        Ok(())
    }
}

fn columns_agree(row: &Row, head: &Head) -> bool {
    let due = IndexColumns::new(head);
    let version = head.version.cast_signed();
    (version, due.status, due.kind, due.listed) == (row.get(0), row.get(1), row.get(2), row.get(3))
        && (due.since, due.invite, due.digest) == (row.get(4), row.get(5), row.get(6))
}
