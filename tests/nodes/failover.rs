//! Nothing acknowledged is lost, whichever process dies: three nodes, a primary with a synchronous standby, and a crowd.

use crate::crowd::Crowd;
use crate::fleet::{Fleet, is_ready};
use crate::proxy::{Link, Proxy};
use std::time::{Duration, Instant};
use test_support::postgres::{Cluster, Disk};

/// How long everything goes on between two blows.
const PEACE: Duration = Duration::from_secs(8);

async fn peace() {
    tokio::time::sleep(PEACE).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "slow: kills nodes and a database"]
async fn killing_nodes_and_then_the_primary_loses_nothing_that_was_acknowledged() {
    let primary = Cluster::start(Disk::Synced);
    primary.prepare();
    primary.database("games");
    let standby = primary.standby();
    let both = format!("postgres://postgres@127.0.0.1:{},127.0.0.1:{}/games", primary.port, standby.port);
    let fleet = Fleet::of(3, &both);
    let start = Instant::now();
    let crowd = Crowd::gather(&fleet.endpoints());
    for node in [0, 1] {
        peace().await;
        fleet.kill(node);
        peace().await;
        tokio::task::block_in_place(|| fleet.restart(node));
    }
    peace().await;
    let before = (crowd.ledger.count(), crowd.ledger.silence());
    // The old primary never serves again; the new one waits for nobody.
    tokio::task::block_in_place(|| {
        primary.kill();
        standby.promote();
    });
    assert_eq!(tokio::task::block_in_place(|| standby.ask("SHOW synchronous_standby_names")), "");
    peace().await;
    peace().await;
    let ledger = crowd.disperses().await;
    println!(
        "{:?}: {} moves acknowledged, {:?}; without service for {:?} when nodes were killed, {:?} when the primary was",
        start.elapsed(),
        ledger.count(),
        ledger.kinds(),
        before.1,
        ledger.silence(),
    );
    assert!(before.0 > 200 && ledger.count() > before.0 + 50, "there was something to lose, and it went on");
    ledger.check(&fleet.endpoints()).await;
    let said = tokio::task::block_in_place(|| fleet.command(&standby.url("games"), &["verify"]));
    assert!(said.contains("all is well"), "{said}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "slow: kills nodes and a database"]
async fn cutting_a_node_off_its_database_and_healing_the_link_loses_nothing() {
    let primary = Cluster::start(Disk::Synced);
    primary.prepare();
    let direct = primary.database("games");
    let proxy = Proxy::to(primary.port).await;
    let cut_off = format!("postgres://postgres@127.0.0.1:{}/games", proxy.port);
    let fleet = Fleet::start(vec![direct.clone(), direct.clone(), cut_off]);
    let crowd = Crowd::gather(&fleet.endpoints());
    for _ in 0..2 {
        peace().await;
        proxy.set(Link::Stalled);
        peace().await;
        proxy.set(Link::Cut);
        peace().await;
        proxy.set(Link::Whole);
    }
    peace().await;
    is_ready(&fleet.endpoint(2)).await;
    let ledger = crowd.disperses().await;
    println!("{} moves acknowledged, {:?}; without service for {:?}", ledger.count(), ledger.kinds(), ledger.silence());
    assert!(ledger.count() > 200, "there was something to lose");
    ledger.check(&fleet.endpoints()).await;
    let said = tokio::task::block_in_place(|| fleet.command(&direct, &["verify"]));
    assert!(said.contains("all is well"), "{said}");
}
