//! Command handling shared by all use cases that write to a game.
//!
//! A use case only maps its request to an [`Action`], given the current game. Idempotency, access, caps and the
//! answer are handled here.

use crate::games::error::{GameError, RejectedStep};
use crate::games::game::Game;
use crate::games::ports::Command;
use crate::games::sequencer::{StepOutcome, StepRequest};
use crate::games::step::Action;
use crate::games::{Accepted, Call, Games, note};
use crate::ids::GameId;
use crate::rules::Instant;
use serde::Serialize;
use std::sync::Arc;

impl Games {
    /// Takes a step in a game that the caller may know of.
    pub(in crate::games) async fn step(
        &self,
        id: GameId,
        call: &Call,
        operation: &str,
        body: &(impl Serialize + Sync),
        action: impl Fn(&Game) -> Result<Action, GameError> + Send + Sync,
    ) -> Result<Accepted, RejectedStep> {
        let request =
            StepRequest { by: Some(call.by), expected: None, command: call.command(Some(id), operation, body) };
        self.take(id, call, request, |game, _| action(game)).await
    }

    /// The same for a request that requires a version or depends on the time.
    pub(in crate::games) async fn take(
        &self,
        id: GameId,
        call: &Call,
        request: StepRequest,
        action: impl Fn(&Game, Instant) -> Result<Action, GameError> + Send + Sync,
    ) -> Result<Accepted, RejectedStep> {
        let (by, command) = (request.by, request.command.clone());
        let decide = |game: &Game, at: Instant| {
            if !game.admits(by) {
                return Err(GameError::NotFound);
            }
            let action = action(game, at)?;
            game.room_for(&action)?;
            Ok(action)
        };
        let outcome = self.sequencer.step(id, request, decide).await.map_err(|refused| {
            refused.judged_on.as_deref().inspect(|game| note(game));
            // A game that the caller may not know of appears in the operator's log only, not in metrics.
            let judged_on = refused.judged_on.filter(|game| game.admits(by));
            RejectedStep { judged_on, ..refused }
        })?;
        if let StepOutcome::Accepted { game, .. } = &outcome {
            note(game);
        }
        Ok(self.answer(outcome, command.as_ref(), call).await?)
    }

    /// The answer to the same command, if it was accepted earlier.
    pub(in crate::games) async fn done_before(
        &self,
        command: Option<&Command>,
        call: &Call,
    ) -> Result<Option<Accepted>, GameError> {
        let Some(command) = command else { return Ok(None) };
        match self.store.command(command.scope, &command.key, self.clock.now()).await? {
            Some(done) => self.answer(StepOutcome::Before(done), Some(command), call).await.map(Some),
            None => Ok(None),
        }
    }

    /// The answer to a step that was just taken, or rebuilt for a repeated request. The present game decides about
    /// access: a removed player may no longer see an unlisted game.
    pub(in crate::games) async fn answer(
        &self,
        outcome: StepOutcome,
        command: Option<&Command>,
        call: &Call,
    ) -> Result<Accepted, GameError> {
        let done = match outcome {
            StepOutcome::Accepted { game, step } => return Ok(Accepted { game, step }),
            StepOutcome::Before(done) => done,
        };
        if command.is_some_and(|command| command.digest != done.digest) {
            return Err(GameError::IdempotencyMismatch);
        }
        let present = self.sequencer.current_since(done.game, done.version).await?;
        let present = present.filter(|game| game.admits(Some(call.by))).ok_or(GameError::NotFound)?;
        if present.version == done.version {
            // Fast path: a client repeats its latest request, and nothing has to be rebuilt.
            return self.as_it_stands(present).await;
        }
        let _turn = self.history.enter(&call.client()).await?;
        let (game, step) = self.sequencer.at(done.game, done.version).await?.ok_or(GameError::NotFound)?;
        Ok(Accepted { game, step })
    }

    /// The answer if there is nothing to do: the game with its last step.
    pub(in crate::games) async fn as_it_stands(&self, game: Arc<Game>) -> Result<Accepted, GameError> {
        let step = self.store.steps(game.id, game.version - 1, 1).await?.pop().ok_or(GameError::NotFound)?;
        Ok(Accepted { game, step: Arc::new(step) })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::clock::SystemClock;
    use crate::games::step::Visibility;
    use crate::games::{NewGame, history_size};
    use crate::ids::PlayerId;
    use crate::live::LocalNotifier;
    use crate::quota::{Client, Permit};
    use crate::rules::catalog::Offer;
    use crate::store::sled::{self, SledStore};
    use serde_json::json;

    /// A game, the request that created it, and its call under an idempotency key.
    async fn created() -> (tempfile::TempDir, Arc<Games>, Call, NewGame, Accepted) {
        let folder = tempfile::tempdir().unwrap();
        let store = SledStore::open(&folder.path().join("store"), &sled::Settings::default()).unwrap();
        let games = Games::new(store, Arc::new(LocalNotifier::default()), Arc::new(SystemClock), Offer::default());
        let call = Call::new(PlayerId::new(), Some("once"), None).unwrap();
        let kind = "CHIPS".to_owned();
        let new =
            NewGame { kind, options: json!({}), seats: None, visibility: Visibility::Public, sit: true, seed: None };
        let made = games.create(&call, new.clone(), &call.client()).await.unwrap();
        (folder, games, call, new, made)
    }

    #[tokio::test]
    async fn repeating_the_last_step_of_a_game_waits_for_nobody() {
        let (_folder, games, call, new, made) = created().await;
        let client = call.client();
        let _running = busy(&games).await;
        let repeats = (0..100).map(|_| games.create(&call, new.clone(), &client));
        for repeated in futures::future::join_all(repeats).await {
            let repeated = repeated.unwrap();
            assert_eq!((repeated.game.id, repeated.step.version), (made.game.id, 1));
        }
    }

    /// Takes all permits of the queue for old positions.
    async fn busy(games: &Games) -> Vec<Permit> {
        let mut running = Vec::new();
        for _ in 0..history_size().running {
            running.push(games.history.enter(&Client::default()).await.unwrap());
        }
        running
    }

    #[tokio::test]
    async fn the_answer_to_a_step_that_is_repeated_waits_for_its_turn_among_old_positions() {
        let (_folder, games, call, new, made) = created().await;
        let client = call.client();
        let other = Call::new(PlayerId::new(), None, None).unwrap();
        assert!(games.sit(made.game.id, &other, None).await.is_ok());
        let running = busy(&games).await;
        let mut again = Box::pin(games.create(&call, new, &client));
        tokio::select! {
            biased;
            _ = &mut again => panic!("it did not wait"),
            () = async { while games.history.waiting() == 0 { tokio::task::yield_now().await } } => {}
        }
        drop(running);
        assert_eq!(again.await.unwrap().game.id, made.game.id);
    }
}
