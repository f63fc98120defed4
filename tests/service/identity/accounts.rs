//! Guests, accounts, passwords and profiles.

use crate::identity::node::{Node, bearer, is_bad};
use base64::{Engine, prelude::BASE64_URL_SAFE_NO_PAD};
use futures::join;
use ludotheque::auth::{Caller, Secret, sha256};
use ludotheque::ids::PlayerId;
use ludotheque::players::ports::PlayerStore;
use ludotheque::players::{Change, PlayerError, Tokens};
use ludotheque::quota::Client;
use std::time::Duration;

/// A client on this machine.
static HERE: Client = Client { address: None, player: None };

const PASSWORD: &str = "correct horse";

async fn account(node: &Node, username: &str) -> Tokens {
    node.players.register_account("Ada", username, Secret::new(PASSWORD), &HERE).await.unwrap()
}

async fn sign_in(node: &Node, username: &str, password: &str) -> Result<Tokens, PlayerError> {
    node.players.sign_in(username, Secret::new(password), &HERE).await
}

fn renamed(name: &str) -> Change {
    Change { display_name: Some(name.into()), ..Change::default() }
}

/// The field that was refused, and the key of the sentence that says why.
fn refusal<T>(answer: Result<T, PlayerError>) -> Option<(&'static str, String)> {
    match answer {
        Err(PlayerError::Invalid { field, message }) => Some((field, message.key.into_owned())),
        _ => None,
    }
}

#[tokio::test]
async fn an_account_signs_in_with_its_username_in_any_case() {
    let node = Node::new().await;
    let ada = account(&node, "Ada.L").await;
    assert_eq!(ada.player.username.as_deref(), Some("Ada.L"));
    for username in ["Ada.L", "ada.l", "ADA.L"] {
        let again = sign_in(&node, username, PASSWORD).await.unwrap();
        assert_eq!(again.player, ada.player);
        assert_ne!(node.family(&again).await, node.family(&ada).await, "a sign-in of its own");
    }
}

#[tokio::test]
async fn a_wrong_password_and_an_unknown_username_get_the_same_answer() {
    let node = Node::new().await;
    account(&node, "ada").await;
    let tries = [("ada", "correct house"), ("ada", ""), ("eve", PASSWORD), ("", ""), ("no such\u{0} name", PASSWORD)];
    for (username, password) in tries {
        let answer = sign_in(&node, username, password).await;
        assert!(matches!(answer, Err(PlayerError::BadCredentials)), "{username:?} {password:?}");
    }
}

#[tokio::test]
async fn a_username_belongs_to_one_player_whatever_its_case() {
    let node = Node::new().await;
    account(&node, "ada").await;
    let second = node.players.register_account("Eve", "ADA", Secret::new(PASSWORD), &HERE).await;
    assert!(matches!(second, Err(PlayerError::UsernameTaken)));
    let guest = node.guest().await;
    let change = Change { username: Some("Ada".into()), password: Some(Secret::new(PASSWORD)), ..renamed("Not kept") };
    let caller = node.caller(&guest).await;
    assert!(matches!(node.players.change(&caller, change, &HERE).await, Err(PlayerError::UsernameTaken)));
    assert_eq!(node.players.profile(guest.player.id).await.unwrap(), guest.player, "nothing of the change was made");
}

#[tokio::test]
async fn what_can_not_be_registered_says_which_field_and_why() {
    let node = Node::new().await;
    let register = async |name: &str, username: &str, password: &str| {
        refusal(node.players.register_account(name, username, Secret::new(password), &HERE).await).expect("a refusal")
    };
    assert_eq!(register(" ", "ada", PASSWORD).await, ("displayName", "player-display-name-length".into()));
    assert_eq!(register("A", "a b c", PASSWORD).await, ("username", "player-username-characters".into()));
    assert_eq!(register("A", "ada", "1234567").await, ("password", "player-password-length".into()));
    let guest = refusal(node.players.register_guest("a\u{202E}b", &HERE).await).expect("a refusal");
    assert_eq!(guest, ("displayName", "player-display-name-characters".into()));
    assert!(matches!(sign_in(&node, "ada", PASSWORD).await, Err(PlayerError::BadCredentials)), "nobody was registered");
}

#[tokio::test]
async fn the_store_keeps_hashes_of_passwords_and_refresh_tokens_only() {
    let node = Node::new().await;
    let ada = account(&node, "ada").await;
    let player = node.store.player(ada.player.id).await.unwrap().expect("registered");
    let family = node.store.family(node.family(&ada).await).await.unwrap().expect("signed in");
    assert!(player.password_hash.expect("an account has one").starts_with("$argon2id$"));
    let token = ada.refresh_token.expose().strip_prefix("refresh_").expect("its prefix");
    assert_eq!(family.token_hash, sha256(&BASE64_URL_SAFE_NO_PAD.decode(token).unwrap()));
}

#[tokio::test]
async fn a_guest_becomes_an_account_and_stays_the_same_player() {
    let node = Node::new().await;
    let guest = node.guest().await;
    let id = guest.player.id;
    let change = Change { username: Some("ada".into()), password: Some(Secret::new(PASSWORD)), ..Change::default() };
    let changed = node.players.change(&node.caller(&guest).await, change, &HERE).await.unwrap();
    assert_eq!((changed.username.as_deref(), changed.revision), (Some("ada"), 2));
    assert_eq!(sign_in(&node, "ada", PASSWORD).await.unwrap().player.id, id);
    node.caller(&guest).await;
}

#[tokio::test]
async fn a_guest_needs_both_a_username_and_a_password_to_become_an_account() {
    let node = Node::new().await;
    let caller = node.caller(&node.guest().await).await;
    let only = |username: Option<&str>, password: Option<&str>| Change {
        username: username.map(Into::into),
        password: password.map(Secret::new),
        ..Change::default()
    };
    let answer = node.players.change(&caller, only(Some("ada"), None), &HERE).await;
    assert_eq!(refusal(answer), Some(("password", "player-password-needed".into())));
    let answer = node.players.change(&caller, only(None, Some(PASSWORD)), &HERE).await;
    assert_eq!(refusal(answer), Some(("username", "player-username-needed".into())));
}

#[tokio::test]
async fn a_password_is_changed_by_whoever_knows_the_current_one() {
    let node = Node::new().await;
    let caller = node.caller(&account(&node, "ada").await).await;
    let change = |current: Option<&str>| Change {
        password: Some(Secret::new("a better one")),
        current_password: current.map(Secret::new),
        ..Change::default()
    };
    let field = "currentPassword";
    let answer = node.players.change(&caller, change(None), &HERE).await;
    assert_eq!(refusal(answer), Some((field, "player-current-password-needed".into())));
    let answer = node.players.change(&caller, change(Some("a guess")), &HERE).await;
    assert_eq!(refusal(answer), Some((field, "player-current-password-wrong".into())));
    sign_in(&node, "ada", PASSWORD).await.unwrap();

    node.players.change(&caller, change(Some(PASSWORD)), &HERE).await.unwrap();
    assert!(matches!(sign_in(&node, "ada", PASSWORD).await, Err(PlayerError::BadCredentials)));
    sign_in(&node, "ada", "a better one").await.unwrap();
}

fn new_password() -> Change {
    Change {
        password: Some(Secret::new("a better one")),
        current_password: Some(Secret::new(PASSWORD)),
        ..Change::default()
    }
}

#[tokio::test]
async fn a_new_password_signs_out_everywhere_else() {
    let node = Node::new().await;
    let first = account(&node, "ada").await;
    let here = sign_in(&node, "ada", PASSWORD).await.unwrap();
    let third = sign_in(&node, "ada", PASSWORD).await.unwrap();
    let (bystander, caller) = (node.guest().await, node.caller(&here).await);
    for other in [&first, &third] {
        node.caller(other).await;
    }
    node.players.change(&caller, new_password(), &HERE).await.unwrap();
    for other in [&first, &third] {
        assert!(is_bad(&node.who(&other.access_token).await));
        assert!(matches!(node.refresh(other).await, Err(PlayerError::BadRefreshToken)));
        assert!(is_bad(&node.twin().authenticate(&bearer(other.access_token.expose()), None).await));
    }
    for stays in [&here, &bystander, &sign_in(&node, "ada", "a better one").await.unwrap()] {
        node.caller(stays).await;
        node.caller(&node.refresh(stays).await.unwrap()).await;
    }
}

#[tokio::test]
async fn a_second_new_password_also_signs_out_where_the_first_was_set() {
    let node = Node::new().await;
    let first = account(&node, "ada").await;
    node.players.change(&node.caller(&first).await, new_password(), &HERE).await.unwrap();
    let second = sign_in(&node, "ada", "a better one").await.unwrap();
    let change = Change { current_password: Some(Secret::new("a better one")), ..new_password() };
    node.players.change(&node.caller(&second).await, change, &HERE).await.unwrap();
    assert!(is_bad(&node.who(&first.access_token).await));
    node.caller(&second).await;
}

#[tokio::test]
async fn another_name_or_username_signs_nobody_out() {
    let node = Node::new().await;
    let (first, second) = (account(&node, "ada").await, sign_in(&node, "ada", PASSWORD).await.unwrap());
    let change = Change { username: Some("grace".into()), password: None, ..new_password() };
    let caller = node.caller(&first).await;
    node.players.change(&caller, change, &HERE).await.unwrap();
    node.players.change(&caller, renamed("Grace"), &HERE).await.unwrap();
    node.caller(&second).await;
    node.refresh(&second).await.unwrap();
}

#[tokio::test]
async fn a_sign_in_with_the_old_password_at_the_moment_of_the_new_one_does_not_outlive_it() {
    let node = Node::new().await;
    let ada = account(&node, "ada").await;
    let caller = node.caller(&ada).await;
    let (changed, signed_in) =
        join!(node.players.change(&caller, new_password(), &HERE), sign_in(&node, "ada", PASSWORD));
    changed.unwrap();
    match signed_in {
        Ok(tokens) => assert!(is_bad(&node.who(&tokens.access_token).await)),
        Err(error) => assert!(matches!(error, PlayerError::BadCredentials)),
    }
}

#[tokio::test]
async fn a_deleted_account_is_signed_out_everywhere_and_leaves_its_username() {
    let node = Node::new().await;
    let (first, second) = (account(&node, "ada").await, sign_in(&node, "ada", PASSWORD).await.unwrap());
    for tokens in [&first, &second] {
        node.caller(tokens).await;
    }
    for _ in 0..2 {
        node.players.delete(first.player.id).await.unwrap();
    }
    for tokens in [&first, &second] {
        assert!(is_bad(&node.who(&tokens.access_token).await));
        assert!(matches!(node.refresh(tokens).await, Err(PlayerError::BadRefreshToken)));
    }
    let left = node.store.player(first.player.id).await.unwrap().expect("its id stays");
    assert!(left.deleted && left.display_name.is_empty() && left.username.is_none() && left.password_hash.is_none());
    assert_ne!(account(&node, "ada").await.player.id, first.player.id);
}

#[tokio::test]
async fn a_new_display_name_is_seen_at_once() {
    let node = Node::new().await;
    let caller = node.caller(&node.guest().await).await;
    let id = caller.player;
    let shown = async || {
        let profiles = node.players.public_profiles([id, id, PlayerId::new()]).await.unwrap();
        assert_eq!(profiles.len(), 1, "each player once, unknown ones not at all");
        let profile = profiles.iter().find(|profile| profile.id == id).unwrap();
        (profile.display_name.as_deref().unwrap().to_owned(), profile.revision)
    };
    assert_eq!(shown().await, ("Ada".into(), 1));
    let profile = node.players.change(&caller, renamed(" Grace "), &HERE).await.unwrap();
    assert_eq!(profile.display_name, "Grace");
    assert_eq!(shown().await, ("Grace".into(), 2));
}

#[tokio::test]
async fn two_changes_at_once_are_both_made() {
    let node = Node::new().await;
    let caller = node.caller(&node.guest().await).await;
    let upgrade = Change { username: Some("ada".into()), password: Some(Secret::new(PASSWORD)), ..Change::default() };
    let (renaming, upgrading) =
        join!(node.players.change(&caller, renamed("Grace"), &HERE), node.players.change(&caller, upgrade, &HERE));
    renaming.unwrap();
    upgrading.unwrap();
    let profile = node.players.profile(caller.player).await.unwrap();
    assert_eq!(
        (profile.display_name.as_str(), profile.username.as_deref(), profile.revision),
        ("Grace", Some("ada"), 3)
    );
}

#[tokio::test]
async fn nobody_has_no_profile() {
    let node = Node::new().await;
    assert!(matches!(node.players.profile(PlayerId::new()).await, Err(PlayerError::NoSuchPlayer)));
    let nobody = Caller { player: PlayerId::new(), ..node.caller(&node.guest().await).await };
    assert!(matches!(node.players.change(&nobody, renamed("X"), &HERE).await, Err(PlayerError::NoSuchPlayer)));
}

#[tokio::test]
async fn nothing_that_is_printed_holds_a_secret() {
    let node = Node::new().await;
    let ada = account(&node, "ada").await;
    let player = node.store.player(ada.player.id).await.unwrap().expect("registered");
    let change = Change {
        password: Some(Secret::new("a better one")),
        current_password: Some(Secret::new(PASSWORD)),
        ..Change::default()
    };
    let caller = node.caller(&ada).await;
    let refused = sign_in(&node, "ada", "a bad guess").await;
    let printed = format!("{ada:?} {player:?} {change:?} {caller:?} {refused:?}");
    assert!(printed.contains("Ada"), "it does print: {printed}");
    let hash = player.password_hash.as_deref().expect("an account has one");
    let (access, refresh) = (ada.access_token.expose(), ada.refresh_token.expose());
    for secret in [PASSWORD, "a better one", "a bad guess", hash, access, refresh] {
        assert!(!printed.contains(secret), "{secret} in {printed}");
    }
}

#[tokio::test]
async fn a_guest_who_was_removed_is_refused_like_one_who_signed_out() {
    let node = Node::new().await;
    let (guest, ada) = (node.guest().await, account(&node, "ada").await);
    node.caller(&guest).await;
    node.passes(Duration::from_secs(1));
    let swept = node.players.remove_idle_guests(Duration::ZERO, None).await.unwrap();
    assert_eq!((swept.removed, swept.next), (1, None));
    assert!(is_bad(&node.who(&guest.access_token).await), "at once, whatever was remembered");
    assert!(matches!(node.refresh(&guest).await, Err(PlayerError::BadRefreshToken)));
    assert!(node.refresh(&ada).await.is_ok());
}

#[tokio::test]
async fn a_sign_in_that_was_removed_is_refused_like_one_that_was_signed_out() {
    let node = Node::new().await;
    let (first, second) = (account(&node, "ada").await, sign_in(&node, "ada", PASSWORD).await.unwrap());
    node.players.sign_out(&node.caller(&first).await).await.unwrap();
    assert_eq!(node.players.remove_ended_sign_ins(None).await.unwrap().removed, 1);
    assert!(is_bad(&node.who(&first.access_token).await));
    assert!(matches!(node.refresh(&first).await, Err(PlayerError::BadRefreshToken)));
    assert!(node.refresh(&second).await.is_ok());
}
