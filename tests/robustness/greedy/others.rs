//! Everybody else: players who ask for what they may, one thing after the other, and count the answers.

use crate::greedy::caller;
use reqwest::{Client, Method};
use serde_json::{Value, json};
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;
use test_support::{Endpoint, Player, Program};
use tokio::task::JoinHandle;
use tokio_util::sync::CancellationToken;

/// Slow enough for any limit that is set here.
const PACE: Duration = Duration::from_millis(20);

/// Far longer than any answer takes; only there so that a defect ends a test.
const PATIENCE: Duration = Duration::from_mins(3);

/// Further requests that must be answered.
const MORE: u32 = 20;

/// Two players, each at an address of their own, at a game that runs until it is stopped.
pub struct Others {
    stop: CancellationToken,
    answered: Arc<AtomicU32>,
    playing: Vec<JoinHandle<()>>,
}

/// A guest who calls from an address.
pub async fn guest(server: &Program, name: &str, y: u8) -> Player {
    let http = Client::builder().no_proxy().local_address(caller(0, y)).timeout(PATIENCE).build().unwrap();
    server.guest(name).await.at(&Endpoint { http, ..Endpoint::clone(server) })
}

impl Others {
    pub async fn start(server: &Program) -> Self {
        let (ada, bob) = (guest(server, "Ada", 101).await, guest(server, "Bob", 102).await);
        let new = json!({"kind": "CHIPS", "seats": 2, "options": {"targetTokens": 20}});
        let game = ada.posts("/v1/games", new).await["id"].as_str().unwrap().to_owned();
        bob.posts(&format!("/v1/games/{game}/seats"), Value::Null).await;
        ada.posts(&format!("/v1/games/{game}/start"), Value::Null).await;
        let (stop, answered) = (CancellationToken::new(), Arc::<AtomicU32>::default());
        let play = |player| tokio::spawn(play(player, game.clone(), stop.clone(), answered.clone()));
        let playing = [ada, bob].map(play).into();
        Self { stop, answered, playing }
    }

    /// How many of their requests were answered so far.
    pub fn answered(&self) -> u32 {
        self.answered.load(Ordering::Relaxed)
    }

    /// Some more of their requests are answered; then they stop. Every request was answered, or this panics.
    pub async fn are_served(self) {
        let due = self.answered() + MORE;
        let served = async {
            while self.answered() < due && !self.playing.iter().any(JoinHandle::is_finished) {
                tokio::time::sleep(PACE).await;
            }
        };
        tokio::time::timeout(PATIENCE, served).await.expect("they get on");
        self.stop.cancel();
        for player in self.playing {
            player.await.unwrap();
        }
    }
}

async fn play(player: Player, game: String, stop: CancellationToken, answered: Arc<AtomicU32>) {
    while !stop.is_cancelled() {
        let moves = ask(&player, Method::GET, &format!("/v1/games/{game}/legal-moves"), &Value::Null).await;
        let open = ask(&player, Method::POST, "/graphql", &json!({"query": "{ me { id } kinds { id } }"})).await;
        assert_eq!(open["data"]["me"]["id"], json!(player.id));
        answered.fetch_add(2, Ordering::Relaxed);
        if let Some(mv) = moves["moves"][0]["id"].as_str() {
            ask(&player, Method::POST, &format!("/v1/games/{game}/moves"), &json!({"id": mv})).await;
            answered.fetch_add(1, Ordering::Relaxed);
        }
        tokio::time::sleep(PACE).await;
    }
}

/// The body of an answer, which is a success, or that the game has come to its end.
async fn ask(player: &Player, method: Method, path: &str, body: &Value) -> Value {
    let request = player.ask(method, path);
    let request = if body.is_null() { request } else { request.json(body) };
    let answer = request.send().await.unwrap_or_else(|error| panic!("{path} was not answered: {error}"));
    // Not held to the document: that takes longer than the answer does.
    let (status, text) = (answer.status(), answer.text().await.unwrap());
    assert!(status.is_success() || text.contains("GAME_OVER"), "{path}: {status} {text}");
    serde_json::from_str(&text).unwrap()
}
