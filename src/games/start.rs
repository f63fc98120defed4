//! Starting a game, and what has to be worked out before: moments of a calendar in a time zone, or anything that takes
//! longer than a request may hold an async thread.

use super::error::{GameError, RejectedStep};
use super::game::Game;
use super::options::TableOptions;
use super::step::{Action, Text};
use super::{Accepted, Call, Games, time_zones};
use crate::ids::GameId;
use crate::quota::Client;
use crate::rules::{Instant, Outside, Unprepared};
use std::time::Duration;
use tokio::task::spawn_blocking;

/// How long a start may be prepared for, waiting for others included.
const PATIENCE: Duration = Duration::from_secs(10);
/// How often a start is prepared anew because the options were changed meanwhile.
const ATTEMPTS: usize = 3;

/// What rules may ask of the world until their time is up.
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
    /// Starts a game whose seats are all taken.
    pub async fn start(&self, id: GameId, call: &Call) -> Result<Accepted, RejectedStep> {
        let mut started = self.start_prepared(id, call).await;
        for _ in 1..ATTEMPTS {
            match &started {
                Err(RejectedStep { error: GameError::VersionConflict { .. }, .. }) => {
                    started = self.start_prepared(id, call).await;
                }
                _ => break,
            }
        }
        started
    }

    /// Prepares the game as it stands and starts it, unless it has changed meanwhile.
    async fn start_prepared(&self, id: GameId, call: &Call) -> Result<Accepted, RejectedStep> {
        let game = self.sequencer.current(id).await.map_err(GameError::from)?;
        let game = game.filter(|game| game.can_be_started_by(call.by));
        let prepared = match &game {
            Some(game) => self.prepare(game, &call.client()).await?,
            None => None,
        };
        let prepared_for = game.map(|game| game.options.clone());
        self.step(id, call, "start", &(), |game| {
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

    /// What takes long has a queue of its own, in which clients take turns; all else is prepared at once.
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
            // The permit moves along: a caller who hangs up does not make room while the work goes on.
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
