//! The store without the service: the appends of games that were played, made again through the port `Store`.

use super::progress::Bar;
use super::times::Times;
use super::{Bench, Result};
use ludotheque::games::ports::{Append, Appended, Head, ListQuery, Status, Store};
use ludotheque::games::step::Action;
use ludotheque::ids::GameId;
use ludotheque::store::sled::{Settings, SledStore};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

/// Games read from a store at a time, and all in all.
const PAGE: usize = 100;
const ENOUGH: usize = 1000;

/// What was appended for some games, in order.
pub struct Recorded {
    games: Vec<Vec<Append>>,
    /// Bytes of the mean append, as the store encodes it.
    pub bytes: usize,
}

impl Recorded {
    /// Reads games from the data folder of a server that has ended.
    pub fn read(bench: &Bench, data: &Path) -> Result<Self> {
        let store = SledStore::open(&data.join("store"), &Settings::default())?;
        let games = bench.runtime.block_on(read_games(store.as_ref()))?;
        store.close();
        let appends: Vec<_> = games.iter().flatten().collect();
        let bytes = appends.iter().map(|append| size(append)).sum::<Result<usize>>()?;
        Ok(Self { bytes: bytes / appends.len().max(1), games })
    }

    /// Concurrent writers, each appending one game after the other to a new store.
    pub fn append(self, bench: &Bench, folder: &Path) -> Result<Times> {
        let _bar = Bar::new("the store alone", bench.seconds);
        let store = SledStore::open(folder, &Settings::default())?;
        let (games, next) = (Arc::new(self.games), Arc::new(AtomicUsize::new(0)));
        let end = Instant::now() + bench.seconds;
        let writing = (0..bench.tables).map(|_| {
            let (store, games, next) = (store.clone(), games.clone(), next.clone());
            async move {
                let mut times = Vec::new();
                while Instant::now() < end {
                    let game = &games[next.fetch_add(1, Ordering::Relaxed) % games.len()];
                    append_game(store.as_ref(), game, end, &mut times).await?;
                }
                Ok(times)
            }
        });
        let times = bench.runtime.block_on(Times::of_all(writing))?;
        store.close();
        Ok(times)
    }
}

async fn append_game(store: &dyn Store, game: &[Append], end: Instant, times: &mut Vec<Duration>) -> Result<()> {
    let id = GameId::new();
    for append in game {
        let before = Instant::now();
        if before >= end {
            break;
        }
        let append = Append { game: id, ..append.clone() };
        match store.append(append).await? {
            Appended::Stored(_) => times.push(before.elapsed()),
            refused => return Err(format!("{refused:?}").into()),
        }
    }
    Ok(())
}

async fn read_games(store: &dyn Store) -> Result<Vec<Vec<Append>>> {
    let mut games = Vec::new();
    let mut before = None;
    while games.len() < ENOUGH {
        let page = store.list(ListQuery { before, limit: PAGE, ..ListQuery::default() }).await?;
        let Some((last, _)) = page.last() else { break };
        before = Some(*last);
        for (id, head) in page {
            games.push(read_game(store, id, &head).await?);
        }
    }
    if games.is_empty() { Err("no game was played".into()) } else { Ok(games) }
}

/// The appends that led to a game. Heads in between are made from the last one; so are snapshots.
async fn read_game(store: &dyn Store, game: GameId, last: &Head) -> Result<Vec<Append>> {
    let snapshot = store.load(game).await?.and_then(|stored| stored.snapshot);
    let mut status = Status::Lobby;
    let appends = store.steps(game, 0, usize::MAX).await?.into_iter().map(|step| {
        if matches!(step.action, Action::Start | Action::Begin { .. }) {
            status = Status::Active;
        }
        let is_last = step.version == last.version;
        let head = Head {
            version: step.version,
            status: if is_last { last.status } else { status },
            updated_at: step.at,
            ..last.clone()
        };
        let snapshot = snapshot.clone().filter(|_| step.version.is_multiple_of(16));
        Append { game, expected: step.version - 1, step, head, snapshot, command: None, epoch: 1 }
    });
    Ok(appends.collect())
}

fn size(append: &Append) -> Result<usize> {
    let step = postcard::to_stdvec(&append.step)?.len() + postcard::to_stdvec(&append.head)?.len();
    Ok(step + append.snapshot.as_ref().map_or(0, Vec::len))
}
