//! Rematches: one new game for all players of a game that is over, each of whom has to ask for it.
//!
//! The first to ask makes it and is its host. The seats of the others are held for them until they ask too, or sit down.

use super::desk::Outcome;
use super::error::{GameError, Refused};
use super::game::Game;
use super::lobby::creation;
use super::options::read_options;
use super::ports::{Command, Scope, Status};
use super::step::Action;
use super::{Accepted, Call, Games};
use crate::ids::{GameId, PlayerId};
use crate::quota::Client;
use std::sync::Arc;

/// How many abandoned rematches of one game are passed over.
const MOST_ABANDONED: usize = 64;
/// How often a request begins again because the rematch came about, or to nothing, meanwhile.
const ATTEMPTS: usize = 4;

/// A rematch that was made before, or the command under which to make one.
enum Rematch {
    Made(Arc<Game>),
    ToMake(Command),
}

impl Games {
    /// Who sits at a game that the viewer may know of.
    pub async fn seated_players(&self, id: GameId, viewer: PlayerId) -> Result<Vec<PlayerId>, GameError> {
        let game = self.still_visible(id, Some(viewer)).await?;
        Ok(game.seated().map(|(_, player)| player).collect())
    }

    /// Takes part in the rematch of a game that is over: makes it, or sits down at it. Seats are held for those in
    /// `present` only: for nobody whose account is gone.
    pub async fn rematch(
        &self,
        id: GameId,
        call: &Call,
        client: &Client,
        present: &[PlayerId],
    ) -> Result<Accepted, Refused> {
        // There is one rematch, however often it is asked for: a key is only held against what else it was used for.
        self.done_before(call.command(Some(id), "rematch", &()).as_ref(), call).await?;
        let by = call.by;
        let game = self.still_visible(id, Some(by)).await?;
        game.seat_of(by).ok_or(GameError::NotSeated)?;
        if !game.status.is_over() {
            return Err(GameError::NotOver.into());
        }
        for _ in 0..ATTEMPTS {
            match self.rematch_of(&game).await? {
                Rematch::Made(rematch) => match self.join(rematch, call).await {
                    // Another request of the same player sat down, or the lobby was abandoned.
                    Err(Refused { error: GameError::AlreadySeated | GameError::GameOver, .. }) => {}
                    joined => return joined,
                },
                Rematch::ToMake(command) => {
                    if let Outcome::Accepted { game, step } = self.make(&game, by, client, present, command).await? {
                        return Ok(Accepted { game, step });
                    }
                }
            }
        }
        Err(GameError::GameOver.into())
    }

    /// The newest rematch that was not abandoned. One that was is as good as none, but its command stays taken: the next
    /// one is made under a command that names it.
    async fn rematch_of(&self, game: &Game) -> Result<Rematch, GameError> {
        let scope = Scope { player: game.host, game: Some(game.id) };
        let mut key = "\0rematch".to_owned();
        for _ in 0..MOST_ABANDONED {
            let Some(done) = self.store.command(scope, &key, self.clock.now()).await? else {
                return Ok(Rematch::ToMake(Command { scope, key, digest: [0; 32] }));
            };
            match self.desk.current_since(done.game, done.version).await? {
                Some(rematch) if rematch.status != Status::Abandoned => return Ok(Rematch::Made(rematch)),
                _ => key = format!("\0rematch {}", done.game),
            }
        }
        Err(GameError::Busy)
    }

    /// Makes the rematch, unless somebody else does so at the same moment.
    async fn make(
        &self,
        game: &Game,
        by: PlayerId,
        client: &Client,
        present: &[PlayerId],
        command: Command,
    ) -> Result<Outcome, GameError> {
        let rules = self.newest_rules(game.rules.info().kind)?;
        let options = read_options(rules, &game.options.0, game.size())?;
        let _entering = self.room_to_create(by, client).await?;
        let seats = game.seats.iter().map(|seat| seat.filter(|player| *player == by)).collect();
        let held = game.seats.iter().map(|seat| seat.filter(|player| *player != by && present.contains(player)));
        let (held, creation) = (held.collect(), creation(rules, options, seats, game.visibility));
        let action = Action::Rematch { creation: Box::new(creation), held };
        self.found(rules, by, action, Some(command)).await
    }

    /// Sits down at a rematch, or stays seated.
    async fn join(&self, rematch: Arc<Game>, call: &Call) -> Result<Accepted, Refused> {
        let by = call.by;
        if !rematch.admits(Some(by)) {
            return Err(GameError::NotFound.into());
        }
        if rematch.seat_of(by).is_some() {
            return Ok(self.as_it_stands(rematch).await?);
        }
        self.sit(rematch.id, &Call { key: None, ..call.clone() }, None).await
    }
}
