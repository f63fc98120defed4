//! Before play: making a game, sitting down and standing up, the host's rights, starting; and a rematch afterwards.

use super::desk::{Outcome, Request};
use super::error::{GameError, Refused};
use super::fairness::new_seed;
use super::game::Game;
use super::options::read_options;
use super::ports::{Command, Scope};
use super::step::{Action, Creation, Step, Text, Visibility};
use super::{Accepted, Call, Games, note};
use crate::ids::{GameId, PlayerId};
use crate::quota::Client;
use crate::rules::{Seat, Seed, any::AnyRules};
use base64::{Engine, prelude::BASE64_URL_SAFE_NO_PAD};
use serde::Serialize;
use serde_json::Value;

/// What to make.
#[derive(Clone, Debug, Serialize)]
pub struct NewGame {
    pub kind: String,
    pub options: Value,
    /// The smallest number the kind can be played by, if left out.
    pub seats: Option<u8>,
    pub visibility: Visibility,
    /// Whether the host takes seat 0.
    pub sit: bool,
    /// The seed, where it is not to be left to chance: in tests.
    pub seed: Option<Seed>,
}

/// What the host changes in the lobby; what is left out stays.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Changes {
    pub seats: Option<u8>,
    pub options: Option<Value>,
}

impl Games {
    pub async fn create(&self, call: &Call, new: NewGame, client: &Client) -> Result<Accepted, GameError> {
        let command = call.command(None, "create", &new);
        if let Some(before) = self.done_before(command.as_ref()).await? {
            return Ok(before);
        }
        let rules = self.offer.newest(&new.kind).ok_or(GameError::NoSuchKind)?;
        let size = new.seats.unwrap_or(*rules.info().seats.start());
        let options = read_options(rules, &new.options, size)?;
        let _entering = self.room_to_create(call.by, client).await?;
        let mut seats = vec![None; usize::from(size)];
        seats[0] = new.sit.then_some(call.by);
        let mut creation = creation(rules, options, seats, new.visibility);
        creation.seed = new.seed.unwrap_or(creation.seed);
        self.found(rules, call.by, creation, command).await
    }

    /// The same seats at a new game. Whoever asks first is its host; everybody who asks is given the same one.
    pub async fn rematch(&self, id: GameId, call: &Call, client: &Client) -> Result<Accepted, GameError> {
        // There is one rematch, however often it is asked for: a key is only held against what else it was used for.
        if let Some(before) = self.done_before(call.command(Some(id), "rematch", &()).as_ref()).await? {
            return Ok(before);
        }
        let by = call.by;
        let game = self.still_visible(id, Some(by)).await?;
        game.seat_of(by).ok_or(GameError::NotSeated)?;
        if !game.status.is_over() {
            return Err(GameError::NotOver);
        }
        let scope = Scope { player: game.host, game: Some(id) };
        let command = Command { scope, key: "\0rematch".to_owned(), digest: [0; 32] };
        if let Some(before) = self.done_before(Some(&command)).await? {
            return Ok(before);
        }
        let rules = self.offer.newest(game.rules.info().kind).ok_or(GameError::NoSuchKind)?;
        let options = read_options(rules, &game.options.0, game.size())?;
        let _entering = self.room_to_create(by, client).await?;
        let creation = creation(rules, options, game.seats.clone(), game.visibility);
        self.found(rules, by, creation, Some(command)).await
    }

    async fn found(
        &self,
        rules: &'static dyn AnyRules,
        host: PlayerId,
        creation: Creation,
        command: Option<Command>,
    ) -> Result<Accepted, GameError> {
        let at = self.clock.now();
        let (game, events) = Game::create(GameId::new(), rules, host, &creation, at);
        let seat = game.seat_of(host);
        let action = Action::Create(Box::new(creation));
        let step = Step { version: 1, at, by: Some(host), seat, action, events };
        note(&game);
        let outcome = self.desk.create(game, step, command.clone()).await?;
        self.answer(outcome, command.as_ref()).await
    }

    /// Sits down on a seat of choice, or on the lowest free one.
    pub async fn sit(&self, id: GameId, call: &Call, seat: Option<Seat>) -> Result<Accepted, Refused> {
        let game = self.desk.current(id).await?;
        let is_member = game.is_some_and(|game| game.is_member(call.by));
        let _entering = if is_member { None } else { Some(self.room_to_enter(call.by).await?) };
        self.step(id, call, "sit", &seat, |_| Ok(Action::Sit { seat })).await
    }

    pub async fn stand(&self, id: GameId, call: &Call) -> Result<Accepted, Refused> {
        self.step(id, call, "stand", &(), |_| Ok(Action::Stand)).await
    }

    pub async fn remove(&self, id: GameId, call: &Call, seat: Seat) -> Result<Accepted, Refused> {
        self.step(id, call, "remove", &seat, |_| Ok(Action::Remove { seat })).await
    }

    pub async fn configure(&self, id: GameId, call: &Call, changes: &Changes) -> Result<Accepted, Refused> {
        self.step(id, call, "configure", changes, |game| {
            let options = changes.options.as_ref().unwrap_or(&game.options.0);
            Ok(Action::Configure { seats: changes.seats.unwrap_or(game.size()), options: Text(options.clone()) })
        })
        .await
    }

    /// Chooses what the kind lets a seat choose in the lobby.
    pub async fn choose(&self, id: GameId, call: &Call, choice: &Value) -> Result<Accepted, Refused> {
        self.step(id, call, "choose", choice, |_| Ok(Action::Choose { choice: Text(choice.clone()) })).await
    }

    /// Lets the caller into an unlisted game, for good. Whoever is in already stays in.
    pub async fn enter(&self, code: &str, call: &Call) -> Result<Accepted, Refused> {
        let id = self.store.game_of_invite(code).await?.ok_or(GameError::NotFound)?;
        let command = call.command(Some(id), "enter", &());
        // Read before the key is looked up: whoever another node let in meanwhile is then found by the key.
        let game = self.desk.current(id).await?;
        if let Some(before) = self.done_before(command.as_ref()).await? {
            return Ok(before);
        }
        let game = game.ok_or(GameError::NotFound)?;
        if game.is_member(call.by) {
            let (game, step) = self.desk.at(id, game.version).await?.ok_or(GameError::NotFound)?;
            return Ok(Accepted { game, step });
        }
        let request = Request { by: Some(call.by), expected: None, command: command.clone() };
        note(&game);
        let _entering = self.room_to_enter(call.by).await?;
        let outcome = self.desk.step(id, request, |game| {
            game.room_for(&Action::Enter)?;
            Ok(Action::Enter)
        });
        let outcome = outcome.await?;
        Ok(self.answer(outcome, command.as_ref()).await?)
    }

    /// A step that only those who know of the game may ask for.
    pub(super) async fn step(
        &self,
        id: GameId,
        call: &Call,
        operation: &str,
        body: &(impl Serialize + Sync),
        action: impl Fn(&Game) -> Result<Action, GameError> + Send + Sync,
    ) -> Result<Accepted, Refused> {
        let request = Request { by: Some(call.by), expected: None, command: call.command(Some(id), operation, body) };
        self.take(id, request, action).await
    }

    pub(super) async fn take(
        &self,
        id: GameId,
        request: Request,
        action: impl Fn(&Game) -> Result<Action, GameError> + Send + Sync,
    ) -> Result<Accepted, Refused> {
        let (by, command) = (request.by, request.command.clone());
        let decide = |game: &Game| {
            if !game.admits(by) {
                return Err(GameError::NotFound);
            }
            let action = action(game)?;
            game.room_for(&action)?;
            Ok(action)
        };
        let outcome = self.desk.step(id, request, decide).await.inspect_err(|refused| {
            refused.judged_on.as_deref().inspect(|game| note(game));
        })?;
        if let Outcome::Accepted { game, .. } = &outcome {
            note(game);
        }
        Ok(self.answer(outcome, command.as_ref()).await?)
    }

    /// The answer to the same command, if it was carried out before.
    async fn done_before(&self, command: Option<&Command>) -> Result<Option<Accepted>, GameError> {
        let Some(command) = command else { return Ok(None) };
        match self.store.command(command.scope, &command.key, self.clock.now()).await? {
            Some(done) => self.answer(Outcome::Before(done), Some(command)).await.map(Some),
            None => Ok(None),
        }
    }
}

/// A set-up with dice, and a door if it needs one, that nobody can guess.
fn creation(rules: &dyn AnyRules, options: Text, seats: Vec<Option<PlayerId>>, visibility: Visibility) -> Creation {
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

/// 120 random bits, in letters that an address can hold.
fn new_invite() -> String {
    let mut bytes = [0; 15];
    aws_lc_rs::rand::fill(&mut bytes).expect("the system has randomness");
    BASE64_URL_SAFE_NO_PAD.encode(bytes)
}
