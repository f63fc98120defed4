//! Abandonment of idle lobbies, and removal of deleted players from their games.

use super::Games;
use super::LOBBY_PATIENCE;
use super::error::GameError;
use super::ports::{ListQuery, Status, Whose};
use super::sequencer::StepRequest;
use super::step::Action;
use crate::ids::{GameId, PlayerId};
use crate::rules::Instant;

/// Games per page of the list, and pages per sweep.
const BATCH: usize = 100;
const BATCHES: usize = 50;

impl Games {
    /// Abandons lobbies without a step for a day, and returns how many. Stops after some thousands; the next sweep
    /// continues.
    pub async fn expire_lobbies(&self) -> Result<usize, GameError> {
        let before = Instant(self.clock.now().0.saturating_sub(LOBBY_PATIENCE));
        let mut expired = 0;
        for _ in 0..BATCHES {
            let mut done = 0;
            for id in self.store.idle_lobbies(before, BATCH).await? {
                done += usize::from(self.step_if_needed(id, None, Action::Expire).await?);
            }
            expired += done;
            if done == 0 {
                break;
            }
        }
        Ok(expired)
    }

    /// Removes a player from every unfinished game: they stand up in lobbies, and resign from running games.
    pub async fn depart(&self, player: PlayerId) -> Result<(), GameError> {
        for status in [Status::Lobby, Status::Active] {
            let mut before = None;
            loop {
                let whose = Whose::Of(player);
                let query = ListQuery { whose, kind: None, status: Some(status), before, limit: BATCH };
                let games = self.store.list(query).await?;
                for (id, _) in &games {
                    self.step_if_needed(*id, Some(player), Action::Depart).await?;
                }
                match games.last() {
                    Some((last, _)) => before = Some(*last),
                    None => break,
                }
            }
        }
        Ok(())
    }

    /// Removes a deleted player from one game.
    pub async fn depart_from(&self, id: GameId, player: PlayerId) -> Result<(), GameError> {
        self.step_if_needed(id, Some(player), Action::Depart).await.map(|_| ())
    }

    /// Applies the action unless the game no longer needs it; returns whether it was applied.
    async fn step_if_needed(&self, id: GameId, by: Option<PlayerId>, action: Action) -> Result<bool, GameError> {
        let request = StepRequest { by, expected: None, command: None };
        match self.sequencer.step(id, request, |_, _| Ok(action.clone())).await {
            Ok(_) => Ok(true),
            Err(refused) => match refused.error {
                error @ GameError::Store(_) => Err(error),
                _ => Ok(false),
            },
        }
    }
}
