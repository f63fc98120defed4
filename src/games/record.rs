//! Snapshots, and folding steps: what getting a game back from the store is made of.

use super::error::GameError;
use super::game::{Game, Running};
use super::options::check_stored;
use super::ports::{Head, KEPT_SNAPSHOT_EVERY, Status, StoreError};
use super::shown::Shown;
use super::step::{Action, Step, Text, Visibility};
use crate::ids::{GameId, PlayerId};
use crate::rules::{Instant, Outcome, Seat, Seed, any::AnyRules, catalog};
use serde::{Deserialize, Serialize};

/// A snapshot is taken every so many steps, and at the end: rarely enough to keep the disk small, often enough to load in
/// no time.
const SNAPSHOT_EVERY: u64 = 16;
const _: () = assert!(KEPT_SNAPSHOT_EVERY.is_multiple_of(SNAPSHOT_EVERY), "there is a snapshot at every kept version");

/// A game as a snapshot keeps it.
///
/// Only a shortcut: one that a later build can't read is passed over, and the game is folded from its first step.
#[derive(Serialize, Deserialize)]
struct Record {
    id: GameId,
    kind: String,
    rules_version: u32,
    version: u64,
    status: Status,
    host: PlayerId,
    options: Text,
    seats: Vec<Option<PlayerId>>,
    resigned: Vec<Seat>,
    visibility: Visibility,
    invite: Option<String>,
    invited: Vec<PlayerId>,
    seed: Seed,
    created_at: Instant,
    updated_at: Instant,
    state: Option<Vec<u8>>,
    dice: u64,
    outcome: Option<Outcome>,
    waiting: Vec<(Seat, Instant)>,
    choices: Vec<Option<Text>>,
}

impl Game {
    /// The snapshot to store with this step, if one is due. A game that is over gets no more steps, and will be read
    /// rarely, so that it is seldom in memory: with a snapshot of its end, reading it is all there is to loading it.
    pub(super) fn snapshot(&self) -> Option<Vec<u8>> {
        (self.status.is_over() || self.version.is_multiple_of(SNAPSHOT_EVERY)).then(|| self.encode())
    }

    fn encode(&self) -> Vec<u8> {
        let info = self.rules.info();
        let record = Record {
            id: self.id,
            kind: info.kind.to_owned(),
            rules_version: info.rules_version,
            version: self.version,
            status: self.status,
            host: self.host,
            options: self.options.clone(),
            seats: self.seats.clone(),
            resigned: self.resigned.clone(),
            visibility: self.visibility,
            invite: self.invite.clone(),
            invited: self.invited.clone(),
            seed: self.seed,
            created_at: self.created_at,
            updated_at: self.updated_at,
            state: self.running.as_ref().map(|running| self.rules.encode_state(&running.state)),
            dice: self.running.as_ref().map_or(0, |running| running.dice),
            outcome: self.outcome.clone(),
            waiting: self.waiting.clone(),
            choices: self.choices.clone(),
        };
        postcard::to_stdvec(&record).expect("a game is plain data")
    }

    /// Reads a snapshot; nothing if this build can't.
    pub(super) fn decode(bytes: &[u8]) -> Option<Self> {
        let record: Record = postcard::from_bytes(bytes).ok()?;
        let rules = catalog::of_version(&record.kind, record.rules_version)?;
        let running = match record.state {
            Some(state) => Some(Running { state: rules.decode_state(&state).ok()?, dice: record.dice }),
            None => None,
        };
        Some(Self {
            id: record.id,
            rules,
            version: record.version,
            status: record.status,
            host: record.host,
            options: record.options,
            seats: record.seats,
            resigned: record.resigned,
            visibility: record.visibility,
            invite: record.invite,
            invited: record.invited,
            seed: record.seed,
            created_at: record.created_at,
            updated_at: record.updated_at,
            running,
            outcome: record.outcome,
            waiting: record.waiting,
            choices: record.choices,
            shown: Shown::default(),
        })
    }

    /// Folds a game from its first step on.
    pub fn fold(id: GameId, steps: &[Step]) -> Result<Self, StoreError> {
        let Some((first, rest)) = steps.split_first() else {
            return Err(StoreError::Corrupt(format!("{id} has no steps")));
        };
        Self::begin(id, first)?.follow(rest)
    }

    fn begin(id: GameId, first: &Step) -> Result<Self, StoreError> {
        let (Action::Create(creation), Some(host)) = (&first.action, first.by) else {
            return Err(StoreError::Corrupt(format!("{id} does not begin with its creation")));
        };
        let rules = rules_of(&creation.kind, creation.rules_version)?;
        let size = u8::try_from(creation.seats.len()).unwrap_or(u8::MAX);
        check_stored(rules, &creation.options.0, size)
            .map_err(|error| StoreError::Corrupt(format!("{id} can't be played as it was made: {error}")))?;
        Ok(Self::create(id, rules, host, creation, first.at).0)
    }

    /// Plays stored steps again and says what of them, or of the head, is not what the rules make of it.
    pub fn verify(id: GameId, head: &Head, steps: &[Step]) -> Result<(), String> {
        let Some((first, rest)) = steps.split_first() else { return Err("it has no steps".to_owned()) };
        let mut game = Self::begin(id, first).map_err(|error| error.to_string())?;
        for step in rest {
            let again = game.apply(step.by, &step.action, step.at);
            let applied = again.map_err(|error| unreplayable(&game, &error).to_string())?;
            if (applied.seat, &applied.events) != (step.seat, &step.events) {
                return Err(format!("step {} has other consequences than the rules give it", step.version));
            }
            game = applied.game;
        }
        if game.head() == *head { Ok(()) } else { Err("its head is not what its steps add up to".to_owned()) }
    }

    /// The game after further steps of its own.
    pub(super) fn follow(self, steps: &[Step]) -> Result<Self, StoreError> {
        steps.iter().try_fold(self, |game, step| {
            if step.version != game.version + 1 {
                return Err(StoreError::Corrupt(format!(
                    "{} goes from version {} to {}",
                    game.id, game.version, step.version
                )));
            }
            let applied = game.apply(step.by, &step.action, step.at).map_err(|error| unreplayable(&game, &error))?;
            Ok(applied.game)
        })
    }
}

fn unreplayable(game: &Game, error: &GameError) -> StoreError {
    StoreError::Corrupt(format!("step {} of {} can't be replayed: {error}", game.version + 1, game.id))
}

/// The rules a stored game needs.
pub(super) fn rules_of(kind: &str, rules_version: u32) -> Result<&'static dyn AnyRules, StoreError> {
    catalog::of_version(kind, rules_version)
        .ok_or_else(|| StoreError::Corrupt(format!("this build has no rules version {rules_version} of {kind}")))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::options::read_options;
    use crate::games::step::Creation;
    use serde_json::json;

    /// A game of two that has started.
    fn started() -> Game {
        let rules = catalog::newest("CHIPS").unwrap();
        let [host, guest] = [PlayerId::new(), PlayerId::new()];
        let creation = Creation {
            kind: rules.info().kind.to_owned(),
            rules_version: rules.info().rules_version,
            options: read_options(rules, &json!({}), 2).unwrap(),
            seats: vec![Some(host), Some(guest)],
            visibility: Visibility::Public,
            invite: None,
            seed: Seed([7; 32]),
        };
        let (lobby, _) = Game::create(GameId::new(), rules, host, &creation, Instant(1));
        lobby.apply(Some(host), &Action::Start, Instant(2)).unwrap().game
    }

    #[test]
    fn a_game_that_is_over_is_loaded_from_the_snapshot_of_its_end_alone() {
        let game = started();
        assert_eq!(game.snapshot(), None, "none is due");
        let resigning = Action::Resign { seats: vec![Seat(1)] };
        let over = game.apply(game.seats[1], &resigning, Instant(3)).unwrap().game;
        assert!(over.status.is_over());
        let loaded = Game::decode(&over.snapshot().expect("it is over")).unwrap();
        assert_eq!(loaded.head(), over.head());
        assert_eq!(loaded.outcome, over.outcome);
        assert_eq!(loaded.encode(), over.encode());
    }
}
