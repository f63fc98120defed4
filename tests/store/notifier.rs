//! Announcements between nodes: followers of all games on one node receive what another publishes.

use ludotheque::games::ports::{Announcement, Notifier};
use ludotheque::ids::GameId;
use ludotheque::store::postgres::{PostgresNotifier, Settings};
use std::time::Duration;
use test_support::postgres::{database, sql};
use tokio::sync::broadcast::Receiver;

/// Far longer than an announcement takes, and shorter than it takes until everybody looks again by themselves.
const PATIENCE: Duration = Duration::from_secs(20);

async fn next(heard: &mut Receiver<Announcement>) -> Announcement {
    tokio::time::timeout(PATIENCE, heard.recv()).await.expect("something is announced").unwrap()
}

/// Publishes until it is heard: what is published before the other node listens is lost.
async fn hears(there: &PostgresNotifier, heard: &mut Receiver<Announcement>) {
    let game = GameId::new();
    for version in 1..=100 {
        there.publish(game, version);
        let wait = tokio::time::timeout(Duration::from_millis(200), async {
            while next(heard).await != Announcement::Of(game) {}
        });
        if wait.await.is_ok() {
            return;
        }
    }
    panic!("nothing is heard of the other node");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn whoever_follows_all_games_hears_of_other_nodes_steps_and_of_having_missed_some() {
    let url = database();
    let [here, there] = [(); 2].map(|()| PostgresNotifier::start(&Settings::new(&url)).unwrap());
    let mut heard = here.subscribe_to_all();
    hears(&there, &mut heard).await;

    // Of this database only: other tests use the same server.
    let own = "application_name = 'ludotheque' AND datname = current_database()";
    sql(&url, &format!("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE {own}"));
    // Whatever was announced while the connection was gone may have been missed.
    while next(&mut heard).await != Announcement::Missed {}
    hears(&there, &mut heard).await;
}
