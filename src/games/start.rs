//! Starting a game, with the preparation that some kinds need: moments of a calendar in a time zone, or computations
//! too long for an async thread.

use super::error::{GameError, RejectedStep};
use super::game::Game;
use super::options::TableOptions;
use super::ports::Command;
use super::sequencer::StepRequest;
use super::step::{Action, Text};
use super::{Accepted, Call, Games, time_zones};
use crate::ids::GameId;
use crate::quota::Client;
use crate::rules::{Instant, Outside, Unprepared};
use std::time::Duration;
use tokio::task::spawn_blocking;

/// Time limit of a preparation, queueing included.
const PATIENCE: Duration = Duration::from_secs(10);
/// Retries after the options changed during the preparation.
const ATTEMPTS: usize = 3;

/// What rules may query while they prepare a start.
struct World {
    until: std::time::Instant,
}

impl Outside for World {
    fn midnight(&self, zone: &str, year: i16, month: i8, day: i8) -> Option<Instant> {
        time_zones::midnight(zone, year, month, day)
    }

    fn year(&self, zone: &str, at: Instant) -> Option<i16> {
        time_zones::year(zone, at)
    }

    fn is_out_of_time(&self) -> bool {
        std::time::Instant::now() >= self.until
    }
}

impl Games {
    /// Starts a game whose seats are all taken. With a level, bots of that level take the free seats first.
    pub async fn start(&self, id: GameId, call: &Call, bots: Option<u8>) -> Result<Accepted, RejectedStep> {
        let command = call.command(Some(id), "start", &bots);
        if let Some(level) = bots {
            if let Some(before) = self.done_before(command.as_ref(), call).await? {
                return Ok(before);
            }
            self.fill_with_bots(id, call, level).await?;
        }
        let mut started = self.start_prepared(id, call, command.as_ref()).await;
        for _ in 1..ATTEMPTS {
            match &started {
                Err(RejectedStep { error: GameError::VersionConflict { .. }, .. }) => {
                    started = self.start_prepared(id, call, command.as_ref()).await;
                }
                _ => break,
            }
        }
        started
    }

    /// Prepares and starts the game, unless it changed in between.
    async fn start_prepared(
        &self,
        id: GameId,
        call: &Call,
        command: Option<&Command>,
    ) -> Result<Accepted, RejectedStep> {
        let game = self.sequencer.current(id).await.map_err(GameError::from)?;
        let game = game.filter(|game| game.can_be_started_by(call.by));
        let prepared = match &game {
            Some(game) => self.prepare(game, &call.client()).await?,
            None => None,
        };
        let prepared_for = game.map(|game| game.options.clone());
        let request = StepRequest { by: Some(call.by), expected: None, command: command.cloned() };
        self.take(id, call, request, |game, _| {
            if game.can_be_started_by(call.by) && prepared_for.as_ref() != Some(&game.options) {
                return Err(GameError::VersionConflict { current: game.version });
            }
            Ok(match &prepared {
                Some(prepared) => Action::Begin { prepared: prepared.clone() },
                None => Action::Start,
            })
        })
        .await
    }

    /// Long preparations wait in a fair queue; others run at once.
    async fn prepare(&self, game: &Game, client: &Client) -> Result<Option<Text>, GameError> {
        let (_, options) = TableOptions::split(&game.options.0)?;
        let (rules, created) = (game.rules, game.created_at);
        let world = World { until: std::time::Instant::now() + PATIENCE };
        let permit = if rules.takes_long_to_prepare(&options) {
            let turn = tokio::time::timeout(PATIENCE, self.preparations.enter(client)).await;
            Some(turn.map_err(|_| GameError::Unprepared)??)
        } else {
            None
        };
        let work = spawn_blocking(move || {
            // The permit moves into the closure: if the caller disconnects, the slot stays taken until the work ends.
            let _permit = permit;
            rules.prepare(&options, created, &world)
        });
        match work.await {
            Ok(Ok(prepared)) => Ok(prepared.map(Text)),
            Ok(Err(Unprepared::Options(reason))) => Err(GameError::invalid_options("options", reason)),
            Ok(Err(Unprepared::OutOfTime)) | Err(_) => Err(GameError::Unprepared),
        }
    }
}
