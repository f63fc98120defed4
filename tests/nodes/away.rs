//! The database is away: nothing wrong is ever answered, streams wait, and all goes on when it is back.

use crate::fleet::{Fleet, at};
use crate::postgres::{Cluster, Disk};
use crate::proxy::{Link, Proxy};
use crate::support::{Answer, dice};
use std::time::{Duration, Instant};

const AWAY: Duration = Duration::from_secs(10);
/// Far longer than a node needs to notice that its database is back.
const BACK: Duration = Duration::from_mins(1);

/// Refused for the time being, and told when to come back.
#[track_caller]
fn is_away(answer: &Answer) {
    answer.refused("UNAVAILABLE");
    assert_eq!(answer.status, 503);
    assert!(answer.header("retry-after").parse::<u64>().is_ok_and(|seconds| seconds > 0), "{answer:?}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_database_that_is_away_for_ten_seconds_costs_503s_and_nothing_else() {
    let cluster = Cluster::start(Disk::Lazy);
    cluster.prepare();
    let direct = cluster.database("games");
    let proxy = Proxy::to(cluster.port).await;
    let through = format!("postgres://postgres@127.0.0.1:{}/games", proxy.port);
    let fleet = Fleet::start(vec![through, direct]);
    let (away, there) = (fleet.door(0), fleet.door(1));
    let table = there.table(2).await;
    let mut stream = at(&away, &table.spectator()).follows(&table.game).await;
    for version in 1..=3 {
        assert_eq!(stream.next().await.expect("it goes on")["version"], version);
    }
    let ada = at(&away, &table.players[0]);
    let mv = ada.moves(&table.game).await[0].clone();

    let mut dice = dice(3);
    for link in [Link::Cut, Link::Stalled] {
        proxy.set(link);
        let start = Instant::now();
        while start.elapsed() < AWAY / 2 {
            is_away(&ada.looks_at(&table.game).await);
            is_away(&ada.plays(&table.game, &mv).key("key").await);
            is_away(&away.anybody().get("/readyz").await);
            assert_eq!(away.anybody().get("/livez").await.status, 200);
            // Elsewhere the game goes on.
            if !table.waiting().await.is_empty() {
                table.play_a_step(&mut dice).await;
            }
        }
        proxy.set(Link::Cut);
    }
    let missed = table.version().await;
    proxy.set(Link::Whole);
    // The stream was open all the time, and tells what it missed.
    let mut last = 3;
    while last < missed {
        let step = tokio::time::timeout(BACK, stream.next()).await.expect("it catches up").expect("it is open");
        assert_eq!(step["version"], last + 1, "no gap, and none twice");
        last += 1;
    }
    let start = Instant::now();
    while away.anybody().get("/readyz").await.status != 200 {
        assert!(start.elapsed() < BACK, "it comes back");
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
    let seen = ada.sees(&table.game).await;
    assert_eq!(seen["version"], there.anybody().sees(&table.game).await["version"]);
}
