//! Requests that are given up half-way, as a server does when its client hangs up: what the store was sent is written all
//! the same, and must be seen as soon as the store has answered.

use crate::identity::node::{Node, is_bad};
use ludotheque::players::Change;
use ludotheque::players::ports::PlayerStore;
use ludotheque::quota::Client;
use test_support::PATIENCE;
use tokio::task::yield_now;
use tokio::time::timeout;

/// Gives up some work when what it writes is in the store, which has not answered it yet; then lets the store answer.
async fn give_up<W: Future>(node: &Node, work: W) {
    let answers = node.store.late_writes.lock().await;
    let written = async {
        tokio::select! {
            _ = work => panic!("it ended before the store had answered it"),
            () = node.store.is_written.notified() => {}
        }
    };
    timeout(PATIENCE, written).await.expect("it is written");
    drop(answers);
}

/// Lets what goes on without its caller go on until something is so.
async fn until(is_so: impl AsyncFn() -> bool) {
    let going_on = async {
        while !is_so().await {
            yield_now().await;
        }
    };
    timeout(PATIENCE, going_on).await.expect("it comes to be so");
}

#[tokio::test]
async fn a_sign_out_that_is_given_up_ends_the_token() {
    let node = Node::new().await;
    let ada = node.guest().await;
    let (caller, family) = (node.caller(&ada).await, node.family(&ada).await);
    let before = node.identity.revocations();
    give_up(&node, node.players.sign_out(&caller)).await;
    let (_, family) = node.store.session(caller.player, family).await.unwrap();
    assert!(family.is_some_and(|family| family.revoked), "it is written");
    // On a store that others write to nothing is counted, and every request asks.
    until(async || before.is_none() || node.identity.revocations() != before).await;
    assert!(is_bad(&node.who(&ada.access_token).await));
}

#[tokio::test]
async fn a_name_whose_change_is_given_up_is_shown() {
    let node = Node::new().await;
    let caller = node.caller(&node.guest().await).await;
    let shown = async || {
        let profiles = node.players.public_profiles([caller.player]).await.unwrap();
        profiles[0].display_name.as_deref().map(str::to_owned)
    };
    assert_eq!(shown().await.as_deref(), Some("Ada"));
    let before = node.players.changes();
    let change = Change { display_name: Some("Augusta".into()), ..Change::default() };
    give_up(&node, node.players.change(&caller, change, &Client::default())).await;
    assert_eq!(node.store.player(caller.player).await.unwrap().unwrap().revision, 2, "it is written");
    until(async || shown().await.as_deref() == Some("Augusta")).await;
    assert!(before.is_none() || node.players.changes() != before, "pages with the old name are written again");
}

#[tokio::test]
async fn a_deletion_that_is_given_up_ends_every_token() {
    let node = Node::new().await;
    let ada = node.guest().await;
    let caller = node.caller(&ada).await;
    let before = node.identity.revocations();
    give_up(&node, node.players.delete(caller.player)).await;
    assert!(node.store.player(caller.player).await.unwrap().unwrap().deleted, "it is written");
    until(async || before.is_none() || node.identity.revocations() != before).await;
    assert!(is_bad(&node.who(&ada.access_token).await));
}
