//! Housekeeping, once a minute: abandons idle lobbies and removes expired data. Each task does a bounded amount of
//! work, in small slices, and continues in the next minute where it stopped.

use crate::app::App;
use crate::games::ports::{Cursor, Swept};
use std::fmt::Display;
use std::sync::Arc;
use std::time::Duration;
use tokio::time::{MissedTickBehavior, interval};

const SWEEP_INTERVAL: Duration = Duration::from_mins(1);
/// How many slices of rows one task examines per sweep.
const SLICES_PER_SWEEP: usize = 40;

/// Where each task continues.
#[derive(Default)]
struct Cursors {
    commands: Option<Cursor>,
    sign_ins: Option<Cursor>,
    revocations: Option<Cursor>,
    guests: Option<Cursor>,
    /// In order of time, so that each game is examined once.
    lobbies: Option<Cursor>,
}

/// Sweeps at once and then every minute until the service shuts down.
pub async fn run(app: Arc<App>) {
    let mut cursors = Cursors::default();
    let mut ticks = interval(SWEEP_INTERVAL);
    ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
    while app.closing.run_until_cancelled(ticks.tick()).await.is_some() {
        sweep(&app, &mut cursors).await;
    }
}

async fn sweep(app: &App, cursors: &mut Cursors) {
    let expired = app.closing.run_until_cancelled(app.games.expire_lobbies()).await;
    let expired = ok_or_log("abandoning idle lobbies", expired.unwrap_or(Ok(0)));
    if expired > 0 {
        tracing::info!(expired, "idle lobbies were abandoned");
    }
    if let Some(keep) = app.keep_finished {
        let removed = app.closing.run_until_cancelled(app.games.remove_over(keep)).await;
        report_removed(app, "games", ok_or_log("removing old games", removed.unwrap_or(Ok(0))));
    }
    if let Some(keep) = app.keep_abandoned_lobbies {
        // The cursor stays at the end of the list, where later games are added.
        sweep_slices(app, "lobbies", &mut cursors.lobbies, |from| app.games.remove_abandoned_lobbies(keep, from)).await;
    }
    if let Some(keep) = app.keep_idle_guests {
        sweep_cyclically(app, "guests", &mut cursors.guests, |from| app.players.remove_idle_guests(keep, from)).await;
    }
    sweep_cyclically(app, "commands", &mut cursors.commands, |from| app.games.remove_expired_commands(from)).await;
    sweep_cyclically(app, "sign_ins", &mut cursors.sign_ins, |from| app.players.remove_ended_sign_ins(from)).await;
    sweep_cyclically(app, "revocations", &mut cursors.revocations, |from| app.players.remove_expired_revocations(from))
        .await;
}

/// Examines some slices; starts over at the first row once all were examined.
async fn sweep_cyclically<F, E>(
    app: &App,
    what: &'static str,
    cursor: &mut Option<Cursor>,
    slice: impl Fn(Option<Cursor>) -> F,
) where
    F: Future<Output = Result<Swept, E>>,
    E: Display,
{
    if sweep_slices(app, what, cursor, slice).await {
        *cursor = None;
    }
}

/// Removes what has expired in some slices of rows, and advances the cursor. Returns whether it reached the last row.
async fn sweep_slices<F, E>(
    app: &App,
    what: &'static str,
    cursor: &mut Option<Cursor>,
    slice: impl Fn(Option<Cursor>) -> F,
) -> bool
where
    F: Future<Output = Result<Swept, E>>,
    E: Display,
{
    let (mut removed, mut at_end) = (0, false);
    for _ in 0..SLICES_PER_SWEEP {
        let Some(swept) = app.closing.run_until_cancelled(slice(cursor.clone())).await else { break };
        let Some(swept) = swept.inspect_err(|error| tracing::warn!(%error, what, "a sweep failed")).ok() else { break };
        removed += swept.removed;
        match swept.next {
            Some(next) => *cursor = Some(next),
            None => {
                at_end = true;
                break;
            }
        }
        tokio::task::yield_now().await;
    }
    report_removed(app, what, removed);
    at_end
}

/// The result, or 0 after a failure, which is logged: the next sweep tries again.
fn ok_or_log<E: Display>(doing: &str, done: Result<usize, E>) -> usize {
    done.inspect_err(|error| tracing::warn!(%error, "{doing} failed")).unwrap_or(0)
}

/// Logs and counts the removed items.
fn report_removed(app: &App, what: &'static str, removed: usize) {
    if removed > 0 {
        tracing::info!(what, removed, "swept");
        app.edge.metrics.count_swept(what, removed);
    }
}
