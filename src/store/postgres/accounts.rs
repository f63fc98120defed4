//! Players and sign-ins; each write is one statement.
//!
//! A write that was never answered is sent again. If the second attempt is refused because the first was executed, the
//! stored value proves it: it equals the value being written.

use super::super::keys;
use super::super::tree::Tree;
use super::database::{Database, Params};
use super::encoded_append::uuid;
use super::error::StatementError;
use crate::games::ports::StoreError;
use crate::ids::{FamilyId, PlayerId};
use crate::players::ports::{Family, Player, Revocation, Sha256Digest, Subject, Written};
use crate::rules::Instant;
use tokio_postgres::Row;
use uuid::Uuid;

pub(super) struct PlayerRow {
    pub(super) id: Uuid,
    pub(super) revision: i64,
    pub(super) username: Option<Vec<u8>>,
    pub(super) subject: Option<Vec<u8>>,
    pub(super) value: Vec<u8>,
}

impl PlayerRow {
    pub(super) fn new(player: &Player) -> Result<Self, StoreError> {
        let username = player.username.as_deref().map(|name| keys::username(&Player::username_key(name)));
        let subject = player.subject.as_ref().map(keys::subject);
        let (id, revision) = (uuid(player.id.as_bytes()), player.revision.into());
        let value = Tree::Accounts.encode(&keys::player(player.id), player)?;
        Ok(Self { id, revision, username, subject, value })
    }
}

pub(super) struct FamilyRow {
    pub(super) id: Uuid,
    pub(super) generation: i64,
    pub(super) revoked: bool,
    pub(super) value: Vec<u8>,
}

impl FamilyRow {
    pub(super) fn new(family: &Family) -> Result<Self, StoreError> {
        let (id, generation, revoked) = (uuid(family.id.as_bytes()), family.generation.into(), family.revoked);
        Ok(Self { id, generation, revoked, value: Tree::Accounts.encode(&keys::family(family.id), family)? })
    }
}

pub(super) fn encode_revocation(revocation: &Revocation) -> Result<Vec<u8>, StoreError> {
    Tree::Accounts.encode(&keys::revocation(&revocation.mark), revocation)
}

pub(super) fn decode_player(row: &Row) -> Result<Player, StoreError> {
    let id = PlayerId::from_bytes(row.get::<_, Uuid>(0).into_bytes());
    Tree::Accounts.decode(&keys::player(id), row.get(1))
}

pub(super) fn decode_family(row: &Row) -> Result<Family, StoreError> {
    let id = FamilyId::from_bytes(row.get::<_, Uuid>(0).into_bytes());
    Tree::Accounts.decode(&keys::family(id), row.get(1))
}

pub(super) async fn create_player(
    database: &Database,
    player: &Player,
    family: &Family,
) -> Result<Written, StoreError> {
    let sql = "
        WITH player AS (
            INSERT INTO players (id, revision, username, subject, player) VALUES ($1, $2, $3, $4, $5) RETURNING id
        )
        INSERT INTO families (id, generation, revoked, family) SELECT $6, $7, $8, $9 FROM player RETURNING id";
    let (row, first) = (PlayerRow::new(player)?, FamilyRow::new(family)?);
    let values: Params = &[
        &row.id,
        &row.revision,
        &row.username,
        &row.subject,
        &row.value,
        &first.id,
        &first.generation,
        &first.revoked,
        &first.value,
    ];
    written(database, database.query_retrying(sql, values).await, &row).await
}

/// The outcome of a write of a player. If an earlier attempt may have been executed, compares the stored value.
async fn written(
    database: &Database,
    (result, in_doubt): (Result<Vec<Row>, StatementError>, bool),
    row: &PlayerRow,
) -> Result<Written, StoreError> {
    let refused = match result {
        Ok(rows) if !rows.is_empty() => return Ok(Written::Done),
        Err(StatementError::Refused { constraint: Some(name), .. }) if name == "players_username_key" => {
            Written::UsernameTaken
        }
        Ok(_) | Err(StatementError::Refused { constraint: Some(_), .. }) => Written::Conflict,
        Err(error) => return Err(error.into_write_error()),
    };
    if !in_doubt {
        return Ok(refused);
    }
    let stored = database.read("SELECT player FROM players WHERE id = $1", &[&row.id]).await?;
    let same = stored.first().is_some_and(|stored| stored.get::<_, &[u8]>(0) == row.value);
    Ok(if same { Written::Done } else { refused })
}

pub(super) async fn replace_player(
    database: &Database,
    player: &Player,
    ended: Option<&Revocation>,
) -> Result<Written, StoreError> {
    let row = PlayerRow::new(player)?;
    let replaced: Params = &[&row.id, &row.revision, &row.username, &row.subject, &row.value];
    let update = "
        UPDATE players SET revision = $2, username = $3, subject = $4, player = $5
        WHERE id = $1 AND revision = $2::int8 - 1 RETURNING id";
    let result = match ended {
        None => database.query_retrying(update, replaced).await,
        Some(ended) => {
            let sql = format!(
                "WITH player AS ({update})
                 INSERT INTO revocations (mark, needed_until, revocation) SELECT $6, $7, $8 FROM player
                 ON CONFLICT (mark) DO UPDATE
                 SET needed_until = excluded.needed_until, revocation = excluded.revocation RETURNING mark"
            );
            let (mark, value) = (&ended.mark[..], encode_revocation(ended)?);
            let ended: Params = &[&mark, &ended.needed_until.0, &value];
            database.query_retrying(&sql, &[replaced, ended].concat()).await
        }
    };
    written(database, result, &row).await
}

pub(super) async fn admit_player(database: &Database, newcomer: &Player) -> Result<Player, StoreError> {
    let row = PlayerRow::new(newcomer)?;
    let sql = "
        INSERT INTO players (id, revision, username, subject, player) VALUES ($1, $2, $3, $4, $5)
        ON CONFLICT DO NOTHING";
    let values: Params = &[&row.id, &row.revision, &row.username, &row.subject, &row.value];
    database.query_idempotent(sql, values).await.map_err(StatementError::into_write_error)?;
    let sql = "SELECT id, player FROM players WHERE id = $1 OR username = $2 OR subject = $3";
    let rows = database.read(sql, &[&row.id, &row.username, &row.subject]).await?;
    let known = rows.first().map(decode_player).transpose()?;
    known.ok_or_else(|| StoreError::Unavailable("the player was removed at the same moment".to_owned()))
}

pub(super) async fn players(database: &Database, ids: &[PlayerId]) -> Result<Vec<Player>, StoreError> {
    let ids: Vec<_> = ids.iter().map(|id| uuid(id.as_bytes())).collect();
    let rows = database.read("SELECT id, player FROM players WHERE id = ANY($1)", &[&ids]).await?;
    rows.iter().map(decode_player).collect()
}

pub(super) async fn by_username(database: &Database, username: &str) -> Result<Option<Player>, StoreError> {
    let sql = "SELECT id, player FROM players WHERE username = $1";
    let rows = database.read(sql, &[&keys::username(username)]).await?;
    rows.first().map(decode_player).transpose()
}

pub(super) async fn by_subject(database: &Database, subject: &Subject) -> Result<Option<Player>, StoreError> {
    let sql = "SELECT id, player FROM players WHERE subject = $1";
    let rows = database.read(sql, &[&keys::subject(subject)]).await?;
    rows.first().map(decode_player).transpose()
}

pub(super) async fn create_family(database: &Database, family: &Family) -> Result<(), StoreError> {
    let row = FamilyRow::new(family)?;
    let sql = "
        INSERT INTO families (id, generation, revoked, family) VALUES ($1, $2, $3, $4)
        ON CONFLICT (id) DO NOTHING RETURNING id";
    let (rows, in_doubt) = database.query_retrying(sql, &[&row.id, &row.generation, &row.revoked, &row.value]).await;
    let done = !rows.map_err(StatementError::into_write_error)?.is_empty()
        || in_doubt && self::family(database, family.id).await?.as_ref() == Some(family);
    if done { Ok(()) } else { Err(StoreError::Unavailable(format!("{} exists already", family.id))) }
}

pub(super) async fn family(database: &Database, id: FamilyId) -> Result<Option<Family>, StoreError> {
    let sql = "SELECT id, family FROM families WHERE id = $1";
    let rows = database.read(sql, &[&uuid(id.as_bytes())]).await?;
    rows.first().map(decode_family).transpose()
}

/// A player and a sign-in, in one statement.
pub(super) async fn session(
    database: &Database,
    player: PlayerId,
    family: FamilyId,
) -> Result<(Option<Player>, Option<Family>), StoreError> {
    let sql = "
        SELECT id, player, true FROM players WHERE id = $1
        UNION ALL SELECT id, family, false FROM families WHERE id = $2";
    let rows = database.read(sql, &[&uuid(player.as_bytes()), &uuid(family.as_bytes())]).await?;
    let is_player = |row: &&Row| row.get(2);
    let player = rows.iter().find(is_player).map(decode_player).transpose()?;
    let family = rows.iter().find(|row| !is_player(row)).map(decode_family).transpose()?;
    Ok((player, family))
}

pub(super) async fn rotate_family(database: &Database, family: &Family) -> Result<Written, StoreError> {
    let row = FamilyRow::new(family)?;
    let sql = "
        UPDATE families SET generation = $2, family = $3
        WHERE id = $1 AND NOT revoked AND generation = $2::int8 - 1 RETURNING id";
    let (rows, in_doubt) = database.query_retrying(sql, &[&row.id, &row.generation, &row.value]).await;
    let done = !rows.map_err(StatementError::into_write_error)?.is_empty()
        || in_doubt && self::family(database, family.id).await?.as_ref() == Some(family);
    Ok(if done { Written::Done } else { Written::Conflict })
}

pub(super) async fn revoke_family(database: &Database, id: FamilyId) -> Result<(), StoreError> {
    // If it was rotated meanwhile, the value differs, the update matches no row, and the loop reads again.
    while let Some(known) = family(database, id).await?.filter(|family| !family.revoked) {
        let (old, new) = (FamilyRow::new(&known)?, FamilyRow::new(&Family { revoked: true, ..known })?);
        let sql = "UPDATE families SET revoked = true, family = $2 WHERE id = $1 AND family = $3";
        database
            .query_idempotent(sql, &[&new.id, &new.value, &old.value])
            .await
            .map_err(StatementError::into_write_error)?;
    }
    Ok(())
}

pub(super) async fn revoke_tokens(database: &Database, revocation: &Revocation) -> Result<(), StoreError> {
    let sql = "
        INSERT INTO revocations (mark, needed_until, revocation) VALUES ($1, $2, $3)
        ON CONFLICT (mark) DO UPDATE SET needed_until = excluded.needed_until, revocation = excluded.revocation";
    let (mark, value) = (&revocation.mark[..], encode_revocation(revocation)?);
    database
        .query_idempotent(sql, &[&mark, &revocation.needed_until.0, &value])
        .await
        .map(drop)
        .map_err(StatementError::into_write_error)
}

pub(super) async fn is_revoked(
    database: &Database,
    marks: &[Sha256Digest],
    issued_at: Instant,
) -> Result<bool, StoreError> {
    let marks: Vec<_> = marks.iter().map(|mark| &mark[..]).collect();
    let rows = database.read("SELECT mark, revocation FROM revocations WHERE mark = ANY($1)", &[&marks]).await?;
    for row in &rows {
        if issued_at <= decode_revocation(row)?.issued_until {
            return Ok(true);
        }
    }
    Ok(false)
}

/// The database's clock.
pub(super) async fn time(database: &Database) -> Result<Option<Instant>, StoreError> {
    let sql = "SELECT (extract(epoch FROM clock_timestamp()) * 1000)::int8";
    let rows = database.read(sql, &[]).await?;
    Ok(rows.first().map(|row| Instant(row.get(0))))
}

pub(super) fn decode_revocation(row: &Row) -> Result<Revocation, StoreError> {
    let mark: &[u8] = row.get(0);
    let key = mark.try_into().map(|mark| keys::revocation(&mark));
    let key = key.map_err(|_| Tree::Accounts.storage_key(mark).corrupt("not a mark"))?;
    Tree::Accounts.decode(&key, row.get(1))
}
