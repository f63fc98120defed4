//! How long tokens are good for, and what ends them.

use crate::identity::node::{Node, bearer, is_bad};
use axum::http::HeaderMap;
use futures::join;
use jsonwebtoken::{Algorithm, DecodingKey, Validation, decode, decode_header};
use ludotheque::auth::{AuthError, Keys, LEEWAY, LastTokens, Secret};
use ludotheque::players::{PlayerError, Tokens};
use ludotheque::rules::Instant;
use std::{sync::atomic::Ordering, time::Duration};

const LIFETIME: Duration = Duration::from_mins(15);
const SECOND: Duration = Duration::from_secs(1);

#[tokio::test]
async fn a_token_tells_who_calls_and_none_tells_nobody() {
    let node = Node::new().await;
    let ada = node.guest().await;
    let caller = node.caller(&ada).await;
    assert_eq!(caller.player, ada.player.id);
    assert_eq!(ada.expires_in, LIFETIME);
    assert_eq!(node.identity.authenticate(&HeaderMap::new(), None).await.unwrap(), None);
}

#[tokio::test]
async fn a_token_ends_when_its_time_is_over_though_it_was_verified_before() {
    let node = Node::new().await;
    let ada = node.guest().await;
    let caller = node.caller(&ada).await;
    node.passes(LIFETIME + LEEWAY.saturating_sub(2 * SECOND));
    assert_eq!(node.caller(&ada).await, caller);
    node.passes(3 * SECOND);
    assert!(is_bad(&node.who(&ada.access_token).await));
    assert!(matches!(node.identity.check(&caller).await, Err(AuthError::BadToken)));
}

#[tokio::test]
async fn a_sign_out_is_seen_by_a_token_that_was_verified_before() {
    let node = Node::new().await;
    let (ada, bob) = (node.guest().await, node.guest().await);
    let caller = node.caller(&ada).await;
    node.players.sign_out(&caller).await.unwrap();
    assert!(is_bad(&node.who(&ada.access_token).await));
    assert!(is_bad(&node.twin().authenticate(&bearer(ada.access_token.expose()), None).await));
    assert!(matches!(node.refresh(&ada).await, Err(PlayerError::BadRefreshToken)));
    node.caller(&bob).await;
}

#[tokio::test]
async fn a_sign_out_is_seen_by_a_request_that_asked_the_store_just_before_it() {
    let node = Node::new().await;
    let ada = node.guest().await;
    let caller = node.twin().authenticate_token(ada.access_token.expose()).await.unwrap();
    let late = node.store.late.lock().await;
    let ((), answer) = join!(
        async {
            node.store.held_back.notified().await;
            node.players.sign_out(&caller).await.unwrap();
            drop(late);
        },
        node.who(&ada.access_token)
    );
    assert!(is_bad(&answer));
    assert!(is_bad(&node.who(&ada.access_token).await));
}

#[tokio::test]
async fn a_deletion_is_seen_by_all_requests_after_one_that_asked_the_store_just_before_it() {
    let node = Node::new().await;
    let ada = node.guest().await;
    let caller = node.twin().authenticate_token(ada.access_token.expose()).await.unwrap();
    let late = node.store.late.lock().await;
    let _either = join!(
        async {
            node.store.held_back.notified().await;
            node.players.delete(caller.player).await.unwrap();
            drop(late);
        },
        node.who(&ada.access_token)
    );
    assert!(is_bad(&node.who(&ada.access_token).await));
    assert!(matches!(node.identity.check(&caller).await, Err(AuthError::BadToken)), "nor is a stream told more");
}

#[tokio::test]
async fn signing_out_twice_is_fine() {
    let node = Node::new().await;
    let caller = node.caller(&node.guest().await).await;
    node.players.sign_out(&caller).await.unwrap();
    node.players.sign_out(&caller).await.unwrap();
}

#[tokio::test]
async fn what_is_no_refresh_token_refreshes_nothing() {
    let node = Node::new().await;
    let ada = node.guest().await;
    for text in ["", "refresh_", "refresh_AAAA", ada.access_token.expose()] {
        let answer = node.players.refresh(&Secret::new(text), None).await;
        assert!(matches!(answer, Err(PlayerError::BadRefreshToken)), "{text}");
    }
    let unknown = Node::new().await.guest().await;
    assert!(matches!(node.refresh(&unknown).await, Err(PlayerError::BadRefreshToken)));
    node.refresh(&ada).await.unwrap();
}

#[tokio::test]
async fn after_a_key_rotation_old_tokens_verify_and_new_ones_are_signed_by_the_new_key() {
    let node = Node::new().await;
    let before = node.guest().await;
    let new = node.keys.rotate().unwrap();
    let after = node.guest().await;
    let kid = |token: &Secret| decode_header(token.expose()).unwrap().kid.unwrap();
    assert_eq!(kid(&after.access_token), new);
    assert_ne!(kid(&before.access_token), new);
    for tokens in [&before, &after] {
        assert_eq!(node.caller(tokens).await.player, tokens.player.id);
        let twin = node.twin().authenticate_token(tokens.access_token.expose()).await.unwrap();
        assert_eq!(twin.player, tokens.player.id, "another node reads both keys");
    }
}

#[tokio::test]
async fn a_token_that_was_verified_before_ends_with_its_key() {
    let node = Node::new().await;
    let before = node.guest().await;
    node.caller(&before).await;
    let old = node.keys.list()[0].kid.clone();
    node.keys.rotate().unwrap();
    node.keys.remove(&old).unwrap();
    assert!(is_bad(&node.who(&before.access_token).await));
    node.caller(&node.refresh(&before).await.unwrap()).await;
}

#[tokio::test]
async fn a_connection_that_knows_a_token_asks_about_it_on_every_use() {
    let node = Node::new().await;
    let connection = LastTokens::default();
    let over_it = async |tokens: &Tokens| {
        node.identity.authenticate(&bearer(tokens.access_token.expose()), Some(&connection)).await
    };
    // The first token of a connection is not kept.
    let know = async |tokens: &Tokens| {
        for _ in 0..3 {
            assert_eq!(over_it(tokens).await.unwrap().unwrap().player, tokens.player.id);
        }
    };
    let [signed_out, expired, of_old_key] = [node.guest().await, node.guest().await, node.guest().await];
    for tokens in [&signed_out, &expired, &of_old_key, &signed_out] {
        know(tokens).await;
    }
    node.players.sign_out(&node.caller(&signed_out).await).await.unwrap();
    assert!(is_bad(&over_it(&signed_out).await));
    know(&expired).await;
    node.passes(LIFETIME + LEEWAY + SECOND);
    assert!(is_bad(&over_it(&expired).await));
    let of_old_key = node.refresh(&of_old_key).await.unwrap();
    know(&of_old_key).await;
    let old = node.keys.list()[0].kid.clone();
    node.keys.rotate().unwrap();
    node.keys.remove(&old).unwrap();
    assert!(is_bad(&over_it(&of_old_key).await));
}

#[tokio::test]
async fn keys_that_another_process_made_or_removed_are_noticed_without_a_restart() {
    let node = Node::new().await;
    let before = node.guest().await;
    let old = node.keys.list()[0].kid.clone();
    let other = Keys::open(node.data()).unwrap();
    let new = other.rotate().unwrap();
    node.identity.refresh().await;
    let after = node.guest().await;
    assert_eq!(decode_header(after.access_token.expose()).unwrap().kid.unwrap(), new);
    node.caller(&before).await;
    other.remove(&old).unwrap();
    node.identity.refresh().await;
    assert!(is_bad(&node.who(&before.access_token).await));
    node.caller(&after).await;
}

#[tokio::test]
async fn keys_are_read_again_whether_or_not_the_store_tells_its_time() {
    let node = Node::new().await;
    let new = Keys::open(node.data()).unwrap().rotate().unwrap();
    let _hangs = node.store.late.lock().await;
    tokio::select! {
        () = node.identity.refresh() => panic!("the store hangs"),
        () = node.store.held_back.notified() => {}
    }
    let guest = node.guest().await;
    assert_eq!(decode_header(guest.access_token.expose()).unwrap().kid.unwrap(), new);
}

#[tokio::test]
async fn anybody_can_check_our_tokens_with_the_published_keys() {
    let node = Node::new().await;
    let before = node.guest().await;
    node.keys.rotate().unwrap();
    let after = node.guest().await;
    let published = serde_json::to_string(&node.identity.jwks()).unwrap();
    let set: jsonwebtoken::jwk::JwkSet = serde_json::from_str(&published).unwrap();
    assert_eq!(set.keys.len(), 2);
    let mut validation = Validation::new(Algorithm::EdDSA);
    validation.set_audience(&["ludotheque"]);
    for tokens in [&before, &after] {
        let token = tokens.access_token.expose();
        let jwk = set.find(&decode_header(token).unwrap().kid.unwrap()).expect("its key is published");
        let claims = decode::<serde_json::Value>(token, &DecodingKey::from_jwk(jwk).unwrap(), &validation).unwrap();
        assert_eq!(claims.claims["sub"], tokens.player.id.to_string());
    }
}

#[tokio::test]
async fn a_store_that_does_not_answer_is_not_a_bad_token() {
    let node = Node::new().await;
    let ada = node.guest().await;
    node.store.broken.store(true, Ordering::Relaxed);
    assert!(matches!(node.who(&ada.access_token).await, Err(AuthError::Unavailable(_))));
    assert!(matches!(node.refresh(&ada).await, Err(PlayerError::Store(_))));
    node.store.broken.store(false, Ordering::Relaxed);
    node.caller(&ada).await;
    node.refresh(&ada).await.unwrap();
}

#[tokio::test]
async fn a_node_knows_how_far_its_clock_is_from_the_shared_stores() {
    let node = Node::new().await;
    node.identity.refresh().await;
    assert_eq!(node.identity.clock_ahead(), None, "nobody shares this store");
    *node.store.time.lock().unwrap() = Some(Instant(node.identity.now().0 - 60_000));
    node.identity.refresh().await;
    let ahead = node.identity.clock_ahead().expect("it was compared");
    assert!(ahead >= 60_000, "{ahead}");
    node.caller(&node.guest().await).await;
    // It is compared once a minute.
    *node.store.time.lock().unwrap() = Some(Instant(node.identity.now().0 + 600_000));
    node.identity.refresh().await;
    assert_eq!(node.identity.clock_ahead(), Some(ahead));
    node.passes(Duration::from_mins(1));
    node.identity.refresh().await;
    assert!(node.identity.clock_ahead().is_some_and(|ahead| ahead < 0));
}
