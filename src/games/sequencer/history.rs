//! Rebuilds a game from the store: loads a snapshot and folds the later steps onto it.
//!
//! An old position starts from the nearest kept snapshot, so its cost does not grow with the length of the game.
//! Without a usable snapshot the game is folded from its first step in slices, so that memory stays bounded. More
//! than a few steps are folded on a blocking thread, because a single step may take a millisecond.

use crate::games::game::Game;
use crate::games::ports::{STEPS_PER_READ, Store, StoreError, Stored};
use crate::games::step::Step;
use crate::ids::GameId;
use crate::rules::catalog::Catalog;

/// The most steps folded on an async thread: as many as may follow the newest snapshot.
const INLINE: usize = 16;

/// The current game in the store.
pub(in crate::games) async fn newest(
    store: &dyn Store,
    catalog: Catalog,
    id: GameId,
) -> Result<Option<Game>, StoreError> {
    let Some(Stored { snapshot, steps }) = store.load(id).await? else { return Ok(None) };
    match snapshot.as_deref().map(|bytes| Game::decode(catalog, bytes)) {
        None => fold(catalog, id, None, steps).await.map(|(game, _)| Some(game)),
        Some(Some(game)) => follow(catalog, game, steps).await.map(Some),
        // This build cannot decode the snapshot.
        Some(None) => {
            let Some(version) = store.version(id).await? else { return Ok(None) };
            Ok(fold_to(store, catalog, id, None, Vec::new(), version).await?.map(|(game, _)| game))
        }
    }
}

/// The game right after one of its steps, and that step.
pub(in crate::games) async fn at(
    store: &dyn Store,
    catalog: Catalog,
    id: GameId,
    version: u64,
) -> Result<Option<(Game, Step)>, StoreError> {
    let Some(Stored { snapshot, steps }) = store.load_at(id, version).await? else { return Ok(None) };
    let (game, steps) = match snapshot.as_deref().map(|bytes| Game::decode(catalog, bytes)) {
        None => (None, steps),
        Some(Some(game)) => (Some(game), steps),
        // This build cannot decode the snapshot, and the steps after it are useless without it.
        Some(None) => (None, Vec::new()),
    };
    let Some((game, last)) = fold_to(store, catalog, id, game, steps, version).await? else { return Ok(None) };
    let last = match last {
        Some(step) => Some(step),
        // The snapshot has exactly this version.
        None => store.steps(id, version - 1, 1).await?.pop(),
    };
    Ok(last.map(|step| (game, step)))
}

/// The game after further steps.
pub(in crate::games) async fn follow(catalog: Catalog, game: Game, steps: Vec<Step>) -> Result<Game, StoreError> {
    let id = game.id;
    fold(catalog, id, Some(game), steps).await.map(|(game, _)| game)
}

/// Folds the given steps, then the missing ones up to a version, slice by slice. Nothing if they end before it: the
/// game was removed meanwhile.
async fn fold_to(
    store: &dyn Store,
    catalog: Catalog,
    id: GameId,
    mut game: Option<Game>,
    mut steps: Vec<Step>,
    version: u64,
) -> Result<Option<(Game, Option<Step>)>, StoreError> {
    let mut last = None;
    loop {
        if !steps.is_empty() {
            let (folded, step) = fold(catalog, id, game, steps).await?;
            (game, last) = (Some(folded), step);
        }
        let reached = game.as_ref().map_or(0, |game| game.version);
        if reached >= version {
            return Ok(game.map(|game| (game, last)));
        }
        let missing = usize::try_from(version - reached).unwrap_or(usize::MAX);
        steps = store.steps(id, reached, missing.min(STEPS_PER_READ)).await?;
        if steps.is_empty() {
            return Ok(None);
        }
    }
}

/// Folds steps onto a game, or builds the game from its first step if there is none yet. Also returns the last step.
async fn fold(
    catalog: Catalog,
    id: GameId,
    game: Option<Game>,
    mut steps: Vec<Step>,
) -> Result<(Game, Option<Step>), StoreError> {
    let is_long = steps.len() > INLINE;
    let work = move || {
        let game = match game {
            Some(game) => game.follow(&steps)?,
            None => Game::fold(catalog, id, &steps)?,
        };
        Ok((game, steps.pop()))
    };
    if !is_long {
        return work();
    }
    let folded = tokio::task::spawn_blocking(work).await;
    folded.map_err(|error| StoreError::Corrupt(format!("{id} can't be folded: {error}")))?
}
