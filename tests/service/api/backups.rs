//! Backups of a running server under load: nothing acknowledged before a backup began is missing from it.

use std::path::Path;
use std::process::Output;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use test_support::program::{ludotheque_unlimited, run};
use test_support::{Program, Table, dice};

fn command(data: &Path, arguments: &[&str]) -> Output {
    let mut command = ludotheque_unlimited(data);
    command.args(arguments);
    run(command)
}

#[track_caller]
fn succeeds(output: &Output) -> String {
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8_lossy(&output.stdout).into_owned()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_backup_during_load_restores_everything_up_to_its_commit() {
    let (data, elsewhere) = (tempfile::tempdir().expect("a folder"), tempfile::tempdir().expect("a folder"));
    let file = elsewhere.path().join("games.jsonl");
    let program = Program::unlimited(data.path());
    let mut tables = Vec::new();
    for seats in [2, 3, 4, 5, 2, 3, 4, 5] {
        tables.push(Arc::new(program.table(seats).await));
    }
    let enough = Arc::new(AtomicBool::new(false));
    let playing: Vec<_> = (0..)
        .zip(&tables)
        .map(|(number, table)| tokio::spawn(play_until(table.clone(), number, enough.clone())))
        .collect();
    for _ in 0..20 {
        tables[0].players[0].sees(&tables[0].game).await;
    }
    let mut before = Vec::new();
    for table in &tables {
        before.push(table.version().await);
    }
    let (folder, target) = (data.path().to_owned(), file.clone());
    let backup = move || command(&folder, &["backup", target.to_str().expect("a plain path")]);
    let said = succeeds(&tokio::task::spawn_blocking(backup).await.expect("it ends"));
    assert!(said.contains("everything up to commit"), "{said}");
    enough.store(true, Ordering::SeqCst);
    for playing in playing {
        playing.await.expect("everybody plays on during a backup");
    }
    let mut logs = Vec::new();
    for table in &tables {
        logs.push(table.players[0].reads_events(&table.game, 1000).await);
    }
    program.kill();

    let restored = elsewhere.path().join("data");
    succeeds(&command(&restored, &["restore", file.to_str().expect("a plain path")]));
    let verified = succeeds(&command(&restored, &["verify"]));
    assert!(verified.contains("all is well"), "{verified}");
    // The same keys, so that the players' tokens are still good.
    let copied = std::process::Command::new("cp").arg("-a").arg(data.path().join("keys")).arg(&restored).status();
    assert!(copied.expect("cp runs").success());
    let again = Program::unlimited(&restored);
    for ((table, log), before) in tables.iter().zip(&logs).zip(before) {
        let mut player = table.players[0].clone();
        player.endpoint = again.clone();
        let kept = player.reads_events(&table.game, 1000).await;
        assert!(kept.len() as u64 >= before, "{} of {before} steps", kept.len());
        assert_eq!(kept[..], log[..kept.len()], "a beginning of the same game");
    }
}

async fn play_until(table: Arc<Table>, number: u64, enough: Arc<AtomicBool>) {
    let mut dice = dice(number);
    while !enough.load(Ordering::SeqCst) && !table.waiting().await.is_empty() {
        table.play_a_step(&mut dice).await;
    }
}

#[test]
fn without_a_server_a_backup_says_what_to_use_instead() {
    let data = tempfile::tempdir().expect("a folder");
    let file = data.path().join("games.jsonl");
    let output = command(data.path(), &["backup", file.to_str().expect("a plain path")]);
    assert!(!output.status.success() && !file.exists());
    assert!(String::from_utf8_lossy(&output.stderr).contains("use `export`"));
}
