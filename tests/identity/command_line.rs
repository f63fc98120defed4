//! What the command line does for tokens and keys, beside a server that runs.

use crate::support::{Node, bearer, is_bad};
use jsonwebtoken::decode_header;
use ludotheque::auth::{Refused, Settings};
use ludotheque::ids::PlayerId;
use std::process::{Command, Output};

/// Runs the program on a node's data.
fn run(node: &Node, arguments: &[&str]) -> Output {
    let mut program = Command::new(env!("CARGO_BIN_EXE_ludotheque"));
    program.env_remove("LUDOTHEQUE_DEV").env("LUDOTHEQUE_DATA", node.data()).args(arguments).output().unwrap()
}

/// What it says, if all went well.
fn said(output: &Output) -> String {
    assert!(output.status.success(), "{output:?}");
    String::from_utf8(output.stdout.clone()).unwrap().trim().to_owned()
}

async fn dev() -> Node {
    Node::with(Settings { dev: true, ..Settings::default() }).await
}

#[tokio::test]
async fn a_token_for_a_player_is_made_beside_the_running_server() {
    let node = dev().await;
    let ada = node.guest().await.player.id;
    let token = said(&run(&node, &["token", "--dev", &ada.to_string()]));
    let caller = node.identity.authenticate_token(&token).await.unwrap();
    assert_eq!(caller.player, ada);
    node.players.sign_out(&caller).await.unwrap();
    assert!(is_bad(&node.identity.authenticate(&bearer(&token)).await), "it can be signed out like any other");
    let unknown = said(&run(&node, &["token", "--dev", &PlayerId::new().to_string()]));
    assert!(is_bad(&node.identity.authenticate(&bearer(&unknown)).await));
}

#[tokio::test]
async fn a_token_by_name_makes_a_player_when_it_is_first_used() {
    let node = dev().await;
    let token = said(&run(&node, &["token", "--dev", "--name", "robot 1", "--minutes", "5"]));
    let caller = node.identity.authenticate_token(&token).await.unwrap();
    assert_eq!(node.players.profile(caller.player).await.unwrap().display_name, "robot 1");
    let left = (caller.expires_at.0 - node.identity.now().0) / 1000;
    assert!((200..=300).contains(&left), "{left}");
    let again = said(&run(&node, &["token", "--dev", "--name", "robot 1"]));
    assert_eq!(node.identity.authenticate_token(&again).await.unwrap().player, caller.player);
    let other = said(&run(&node, &["token", "--dev", "--name", "robot 2"]));
    assert_ne!(node.identity.authenticate_token(&other).await.unwrap().player, caller.player);
}

#[tokio::test]
async fn without_the_flag_no_such_token_is_made_or_believed() {
    let node = dev().await;
    let ada = node.guest().await.player.id.to_string();
    for arguments in [&["token", &ada][..], &["token", "--name", "robot"]] {
        let refused = run(&node, arguments);
        assert!(!refused.status.success() && refused.stdout.is_empty(), "{refused:?}");
        assert!(String::from_utf8_lossy(&refused.stderr).contains("--dev"), "{refused:?}");
    }
    let strict = node.twin_with(Settings::default());
    for arguments in [&["token", "--dev", &ada][..], &["token", "--dev", "--name", "robot"]] {
        let token = said(&run(&node, arguments));
        node.identity.authenticate_token(&token).await.unwrap();
        assert!(matches!(strict.authenticate_token(&token).await, Err(Refused::BadToken)));
    }
}

#[tokio::test]
async fn a_token_is_for_somebody_and_for_one_only() {
    let node = dev().await;
    let ada = PlayerId::new().to_string();
    for arguments in [
        &["token", "--dev"][..],
        &["token", "--dev", &ada, "--name", "x"],
        &["token", "--dev", "ada"],
        &["token", "--dev", "--name", ""],
    ] {
        let refused = run(&node, arguments);
        assert!(!refused.status.success() && refused.stdout.is_empty(), "{refused:?}");
    }
}

#[tokio::test]
async fn keys_are_listed_rotated_and_removed_beside_the_running_server() {
    let node = Node::new().await;
    let before = node.guest().await;
    let old = said(&run(&node, &["keys", "list"]));
    assert!(old.lines().count() == 1 && old.ends_with("signs"), "{old}");
    let old = old.split(' ').next().unwrap().to_owned();
    let new = said(&run(&node, &["keys", "rotate"]));
    node.identity.tend().await;
    let after = node.guest().await;
    assert_eq!(decode_header(after.access_token.expose()).unwrap().kid.as_ref(), Some(&new));
    node.caller(&before).await;

    let list = said(&run(&node, &["keys", "list"]));
    let kids: Vec<_> = list.lines().map(|line| line.split(' ').next().unwrap()).collect();
    assert_eq!(kids, [&*new, &*old]);
    assert!(!run(&node, &["keys", "remove", &new]).status.success(), "it signs");
    assert!(!run(&node, &["keys", "remove", "../keys"]).status.success());
    said(&run(&node, &["keys", "remove", &old]));
    node.identity.tend().await;
    assert!(is_bad(&node.who(&before.access_token).await));
    node.caller(&after).await;
}

#[test]
fn a_mistyped_folder_has_no_keys_and_gets_none() {
    let data = tempfile::tempdir().unwrap();
    let nowhere = data.path().join("nowhere");
    let mut program = Command::new(env!("CARGO_BIN_EXE_ludotheque"));
    let refused = program.args(["keys", "list", "--data"]).arg(&nowhere).output().unwrap();
    assert!(!refused.status.success() && !nowhere.exists(), "{refused:?}");
}

#[test]
fn no_key_from_the_environment_is_ever_shown() {
    let data = tempfile::tempdir().unwrap();
    for arguments in [&["keys", "list"][..], &["--help"]] {
        let mut program = Command::new(env!("CARGO_BIN_EXE_ludotheque"));
        program.env("LUDOTHEQUE_SIGNING_KEY", "TUlTVEFLRQ==").env("LUDOTHEQUE_DATA", data.path());
        let output = program.args(arguments).output().unwrap();
        let shown = format!("{output:?}");
        assert!(!shown.contains("TUlTVEFLRQ"), "{shown}");
    }
}
