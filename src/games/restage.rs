//! Taking up a replay somewhere in the middle, as a new game: for test automation.

use super::error::GameError;
use super::fairness::commitment;
use super::game::Game;
use super::ports::{Append, Appended};
use super::replay::{Replay, ReplayAction};
use super::step::{Action, Creation, Step, Text};
use super::table::new_epoch;
use super::{Accepted, Games};
use crate::ids::{GameId, PlayerId};
use std::collections::HashMap;
use std::sync::Arc;

impl Games {
    /// A new game that stands where the replay stood after `version` steps, with its dice. `players` takes the places of
    /// the replay's players, in the order in which they first come up in it.
    pub async fn restage(
        &self,
        replay: &Replay,
        version: Option<u64>,
        players: &[PlayerId],
    ) -> Result<Accepted, GameError> {
        let unreadable = |why: &str| GameError::Unreadable(why.to_owned());
        if commitment(replay.id, replay.seed) != replay.commitment {
            return Err(unreadable("the commitment does not belong to the seed"));
        }
        let version = version.unwrap_or(replay.steps.len() as u64);
        let id = GameId::new();
        let mut cast = Cast { known: HashMap::new(), spare: players.iter().copied() };
        let mut before: Option<Game> = None;
        let mut last = None;
        for step in replay.steps.iter().take_while(|step| step.version <= version) {
            let by = step.player_id.map(|player| cast.plays(player)).transpose()?;
            let (action, game, seat, events) = match (&before, &step.action) {
                (None, ReplayAction::Create { options, seats, visibility }) => {
                    let seats = seats.iter().map(|seat| seat.map(|player| cast.plays(player)).transpose());
                    let creation = Creation {
                        kind: replay.kind.clone(),
                        rules_version: replay.rules_version,
                        options: Text(options.clone()),
                        seats: seats.collect::<Result<_, _>>()?,
                        visibility: *visibility,
                        invite: None,
                        seed: replay.seed,
                    };
                    let rules = super::record::rules_of(&replay.kind, replay.rules_version)?;
                    let host = by.ok_or_else(|| unreadable("nobody created it"))?;
                    let (game, events) = Game::create(id, rules, host, &creation, step.at);
                    let seat = game.seat_of(host);
                    (Action::Create(Box::new(creation)), game, seat, events)
                }
                (Some(before), action) => {
                    let action = action.action()?;
                    let applied = before.apply(by, &action, step.at)?;
                    (action, applied.game, applied.seat, applied.events)
                }
                (None, _) => return Err(unreadable("it does not begin with its creation")),
            };
            let step = Step { version: game.version, at: step.at, by, seat, action, events };
            self.put(&game, &step).await?;
            before = Some(game);
            last = Some(step);
        }
        match (before, last) {
            (Some(game), Some(step)) => Ok(Accepted { game: Arc::new(game), step: Arc::new(step) }),
            _ => Err(unreadable("there are no steps up to that version")),
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

/// Who plays whom.
struct Cast<I> {
    known: HashMap<PlayerId, PlayerId>,
    spare: I,
}

impl<I: Iterator<Item = PlayerId>> Cast<I> {
    fn plays(&mut self, original: PlayerId) -> Result<PlayerId, GameError> {
        if let Some(player) = self.known.get(&original) {
            return Ok(*player);
        }
        let next = self.spare.next();
        let next =
            next.ok_or_else(|| GameError::Unreadable("the replay has more players than were given".to_owned()))?;
        self.known.insert(original, next);
        Ok(next)
    }
}
