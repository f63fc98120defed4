//! kill -9 in the middle of twenty busy tables: each goes on from its last acknowledged move, and streams resume without
//! a gap.

use super::client::{self, Diary, Manner, Outcome};
use super::{Race, seven, some_options};
use crate::api::crashes::crowd::{Watched, watch};
use futures::future::join_all;
use serde_json::Value;
use std::sync::Arc;
use std::time::Duration;
use test_support::{Endpoint, Program, dice};
use tokio::sync::Semaphore;
use tokio::task::JoinHandle;

const TABLES: usize = 20;
const CRASHES: u64 = 3;
/// How many moves are acknowledged before a crash.
const BUSY: u32 = 150;
/// Far longer than that takes; only there so that a defect ends the test.
const PATIENCE: Duration = Duration::from_secs(90);

/// A table at work, until the server dies or the game is over.
struct Busy {
    players: Vec<JoinHandle<Diary>>,
    stream: JoinHandle<Watched>,
}

impl Busy {
    fn at(table: &Watched, luck: u64, acknowledged: &Arc<Semaphore>) -> Self {
        let players = table.players.iter().cloned().enumerate().map(|(seat, player)| {
            let manner = Manner { patience: 50, acknowledged: Some(Arc::clone(acknowledged)), ..Manner::default() };
            tokio::spawn(client::plays(player, table.game.clone(), seat, dice(luck * 10 + seat as u64), manner))
        });
        Self { players: players.collect(), stream: tokio::spawn(watch(table.clone())) }
    }

    /// What the table looked like to its stream, and what its players were told.
    async fn remembers(self) -> (Watched, Vec<Diary>) {
        let diaries = join_all(self.players).await.into_iter();
        let diaries = diaries.map(|diary| diary.expect("nothing but the crash went wrong")).collect();
        (self.stream.await.expect("no gap, and none twice"), diaries)
    }
}

/// Every acknowledged move of the diary is in the log, at its version, by that seat.
fn check_acknowledged(log: &[Value], diary: &Diary) {
    for operation in &diary.operations {
        if let Outcome::Accepted(version) = operation.outcome {
            let step = log.get(usize::try_from(version - 1).expect("few steps"));
            let step = step.unwrap_or_else(|| panic!("version {version} is lost"));
            assert_eq!((step["version"].as_u64(), step["seat"].as_u64()), (Some(version), Some(diary.seat as u64)));
        }
    }
}

/// Comes back to a server that has just started: everything acknowledged and everything shown is still there. Games
/// that are over are replaced by new ones.
async fn arrive(endpoint: &Endpoint, remembered: Vec<(Watched, Vec<Diary>)>, round: u64) -> Vec<Watched> {
    let mut tables = Vec::new();
    for (mut table, diaries) in remembered {
        let log = endpoint.anybody().reads_events(&table.game, 1000).await;
        assert!(log.starts_with(&table.seen), "what the stream of {} showed is still true", table.game);
        for diary in &diaries {
            check_acknowledged(&log, diary);
        }
        table.players.iter_mut().for_each(|player| player.endpoint = endpoint.clone());
        if endpoint.anybody().sees(&table.game).await["status"] == "ACTIVE" {
            tables.push(table);
        }
    }
    for number in tables.len()..TABLES {
        let players = seven(endpoint).await;
        let table = Race::laid(&players[..3 + number % 5], some_options(round * 100 + number as u64)).await;
        tables.push(Watched { game: table.game, players: table.players, seen: Vec::new() });
    }
    tables
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "slow: kills servers, over and over"]
async fn twenty_busy_loading_tables_go_on_after_kill_9_from_their_last_acknowledged_move() {
    let data = tempfile::tempdir().expect("a folder");
    let mut remembered = Vec::new();
    for round in 0..CRASHES {
        let program = Program::unlimited(data.path());
        let tables = arrive(&program, std::mem::take(&mut remembered), round).await;
        let acknowledged = Arc::new(Semaphore::new(0));
        let busy: Vec<_> =
            tables.iter().zip(round * 100..).map(|(table, n)| Busy::at(table, n, &acknowledged)).collect();
        let busy_enough = tokio::time::timeout(PATIENCE, acknowledged.acquire_many(BUSY)).await;
        busy_enough.expect("the tables are busy").expect("it is never closed").forget();
        program.kill();
        let all = join_all(busy.into_iter().map(Busy::remembers));
        remembered = tokio::time::timeout(PATIENCE, all).await.expect("everybody notices that the server is gone");
    }
    // The last time everybody plays to the end, and every log is checked as a whole.
    let program = Program::unlimited(data.path());
    let tables = arrive(&program, remembered, CRASHES).await;
    let resumed = tables.iter().filter(|table| !table.seen.is_empty()).count();
    assert!(resumed > 0, "some games went on after a crash");
    let acknowledged = Arc::new(Semaphore::new(0));
    let busy = tables.iter().zip(900..).map(|(table, n)| Busy::at(table, n, &acknowledged).remembers());
    for (watched, _) in join_all(busy.collect::<Vec<_>>()).await {
        let log = program.anybody().reads_events(&watched.game, 1000).await;
        assert_eq!(watched.seen, log, "the stream resumed without a gap");
        Race { game: watched.game, players: watched.players }.log().await;
    }
}
