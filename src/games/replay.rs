//! Replays of finished games, and their verification against the rules and the committed seed.

use super::Games;
use super::error::GameError;
use super::fairness::commitment;
use super::game::Game;
use super::model::bots::RecentVersions;
use super::model::hash_chain::{Bound, Chain, has_room_for, left_out};
use super::model::snapshot::rules_of;
use super::model::step_view::{EventView, tell_all};
use super::options::read_options;
use super::ports::{Status, StoreError};
use super::step::{Action, Creation, Event, KindMove, Step, Text, Visibility};
use crate::ids::{GameId, PlayerId};
use crate::quota::Client;
use crate::rules::any::AnyRules;
use crate::rules::catalog::Catalog;
use crate::rules::{Eyes, Instant, Outcome, Seat, Seed};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::sync::Arc;

/// A whole game: set-up, seed, every step with its time, and every event with nothing hidden.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Replay {
    /// The game's id.
    pub id: GameId,
    /// The kind of the game.
    pub kind: String,
    /// The version of the rules that the game was played by.
    pub rules_version: u32,
    /// Whether the game was finished or abandoned.
    pub status: Status,
    /// The seed of all random numbers of the game, in hex.
    pub seed: Seed,
    /// Hash of the seed, as published when the game was created.
    pub commitment: String,
    /// Hash chain over all steps, each with its version, time, player, seat and action: hex HMAC-SHA-256;
    /// docs/fairness.md in the server's repository describes how to compute it.
    #[serde(default)]
    pub chain: String,
    /// How the game ended; null if it was abandoned.
    pub outcome: Option<Outcome>,
    /// All steps, oldest first.
    pub steps: Vec<ReplayStep>,
}

/// One step of a replay.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ReplayStep {
    /// The version of the game after the step.
    pub version: u64,
    /// When the step was taken.
    pub at: Instant,
    /// The player who took the step; null if the server did, which abandons idle lobbies (`EXPIRE`).
    pub player_id: Option<PlayerId>,
    /// The seat of that player; null if they were not seated.
    pub seat: Option<Seat>,
    /// What the player did.
    pub action: ReplayAction,
    /// What the step changed.
    pub events: Vec<Value>,
}

/// The action of a step.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "type", rename_all = "SCREAMING_SNAKE_CASE", rename_all_fields = "camelCase")]
pub enum ReplayAction {
    /// The game was created.
    Create {
        /// The options of the new game.
        #[schemars(extend("x-graphql" = "GameOptions"))]
        options: Value,
        /// The player on each seat, by id.
        seats: Vec<Option<PlayerId>>,
        /// Who could find the game when it was created.
        visibility: Visibility,
        /// In a rematch: the player for whom each seat was held, by id.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        invited: Option<Vec<Option<PlayerId>>>,
    },
    /// A player sat down.
    Sit {
        /// The requested seat; null for the seat that was held for the player, or else the lowest free one.
        seat: Option<Seat>,
    },
    /// A player gave up the seat, or declined the one that was held for them.
    Stand,
    /// The host removed a player, or released a held seat.
    Remove {
        /// The seat that was freed.
        seat: Seat,
    },
    /// The host changed the number of seats or the options.
    Configure {
        /// The number of seats.
        seats: u8,
        /// The new options.
        #[schemars(extend("x-graphql" = "GameOptions"))]
        options: Value,
    },
    /// A player used the invite code.
    Enter,
    /// The host started the game.
    Start,
    /// A move was played.
    Play {
        /// The move's notation.
        #[schemars(extend("x-graphql" = "ID"))]
        id: String,
    },
    /// Seats resigned.
    Resign {
        /// The seats that resigned.
        seats: Vec<Seat>,
    },
    /// Seats that had run out of time resigned.
    TimeOut {
        /// The late seats. Old games did not record them: there the field is absent in REST and null in GraphQL.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        seats: Option<Vec<Seat>>,
    },
    /// A player left because the account was deleted.
    Depart,
    /// The server abandoned the lobby, in which nothing had happened for 24 hours.
    Expire,
    /// A seat made its choice in the lobby.
    Choose {
        /// What the seat chose.
        #[schemars(extend("x-graphql" = "SeatChoice"))]
        choice: Value,
    },
    /// The host started the game, with data that was computed before the start.
    Begin {
        /// The data that was computed before the start. Items of its lists that were never revealed are null.
        #[schemars(extend("x-graphql" = "Preparation"))]
        prepared: Value,
        /// For each null in a list of `prepared`, in order: hex SHA-256 of the canonical JSON of the hidden item.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        left_out: Vec<String>,
    },
    /// A seat made an aside.
    Aside {
        /// The aside, in the notation of the kind.
        aside: String,
    },
    /// The host seated a bot.
    AddBot {
        /// The requested seat; null for the lowest free one.
        seat: Option<Seat>,
        /// How strong the bot plays, from 1.
        level: u8,
        /// The version of the kind's bot.
        bot_version: u8,
    },
    /// A bot played a move.
    BotPlay {
        /// The move's notation.
        #[schemars(extend("x-graphql" = "ID"))]
        id: String,
        /// The version of the game that the bot looked at when it chose the move.
        seen_version: u64,
    },
}

impl Games {
    /// The replay of a finished game, to be read slice by slice.
    pub async fn replay(self: &Arc<Self>, id: GameId, client: &Client) -> Result<ReplayReader, GameError> {
        let game = self.visible(id, client.player).await?;
        if !game.status.is_over() {
            return Err(GameError::NotOver);
        }
        Ok(ReplayReader { games: self.clone(), game, client: *client })
    }
}

/// Reads a replay in slices, so that memory stays bounded. Each slice waits for its turn in the queue.
pub struct ReplayReader {
    games: Arc<Games>,
    game: Arc<Game>,
    client: Client,
}

impl ReplayReader {
    /// Number of steps.
    pub fn length(&self) -> u64 {
        self.game.version
    }

    /// The rules of the game.
    pub fn rules(&self) -> &'static dyn AnyRules {
        self.game.rules
    }

    /// The replay without its steps.
    pub fn head(&self) -> Replay {
        Replay::head(&self.game)
    }

    /// Up to `limit` steps after a version.
    pub async fn steps(&self, after: u64, limit: usize) -> Result<Vec<ReplayStep>, GameError> {
        let _turn = self.games.history.enter(&self.client).await?;
        self.read(after, limit).await
    }

    /// The same for a response that has started and could no longer be refused.
    pub async fn further_steps(&self, after: u64, limit: usize) -> Result<Vec<ReplayStep>, GameError> {
        let _turn = self.games.history.enter_with_retry(&self.client).await;
        self.read(after, limit).await
    }

    async fn read(&self, after: u64, limit: usize) -> Result<Vec<ReplayStep>, GameError> {
        let steps = self.games.store.steps(self.game.id, after, limit).await?;
        Ok(steps.iter().map(|step| ReplayStep::of(&self.game, step)).collect::<Result<_, _>>()?)
    }
}

impl Replay {
    /// The complete replay.
    pub fn of(game: &Game, steps: &[Step]) -> Result<Self, StoreError> {
        let steps = steps.iter().map(|step| ReplayStep::of(game, step)).collect::<Result<_, _>>()?;
        Ok(Self { steps, ..Self::head(game) })
    }

    fn head(game: &Game) -> Self {
        let info = game.rules.info();
        Self {
            id: game.id,
            kind: info.kind.to_owned(),
            rules_version: info.rules_version,
            status: game.status,
            seed: game.seed,
            commitment: commitment(game.id, game.seed),
            chain: game.chain.to_string(),
            outcome: game.outcome.clone(),
            steps: Vec::new(),
        }
    }

    /// Replays the whole game and returns every difference; nothing if the replay is true.
    pub fn verify(&self, catalog: Catalog) -> Vec<String> {
        let mut differences = Vec::new();
        let mut check = |holds: bool, what: String| {
            if !holds {
                differences.push(what);
            }
        };
        check(commitment(self.id, self.seed) == self.commitment, "the commitment does not belong to the seed".into());
        if self.chain.is_empty() {
            check(false, "it has no chain: it was saved by an earlier build; get it again from the server".into());
        } else {
            check(self.head_of_chain() == self.chain, "the chain does not belong to the steps".into());
        }
        let mut versions = RecentVersions::default();
        for (step, due) in self.steps.iter().zip(1..) {
            let name = format!("step {}", step.version);
            check(step.version == due, format!("{name} is in the place of step {due}"));
            check(
                versions.newest().is_none_or(|game| game.updated_at <= step.at),
                format!("{name} is earlier than the step before it"),
            );
            let (game, seat, events) = match self.replay_step(catalog, versions.newest(), step) {
                Ok(again) => again,
                Err(error) => {
                    check(false, format!("{name} can't be played: {error}"));
                    return differences;
                }
            };
            check(seat == step.seat, format!("{name} names another seat"));
            match tell_all(game.rules, &events, Eyes::Replay) {
                Ok(told) => check(as_json(&told) == step.events, format!("{name} has other events")),
                Err(error) => check(false, format!("{name}: {error}")),
            }
            if let Err(what) = step.action.action(step.seat).map_or(Ok(()), |action| versions.check(&action)) {
                check(false, format!("{name} {what}"));
            }
            versions.push(game);
        }
        match versions.newest() {
            None => check(false, "there are no steps".into()),
            Some(game) => {
                check(game.status == self.status, format!("the game ends as {:?}", game.status));
                check(game.outcome == self.outcome, "the outcome differs".into());
                check(self.shows_what_was_prepared(game), "the preparation differs".into());
            }
        }
        differences
    }

    /// The head of the hash chain over the steps of this replay.
    fn head_of_chain(&self) -> String {
        let chain = Chain::of(self.seed);
        let start = chain.start(self.id, &self.kind, self.rules_version);
        self.steps.iter().fold(start, |before, step| chain.link(before, &step.bound())).to_string()
    }

    /// The rules ignore unusable parts of a preparation, so the preparation is checked separately.
    fn shows_what_was_prepared(&self, end: &Game) -> bool {
        self.steps.iter().all(|step| match (&step.action, &end.running) {
            (ReplayAction::Begin { prepared, left_out }, Some(running)) => {
                !prepared.is_null()
                    && end.rules.reveal(prepared, &running.state) == *prepared
                    && has_room_for(prepared, left_out)
            }
            _ => true,
        })
    }

    fn replay_step(
        &self,
        catalog: Catalog,
        before: Option<&Game>,
        step: &ReplayStep,
    ) -> Result<(Game, Option<Seat>, Vec<Event>), GameError> {
        match (before, &step.action, step.player_id) {
            (None, ReplayAction::Create { options, seats, visibility, invited }, Some(host)) => {
                let rules = rules_of(catalog, &self.kind, self.rules_version)?;
                let size = u8::try_from(seats.len()).unwrap_or(u8::MAX);
                let creation = Creation {
                    kind: self.kind.clone(),
                    rules_version: self.rules_version,
                    options: read_options(rules, options, size)?,
                    seats: seats.clone(),
                    visibility: *visibility,
                    invite: None,
                    seed: self.seed,
                };
                let held = invited.as_deref().unwrap_or_default();
                let (game, events) = Game::create(self.id, rules, host, &creation, held, step.at);
                let seat = game.seat_of(host);
                Ok((game, seat, events))
            }
            (Some(game), action, by) => {
                let applied = game.apply(by, &action.action(step.seat)?, step.at)?;
                Ok((applied.game, applied.seat, applied.events))
            }
            (None, ..) => Err(GameError::NotStarted),
        }
    }
}

impl ReplayStep {
    /// A step with all its events, unredacted.
    fn of(game: &Game, step: &Step) -> Result<Self, StoreError> {
        let mut action = ReplayAction::from(&step.action);
        if let (ReplayAction::Begin { prepared, left_out: digests }, Some(running)) = (&mut action, &game.running) {
            let shown = game.rules.reveal(prepared, &running.state);
            *digests = left_out(prepared, &shown);
            *prepared = shown;
        }
        Ok(Self {
            version: step.version,
            at: step.at,
            player_id: step.by,
            seat: step.seat,
            action,
            events: as_json(&tell_all(game.rules, &step.events, Eyes::Replay)?),
        })
    }

    fn bound(&self) -> Bound<'_> {
        let Self { version, at, player_id, seat, ref action, .. } = *self;
        Bound { version, at, player_id, seat, action }
    }
}

fn as_json(told: &[EventView]) -> Vec<Value> {
    told.iter().map(|event| serde_json::to_value(event).expect("events are plain data")).collect()
}

impl From<&Action> for ReplayAction {
    fn from(action: &Action) -> Self {
        match action.clone() {
            Action::Create(creation) => Self::creation(&creation, &[]),
            Action::Rematch { creation, held } => Self::creation(&creation, &held),
            Action::Sit { seat } => Self::Sit { seat },
            Action::Stand => Self::Stand,
            Action::Remove { seat } => Self::Remove { seat },
            Action::Configure { seats, options: Text(options) } => Self::Configure { seats, options },
            Action::Enter => Self::Enter,
            Action::Start => Self::Start,
            Action::Play { mv } => Self::Play { id: mv.id().to_owned() },
            Action::Resign { seats } => Self::Resign { seats },
            Action::TimeOut => Self::TimeOut { seats: None },
            Action::TimeOutSeats { seats } => Self::TimeOut { seats: Some(seats) },
            Action::Depart => Self::Depart,
            Action::Expire => Self::Expire,
            Action::Choose { choice: Text(choice) } => Self::Choose { choice },
            Action::Begin { prepared: Text(prepared) } => Self::Begin { prepared, left_out: Vec::new() },
            Action::Aside { aside } => Self::Aside { aside },
            Action::AddBot { seat, level, version } => Self::AddBot { seat, level, bot_version: version },
            Action::BotPlay { mv, seen, .. } => Self::BotPlay { id: mv.id().to_owned(), seen_version: seen },
        }
    }
}

impl ReplayAction {
    /// The creating step.
    pub(super) fn creation(creation: &Creation, held: &[Option<PlayerId>]) -> Self {
        let Creation { options: Text(options), seats, visibility, .. } = creation.clone();
        Self::Create { options, seats, visibility, invited: (!held.is_empty()).then(|| held.to_vec()) }
    }

    /// The action, given the seat of its step.
    pub(super) fn action(&self, seat: Option<Seat>) -> Result<Action, GameError> {
        Ok(match self.clone() {
            Self::Create { .. } => return Err(GameError::AlreadyStarted),
            Self::Sit { seat } => Action::Sit { seat },
            Self::Stand => Action::Stand,
            Self::Remove { seat } => Action::Remove { seat },
            Self::Configure { seats, options } => Action::Configure { seats, options: Text(options) },
            Self::Enter => Action::Enter,
            Self::Start => Action::Start,
            Self::Play { id } => Action::Play { mv: KindMove::Notation(id) },
            Self::Resign { seats } => Action::Resign { seats },
            Self::TimeOut { seats: None } => Action::TimeOut,
            Self::TimeOut { seats: Some(seats) } => Action::TimeOutSeats { seats },
            Self::Depart => Action::Depart,
            Self::Expire => Action::Expire,
            Self::Choose { choice } => Action::Choose { choice: Text(choice) },
            Self::Begin { prepared, .. } => Action::Begin { prepared: Text(prepared) },
            Self::Aside { aside } => Action::Aside { aside },
            Self::AddBot { seat, level, bot_version } => Action::AddBot { seat, level, version: bot_version },
            Self::BotPlay { id, seen_version } => {
                let seat = seat.ok_or(GameError::NotSeated)?;
                Action::BotPlay { seat, mv: KindMove::Notation(id), seen: seen_version }
            }
        })
    }
}
