//! What one node knows, all know: moves, streams, sign-ins, names, keys.

use crate::fleet::{Fleet, MINE, command};
use serde_json::json;
use std::time::Duration;
use test_support::graphql::{listen, next};
use test_support::postgres::{Cluster, Disk, database};
use test_support::program::run;
use test_support::{PASSWORD, Program, dice, pick};

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_move_that_one_node_acknowledged_is_seen_on_every_other_at_once() {
    let fleet = Fleet::of(3, &database());
    let table = fleet.endpoint(0).table(3).await;
    let mut dice = dice(1);
    for turn in 0..40 {
        let Some(&seat) = table.waiting().await.first() else { break };
        // Legal moves from one node, played on the next, looked at on the third, which has seen the game before.
        let [one, two, three] = [0, 1, 2].map(|n| table.players[seat].at(&fleet.endpoint((turn + n) % 3)));
        let mv = pick(&mut dice, &one.moves(&table.game).await).clone();
        let played = two.plays(&table.game, &mv).await.ok();
        let seen = three.sees(&table.game).await;
        assert_eq!(seen["version"], played["version"]);
        assert_eq!(seen["view"], played["game"]["view"]);
        let etag = three.looks_at(&table.game).await.header("etag");
        assert_eq!(three.looks_at(&table.game).header("if-none-match", &etag).await.status, 304);
        // Refused, and on the state that the move led to.
        let again = one.plays(&table.game, &mv).await;
        if seen["status"] == "ACTIVE" {
            assert_eq!((again.status, &again.json()["version"]), (409, &seen["version"]), "{}", again.text());
        } else {
            again.refused("GAME_OVER");
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_stream_from_one_node_tells_every_step_that_another_takes() {
    let fleet = Fleet::of(2, &database());
    let table = fleet.endpoint(0).table(2).await;
    let watcher = table.spectator().at(&fleet.endpoint(1));
    let mut stream = watcher.follows(&table.game).await;
    table.play_to_the_end(&mut dice(2)).await;
    let told = stream.rest().await;
    assert_eq!(told, watcher.reads_events(&table.game, 100).await);
    let versions: Vec<_> = told.iter().map(|step| step["version"].as_u64().expect("a version")).collect();
    assert_eq!(versions, (1..=told.len() as u64).collect::<Vec<_>>(), "no gap, and none twice");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn whoever_follows_their_games_on_one_node_hears_of_steps_on_another() {
    let fleet = Fleet::of(2, &database());
    let table = fleet.endpoint(0).table(2).await;
    let mut stream = listen(&table.players[0].at(&fleet.endpoint(1)), MINE, json!({})).await;
    let mut dice = dice(4);
    for _ in 0..10 {
        let version = table.version().await;
        // Steps in quick succession may be told as one.
        loop {
            let told = next(&mut stream).await.expect("it goes on")["data"]["myGames"]["game"].clone();
            assert_eq!(told["id"], table.game);
            if told["version"] == version {
                break;
            }
        }
        table.play_a_step(&mut dice).await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn players_and_sign_ins_are_the_same_on_every_node() {
    let fleet = Fleet::of(2, &database());
    let (one, two) = (fleet.endpoint(0), fleet.endpoint(1));
    let ada = one.account("ada").await;
    ada.at(&two).get("/v1/players/me").await.ok();
    let taken = json!({"displayName": "Ada", "username": "ADA", "password": PASSWORD});
    two.anybody().post("/v1/players").json(&taken).await.refused("USERNAME_TAKEN");

    let second = two.player(&two.signs_in("ada", PASSWORD).await);
    let third = one.player(&one.refreshes(&second.refresh_token).await);
    // A refresh that is repeated is answered the same, whichever node is asked.
    let again = two.player(&two.refreshes(&second.refresh_token).await);
    assert_eq!(again.refresh_token, third.refresh_token);
    let third = one.player(&one.refreshes(&third.refresh_token).await);
    two.refreshes(&second.refresh_token).await.refused("INVALID_TOKEN");
    // A refresh token that is used after its successor ends its sign-in, on the node that gave out the newest as well.
    third.get("/v1/players/me").await.refused("INVALID_TOKEN");

    ada.get("/v1/players/me").await.ok();
    ada.at(&two).delete("/v1/tokens/current").await.ok();
    ada.get("/v1/players/me").await.refused("INVALID_TOKEN");

    let ada = two.player(&two.signs_in("ada", PASSWORD).await);
    ada.at(&one).delete("/v1/players/me").await.ok();
    ada.get("/v1/players/me").await.refused("INVALID_TOKEN");
    two.signs_in("ada", PASSWORD).await.refused("UNAUTHENTICATED");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_new_signing_key_reaches_every_node_before_it_signs() {
    let url = database();
    let fleet = Fleet::of(2, &url);
    let old = fleet.endpoint(0).guest("Ada").await;
    let key = fleet.command(&url, &["keys", "rotate"]).trim().to_owned();
    // From here on, whichever key signs on one node is known on the other.
    let mut signs = false;
    for _ in 0..600 {
        for (from, to) in [(0, 1), (1, 0)] {
            let guest = fleet.endpoint(from).guest("Bob").await;
            guest.at(&fleet.endpoint(to)).get("/v1/players/me").await.ok();
        }
        signs =
            fleet.command(&url, &["keys", "list"]).lines().any(|line| line.contains(&key) && line.ends_with("signs"));
        if signs {
            break;
        }
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
    assert!(signs, "the new key signs in the end");
    old.at(&fleet.endpoint(1)).get("/v1/players/me").await.ok();
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn of_nodes_that_start_at_once_on_an_empty_database_one_makes_the_tables() {
    let cluster = Cluster::start(Disk::Lazy);
    let url = cluster.url("postgres");
    let starting: Vec<_> = (0..4)
        .map(|_| {
            let url = url.clone();
            std::thread::spawn(move || {
                let data = tempfile::tempdir().expect("a folder");
                (Program::spawn(command(&data, &url)), data)
            })
        })
        .collect();
    let nodes: Vec<_> = starting.into_iter().map(|node| node.join().expect("it starts")).collect();
    let guest = nodes[0].0.guest("Ada").await;
    for (node, _) in &nodes {
        guest.at(node).get("/v1/players/me").await.ok();
    }
}

#[test]
fn a_database_that_is_newer_or_older_than_the_program_is_left_alone() {
    let cluster = Cluster::start(Disk::Lazy);
    let url = cluster.url("postgres");
    let data = tempfile::tempdir().expect("a folder");
    let said = |arguments: &[&str]| {
        let mut command = command(&data, &url);
        command.args(arguments);
        let output = run(command);
        (output.status.success(), String::from_utf8_lossy(&[output.stdout, output.stderr].concat()).into_owned())
    };
    let (served, why) = said(&["--no-migrate", "serve"]);
    assert!(!served && why.contains("ludotheque migrate"), "{why}");
    assert!(said(&["migrate"]).1.contains("to version 2"));
    assert!(said(&["migrate"]).1.contains("already at version 2"));
    cluster.sql("postgres", "UPDATE schema_version SET version = 99");
    for arguments in [&["serve"][..], &["migrate"], &["export", "-"]] {
        let (done, why) = said(arguments);
        assert!(!done && why.contains("version 99"), "{arguments:?}: {why}");
    }
}
