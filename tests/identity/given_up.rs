//! Requests that are given up half-way, as a server does when its client hangs up: what the store was sent is written all
//! the same, and must be seen at once.

use crate::support::{Node, is_bad};
use futures::poll;
use ludotheque::players::Change;
use ludotheque::players::ports::PlayerStore;
use ludotheque::quota::Client;
use std::time::Duration;
use tokio::task::yield_now;
use tokio::time::{sleep, timeout};

/// Far longer than a write takes; only there so that a defect ends a test.
const PATIENCE: Duration = Duration::from_mins(1);
/// How often a test is begun again because the request had ended before it could be given up.
const ATTEMPTS: usize = 20;

/// Goes on with some work until its write is in the store, and then gives it up; false if it was too fast for that.
async fn give_up<W: Future>(work: W, is_written: impl AsyncFn() -> bool) -> bool {
    let mut work = Box::pin(work);
    let until_written = async {
        while !is_written().await {
            if poll!(&mut work).is_ready() {
                return false;
            }
            // What the work has spawned sends its write; reads that are quick would never let it.
            yield_now().await;
            // Time for the store alone.
            std::thread::sleep(Duration::from_millis(50));
        }
        true
    };
    timeout(PATIENCE, until_written).await.expect("it is written")
}

/// Waits until something is so.
async fn until(is_so: impl AsyncFn() -> bool) {
    let waiting = async {
        while !is_so().await {
            sleep(Duration::from_millis(1)).await;
        }
    };
    timeout(PATIENCE, waiting).await.expect("it comes to be so");
}

#[tokio::test]
async fn a_sign_out_that_is_given_up_ends_the_token() {
    let node = Node::new().await;
    for _ in 0..ATTEMPTS {
        let ada = node.guest().await;
        let caller = node.caller(&ada).await;
        let family = node.family(&ada).await;
        let before = node.identity.revocations();
        let written =
            async || node.store.session(caller.player, family).await.unwrap().1.is_some_and(|family| family.revoked);
        if give_up(node.players.sign_out(&caller), written).await {
            // On a store that others write to nothing is counted, and every request asks.
            until(async || before.is_none() || node.identity.revocations() != before).await;
            assert!(is_bad(&node.who(&ada.access_token).await));
            return;
        }
    }
    panic!("it was never given up");
}

#[tokio::test]
async fn a_name_whose_change_is_given_up_is_shown() {
    let node = Node::new().await;
    for _ in 0..ATTEMPTS {
        let caller = node.caller(&node.guest().await).await;
        let shown = async || {
            let profiles = node.players.public_profiles([caller.player]).await.unwrap();
            profiles[0].display_name.as_deref().map(str::to_owned)
        };
        assert_eq!(shown().await.as_deref(), Some("Ada"));
        let before = node.players.changes();
        let change = Change { display_name: Some("Augusta".into()), ..Change::default() };
        let written = async || node.store.player(caller.player).await.unwrap().unwrap().revision == 2;
        if give_up(node.players.change(&caller, change, &Client::default()), written).await {
            until(async || shown().await.as_deref() == Some("Augusta")).await;
            assert!(before.is_none() || node.players.changes() != before, "pages with the old name are written anew");
            return;
        }
    }
    panic!("it was never given up");
}

#[tokio::test]
async fn a_deletion_that_is_given_up_ends_every_token() {
    let node = Node::new().await;
    for _ in 0..ATTEMPTS {
        let ada = node.guest().await;
        let caller = node.caller(&ada).await;
        let before = node.identity.revocations();
        let written = async || node.store.player(caller.player).await.unwrap().unwrap().deleted;
        if give_up(node.players.delete(caller.player), written).await {
            until(async || before.is_none() || node.identity.revocations() != before).await;
            assert!(is_bad(&node.who(&ada.access_token).await));
            return;
        }
    }
    panic!("it was never given up");
}
