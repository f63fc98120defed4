//! Campaigns of their own, which take long to prepare: a player who starts many does not keep others from starting.

use serde_json::{Value, json};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use test_support::{Player, Program, folder};
use tokio::sync::Notify;

/// As many guests as there are places in the queue, and one more.
const GUESTS: usize = 65;

/// Asks for something from an address, behind a proxy that the server trusts.
async fn post(player: &Player, from: &str, path: &str, body: &Value) -> (u16, Value) {
    let request = player.post(path).header("x-forwarded-for", from);
    let answer = request.json(body).await;
    (answer.status, answer.json())
}

/// A game that is ready to start: its path.
async fn lobby(player: &Player, from: &str, new: &Value) -> String {
    let (status, game) = post(player, from, "/v1/games", new).await;
    assert_eq!(status, 201, "{game}");
    format!("/v1/games/{}", game["id"].as_str().unwrap())
}

async fn guest(server: &Program, from: &str) -> Player {
    let request = server.post("/v1/players").header("x-forwarded-for", from);
    server.player(&request.json(&json!({"displayName": "Ada"})).await)
}

#[tokio::test]
async fn one_address_with_many_guests_keeps_nobody_else_from_starting() {
    let data = folder();
    let settings = ["--trusted-proxies", "127.0.0.0/8", "--address-rate", "0", "--player-rate", "0"];
    let server = Program::start(data.path(), &settings);
    let (greedy, other) = ("192.0.2.1", "192.0.2.2");
    let campaign =
        |seed: usize| json!({"kind": "SANTA_RESCUE", "seats": 1, "options": {"campaignSeed": seed, "lastDay": 6}});
    let mut lobbies = Vec::new();
    for seed in 0..GUESTS {
        let player = guest(&server, greedy).await;
        let path = lobby(&player, greedy, &campaign(seed)).await;
        lobbies.push((player, path));
    }
    let chips = guest(&server, greedy).await;
    let table = lobby(&chips, greedy, &json!({"kind": "CHIPS", "seats": 2})).await;
    let second = guest(&server, greedy).await;
    assert_eq!(post(&second, greedy, &format!("{table}/seats"), &json!({})).await.0, 200);
    let own = guest(&server, other).await;
    let own_campaign = lobby(&own, other, &campaign(GUESTS)).await;

    let started = Arc::new(AtomicUsize::new(0));
    let first = Arc::new(Notify::new());
    let flood = lobbies.into_iter().map(|(player, path)| {
        let (started, first) = (started.clone(), first.clone());
        tokio::spawn(async move {
            let (status, _) = post(&player, greedy, &format!("{path}/start"), &json!({})).await;
            started.fetch_add(usize::from(status == 200), Ordering::SeqCst);
            if status != 429 {
                first.notify_one();
            }
        })
    });
    let flood: Vec<_> = flood.collect();
    // By the time that one is prepared, all of them have come in.
    first.notified().await;
    let (status, answer) = post(&chips, greedy, &format!("{table}/start"), &json!({})).await;
    assert_eq!(status, 200, "what needs no preparation waits for none: {answer}");
    let before = started.load(Ordering::SeqCst);
    let (status, answer) = post(&own, other, &format!("{own_campaign}/start"), &json!({})).await;
    assert_eq!(status, 200, "another address is not refused: {answer}");
    let ahead = started.load(Ordering::SeqCst) - before;
    assert!(ahead <= 4, "its turn comes after the one that runs, and not after {ahead}");
    for start in flood {
        start.abort();
    }
}
