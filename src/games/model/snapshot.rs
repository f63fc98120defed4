//! Snapshots, and folding of stored steps onto them.

use super::bots::RecentVersions;
use super::deadline::Clocks;
use super::game::{Game, Running};
use super::hash_chain::{Chain, Link};
use super::options::check_stored;
use super::step::{Opaque, Step, Text, Visibility};
use crate::games::error::GameError;
use crate::games::ports::{Head, KEPT_SNAPSHOT_EVERY, Status, StoreError};
use crate::ids::{GameId, PlayerId};
use crate::rules::{Instant, Outcome, Seat, Seed, any::AnyRules, catalog::Catalog, layout};
use serde::{Deserialize, Serialize};
use std::sync::{Arc, OnceLock};

/// Steps between two snapshots; there is another one at the end. Rare enough to save disk space, frequent enough to
/// load quickly.
const SNAPSHOT_EVERY: u64 = 16;
const _: () = assert!(KEPT_SNAPSHOT_EVERY.is_multiple_of(SNAPSHOT_EVERY), "there is a snapshot at every kept version");

/// Contents of a snapshot, stored behind the fingerprint of its layout.
///
/// A snapshot is only a shortcut: if its layout is not the one of this build, or it predates fingerprints, it is
/// ignored and the game is folded from an earlier point.
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
    state: Option<StateBytes>,
    dice: u64,
    outcome: Option<Outcome>,
    waiting: Clocks,
    choices: Vec<Option<Text>>,
    held: Vec<Option<PlayerId>>,
    waiting_v1: Clocks,
    /// Renamed whenever the format of the hash chain changes. The name is part of the fingerprint, so snapshots with
    /// links of the old format are ignored.
    chain_v2: Link,
}

/// Length of a fingerprint.
const FINGERPRINT: usize = size_of::<u64>();

/// The state as the rules encode it, with the fingerprint of its layout.
#[derive(Serialize, Deserialize)]
struct StateBytes {
    layout: u64,
    bytes: Opaque,
}

impl Game {
    /// The snapshot to store with this step, if one is due. A finished game is rarely cached and gets no more steps,
    /// so a snapshot of its end makes loading it a single read.
    pub(in crate::games) fn snapshot(&self) -> Option<Vec<u8>> {
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
            state: self.running.as_ref().map(|Running { state, .. }| StateBytes {
                layout: self.rules.layout(state),
                bytes: Opaque(self.rules.encode_state(state)),
            }),
            dice: self.running.as_ref().map_or(0, |running| running.dice),
            outcome: self.outcome.clone(),
            waiting: self.waiting.clone(),
            choices: self.choices.clone(),
            held: self.held.clone(),
            waiting_v1: self.waiting_v1.clone(),
            chain_v2: self.chain,
        };
        let layout = layout::fingerprint(&record).to_le_bytes().to_vec();
        postcard::to_extend(&record, layout).expect("a game is plain data")
    }

    /// Decodes a snapshot; nothing if its layout is not the one of this build.
    pub(in crate::games) fn decode(catalog: Catalog, bytes: &[u8]) -> Option<Self> {
        let (written, bytes) = bytes.split_first_chunk::<FINGERPRINT>()?;
        let record: Record = postcard::from_bytes(bytes).ok()?;
        if layout::fingerprint(&record).to_le_bytes() != *written {
            return None;
        }
        let rules = catalog.of_version(&record.kind, record.rules_version)?;
        let running = match record.state {
            Some(StateBytes { layout, bytes: Opaque(bytes) }) => {
                let state = rules.decode_state(&bytes).ok()?;
                (rules.layout(&state) == layout).then_some(())?;
                Some(Running { state, dice: record.dice })
            }
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
            held: record.held,
            waiting_v1: record.waiting_v1,
            chain: record.chain_v2,
            chain_key: Arc::new(Chain::of(record.seed)),
            commitment: OnceLock::new(),
        })
    }

    /// Folds a game from its first step.
    pub fn fold(catalog: Catalog, id: GameId, steps: &[Step]) -> Result<Self, StoreError> {
        let Some((first, rest)) = steps.split_first() else {
            return Err(StoreError::Corrupt(format!("{id} has no steps")));
        };
        Self::begin(catalog, id, first)?.follow(rest)
    }

    fn begin(catalog: Catalog, id: GameId, first: &Step) -> Result<Self, StoreError> {
        let (Some((creation, held)), Some(host)) = (first.action.creation(), first.by) else {
            return Err(StoreError::Corrupt(format!("{id} does not begin with its creation")));
        };
        let rules = rules_of(catalog, &creation.kind, creation.rules_version)?;
        let size = u8::try_from(creation.seats.len()).unwrap_or(u8::MAX);
        check_stored(rules, &creation.options.0, size)
            .map_err(|error| StoreError::Corrupt(format!("{id} can't be played with its options: {error}")))?;
        Ok(Self::create(id, rules, host, creation, held, first.at).0)
    }

    /// Replays stored steps and returns what differs from the rules or from the head.
    pub fn verify(catalog: Catalog, id: GameId, head: &Head, steps: &[Step]) -> Result<(), String> {
        let Some((first, rest)) = steps.split_first() else { return Err("it has no steps".to_owned()) };
        let mut game = Self::begin(catalog, id, first).map_err(|error| error.to_string())?;
        let mut versions = RecentVersions::default();
        for step in rest {
            versions.push(game.clone());
            versions.check(&step.action).map_err(|what| format!("step {} {what}", step.version))?;
            let again = game.apply(step.by, &step.action, step.at);
            let applied = again.map_err(|error| unreplayable(&game, &error).to_string())?;
            if (applied.seat, &applied.events) != (step.seat, &step.events) {
                return Err(format!("step {} has other events or another seat than the rules give it", step.version));
            }
            game = applied.game;
        }
        let is_right = game.head() == *head || game.head_v1() == *head;
        if is_right { Ok(()) } else { Err("its head differs from the one that its steps give".to_owned()) }
    }

    /// [`verify`](Self::verify) with these rules, for stores.
    pub fn verifier(catalog: Catalog) -> impl FnMut(GameId, &Head, &[Step]) -> Result<(), String> {
        move |id, head, steps| Self::verify(catalog, id, head, steps)
    }

    /// The game after further steps.
    pub(in crate::games) fn follow(self, steps: &[Step]) -> Result<Self, StoreError> {
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

/// The rules of a stored game.
pub(in crate::games) fn rules_of(
    catalog: Catalog,
    kind: &str,
    rules_version: u32,
) -> Result<&'static dyn AnyRules, StoreError> {
    catalog
        .of_version(kind, rules_version)
        .ok_or_else(|| StoreError::Corrupt(format!("this build has no rules version {rules_version} of {kind}")))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::options::read_options;
    use crate::games::step::{Action, Creation};
    use crate::rules::catalog::BUILT_IN;
    use serde_json::json;

    /// A started game for two.
    fn started() -> Game {
        let rules = BUILT_IN.newest("CHIPS").unwrap();
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
        let (lobby, _) = Game::create(GameId::new(), rules, host, &creation, &[], Instant(1));
        lobby.apply(Some(host), &Action::Start, Instant(2)).unwrap().game
    }

    #[test]
    fn a_game_that_is_over_is_loaded_from_the_snapshot_of_its_end_alone() {
        let game = started();
        assert_eq!(game.snapshot(), None, "not due yet");
        let resigning = Action::Resign { seats: vec![Seat(1)] };
        let over = game.apply(game.seats[1], &resigning, Instant(3)).unwrap().game;
        assert!(over.status.is_over());
        let loaded = Game::decode(BUILT_IN, &over.snapshot().expect("it is over")).unwrap();
        assert_eq!(loaded.head(), over.head());
        assert_eq!(loaded.outcome, over.outcome);
        assert_eq!(loaded.encode(), over.encode());
    }

    #[test]
    fn what_is_wrong_with_a_game_is_told_in_words() {
        let game = started();
        let creation = Creation {
            kind: "CHIPS".to_owned(),
            rules_version: game.rules.info().rules_version,
            options: game.options.clone(),
            seats: game.seats.clone(),
            visibility: game.visibility,
            invite: None,
            seed: game.seed,
        };
        let step = |version, action| Step {
            version,
            at: Instant(2),
            by: Some(game.host),
            seat: Some(Seat(0)),
            action,
            events: Vec::new(),
        };
        let steps =
            [step(1, Action::Create(Box::new(creation))), step(2, Action::Sit { seat: None }), step(3, Action::Start)];
        let told = Game::verify(BUILT_IN, game.id, &game.head(), &steps).unwrap_err();
        assert_eq!(told, format!("the store is damaged: step 2 of {} can't be replayed: already seated", game.id));
        let refused = GameError::from(crate::rules::Illegal::Rule(
            crate::rules::Message::new("game-seats-out-of-range").with("seats", 1u8).with("most", 5u8),
        ));
        let told = unreplayable(&game, &refused).to_string();
        assert!(told.ends_with("against a rule: game-seats-out-of-range: seats 1, most 5"), "{told}");
    }

    #[test]
    fn a_snapshot_of_another_layout_is_passed_over() {
        let bytes = started().encode();
        assert!(Game::decode(BUILT_IN, &bytes).is_some());
        // As earlier builds wrote them: without a fingerprint.
        assert!(Game::decode(BUILT_IN, &bytes[FINGERPRINT..]).is_none());
        for bit in 0..FINGERPRINT * 8 {
            let mut other = bytes.clone();
            other[bit / 8] ^= 1 << (bit % 8);
            assert!(Game::decode(BUILT_IN, &other).is_none(), "bit {bit}");
        }
        let mut record: Record = postcard::from_bytes(&bytes[FINGERPRINT..]).unwrap();
        let layout = bytes[..FINGERPRINT].to_vec();
        record.state.as_mut().expect("it has started").layout ^= 1;
        let other = postcard::to_extend(&record, layout).unwrap();
        assert!(Game::decode(BUILT_IN, &other).is_none(), "the state is of another layout");
    }
}
