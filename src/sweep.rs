//! What is done now and then, whoever calls or not: lobbies that nobody came to are abandoned, and games that have been
//! over for long enough are removed.

use crate::app::App;
use crate::games::GameError;
use std::sync::Arc;
use std::time::Duration;
use tokio::time::{MissedTickBehavior, interval};

const EVERY: Duration = Duration::from_mins(1);

/// Sweeps every minute until the service shuts down; the first time at once.
pub async fn run(app: Arc<App>) {
    let mut ticks = interval(EVERY);
    ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
    while app.closing.run_until_cancelled(ticks.tick()).await.is_some() {
        // A store that can't do it now will be asked again.
        if let Err(error) = sweep(&app).await {
            tracing::warn!(%error, "sweeping failed");
        }
    }
}

async fn sweep(app: &App) -> Result<(), GameError> {
    let expired = app.games.expire_lobbies().await?;
    let removed = match app.keep_over {
        Some(keep) => app.games.remove_over(keep).await?,
        None => 0,
    };
    if expired + removed > 0 {
        tracing::info!(expired, removed, "swept");
    }
    Ok(())
}
