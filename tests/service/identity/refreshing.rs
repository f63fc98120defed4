//! Refresh tokens: each is exchanged for the next, a lost answer can be asked for again, and a thief is noticed.

use crate::identity::node::{Node, is_bad};
use futures::future::join_all;
use ludotheque::auth::{Keys, Settings};
use ludotheque::players::{PlayerError, Players, Tokens};
use std::sync::Arc;
use std::time::Duration;

const SECOND: Duration = Duration::from_secs(1);
const MINUTE: Duration = Duration::from_mins(1);
const DAY: Duration = Duration::from_hours(24);

fn is_refused(answer: &Result<Tokens, PlayerError>) -> bool {
    matches!(answer, Err(PlayerError::BadRefreshToken))
}

/// None of a sign-in's tokens is good any more.
async fn has_ended(node: &Node, all: &[&Tokens]) {
    for tokens in all {
        assert!(is_refused(&node.refresh(tokens).await));
        assert!(is_bad(&node.who(&tokens.access_token).await));
    }
}

#[tokio::test]
async fn refreshing_gives_new_tokens_of_the_same_sign_in_and_the_old_access_token_lives_on() {
    let node = Node::new().await;
    let first = node.guest().await;
    let second = node.refresh(&first).await.unwrap();
    assert_eq!(second.player, first.player);
    assert!(second.refresh_token != first.refresh_token && second.access_token != first.access_token);
    assert_eq!(node.family(&second).await, node.family(&first).await);
    node.refresh(&second).await.unwrap();
}

#[tokio::test]
async fn a_lost_answer_to_a_refresh_can_be_asked_for_again_within_a_minute() {
    let node = Node::new().await;
    let (first, other) = (node.guest().await, node.guest().await);
    let lost = node.refresh(&first).await.unwrap();
    for key in [None, Some("another key than none"), None] {
        node.passes(15 * SECOND);
        let again = node.refresh_under(&first, key).await.unwrap();
        assert_eq!(again.refresh_token, lost.refresh_token);
        node.caller(&again).await;
    }
    node.passes(16 * SECOND);
    assert!(is_refused(&node.refresh(&first).await), "a minute is over");
    has_ended(&node, &[&first, &lost]).await;
    node.caller(&other).await;
    node.refresh(&other).await.unwrap();
}

#[tokio::test]
async fn a_lost_answer_can_be_asked_for_again_within_a_day_under_the_same_idempotency_key() {
    let node = Node::new().await;
    let first = node.guest().await;
    let lost = node.refresh_under(&first, Some("monday")).await.unwrap();
    for _ in 0..3 {
        node.passes(DAY.saturating_sub(3 * SECOND) / 3);
        let again = node.refresh_under(&first, Some("monday")).await.unwrap();
        assert_eq!(again.refresh_token, lost.refresh_token);
    }
    let next = node.refresh(&lost).await.unwrap();
    node.caller(&next).await;

    for (key, wait) in [(Some("tuesday"), 2 * MINUTE), (None, 2 * MINUTE), (Some("monday"), DAY + SECOND)] {
        let first = node.guest().await;
        let lost = node.refresh_under(&first, Some("monday")).await.unwrap();
        node.passes(wait);
        assert!(is_refused(&node.refresh_under(&first, key).await), "{key:?} after {wait:?}");
        has_ended(&node, &[&lost]).await;
    }
    let first = node.guest().await;
    node.refresh(&first).await.unwrap();
    node.passes(2 * MINUTE);
    assert!(is_refused(&node.refresh_under(&first, Some("monday")).await), "no key is not any key");
}

#[tokio::test]
async fn once_its_successor_was_used_a_refresh_token_used_again_ends_the_whole_family() {
    let node = Node::new().await;
    for key in [None, Some("monday")] {
        let first = node.guest().await;
        let second = node.refresh_under(&first, key).await.unwrap();
        let third = node.refresh_under(&second, key).await.unwrap();
        node.caller(&third).await;
        assert!(is_refused(&node.refresh_under(&first, key).await));
        has_ended(&node, &[&first, &second, &third]).await;
    }
}

#[tokio::test]
async fn of_many_uses_at_once_all_get_the_same_successor() {
    let node = Node::new().await;
    let ada = node.guest().await;
    // Another node, with the same store and other signing keys.
    let keys = tempfile::tempdir().unwrap();
    let identity = node.twin_with_keys(Keys::open(keys.path()).unwrap());
    let elsewhere = Players::new(node.store.clone(), Arc::new(identity));
    let (here, there) = tokio::join!(
        join_all((0..10).map(|_| node.refresh(&ada))),
        join_all((0..10).map(|_| elsewhere.refresh(&ada.refresh_token, None)))
    );
    let answers: Vec<_> = here.into_iter().chain(there).map(Result::unwrap).collect();
    assert!(answers.iter().all(|answer| answer.refresh_token == answers[0].refresh_token));
    node.caller(&answers[0]).await;
    node.refresh(&answers[0]).await.unwrap();
}

#[tokio::test]
async fn a_retry_is_no_way_around_a_sign_out() {
    let node = Node::new().await;
    let first = node.guest().await;
    let second = node.refresh_under(&first, Some("monday")).await.unwrap();
    node.players.sign_out(&node.caller(&second).await).await.unwrap();
    for key in [None, Some("monday")] {
        assert!(is_refused(&node.refresh_under(&first, key).await));
    }
}

#[tokio::test]
async fn a_refresh_token_lasts_as_long_as_is_set_and_each_use_starts_that_anew() {
    for days in [30, 2] {
        let refresh_lifetime = days * DAY;
        let node = Node::with(Settings { refresh_lifetime, ..Settings::default() }).await;
        let mut tokens = node.guest().await;
        for _ in 0..3 {
            node.passes(refresh_lifetime.saturating_sub(MINUTE));
            tokens = node.refresh(&tokens).await.unwrap();
        }
        node.passes(refresh_lifetime + SECOND);
        assert!(is_refused(&node.refresh(&tokens).await));
    }
    assert_eq!(Settings::default().refresh_lifetime, 30 * DAY);
}
