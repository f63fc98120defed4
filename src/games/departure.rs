//! Going for good: lobbies that nobody came to, and players whose accounts are deleted.

use super::Games;
use super::deadline::LOBBY_PATIENCE;
use super::error::GameError;
use super::ports::{ListQuery, Status, Whose};
use super::sequencer::StepRequest;
use super::step::Action;
use crate::ids::{GameId, PlayerId};
use crate::rules::Instant;

/// How many games are looked at before the next list of them is asked for, and how many such batches make one sweep.
const BATCH: usize = 100;
const BATCHES: usize = 50;

impl Games {
    /// Abandons the lobbies where nothing happened for a day; says how many. Stops after some thousands: the next sweep
    /// goes on.
    pub async fn expire_lobbies(&self) -> Result<usize, GameError> {
        let before = Instant(self.clock.now().0.saturating_sub(LOBBY_PATIENCE));
        let mut expired = 0;
        for _ in 0..BATCHES {
            let mut done = 0;
            for id in self.store.idle_lobbies(before, BATCH).await? {
                done += usize::from(self.unless_moot(id, None, Action::Expire).await?);
            }
            expired += done;
            if done == 0 {
                break;
            }
        }
        Ok(expired)
    }

    /// Takes a player out of every game that is not over: stands up, or resigns.
    pub async fn depart(&self, player: PlayerId) -> Result<(), GameError> {
        for status in [Status::Lobby, Status::Active] {
            let mut before = None;
            loop {
                let whose = Whose::Of(player);
                let query = ListQuery { whose, kind: None, status: Some(status), before, limit: BATCH };
                let games = self.store.list(query).await?;
                for (id, _) in &games {
                    self.unless_moot(*id, Some(player), Action::Depart).await?;
                }
                match games.last() {
                    Some((last, _)) => before = Some(*last),
                    None => break,
                }
            }
        }
        Ok(())
    }

    /// Takes a player whose account is gone out of one game.
    pub async fn depart_from(&self, id: GameId, player: PlayerId) -> Result<(), GameError> {
        self.unless_moot(id, Some(player), Action::Depart).await.map(|_| ())
    }

    /// Does it, unless the game has changed so that there is nothing left to do; says whether it was done.
    async fn unless_moot(&self, id: GameId, by: Option<PlayerId>, action: Action) -> Result<bool, GameError> {
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
