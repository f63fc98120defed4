//! Following a game: pages of its steps, and a stream that never skips one.

use super::Games;
use super::error::GameError;
use super::ports::StoreError;
use super::step_view::StepView;
use crate::ids::{GameId, PlayerId};
use futures::{Stream, stream};
use std::collections::VecDeque;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::watch;

/// How many steps a page has, if nothing is said.
pub const PAGE: usize = 100;

/// How many steps a page has at most.
pub const LONGEST_PAGE: usize = 1000;

/// Steps read at once by a stream that catches up.
const BATCH: usize = 64;
/// When a stream asks again after the store could not answer.
const ASK_AGAIN: Duration = Duration::from_millis(500);

/// Some steps after a version.
pub struct StepPage {
    pub entries: Vec<Arc<StepView>>,
    /// The version the game stands at.
    pub version: u64,
}

/// A viewer following a game.
struct StepStream {
    games: Arc<Games>,
    game: GameId,
    viewer: Option<PlayerId>,
    after: u64,
    /// The version that is known to be there.
    known: u64,
    /// Whether nothing comes after that.
    over: bool,
    ready: VecDeque<Arc<StepView>>,
    announced: watch::Receiver<u64>,
}

impl Games {
    /// A page of steps after a version, as the viewer is told of them.
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
        // Steps that came in since `game` was read are left to the next page: this one is of one moment.
        let shown = steps.iter().take_while(|recent| recent.step.version <= game.version);
        let entries = shown.map(|recent| recent.tell(&game, eyes)).collect::<Result<_, _>>()?;
        Ok(StepPage { entries, version: game.version })
    }

    /// All steps after a version, then each new one as it becomes durable: no gap, none twice. Ends after the game's
    /// last step, or when the viewer may no longer know of the game.
    pub async fn follow(
        self: &Arc<Self>,
        id: GameId,
        viewer: Option<PlayerId>,
        after: u64,
    ) -> Result<impl Stream<Item = Result<Arc<StepView>, GameError>> + Send + use<>, GameError> {
        // Subscribed before the first read, so that a step in between is announced.
        let announced = self.notifier.subscribe(id);
        let game = self.still_visible(id, viewer).await?;
        if after > game.version {
            return Err(GameError::BadCursor);
        }
        let (games, known, over) = (self.clone(), game.version, game.status.is_over());
        let follower = StepStream { games, game: id, viewer, after, known, over, ready: VecDeque::new(), announced };
        // In a box, because whoever waits holds it once as what is and once as what was given.
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
                    // In a box, so that those who wait for a step do without.
                    Err(error) => Box::pin(pause_if_transient(error)).await?,
                }
            } else if self.over || self.announced.changed().await.is_err() {
                return Ok(None);
            }
        }
    }

    /// Takes in the steps there are; tells whether there were any, for a viewer who may still know of the game. If not, it
    /// was removed since.
    async fn read(&mut self) -> Result<bool, GameError> {
        let game = self.games.sequencer.reached(self.game, self.known).await?;
        let Some(game) = game.filter(|game| game.admits(self.viewer)) else { return Ok(false) };
        (self.known, self.over) = (game.version, game.status.is_over());
        let eyes = game.eyes(self.viewer);
        let steps = self.games.sequencer.steps(self.game, self.after, BATCH).await?;
        // Those that came in since `game` was read are announced too, and may be the last.
        for step in steps.iter().take_while(|recent| recent.step.version <= game.version) {
            let entry = step.tell(&game, eyes)?;
            self.after = entry.version;
            self.ready.push_back(entry);
        }
        Ok(!self.ready.is_empty())
    }
}

/// Waits a moment if the store is away: whoever listens has nothing better to do. Anything else ends the stream.
pub(super) async fn pause_if_transient(error: GameError) -> Result<(), GameError> {
    match error {
        GameError::Store(StoreError::Unavailable(_) | StoreError::Unknown(_)) => {
            tokio::time::sleep(ASK_AGAIN).await;
            Ok(())
        }
        error => Err(error),
    }
}
