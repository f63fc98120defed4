//! Rematches: one new game for all players of a game that is over, each of whom has to ask for it.
//!
//! The first to ask makes it and is its host. The seats of the others are held for them until they ask too, or sit down.

use super::error::{GameError, RejectedStep};
use super::game::Game;
use super::lobby::creation;
use super::options::read_options;
use super::ports::{Command, Scope, Status};
use super::sequencer::StepOutcome;
use super::step::{Action, Event, TableEvent};
use super::{Accepted, Call, Games};
use crate::ids::{GameId, PlayerId};
use crate::quota::Client;
use crate::rules::Seat;
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

// Held seats: a held seat is free, but nobody else can take it until its player declines or the host releases it. Its player
// may see the lobby and finds it among their games; nobody waits for them, and the game can't start without them.
impl Game {
    /// The held seats and for whom they are held.
    pub fn holds(&self) -> impl Iterator<Item = (Seat, PlayerId)> + '_ {
        Seat::all(self.size()).filter_map(|seat| self.held[seat.index()].map(|player| (seat, player)))
    }

    /// The seat that is held for a player.
    pub fn held_for(&self, player: PlayerId) -> Option<Seat> {
        self.holds().find(|(_, invited)| *invited == player).map(|(seat, _)| seat)
    }

    /// Whether a player may take a seat: it is free, and held for nobody else.
    pub(super) fn is_open_to(&self, seat: Seat, player: PlayerId) -> bool {
        let is_free = self.seats.get(seat.index()).is_some_and(Option::is_none);
        is_free && self.held[seat.index()].is_none_or(|invited| invited == player)
    }

    /// Holds a seat no longer.
    pub(super) fn release(&mut self, seat: Seat, events: &mut Vec<Event>) {
        self.held[seat.index()] = None;
        events.push(Event::Table(TableEvent::Released { seat }));
    }
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
    ) -> Result<Accepted, RejectedStep> {
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
                    Err(RejectedStep { error: GameError::AlreadySeated | GameError::GameOver, .. }) => {}
                    joined => return joined,
                },
                Rematch::ToMake(command) => {
                    if let StepOutcome::Accepted { game, step } = self.make(&game, by, client, present, command).await?
                    {
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
            match self.sequencer.current_since(done.game, done.version).await? {
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
    ) -> Result<StepOutcome, GameError> {
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
    async fn join(&self, rematch: Arc<Game>, call: &Call) -> Result<Accepted, RejectedStep> {
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
