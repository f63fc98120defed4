//! Housekeeping, every minute: lobbies that nobody came to are abandoned, and what nobody needs any more is removed. Each
//! concern does a bounded amount of work, in small slices, and goes on in the next minute where it stopped.

use crate::app::App;
use crate::games::ports::{Cursor, Swept};
use std::fmt::Display;
use std::sync::Arc;
use std::time::Duration;
use tokio::time::{MissedTickBehavior, interval};

const EVERY: Duration = Duration::from_mins(1);
/// How many slices of rows one concern looks at in a sweep.
const SLICES: usize = 40;

/// Where the sweeps go on.
#[derive(Default)]
struct Progress {
    commands: Option<Cursor>,
    sign_ins: Option<Cursor>,
    revocations: Option<Cursor>,
    guests: Option<Cursor>,
    /// In the order of time, so that each game is looked at once.
    lobbies: Option<Cursor>,
}

/// Sweeps every minute until the service shuts down; the first time at once.
pub async fn run(app: Arc<App>) {
    let mut progress = Progress::default();
    let mut ticks = interval(EVERY);
    ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
    while app.closing.run_until_cancelled(ticks.tick()).await.is_some() {
        sweep(&app, &mut progress).await;
    }
}

async fn sweep(app: &App, progress: &mut Progress) {
    let expired = app.closing.run_until_cancelled(app.games.expire_lobbies()).await;
    let expired = settled("abandoning idle lobbies", expired.unwrap_or(Ok(0)));
    if expired > 0 {
        tracing::info!(expired, "idle lobbies were abandoned");
    }
    if let Some(keep) = app.keep_over {
        let removed = app.closing.run_until_cancelled(app.games.remove_over(keep)).await;
        tell(app, "games", settled("removing old games", removed.unwrap_or(Ok(0))));
    }
    if let Some(keep) = app.keep_abandoned_lobbies {
        // It stays at the end of the list, behind which later games come.
        slices(app, "lobbies", &mut progress.lobbies, |from| app.games.remove_abandoned_lobbies(keep, from)).await;
    }
    if let Some(keep) = app.keep_idle_guests {
        round(app, "guests", &mut progress.guests, |from| app.players.remove_idle_guests(keep, from)).await;
    }
    round(app, "commands", &mut progress.commands, |from| app.games.remove_expired_commands(from)).await;
    round(app, "sign_ins", &mut progress.sign_ins, |from| app.players.remove_ended_sign_ins(from)).await;
    round(app, "revocations", &mut progress.revocations, |from| app.players.remove_expired_revocations(from)).await;
}

/// Some slices; begins again at the first row once all were looked at.
async fn round<F, E>(app: &App, what: &'static str, cursor: &mut Option<Cursor>, slice: impl Fn(Option<Cursor>) -> F)
where
    F: Future<Output = Result<Swept, E>>,
    E: Display,
{
    if slices(app, what, cursor, slice).await {
        *cursor = None;
    }
}

/// Removes what is due in some slices of rows, and moves the cursor on. Says whether all rows were looked at.
async fn slices<F, E>(
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
    for _ in 0..SLICES {
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
    tell(app, what, removed);
    at_end
}

/// What was done, or nothing after a failure: a store that can't do it now will be asked again.
fn settled<E: Display>(doing: &str, done: Result<usize, E>) -> usize {
    done.inspect_err(|error| tracing::warn!(%error, "{doing} failed")).unwrap_or(0)
}

/// Logs and counts what was removed.
fn tell(app: &App, what: &'static str, removed: usize) {
    if removed > 0 {
        tracing::info!(what, removed, "swept");
        app.edge.metrics.count_swept(what, removed);
    }
}
