//! To whom a player of another issuer belongs: to that issuer, until the account is deleted, and then to nobody.

use crate::backend::Backend;
use crate::identity::issuers::{meet, player};
use crate::identity::node::{Node, bearer, is_bad};
use ludotheque::auth::{LEEWAY, Secret, Settings};
use ludotheque::players::ports::PlayerStore;
use ludotheque::players::{Change, PlayerError};
use ludotheque::quota::Client;
use serde_json::json;
use std::time::Duration;

const SECOND: Duration = Duration::from_secs(1);

fn password() -> Secret {
    Secret::new("correct horse")
}

/// What makes an account with a password.
fn account() -> Change {
    Change { username: Some("zoe".into()), password: Some(password()), ..Change::default() }
}

#[tokio::test]
async fn a_deleted_user_comes_back_as_a_new_player_and_only_with_a_token_that_can_not_be_older() {
    let (node, backend) = meet().await;
    // The backend's clock may be ahead of ours, and a node's ahead of this one's, by the leeway each: a token that was
    // taken before the deletion may bear a time ten seconds after it.
    let ages = [3600 - 5, 1, 0, -1, -2, -3, -4, -5, -6, -7, -8, -9];
    let old = ages.map(|age| backend.token("zoë", node.now() - age));
    let zoe = player(&node, &old[2]).await;
    node.players.delete(zoe).await.unwrap();
    for old in &old {
        assert!(is_bad(&node.who(old).await));
        assert!(is_bad(&node.twin().authenticate(&bearer(old.expose()), None).await), "on a node that never saw it");
    }
    let left = node.store.player(zoe).await.unwrap().expect("its id stays");
    assert!(left.subject.is_none() && left.display_name.is_empty(), "{left:?}");
    node.passes(LEEWAY + SECOND);
    for old in &old {
        assert!(is_bad(&node.who(old).await), "nor later, when none of them is dated too far ahead any more");
    }
    node.passes(LEEWAY);
    let again = player(&node, &backend.token("zoë", node.now())).await;
    assert_ne!(again, zoe);
    for old in &old {
        assert!(is_bad(&node.who(old).await), "the old tokens are not the new player's");
    }
    assert_eq!(player(&node, &backend.token("zoë", node.now())).await, again);
}

#[tokio::test]
async fn a_user_of_another_issuer_gets_no_password_here_unless_its_entry_allows_it() {
    let (node, backend) = meet().await;
    let caller = node.who(&backend.token("zoë", node.now())).await.unwrap().unwrap();
    let only = |username: Option<&str>| Change { username: username.map(Into::into), ..Change::default() };
    for (change, at) in [(account(), "password"), (only(Some("zoe")), "username")] {
        let refused = node.players.change(&caller, change, &Client::default()).await.unwrap_err();
        assert_eq!(refused.message().unwrap().key, "player-password-not-allowed", "{refused}");
        assert!(matches!(refused, PlayerError::Invalid { field, .. } if field == at), "{refused}");
    }
    let named = Change { display_name: Some("Zoë".into()), ..Change::default() };
    node.players.change(&caller, named, &Client::default()).await.unwrap();
    let refused = node.players.sign_in("zoe", password(), &Client::default()).await;
    assert!(matches!(refused, Err(PlayerError::BadCredentials)));
}

/// A node that trusts one backend, whose entry allows passwords.
async fn meet_generous() -> (Node, Backend) {
    let backend = Backend::start("https://backend.example").await;
    let settings = Backend::trusted_with(&backend, &json!({"allowPasswords": true}));
    (Node::with(settings).await, backend)
}

#[tokio::test]
async fn a_user_whose_issuer_allows_it_can_have_a_password_and_stays_the_same_player() {
    let (node, backend) = meet_generous().await;
    let token = backend.token("zoë", node.now());
    let caller = node.who(&token).await.unwrap().unwrap();
    node.players.change(&caller, account(), &Client::default()).await.unwrap();
    let tokens = node.players.sign_in("zoe", password(), &Client::default()).await.unwrap();
    assert_eq!(tokens.player.id, caller.player);
    node.caller(&node.refresh(&tokens).await.unwrap()).await;
    assert_eq!(player(&node, &token).await, caller.player, "a password is no matter of the backend's");
    node.players.delete(caller.player).await.unwrap();
    assert!(is_bad(&node.who(&token).await) && is_bad(&node.who(&tokens.access_token).await));
    let refused = node.players.sign_in("zoe", password(), &Client::default()).await;
    assert!(matches!(refused, Err(PlayerError::BadCredentials)));
}

#[tokio::test]
async fn passwords_that_are_allowed_no_more_and_all_that_follows_from_them_end_with_the_permission() {
    let (node, backend) = meet_generous().await;
    let token = backend.token("zoë", node.now());
    let caller = node.who(&token).await.unwrap().unwrap();
    node.players.change(&caller, account(), &Client::default()).await.unwrap();
    let tokens = node.players.sign_in("zoe", password(), &Client::default()).await.unwrap();
    for settings in [Backend::trusted(&[&backend]), Settings::default()] {
        let stricter = node.restarted_with(settings);
        let refused = stricter.players.sign_in("zoe", password(), &Client::default()).await;
        assert!(matches!(refused, Err(PlayerError::BadCredentials)));
        assert!(matches!(stricter.refresh(&tokens).await, Err(PlayerError::BadRefreshToken)));
        assert!(is_bad(&stricter.who(&tokens.access_token).await));
    }
    node.caller(&tokens).await;
    assert_eq!(player(&node, &token).await, caller.player);
}
