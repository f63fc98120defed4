//! A full disk: 503, no damage, and everything acknowledged is there afterwards.

use futures::future::join_all;
use rustix::process::{Pid, Resource, Rlimit, prlimit};
use serde_json::json;
use std::path::Path;
use std::process::Command;
use test_support::{Program, eventually, folder, ludotheque};

/// More than any disk has.
const ENORMOUS: &str = "1000000000000";

fn verifies(data: &Path) {
    let verified = ludotheque(data).arg("verify").output().unwrap();
    assert!(verified.status.success(), "{}", String::from_utf8_lossy(&verified.stdout));
}

/// The program with files that can't grow beyond 2 MB; without the trap, trying would end it.
fn with_small_files(data: &Path) -> Command {
    let program = ludotheque(data);
    let mut command = Command::new("sh");
    command.args(["-c", "trap '' XFSZ; ulimit -S -f 4096; exec \"$0\" \"$@\""]);
    command.arg(program.get_program()).args(program.get_args()).args([
        "--address-rate",
        "0",
        "--address-players-per-hour",
        "0",
        "--min-free-mib",
        "0",
    ]);
    command
}

#[tokio::test]
async fn a_full_disk_is_a_503_and_a_restart_serves_everything_acknowledged() {
    let data = folder();
    let server = Program::spawn(with_small_files(data.path()));
    let register = || server.post("/v1/players").json(&json!({"displayName": "Ada"})).attempt();
    let mut acknowledged = Vec::new();
    let mut refused = None;
    for _ in 0..2000 {
        for answer in join_all((0..32).map(|_| register())).await {
            let answer = answer.unwrap();
            match answer.status {
                201 => acknowledged.push(server.player(&answer)),
                _ => refused = Some(answer),
            }
        }
        if refused.is_some() {
            break;
        }
    }
    let refused = refused.expect("the disk is full at last");
    assert!(refused.header("retry-after").parse::<u64>().is_ok());
    assert_eq!(refused.problem(), (503, "UNAVAILABLE".to_owned()));
    assert_eq!(register().await.unwrap().problem(), (503, "UNAVAILABLE".to_owned()), "and stays so");
    assert_eq!(server.get("/livez").await.status, 200);
    assert_eq!(server.get("/readyz").await.status, 503);
    server.terminate();
    server.ends();

    verifies(data.path());
    let again = Program::start(data.path(), &["--address-rate", "0"]);
    assert!(acknowledged.len() > 100, "{}", acknowledged.len());
    for player in acknowledged {
        let me = player.at(&again).get("/v1/players/me").await;
        assert_eq!(me.status, 200, "{} was acknowledged", player.id);
    }
    again.guest("Bob").await;
}

#[tokio::test]
async fn writing_comes_back_by_itself_once_there_is_room_again() {
    let data = folder();
    let server = Program::spawn(with_small_files(data.path()));
    let register = || server.post("/v1/players").json(&json!({"displayName": "Ada"})).attempt();
    let mut acknowledged = Vec::new();
    let mut is_full = false;
    for _ in 0..2000 {
        for answer in join_all((0..32).map(|_| register())).await {
            let answer = answer.unwrap();
            match answer.status {
                201 => acknowledged.push(server.player(&answer)),
                _ => is_full = true,
            }
        }
        if is_full {
            break;
        }
    }
    assert!(is_full && acknowledged.len() > 100, "{}", acknowledged.len());
    let process = Pid::from_raw(i32::try_from(server.id()).unwrap());
    prlimit(process, Resource::Fsize, Rlimit { current: None, maximum: None }).unwrap();
    let bob = eventually(async || {
        let answer = register().await.unwrap();
        if answer.status == 201 { Some(server.player(&answer)) } else { None }
    })
    .await;
    assert_eq!(server.get("/readyz").await.status, 200);
    acknowledged.push(bob);
    for player in acknowledged.iter().rev().take(200) {
        let me = player.get("/v1/players/me").await;
        assert_eq!(me.status, 200, "{} was acknowledged", player.id);
    }
    server.stop();
    verifies(data.path());
}

#[tokio::test]
async fn before_the_disk_is_full_writes_are_refused_and_reads_are_not() {
    let data = folder();
    let server = Program::start(data.path(), &[]);
    let (ada, bob) = (server.guest("Ada").await, server.guest("Bob").await);
    let game = ada.starts_a_game_with(&bob).await;
    server.stop();

    let cramped = Program::start(data.path(), &["--min-free-mib", ENORMOUS]);
    let shown = ada.at(&cramped).looks_at(&game).await;
    assert_eq!(shown.status, 200);
    let refused = ada.at(&cramped).resigns(&game).await;
    assert_eq!(refused.problem(), (503, "UNAVAILABLE".to_owned()));
    assert_eq!(cramped.get("/readyz").await.status, 503);
    cramped.stop();

    let roomy = Program::start(data.path(), &[]);
    assert_eq!(ada.at(&roomy).resigns(&game).await.status, 200);
    roomy.stop();
    verifies(data.path());
}
