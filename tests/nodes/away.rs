//! The database is away: nothing wrong is ever answered, streams wait, and all goes on when it is back.

use crate::fleet::{Fleet, MINE, is_ready};
use crate::proxy::{Link, Proxy};
use serde_json::json;
use std::time::{Duration, Instant};
use test_support::Socket;
use test_support::graphql::{listen, next};
use test_support::postgres::{Cluster, Disk};
use test_support::{Answer, dice};

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

/// Two nodes, the first of which can be cut off its database.
struct Nodes {
    proxy: Proxy,
    fleet: Fleet,
    _cluster: Cluster,
}

impl Nodes {
    async fn start() -> Self {
        let cluster = Cluster::start(Disk::Lazy);
        cluster.prepare();
        let direct = cluster.database("games");
        let proxy = Proxy::to(cluster.port).await;
        let through = format!("postgres://postgres@127.0.0.1:{}/games", proxy.port);
        Self { proxy, fleet: Fleet::start(vec![through, direct]), _cluster: cluster }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "slow: a database is away"]
async fn a_database_that_is_away_for_ten_seconds_costs_503s_and_nothing_else() {
    let Nodes { proxy, fleet, _cluster } = Nodes::start().await;
    let (away, there) = (fleet.endpoint(0), fleet.endpoint(1));
    let table = there.table(2).await;
    let mut stream = table.spectator().at(&away).follows(&table.game).await;
    for version in 1..=3 {
        assert_eq!(stream.next().await.expect("it goes on")["version"], version);
    }
    let ada = table.players[0].at(&away);
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
    is_ready(&away).await;
    let seen = ada.sees(&table.game).await;
    assert_eq!(seen["version"], there.anybody().sees(&table.game).await["version"]);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "slow: a database is away"]
async fn graphql_streams_outlast_a_database_that_is_away_and_operations_are_refused_meanwhile() {
    let Nodes { proxy, fleet, _cluster } = Nodes::start().await;
    let away = fleet.endpoint(0);
    let table = fleet.endpoint(1).table(2).await;
    let ada = table.players[0].at(&away);
    let events = format!("subscription {{ gameEvents(gameId: {:?}) {{ version }} }}", table.game);
    let mut steps = listen(&ada, &events, json!({})).await;
    let mut mine = listen(&ada, MINE, json!({})).await;
    let mut socket = Socket::open(away.address()).await;
    let authorization = format!("Bearer {}", ada.token.as_deref().expect("a token"));
    socket.says(json!({"type": "connection_init", "payload": {"authorization": authorization}})).await;
    assert_eq!(socket.hears().await["type"], "connection_ack");
    socket.subscribes("steps", &events).await;
    for version in 1..=3 {
        assert_eq!(next(&mut steps).await.expect("it goes on")["data"]["gameEvents"]["version"], version);
        assert_eq!(socket.hears_next("steps").await["gameEvents"]["version"], version);
    }
    assert_eq!(next(&mut mine).await.expect("it goes on")["data"]["myGames"]["game"]["version"], 3);

    let mut dice = dice(5);
    for (number, link) in [Link::Cut, Link::Stalled].into_iter().enumerate() {
        proxy.set(link);
        for _ in 0..3 {
            let id = format!("look {number}");
            socket.subscribes(&id, "{ me { id } }").await;
            assert_eq!(socket.hears_error(&id).await[0]["extensions"]["code"], "UNAVAILABLE");
            table.play_a_step(&mut dice).await;
        }
        proxy.set(Link::Cut);
    }
    let missed = table.version().await;
    proxy.set(Link::Whole);
    for version in 4..=missed {
        assert_eq!(next(&mut steps).await.expect("it is open")["data"]["gameEvents"]["version"], version);
        assert_eq!(socket.hears_next("steps").await["gameEvents"]["version"], version);
    }
    while next(&mut mine).await.expect("it is open")["data"]["myGames"]["game"]["version"] != missed {}
}
