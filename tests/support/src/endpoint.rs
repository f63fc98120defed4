//! The address of a server, and how one becomes a player there.

use crate::{Answer, Ask, Player, Socket, Table};
use reqwest::Method;
use serde_json::{Value, json};

/// Good enough for a password.
pub const PASSWORD: &str = "correct horse";

/// Where a server listens, and the connections to it.
#[derive(Clone)]
pub struct Endpoint {
    /// `http://127.0.0.1:1234`
    pub url: String,
    pub http: reqwest::Client,
}

impl Endpoint {
    pub fn new(url: String) -> Self {
        let http = reqwest::Client::builder().no_proxy().build().expect("a client needs nothing");
        Self { url, http }
    }

    /// `127.0.0.1:1234`
    pub fn address(&self) -> &str {
        self.url.strip_prefix("http://").expect("a URL of ours")
    }

    /// A request of somebody without a token.
    pub fn ask(&self, method: Method, path: &str) -> Ask {
        Ask::new(self.http.request(method, format!("{}{path}", self.url)))
    }

    pub fn get(&self, path: &str) -> Ask {
        self.ask(Method::GET, path)
    }

    pub fn post(&self, path: &str) -> Ask {
        self.ask(Method::POST, path)
    }

    /// Somebody without a token.
    pub fn anybody(&self) -> Player {
        Player { endpoint: self.clone(), id: String::new(), token: None, refresh_token: String::new() }
    }

    pub async fn guest(&self, name: &str) -> Player {
        let answer = self.anybody().post("/v1/players").json(&json!({"displayName": name})).await;
        self.player(&answer)
    }

    /// An account with the usual password.
    pub async fn account(&self, username: &str) -> Player {
        let body = json!({"displayName": username, "username": username, "password": PASSWORD});
        self.player(&self.anybody().post("/v1/players").json(&body).await)
    }

    pub async fn signs_in(&self, username: &str, password: &str) -> Answer {
        self.anybody().post("/v1/tokens").json(&json!({"username": username, "password": password})).await
    }

    pub async fn refreshes(&self, refresh_token: &str) -> Answer {
        self.anybody().post("/v1/tokens").json(&json!({"refreshToken": refresh_token})).await
    }

    /// Whom an answer with tokens is for.
    #[track_caller]
    pub fn player(&self, answer: &Answer) -> Player {
        let tokens = answer.ok();
        let text = |value: &Value| value.as_str().expect("a text").to_owned();
        Player {
            endpoint: self.clone(),
            id: text(&tokens["player"]["id"]),
            token: Some(text(&tokens["accessToken"])),
            refresh_token: text(&tokens["refreshToken"]),
        }
    }

    /// A game of Chips that has started, by guests.
    pub async fn table(&self, seats: u8) -> Table {
        let table = self.lobby(seats, json!({})).await;
        table.players[0].starts(&table.game).await.ok();
        table
    }

    /// A game of Chips that has started, and its two players.
    pub async fn table_for_two(&self) -> (String, Player, Player) {
        let (ada, bob) = (self.guest("Ada").await, self.guest("Bob").await);
        (ada.starts_a_game_with(&bob).await, ada, bob)
    }

    /// A game of Chips with all its seats taken; `extra` is added to the request that makes it.
    pub async fn lobby(&self, seats: u8, extra: Value) -> Table {
        let mut body = json!({"kind": "CHIPS", "seats": seats});
        body.as_object_mut().expect("an object").extend(extra.as_object().cloned().unwrap_or_default());
        let host = self.guest("Seat 0").await;
        let made = host.creates(&body).await.ok();
        let game = made["id"].as_str().expect("a game has an id").to_owned();
        let mut players = vec![host];
        for seat in 1..seats {
            let guest = self.guest(&format!("Seat {seat}")).await;
            if let Some(code) = made["inviteCode"].as_str() {
                guest.post(&format!("/v1/invites/{code}")).await.ok();
            }
            guest.sits(&game).await.ok();
            players.push(guest);
        }
        Table { game, players, commitment: made["fairness"]["commitment"].as_str().expect("a promise").to_owned() }
    }

    /// A socket of somebody who was acknowledged.
    pub async fn socket(&self, player: &Player) -> Socket {
        let mut socket = Socket::open(self.address()).await;
        socket.says(json!({"type": "connection_init", "payload": player.init()})).await;
        assert_eq!(socket.hears().await, json!({"type": "connection_ack"}));
        socket
    }
}
