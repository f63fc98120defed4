//! A service moves from the embedded store to PostgreSQL and back, with players in the middle of their games.

use crate::fleet::Fleet;
use std::path::Path;
use test_support::postgres::{Cluster, Disk};
use test_support::program::{ludotheque_unlimited, run};
use test_support::table::verified;
use test_support::{Program, Table, dice};

/// Runs a command on a data folder, or with `--store` on a database.
#[track_caller]
fn succeeds(data: &Path, arguments: &[&str]) -> String {
    let mut command = ludotheque_unlimited(data);
    command.args(arguments);
    let output = run(command);
    let said = String::from_utf8_lossy(&[output.stdout, output.stderr].concat()).into_owned();
    assert!(output.status.success(), "{arguments:?}: {said}");
    said
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn games_go_on_where_they_were_on_postgresql_and_then_at_home_again() {
    let folder = tempfile::tempdir().expect("a folder");
    let [home, away, back] = ["home", "away", "back"].map(|name| folder.path().join(name));
    let [out, again] = ["out", "again"].map(|name| folder.path().join(name).to_str().expect("plain").to_owned());
    let mut dice = dice(7);
    let program = Program::unlimited(&home);
    let table = program.table(3).await;
    table.play_a_step(&mut dice).await;
    let seen = table.players[0].sees(&table.game).await;
    program.kill();
    succeeds(&home, &["export", &out]);

    let cluster = Cluster::start(Disk::Lazy);
    let url = cluster.url("postgres");
    std::fs::create_dir_all(&away).expect("a folder");
    let said = succeeds(&away, &["--store", &url, "import", &out]);
    assert!(said.contains("imported 1 games"), "{said}");
    assert!(succeeds(&away, &["--store", &url, "verify"]).contains("all is well"));
    let fleet = Fleet::of(2, &url);
    // Signing keys stay behind: everybody signs in again, by the refresh tokens that came along.
    let mut players = Vec::new();
    for player in &table.players {
        players.push(fleet.endpoint(0).player(&fleet.endpoint(0).refreshes(&player.refresh_token).await));
    }
    let table = Table { players, ..table };
    assert_eq!(table.players[0].at(&fleet.endpoint(1)).sees(&table.game).await, seen);
    table.play_a_step(&mut dice).await;
    let seen = table.players[0].sees(&table.game).await;
    succeeds(&away, &["--store", &url, "backup", &again]);
    drop(fleet);

    succeeds(&back, &["restore", &again]);
    assert!(succeeds(&back, &["verify"]).contains("all is well"));
    let program = Program::unlimited(&back);
    let mut players = Vec::new();
    for player in &table.players {
        players.push(program.player(&program.refreshes(&player.refresh_token).await));
    }
    let table = Table { players, ..table };
    assert_eq!(table.players[0].sees(&table.game).await, seen);
    table.play_to_the_end(&mut dice).await;
    verified(&table.replay().await);
}
