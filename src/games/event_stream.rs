//! Event history of a game: pages of steps, and a gapless live stream.

use super::Games;
use super::StepView;
use super::error::GameError;
use super::ports::StoreError;
use crate::ids::{GameId, PlayerId};
use futures::{Stream, stream};
use std::collections::VecDeque;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::watch;

/// Default page size.
pub const PAGE: usize = 100;

/// Maximum page size.
pub const LONGEST_PAGE: usize = 1000;

/// Steps that a stream reads per query while it catches up.
const BATCH: usize = 64;
/// Pause before a stream retries after the store was unavailable.
const RETRY_DELAY: Duration = Duration::from_millis(500);

/// A page of steps.
pub struct StepPage {
    pub entries: Vec<Arc<StepView>>,
    /// The current version of the game.
    pub version: u64,
}

/// Position of one viewer in the stream of a game.
struct StepStream {
    games: Arc<Games>,
    game: GameId,
    viewer: Option<PlayerId>,
    after: u64,
    /// The latest announced version.
    known: u64,
    /// Whether the game is over at that version.
    over: bool,
    ready: VecDeque<Arc<StepView>>,
    announced: watch::Receiver<u64>,
}

impl Games {
    /// A page of steps after a version, as the viewer sees them.
    pub async fn events(
        &self,
        id: GameId,
        viewer: Option<PlayerId>,
        after: u64,
        limit: usize,
    ) -> Result<StepPage, GameError> {
        let game = self.visible(id, viewer).await?;
        if after > game.version {
            return Err(GameError::BadCursor);
        }
        let eyes = game.eyes(viewer);
        let steps = self.sequencer.steps(id, after, limit).await?;
        // Leaves steps newer than `game` to the next page, so that the page shows one point in time.
        let shown = steps.iter().take_while(|recent| recent.step.version <= game.version);
        let entries = shown.map(|recent| recent.tell(&game, eyes)).collect::<Result<_, _>>()?;
        Ok(StepPage { entries, version: game.version })
    }

    /// All steps after a version, then each new step once it is durable, without gaps or duplicates. Ends after the
    /// game's last step, or when the viewer loses access.
    pub async fn follow(
        self: &Arc<Self>,
        id: GameId,
        viewer: Option<PlayerId>,
        after: u64,
    ) -> Result<impl Stream<Item = Result<Arc<StepView>, GameError>> + Send + use<>, GameError> {
        // Subscribed before the first read, so that no step in between is missed.
        let announced = self.notifier.subscribe(id);
        let game = self.still_visible(id, viewer).await?;
        if after > game.version {
            return Err(GameError::BadCursor);
        }
        let (games, known, over) = (self.clone(), game.version, game.status.is_over());
        let follower = StepStream { games, game: id, viewer, after, known, over, ready: VecDeque::new(), announced };
        Ok(stream::try_unfold(Box::new(follower), StepStream::next))
    }
}

impl StepStream {
    async fn next(mut self: Box<Self>) -> Result<Option<(Arc<StepView>, Box<Self>)>, GameError> {
        loop {
            if let Some(entry) = self.ready.pop_front() {
                return Ok(Some((entry, self)));
            }
            self.known = self.known.max(*self.announced.borrow_and_update());
            if self.after < self.known {
                match self.read().await {
                    Ok(true) => {}
                    Ok(false) => return Ok(None),
                    Err(error) => Box::pin(pause_if_transient(error)).await?,
                }
            } else if self.over || self.announced.changed().await.is_err() {
                return Ok(None);
            }
        }
    }

    /// Reads the next steps; returns whether there were any. Reads none if the viewer lost access or the game was
    /// removed.
    async fn read(&mut self) -> Result<bool, GameError> {
        let game = self.games.sequencer.reached(self.game, self.known).await?;
        let Some(game) = game.filter(|game| game.admits(self.viewer)) else { return Ok(false) };
        (self.known, self.over) = (game.version, game.status.is_over());
        let eyes = game.eyes(self.viewer);
        let steps = self.games.sequencer.steps(self.game, self.after, BATCH).await?;
        // Leaves steps newer than `game` to the next read, which also updates `over`: one of them may end the game.
        for step in steps.iter().take_while(|recent| recent.step.version <= game.version) {
            let entry = step.tell(&game, eyes)?;
            self.after = entry.version;
            self.ready.push_back(entry);
        }
        Ok(!self.ready.is_empty())
    }
}

/// Pauses if the store is unavailable, so that a stream survives an outage. Any other error ends the stream.
pub(super) async fn pause_if_transient(error: GameError) -> Result<(), GameError> {
    match error {
        GameError::Store(StoreError::Unavailable(_) | StoreError::Unknown(_)) => {
            tokio::time::sleep(RETRY_DELAY).await;
            Ok(())
        }
        error => Err(error),
    }
}
