//! The lobby: creating a game, joining and leaving, and what only the host may do.

use super::error::{GameError, RejectedStep};
use super::fairness::new_seed;
use super::game::Game;
use super::options::read_options;
use super::ports::{Command, Status};
use super::sequencer::{StepOutcome, StepRequest};
use super::step::{Action, Creation, Step, Text, Visibility};
use super::{Accepted, Call, Games, note};
use crate::ids::{GameId, PlayerId};
use crate::quota::Client;
use crate::rules::{Message, Seat, Seed, any::AnyRules};
use base64::{Engine, prelude::BASE64_URL_SAFE_NO_PAD};
use serde::Serialize;
use serde_json::Value;
use std::sync::Arc;

/// More attempts than it takes to fill the largest table while others sit down and stand up.
const FILL_ATTEMPTS: usize = 32;

/// A game to create.
#[derive(Clone, Debug, Serialize)]
pub struct NewGame {
    pub kind: String,
    pub options: Value,
    /// Defaults to the minimum of the kind.
    pub seats: Option<u8>,
    pub visibility: Visibility,
    /// Whether the host takes seat 0.
    pub sit: bool,
    /// A fixed seed, for tests.
    pub seed: Option<Seed>,
}

/// Changes by the host in the lobby; None keeps a value.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Changes {
    pub seats: Option<u8>,
    pub options: Option<Value>,
}

impl Games {
    /// The newest rules of a kind, if it is offered.
    pub fn newest_rules(&self, kind: &str) -> Result<&'static dyn AnyRules, GameError> {
        let known = || self.offer.newest_of_all().map(|rules| rules.info().kind).collect();
        self.offer.newest(kind).ok_or_else(|| GameError::NoSuchKind { known: known() })
    }

    pub async fn create(&self, call: &Call, new: NewGame, client: &Client) -> Result<Accepted, GameError> {
        let command = call.command(None, "create", &new);
        if let Some(before) = self.done_before(command.as_ref(), call).await? {
            return Ok(before);
        }
        let rules = self.newest_rules(&new.kind)?;
        let size = new.seats.unwrap_or(*rules.info().seats.start());
        let options = read_options(rules, &new.options, size)?;
        let _entering = self.room_to_create(call.by, client).await?;
        let mut seats = vec![None; usize::from(size)];
        seats[0] = new.sit.then_some(call.by);
        let mut creation = creation(rules, options, seats, new.visibility);
        creation.seed = new.seed.unwrap_or(creation.seed);
        let action = Action::Create(Box::new(creation));
        let outcome = self.found(rules, call.by, action, command.clone()).await?;
        self.answer(outcome, command.as_ref(), call).await
    }

    /// Creates a game by the given action.
    pub(super) async fn found(
        &self,
        rules: &'static dyn AnyRules,
        host: PlayerId,
        action: Action,
        command: Option<Command>,
    ) -> Result<StepOutcome, GameError> {
        let at = self.clock.now();
        let (creation, held) = action.creation().expect("a game begins with its creation");
        let (game, events) = Game::create(GameId::new(), rules, host, creation, held, at);
        let seat = game.seat_of(host);
        let step = Step { version: 1, at, by: Some(host), seat, action, events };
        note(&game);
        self.sequencer.create(game, step, command).await
    }

    /// Takes the requested seat; otherwise the one held for the caller, or the lowest free one.
    pub async fn sit(&self, id: GameId, call: &Call, seat: Option<Seat>) -> Result<Accepted, RejectedStep> {
        let game = self.sequencer.current(id).await?;
        let has_joined = game.is_some_and(|game| game.has_joined(call.by));
        let _entering = if has_joined { None } else { Some(self.room_to_enter(call.by).await?) };
        self.step(id, call, "sit", &seat, |_| Ok(Action::Sit { seat })).await
    }

    /// Seats a bot of this level, from 1, as the host: on the requested seat, or the lowest free one.
    pub async fn add_bot(
        &self,
        id: GameId,
        call: &Call,
        level: u8,
        seat: Option<Seat>,
    ) -> Result<Accepted, RejectedStep> {
        self.step(id, call, "add_bot", &(level, seat), |game| self.bot_to_add(game, level, seat, "bot.level")).await
    }

    /// Seats bots of this level on all free seats that are held for nobody.
    pub(super) async fn fill_with_bots(&self, id: GameId, call: &Call, level: u8) -> Result<(), RejectedStep> {
        let call = Call { key: None, ..call.clone() };
        for _ in 0..FILL_ATTEMPTS {
            let game = self.sequencer.current(id).await.map_err(GameError::from)?;
            // If the caller can't start this game, the start is refused with the reason.
            let is_startable = |game: &Arc<Game>| game.status == Status::Lobby && game.host == call.by;
            let Some(game) = game.filter(is_startable) else { return Ok(()) };
            self.bot_to_add(&game, level, None, "bots.level")?;
            let is_free = |seat: Seat| game.seats[seat.index()].is_none() && game.held[seat.index()].is_none();
            if !Seat::all(game.size()).any(is_free) {
                return Ok(());
            }
            let added = self.step(id, &call, "add_bot", &(), |game| self.bot_to_add(game, level, None, "bots.level"));
            match added.await {
                // Somebody else took the last seat.
                Ok(_) | Err(RejectedStep { error: GameError::SeatTaken, .. }) => {}
                Err(refused) => return Err(refused),
            }
        }
        Ok(())
    }

    fn bot_to_add(&self, game: &Game, level: u8, seat: Option<Seat>, field: &str) -> Result<Action, GameError> {
        let levels = game.rules.bot_levels().len();
        if !(1..=levels).contains(&usize::from(level)) {
            let most = i64::try_from(levels).unwrap_or(i64::MAX);
            return Err(GameError::invalid_options(field, Message::new("game-bot-level").with("most", most)));
        }
        if !self.bots.has_threads() {
            return Err(GameError::NoBots);
        }
        Ok(Action::AddBot { seat, level, version: game.rules.bot_version() })
    }

    /// Stands up, or declines the seat that is held for the caller.
    pub async fn stand(&self, id: GameId, call: &Call) -> Result<Accepted, RejectedStep> {
        self.step(id, call, "stand", &(), |_| Ok(Action::Stand)).await
    }

    /// Frees a taken or held seat.
    pub async fn remove(&self, id: GameId, call: &Call, seat: Seat) -> Result<Accepted, RejectedStep> {
        self.step(id, call, "remove", &seat, |_| Ok(Action::Remove { seat })).await
    }

    pub async fn configure(&self, id: GameId, call: &Call, changes: &Changes) -> Result<Accepted, RejectedStep> {
        self.step(id, call, "configure", changes, |game| {
            let options = changes.options.as_ref().unwrap_or(&game.options.0);
            Ok(Action::Configure { seats: changes.seats.unwrap_or(game.size()), options: Text(options.clone()) })
        })
        .await
    }

    /// Records the caller's choice in the lobby.
    pub async fn choose(&self, id: GameId, call: &Call, choice: &Value) -> Result<Accepted, RejectedStep> {
        self.step(id, call, "choose", choice, |_| Ok(Action::Choose { choice: Text(choice.clone()) })).await
    }

    /// Gives the caller lasting access to an unlisted game. No effect for members.
    pub async fn enter(&self, code: &str, call: &Call) -> Result<Accepted, RejectedStep> {
        let id = self.store.game_of_invite(code).await?.ok_or(GameError::NotFound)?;
        let command = call.command(Some(id), "enter", &());
        // Read the game before looking up the key. If another node applies this request in between, the look-up then
        // finds it.
        let game = self.sequencer.current(id).await?;
        if let Some(before) = self.done_before(command.as_ref(), call).await? {
            return Ok(before);
        }
        let game = game.ok_or(GameError::NotFound)?;
        if game.is_member(call.by) {
            return Ok(self.as_it_stands(game).await?);
        }
        let request = StepRequest { by: Some(call.by), expected: None, command: command.clone() };
        note(&game);
        let _entering = self.room_to_enter(call.by).await?;
        let outcome = self.sequencer.step(id, request, |game, _| {
            game.room_for(&Action::Enter)?;
            Ok(Action::Enter)
        });
        let outcome = outcome.await?;
        Ok(self.answer(outcome, command.as_ref(), call).await?)
    }
}

/// A set-up with a random seed, and an invite code if the game is unlisted.
pub(super) fn creation(
    rules: &dyn AnyRules,
    options: Text,
    seats: Vec<Option<PlayerId>>,
    visibility: Visibility,
) -> Creation {
    Creation {
        kind: rules.info().kind.to_owned(),
        rules_version: rules.info().rules_version,
        options,
        seats,
        visibility,
        invite: (visibility == Visibility::Unlisted).then(new_invite),
        seed: new_seed(),
    }
}

/// An invite code of 120 random bits, in URL-safe letters.
fn new_invite() -> String {
    let mut bytes = [0; 15];
    aws_lc_rs::rand::fill(&mut bytes).expect("the system has randomness");
    BASE64_URL_SAFE_NO_PAD.encode(bytes)
}
