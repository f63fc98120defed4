//! Rematches: one new game for the players of a finished one.
//!
//! The first player to ask creates it and becomes its host. The other players' seats are held until they ask too, or
//! sit down.

use super::error::{GameError, RejectedStep};
use super::game::Game;
use super::lobby::creation;
use super::options::read_options;
use super::ports::{Command, Scope, Status};
use super::sequencer::StepOutcome;
use super::step::{Action, Event, TableEvent};
use super::{Accepted, Call, Games};
use crate::ids::{BotPlayer, GameId, PlayerId};
use crate::quota::Client;
use crate::rules::Seat;
use std::sync::Arc;

/// The most abandoned rematches of one game that are skipped.
const MOST_ABANDONED: usize = 64;
/// Retries after the rematch was created or abandoned concurrently.
const ATTEMPTS: usize = 4;

/// An existing rematch, or the command that creates one.
enum Rematch {
    Made(Arc<Game>),
    ToMake(Command),
}

// A held seat is free, but only its player can take it until that player declines or the host releases it. The player
// may see the lobby and finds it among their games. The game does not wait for them, and cannot start without them.
impl Game {
    /// The held seats with their players.
    pub fn holds(&self) -> impl Iterator<Item = (Seat, PlayerId)> + '_ {
        Seat::all(self.size()).filter_map(|seat| self.held[seat.index()].map(|player| (seat, player)))
    }

    /// The seat that is held for a player.
    pub fn held_for(&self, player: PlayerId) -> Option<Seat> {
        self.holds().find(|(_, invited)| *invited == player).map(|(seat, _)| seat)
    }

    /// Whether a player may take a seat: it is free and not held for another player.
    pub(super) fn is_open_to(&self, seat: Seat, player: PlayerId) -> bool {
        let is_free = self.seats.get(seat.index()).is_some_and(Option::is_none);
        is_free && self.held[seat.index()].is_none_or(|invited| invited == player)
    }

    /// Releases a held seat.
    pub(super) fn release(&mut self, seat: Seat, events: &mut Vec<Event>) {
        self.held[seat.index()] = None;
        events.push(Event::Table(TableEvent::Released { seat }));
    }
}

impl Games {
    /// The seated players of a game that the viewer may know of.
    pub async fn seated_players(&self, id: GameId, viewer: PlayerId) -> Result<Vec<PlayerId>, GameError> {
        let game = self.still_visible(id, Some(viewer)).await?;
        Ok(game.seated().map(|(_, player)| player).collect())
    }

    /// Joins the rematch of a finished game, or creates it. Seats are held only for players in `present`, whose
    /// accounts still exist.
    pub async fn rematch(
        &self,
        id: GameId,
        call: &Call,
        client: &Client,
        present: &[PlayerId],
    ) -> Result<Accepted, RejectedStep> {
        // Repeated requests lead to the same rematch, so the key's earlier result is not needed. This only refuses a
        // key that belongs to another request.
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
                    // Another request of the same player took the seat, or the lobby was abandoned.
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

    /// The newest rematch that was not abandoned. An abandoned rematch keeps its command, so the next rematch is
    /// created under a command that names the abandoned one.
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

    /// Creates the rematch unless another player does so concurrently.
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
        let version = rules.bot_version();
        let seats = game.seats.iter().map(|seat| match seat.map(|player| (player, BotPlayer::of(player))) {
            Some((_, Some(bot))) => Some(BotPlayer { version, ..bot }.id()),
            Some((player, None)) => Some(player).filter(|player| *player == by),
            None => None,
        });
        let seats = seats.collect();
        let held = game.seats.iter().map(|seat| seat.filter(|player| *player != by && present.contains(player)));
        let (held, creation) = (held.collect(), creation(rules, options, seats, game.visibility));
        let action = Action::Rematch { creation: Box::new(creation), held };
        self.found(rules, by, action, Some(command)).await
    }

    /// Takes a seat in a rematch, or keeps it.
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
