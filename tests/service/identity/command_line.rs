//! What the command line does for tokens and keys, beside a server that runs.

use crate::backend::{Answer, Backend};
use crate::identity::node::{Node, bearer, is_bad};
use crate::jwt::{changed, sign};
use aws_lc_rs::signature::Ed25519KeyPair;
use jsonwebtoken::decode_header;
use ludotheque::auth::{AuthError, Settings, real_time};
use ludotheque::ids::PlayerId;
use serde_json::{Value, json};
use std::io::Write;
use std::path::Path;
use std::process::{Command, Output, Stdio};

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
    assert!(is_bad(&node.identity.authenticate(&bearer(&token), None).await), "it can be signed out like any other");
    let unknown = said(&run(&node, &["token", "--dev", &PlayerId::new().to_string()]));
    assert!(is_bad(&node.identity.authenticate(&bearer(&unknown), None).await));
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
        assert!(matches!(strict.authenticate_token(&token).await, Err(AuthError::BadToken)));
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
    node.identity.refresh().await;
    let after = node.guest().await;
    assert_eq!(decode_header(after.access_token.expose()).unwrap().kid.as_ref(), Some(&new));
    node.caller(&before).await;

    let list = said(&run(&node, &["keys", "list"]));
    let kids: Vec<_> = list.lines().map(|line| line.split(' ').next().unwrap()).collect();
    assert_eq!(kids, [&*new, &*old]);
    assert!(!run(&node, &["keys", "remove", &new]).status.success(), "it signs");
    assert!(!run(&node, &["keys", "remove", "../keys"]).status.success());
    said(&run(&node, &["keys", "remove", &old]));
    node.identity.refresh().await;
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

/// What `issuers check` says to a token, and whether it holds.
fn check(file: &Path, token: &str) -> (bool, String) {
    let mut program = Command::new(env!("CARGO_BIN_EXE_ludotheque"));
    program.args(["issuers", "check", "--issuers"]).arg(file).stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut program = program.stderr(Stdio::piped()).spawn().unwrap();
    program.stdin.take().unwrap().write_all(token.as_bytes()).unwrap();
    let output = program.wait_with_output().unwrap();
    let said = String::from_utf8([output.stdout, output.stderr].concat()).unwrap();
    assert!(!said.contains(token.rsplit('.').next().unwrap()) || token.len() < 20, "it shows the token: {said}");
    (output.status.success(), said)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_token_of_another_issuer_is_checked_step_by_step_on_the_command_line() {
    let backend = Backend::start("https://backend.example").await;
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("issuers.json");
    std::fs::write(&file, json!([backend.entry()]).to_string()).unwrap();
    let (now, key) = (real_time().0 / 1000, backend.key().1);
    let good = backend.token("zoë", now);
    let (holds, said) = check(&file, &format!("Bearer {}\n", good.expose()));
    assert!(holds && said.lines().filter(|line| line.starts_with("yes ")).count() == 12, "{said}");

    let claims = |change| changed(&backend.claims("zoë", now), change);
    let signed = |header, claims: &Value| sign(&key, &changed(&backend.header(), header), claims);
    let unchanged = || json!({});
    let other_key = Ed25519KeyPair::generate().unwrap();
    let rows = [
        (0, "can't be read", "nonsense".to_owned()),
        (1, "no issuer of this name", signed(unchanged(), &claims(json!({"iss": "others"})))),
        (2, "it has another `typ`", signed(json!({"typ": "id+jwt"}), &claims(unchanged()))),
        (3, "ES256; the issuer has [EdDSA]", signed(json!({"alg": "ES256"}), &claims(unchanged()))),
        (4, "no `kid`", signed(json!({"kid": null}), &claims(unchanged()))),
        (4, "of the issuer: \"first\"", signed(json!({"kid": "second"}), &claims(unchanged()))),
        (5, "not this key's", sign(&other_key, &backend.header(), &claims(unchanged()))),
        (6, "a claim is missing", signed(unchanged(), &claims(json!({"iat": null})))),
        (7, "another audience", signed(unchanged(), &claims(json!({"aud": "others"})))),
        (8, "it has 0 bytes", signed(unchanged(), &claims(json!({"sub": ""})))),
        (9, "it begins in ", signed(unchanged(), &claims(json!({"nbf": now + 600})))),
        (10, "the maximum is 86400 s", signed(unchanged(), &claims(json!({"exp": now + 100_000})))),
        (11, "it expired ", signed(unchanged(), &claims(json!({"iat": now - 900, "exp": now - 600})))),
    ];
    for (step, why, token) in rows {
        let (holds, said) = check(&file, &token);
        let lines: Vec<_> = said.lines().collect();
        assert!(!holds && lines.len() == 12 && lines[step].starts_with("no "), "{why}: {said}");
        assert!(lines[step].contains(why), "{why}: {said}");
        assert!(lines[..step].iter().all(|line| line.starts_with("yes ")), "{why}: {said}");
        assert!(lines[step + 1..].iter().all(|line| line.starts_with("not looked at ")), "{why}: {said}");
    }
    backend.answers(Answer::Error);
    let (holds, said) = check(&file, good.expose());
    assert!(!holds && said.contains("are not known: the answer was 500") && !said.contains("store"), "{said}");
    assert!(check(&file, "").1.contains("no token came"));
}
