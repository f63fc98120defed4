//! Resuming a replay as a new game, for test automation.

use super::caps::check_length;
use super::error::GameError;
use super::fairness::commitment;
use super::game::Game;
use super::options::read_options;
use super::ports::{Append, Appended};
use super::replay::{Replay, ReplayAction};
use super::sequencer::new_epoch;
use super::step::{Action, Creation, Step};
use super::{Accepted, Games};
use crate::ids::{GameId, PlayerId};
use crate::rules::Message;
use std::collections::HashMap;
use std::sync::Arc;

impl Games {
    /// Creates a game in the position of the replay after `version` steps, with the same dice. `players` replace the
    /// replay's players in the order of their first appearance.
    pub async fn restage(
        &self,
        replay: &Replay,
        version: Option<u64>,
        players: &[PlayerId],
    ) -> Result<Accepted, GameError> {
        let unreadable = |why: &'static str| GameError::malformed(Message::new(why));
        if commitment(replay.id, replay.seed) != replay.commitment {
            return Err(unreadable("request-replay-commitment"));
        }
        let version = version.unwrap_or(replay.steps.len() as u64);
        let id = GameId::new();
        let mut cast = Cast { known: HashMap::new(), spare: players.iter().copied() };
        let mut before: Option<Game> = None;
        let mut last = None;
        for step in replay.steps.iter().take_while(|step| step.version <= version) {
            let by = step.player_id.map(|player| cast.plays(player)).transpose()?;
            let (action, game, seat, events) = match (&before, &step.action) {
                (None, ReplayAction::Create { options, seats, visibility, invited }) => {
                    let rules =
                        super::model::snapshot::rules_of(self.offer.catalog, &replay.kind, replay.rules_version)?;
                    let options = read_options(rules, options, u8::try_from(seats.len()).unwrap_or(u8::MAX))?;
                    let mut cast_all = |seats: &[Option<PlayerId>]| {
                        let seats = seats.iter().map(|seat| seat.map(|player| cast.plays(player)).transpose());
                        seats.collect::<Result<Vec<_>, _>>()
                    };
                    let (seats, held) = (cast_all(seats)?, cast_all(invited.as_deref().unwrap_or_default())?);
                    let creation = Creation {
                        kind: replay.kind.clone(),
                        rules_version: replay.rules_version,
                        options,
                        seats,
                        visibility: *visibility,
                        invite: None,
                        seed: replay.seed,
                    };
                    let host = by.ok_or_else(|| unreadable("request-replay-beginning"))?;
                    let (game, events) = Game::create(id, rules, host, &creation, &held, step.at);
                    let (seat, creation) = (game.seat_of(host), Box::new(creation));
                    let action =
                        if held.is_empty() { Action::Create(creation) } else { Action::Rematch { creation, held } };
                    (action, game, seat, events)
                }
                (Some(before), action) => {
                    let action = action.action(step.seat)?;
                    check_length(&action)?;
                    let applied = before.apply(by, &action, step.at)?;
                    (action, applied.game, applied.seat, applied.events)
                }
                (None, _) => return Err(unreadable("request-replay-beginning")),
            };
            let step = Step { version: game.version, at: step.at, by, seat, action, events };
            self.put(&game, &step).await?;
            before = Some(game);
            last = Some(step);
        }
        match (before, last) {
            (Some(game), Some(step)) => Ok(Accepted { game: Arc::new(game), step: Arc::new(step) }),
            _ => Err(unreadable("request-replay-version")),
        }
    }

    async fn put(&self, game: &Game, step: &Step) -> Result<(), GameError> {
        let append = Append {
            game: game.id,
            expected: game.version - 1,
            step: step.clone(),
            head: game.head(),
            snapshot: None,
            command: None,
            epoch: new_epoch(),
        };
        match self.store.append(append).await? {
            Appended::Stored(_) => Ok(()),
            Appended::Conflict | Appended::Duplicate(_) => Err(GameError::VersionConflict { current: game.version }),
        }
    }
}

/// Maps the replay's players to new ones.
struct Cast<I> {
    known: HashMap<PlayerId, PlayerId>,
    spare: I,
}

impl<I: Iterator<Item = PlayerId>> Cast<I> {
    fn plays(&mut self, original: PlayerId) -> Result<PlayerId, GameError> {
        if original.is_bot() {
            return Ok(original);
        }
        if let Some(player) = self.known.get(&original) {
            return Ok(*player);
        }
        let next = self.spare.next().ok_or_else(|| GameError::malformed(Message::new("request-replay-players")))?;
        self.known.insert(original, next);
        Ok(next)
    }
}
