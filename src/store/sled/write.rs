//! What each write does inside the committer's transaction: first every check, then every change.

use super::keys;
use super::queue::Turn;
use super::trees::{Entry, MAX_VALUE, Stop, Tree, Tx};
use super::{index, read};
use crate::games::ports::{Append, Appended, Done, Head, StoreError};
use crate::ids::{FamilyId, GameId, PlayerId};
use crate::players::ports::{Family, Player, Written};
use crate::rules::Instant;
use ::sled::IVec;

/// An [`Append`], encoded.
pub(super) struct Prepared {
    game: GameId,
    expected: u64,
    at: Instant,
    new: Head,
    rows: Vec<Entry>,
    command: Option<Entry>,
    /// Head, step and snapshot.
    entries: Vec<Entry>,
}

impl Prepared {
    pub(super) fn new(append: Append) -> Result<Prepared, StoreError> {
        let Append { game, expected, step, head, snapshot, command } = append;
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
        // A snapshot only saves time when loading: one too large to keep is no reason to refuse the step.
        if let Some(bytes) = snapshot.filter(|bytes| bytes.len() < MAX_VALUE - 64) {
            entries.push(Entry::new(Tree::Snapshots, game.as_bytes(), &(version, bytes))?);
        }
        Ok(Prepared { game, expected, at: step.at, rows: index::rows(game, &head)?, new: head, command, entries })
    }

    fn apply(&self, turn: &Turn) -> Result<Appended, Stop> {
        let tx = turn.tx;
        // A command is looked up before anything else is judged.
        if let Some(entry) = &self.command
            && let Some(done) = tx.get::<Done>(entry.tree, &entry.key)?
            && read::is_alive(&done, self.at)
        {
            return Ok(Appended::Duplicate(done));
        }
        let old = tx.get::<Head>(Tree::Heads, self.game.as_bytes())?;
        if turn.lines.is_refused(self.game, turn.ticket) || old.as_ref().map_or(0, |head| head.version) != self.expected
        {
            return Ok(Appended::Conflict);
        }
        self.write(tx, old.as_ref())?;
        Ok(Appended::Stored(self.new.version))
    }

    fn write(&self, tx: &Tx, old: Option<&Head>) -> Result<(), Stop> {
        if !old.is_some_and(|old| index::same_rows(old, &self.new)) {
            let gone = old.map(|old| index::rows(self.game, old)).transpose()?.unwrap_or_default();
            index::check_invite(tx, self.game, &self.rows)?;
            for row in &gone {
                tx.remove(row.tree, &row.key)?;
            }
            for row in &self.rows {
                tx.put(row)?;
            }
        }
        for entry in self.entries.iter().chain(&self.command) {
            tx.put(entry)?;
        }
        Ok(())
    }
}

/// Adds a step. One that could not even be prepared is refused in its turn, like any other.
pub(super) fn append(turn: &mut Turn, game: GameId, prepared: &Result<Prepared, StoreError>) -> Result<Appended, Stop> {
    let outcome = match prepared {
        Ok(prepared) => prepared.apply(turn),
        Err(error) => Err(error.clone().into()),
    };
    if !matches!(outcome, Ok(Appended::Stored(_)) | Err(Stop::Storage(_))) {
        turn.lines.refuse(game);
    }
    outcome
}

/// Removes a game that has been over since `before`. Its commands are handed in, because a transaction can't look for
/// them. One that created it, or led to it from another game, stays: it died a day after, long before the game.
pub(super) fn remove(tx: &Tx, game: GameId, before: Instant, commands: &[IVec]) -> Result<bool, Stop> {
    let key = game.as_bytes();
    let Some(head) = tx.get::<Head>(Tree::Heads, key)? else { return Ok(false) };
    if !head.status.is_over() || head.updated_at >= before {
        return Ok(false);
    }
    for row in index::rows(game, &head)? {
        tx.remove(row.tree, &row.key)?;
    }
    for command in commands {
        tx.remove(Tree::Commands, command)?;
    }
    for version in 1..=head.version {
        tx.remove(Tree::Steps, &keys::step(game, version))?;
    }
    tx.remove(Tree::Snapshots, key)?;
    tx.remove(Tree::Heads, key)?;
    Ok(true)
}

pub(super) fn create_player(tx: &Tx, player: &Player, family: &Family) -> Result<Written, Stop> {
    let entries = [player_entry(player)?, family_entry(family)?];
    for entry in &entries {
        if tx.contains(entry.tree, &entry.key)? {
            return Ok(Written::Conflict);
        }
    }
    let username = username_entry(player)?;
    if let Some(entry) = &username
        && tx.contains(entry.tree, &entry.key)?
    {
        return Ok(Written::UsernameTaken);
    }
    for entry in entries.iter().chain(&username) {
        tx.put(entry)?;
    }
    Ok(Written::Done)
}

pub(super) fn update_player(tx: &Tx, player: &Player) -> Result<Written, Stop> {
    let entry = player_entry(player)?;
    let Some(old) = tx.get::<Player>(entry.tree, &entry.key)? else { return Ok(Written::Conflict) };
    if old.revision.checked_add(1) != Some(player.revision) {
        return Ok(Written::Conflict);
    }
    let (given_up, taken) = (username_entry(&old)?, username_entry(player)?);
    if let Some(name) = &taken
        && tx.get::<PlayerId>(name.tree, &name.key)?.is_some_and(|owner| owner != player.id)
    {
        return Ok(Written::UsernameTaken);
    }
    if let Some(name) = given_up {
        tx.remove(name.tree, &name.key)?;
    }
    for entry in [entry].iter().chain(&taken) {
        tx.put(entry)?;
    }
    Ok(Written::Done)
}

pub(super) fn create_family(tx: &Tx, family: &Family) -> Result<(), Stop> {
    let entry = family_entry(family)?;
    if tx.contains(entry.tree, &entry.key)? {
        return Err(StoreError::Unavailable(format!("{} exists already", family.id)).into());
    }
    Ok(tx.put(&entry)?)
}

pub(super) fn rotate_family(tx: &Tx, family: &Family) -> Result<Written, Stop> {
    let entry = family_entry(family)?;
    match tx.get::<Family>(entry.tree, &entry.key)? {
        Some(old) if !old.revoked && old.generation.checked_add(1) == Some(family.generation) => {
            tx.put(&entry)?;
            Ok(Written::Done)
        }
        _ => Ok(Written::Conflict),
    }
}

pub(super) fn revoke_family(tx: &Tx, id: FamilyId) -> Result<(), Stop> {
    if let Some(family) = tx.get::<Family>(Tree::Accounts, keys::family(id))? {
        tx.put(&family_entry(&Family { revoked: true, ..family })?)?;
    }
    Ok(())
}

pub(super) fn player_entry(player: &Player) -> Result<Entry, StoreError> {
    Entry::new(Tree::Accounts, keys::player(player.id), player)
}

pub(super) fn username_entry(player: &Player) -> Result<Option<Entry>, StoreError> {
    let name = player.username.as_deref().map(Player::username_key);
    name.map(|name| Entry::new(Tree::Accounts, keys::username(&name), &player.id)).transpose()
}

pub(super) fn family_entry(family: &Family) -> Result<Entry, StoreError> {
    Entry::new(Tree::Accounts, keys::family(family.id), family)
}
