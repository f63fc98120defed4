//! The writes: each does all its checks first and then all its changes, as part of a commit.

use super::queue::CommitContext;
use crate::games::ports::{Append, Appended, Done, Head, StoreError};
use crate::ids::{FamilyId, GameId, PlayerId};
use crate::players::ports::{Family, Player, Revocation, Written};
use crate::rules::Instant;
use crate::store::keys;
use crate::store::sled::trees::{Entry, JobError, MAX_VALUE_BYTES, Tree, Tx};
use crate::store::sled::{index, read};
use ::sled::IVec;

/// An [`Append`], encoded before it is queued.
pub(in crate::store::sled) struct EncodedStep {
    game: GameId,
    expected: u64,
    epoch: u64,
    at: Instant,
    new: Head,
    command: Option<Entry>,
    /// Head, step and snapshots.
    entries: Vec<Entry>,
}

impl EncodedStep {
    pub(in crate::store::sled) fn new(append: Append) -> Result<EncodedStep, StoreError> {
        let Append { game, expected, step, head, snapshot, command, epoch } = append;
        let version = step.version;
        if expected.checked_add(1) != Some(version) || head.version != version {
            let why = format!("a step to version {version} does not follow {expected}, or its head differs");
            return Err(StoreError::Unavailable(why));
        }
        let done = Done { game, version, digest: command.as_ref().map_or([0; 32], |c| c.digest), at: step.at };
        let command = command.map(|c| Entry::new(Tree::Commands, keys::command(c.scope, &c.key), &done)).transpose()?;
        let mut entries = vec![
            Entry::new(Tree::Heads, game.as_bytes(), &head)?,
            Entry::new(Tree::Steps, keys::step(game, version), &step)?,
        ];
        // A snapshot only saves loading time, so one that is too large is no reason to refuse the step.
        if let Some(bytes) = snapshot.filter(|bytes| bytes.len() < MAX_VALUE_BYTES - 64) {
            entries.extend(snapshot_entries(game, version, bytes)?);
        }
        Ok(EncodedStep { game, expected, epoch, at: step.at, new: head, command, entries })
    }

    fn apply(&self, context: &CommitContext) -> Result<Appended, JobError> {
        let tx = context.tx;
        // Idempotency first: a repeated command gets its first result, whatever has happened since.
        if let Some(entry) = &self.command
            && let Some(done) = tx.get::<Done>(entry.tree, &entry.key)?
            && read::is_remembered(&done, self.at)
        {
            return Ok(Appended::Duplicate(done));
        }
        let old = tx.get::<Head>(Tree::Heads, self.game.as_bytes())?;
        if context.epochs.is_over(self.game, self.epoch) || old.as_ref().map_or(0, |head| head.version) != self.expected
        {
            return Ok(Appended::Conflict);
        }
        self.write(tx, old.as_ref())?;
        Ok(Appended::Stored(self.new.version))
    }

    fn write(&self, tx: &Tx, old: Option<&Head>) -> Result<(), JobError> {
        if !old.is_some_and(|old| index::same_rows(old, &self.new)) {
            let old_rows = old.map(|old| index::rows(self.game, old)).transpose()?.unwrap_or_default();
            // Not encoded in advance, because hardly any step changes them.
            let rows = index::rows(self.game, &self.new)?;
            index::check_invite(tx, self.game, &rows)?;
            for row in &old_rows {
                tx.remove(row.tree, &row.key);
            }
            for row in &rows {
                tx.put(row);
            }
        }
        for entry in self.entries.iter().chain(&self.command) {
            tx.put(entry);
        }
        Ok(())
    }
}

/// Appends a step. A step that could not be encoded is queued too and refused here, so that answers keep the order of
/// the calls.
pub(in crate::store::sled) fn append(
    context: &mut CommitContext,
    (game, epoch): (GameId, u64),
    encoded: &Result<EncodedStep, StoreError>,
) -> Result<Appended, JobError> {
    context.epochs.begin(game, epoch);
    let outcome = match encoded {
        Ok(encoded) => encoded.apply(context),
        Err(error) => Err(error.clone().into()),
    };
    if !matches!(outcome, Ok(Appended::Stored(_)) | Err(JobError::Sled(_))) {
        context.epochs.end(game, epoch);
    }
    outcome
}

/// Removes a game that has been over since `before`. The caller lists its commands, because a commit can't search for
/// them. Commands that created the game, or that led to it from another game, are not removed here: they expire after a
/// day, long before the game does.
pub(in crate::store::sled) fn remove(
    tx: &Tx,
    game: GameId,
    before: Instant,
    commands: &[IVec],
) -> Result<bool, JobError> {
    let key = game.as_bytes();
    let Some(head) = tx.get::<Head>(Tree::Heads, key)? else { return Ok(false) };
    if !head.status.is_over() || head.updated_at >= before {
        return Ok(false);
    }
    for row in index::rows(game, &head)? {
        tx.remove(row.tree, &row.key);
    }
    for command in commands {
        tx.remove(Tree::Commands, command);
    }
    for version in 1..=head.version {
        tx.remove(Tree::Steps, &keys::step(game, version));
    }
    for version in keys::kept_versions(head.version) {
        tx.remove(Tree::Snapshots, &keys::kept_snapshot(game, version));
    }
    tx.remove(Tree::Snapshots, key);
    tx.remove(Tree::Heads, key);
    Ok(true)
}

pub(in crate::store::sled) fn create_player(tx: &Tx, player: &Player, family: &Family) -> Result<Written, JobError> {
    let entries = [player_entry(player)?, family_entry(family)?];
    for entry in &entries {
        if tx.contains(entry.tree, &entry.key)? {
            return Ok(Written::Conflict);
        }
    }
    let names = name_entries(player)?;
    if let Some(conflict) = name_conflict(tx, &names, player.id)? {
        return Ok(conflict);
    }
    for entry in entries.iter().chain(&names) {
        tx.put(entry);
    }
    Ok(Written::Done)
}

pub(in crate::store::sled) fn admit_player(tx: &Tx, newcomer: &Player) -> Result<Player, JobError> {
    let entry = player_entry(newcomer)?;
    let names = name_entries(newcomer)?;
    for name in &names {
        if let Some(id) = tx.get::<PlayerId>(name.tree, &name.key)? {
            let known = tx.get::<Player>(Tree::Accounts, keys::player(id))?;
            return known.ok_or_else(|| name.tree.storage_key(&name.key).corrupt("the player does not exist").into());
        }
    }
    for entry in [entry].iter().chain(&names) {
        tx.put(entry);
    }
    Ok(newcomer.clone())
}

pub(in crate::store::sled) fn update_player(tx: &Tx, player: &Player) -> Result<Written, JobError> {
    let entry = player_entry(player)?;
    let Some(old) = tx.get::<Player>(entry.tree, &entry.key)? else { return Ok(Written::Conflict) };
    if old.revision.checked_add(1) != Some(player.revision) {
        return Ok(Written::Conflict);
    }
    let (old_names, names) = (name_entries(&old)?, name_entries(player)?);
    if let Some(conflict) = name_conflict(tx, &names, player.id)? {
        return Ok(conflict);
    }
    for name in old_names {
        tx.remove(name.tree, &name.key);
    }
    for entry in [entry].iter().chain(&names) {
        tx.put(entry);
    }
    Ok(Written::Done)
}

pub(in crate::store::sled) fn delete_player(
    tx: &Tx,
    player: &Player,
    revocation: Option<&Revocation>,
) -> Result<Written, JobError> {
    let revocation = revocation.map(revocation_entry).transpose()?;
    let written = update_player(tx, player)?;
    if let (Written::Done, Some(entry)) = (written, &revocation) {
        tx.put(entry);
    }
    Ok(written)
}

/// The conflict if one of the names belongs to another player.
fn name_conflict(tx: &Tx, names: &[Entry], player: PlayerId) -> Result<Option<Written>, JobError> {
    for name in names {
        if tx.get::<PlayerId>(name.tree, &name.key)?.is_some_and(|owner| owner != player) {
            let is_username = name.key.first() == Some(&keys::USERNAME);
            return Ok(Some(if is_username { Written::UsernameTaken } else { Written::Conflict }));
        }
    }
    Ok(None)
}

pub(in crate::store::sled) fn create_family(tx: &Tx, family: &Family) -> Result<(), JobError> {
    let entry = family_entry(family)?;
    if tx.contains(entry.tree, &entry.key)? {
        return Err(StoreError::Unavailable(format!("{} exists already", family.id)).into());
    }
    tx.put(&entry);
    Ok(())
}

pub(in crate::store::sled) fn rotate_family(tx: &Tx, family: &Family) -> Result<Written, JobError> {
    let entry = family_entry(family)?;
    match tx.get::<Family>(entry.tree, &entry.key)? {
        Some(old) if !old.revoked && old.generation.checked_add(1) == Some(family.generation) => {
            tx.put(&entry);
            Ok(Written::Done)
        }
        _ => Ok(Written::Conflict),
    }
}

pub(in crate::store::sled) fn revoke_family(tx: &Tx, id: FamilyId) -> Result<(), JobError> {
    if let Some(family) = tx.get::<Family>(Tree::Accounts, keys::family(id))? {
        tx.put(&family_entry(&Family { revoked: true, ..family })?);
    }
    Ok(())
}

pub(in crate::store::sled) fn revoke_tokens(tx: &Tx, revocation: &Revocation) -> Result<(), JobError> {
    tx.put(&revocation_entry(revocation)?);
    Ok(())
}

/// The entries of a new snapshot: the newest one, and a kept one if the version calls for it.
pub(in crate::store::sled) fn snapshot_entries(
    game: GameId,
    version: u64,
    bytes: Vec<u8>,
) -> Result<Vec<Entry>, StoreError> {
    let snapshot = (version, bytes);
    let mut entries = vec![Entry::new(Tree::Snapshots, game.as_bytes(), &snapshot)?];
    if keys::is_kept_version(version) {
        entries.push(Entry::new(Tree::Snapshots, keys::kept_snapshot(game, version), &snapshot)?);
    }
    Ok(entries)
}

pub(in crate::store::sled) fn player_entry(player: &Player) -> Result<Entry, StoreError> {
    Entry::new(Tree::Accounts, keys::player(player.id), player)
}

/// The entries that lead from username and subject to the player.
pub(in crate::store::sled) fn name_entries(player: &Player) -> Result<Vec<Entry>, StoreError> {
    let username = player.username.as_deref().map(|name| keys::username(&Player::username_key(name)));
    let subject = player.subject.as_ref().map(keys::subject);
    username.into_iter().chain(subject).map(|key| Entry::new(Tree::Accounts, key, &player.id)).collect()
}

pub(in crate::store::sled) fn family_entry(family: &Family) -> Result<Entry, StoreError> {
    Entry::new(Tree::Accounts, keys::family(family.id), family)
}

pub(in crate::store::sled) fn revocation_entry(revocation: &Revocation) -> Result<Entry, StoreError> {
    Entry::new(Tree::Accounts, keys::revocation(&revocation.mark), revocation)
}
