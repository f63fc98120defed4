//! Somebody who plays, or just looks on.

use crate::{Ask, Endpoint, Steps};
use reqwest::Method;
use serde_json::{Value, json};

/// A player with a token; or anybody, without.
#[derive(Clone)]
pub struct Player {
    pub endpoint: Endpoint,
    pub id: String,
    pub token: Option<String>,
    pub refresh_token: String,
}

impl Player {
    /// The same player, at another server.
    pub fn at(&self, endpoint: &Endpoint) -> Self {
        Self { endpoint: endpoint.clone(), ..self.clone() }
    }

    /// The token of somebody who has one.
    #[track_caller]
    pub fn access_token(&self) -> &str {
        self.token.as_deref().expect("somebody with a token")
    }

    pub fn ask(&self, method: Method, path: &str) -> Ask {
        let ask = self.endpoint.ask(method, path);
        match &self.token {
            Some(token) => ask.header("authorization", format!("Bearer {token}")),
            None => ask,
        }
    }

    pub fn get(&self, path: &str) -> Ask {
        self.ask(Method::GET, path)
    }

    pub fn post(&self, path: &str) -> Ask {
        self.ask(Method::POST, path)
    }

    pub fn put(&self, path: &str) -> Ask {
        self.ask(Method::PUT, path)
    }

    pub fn patch(&self, path: &str) -> Ask {
        self.ask(Method::PATCH, path)
    }

    pub fn delete(&self, path: &str) -> Ask {
        self.ask(Method::DELETE, path)
    }

    /// Posts, and is not refused.
    pub async fn posts(&self, path: &str, body: Value) -> Value {
        let ask = self.post(path);
        let ask = if body.is_null() { ask } else { ask.json(&body) };
        ask.await.ok()
    }

    /// Creates a game of Chips, and tells its id.
    pub async fn hosts(&self) -> String {
        let game = self.creates(&json!({"kind": "CHIPS"})).await.ok();
        game["id"].as_str().expect("a game has an id").to_owned()
    }

    /// Starts a game of Chips with somebody, and tells its id.
    pub async fn starts_a_game_with(&self, other: &Player) -> String {
        let game = self.creates(&json!({"kind": "CHIPS", "seats": 2})).await.ok();
        let game = game["id"].as_str().expect("a game has an id").to_owned();
        other.sits(&game).await.ok();
        self.starts(&game).await.ok();
        game
    }

    pub fn creates(&self, body: &Value) -> Ask {
        self.post("/v1/games").json(body)
    }

    /// On the lowest free seat.
    pub fn sits(&self, game: &str) -> Ask {
        self.post(&format!("/v1/games/{game}/seats"))
    }

    pub fn stands(&self, game: &str) -> Ask {
        self.delete(&format!("/v1/games/{game}/seats/me"))
    }

    pub fn starts(&self, game: &str) -> Ask {
        self.post(&format!("/v1/games/{game}/start"))
    }

    pub fn plays(&self, game: &str, mv: &str) -> Ask {
        self.post(&format!("/v1/games/{game}/moves")).json(&json!({"id": mv}))
    }

    pub fn previews(&self, game: &str, mv: &str) -> Ask {
        self.post(&format!("/v1/games/{game}/preview")).json(&json!({"id": mv}))
    }

    pub fn resigns(&self, game: &str) -> Ask {
        self.post(&format!("/v1/games/{game}/resignation"))
    }

    pub fn looks_at(&self, game: &str) -> Ask {
        self.get(&format!("/v1/games/{game}"))
    }

    pub fn asks_for_moves(&self, game: &str) -> Ask {
        self.get(&format!("/v1/games/{game}/legal-moves"))
    }

    /// The ids of the legal moves.
    pub async fn moves(&self, game: &str) -> Vec<String> {
        ids(&self.asks_for_moves(game).await.ok())
    }

    /// The id of a move that the player may play.
    pub async fn a_move(&self, game: &str) -> String {
        self.moves(game).await.into_iter().next().expect("a legal move")
    }

    /// Plays a legal move.
    pub async fn plays_any(&self, game: &str) {
        let id = self.a_move(game).await;
        self.plays(game, &id).await.ok();
    }

    pub async fn signs_out(&self) {
        assert_eq!(self.delete("/v1/tokens/current").await.status, 204);
    }

    /// The game as this player sees it.
    pub async fn sees(&self, game: &str) -> Value {
        self.looks_at(game).await.ok()
    }

    /// All steps so far, page by page.
    pub async fn reads_events(&self, game: &str, page: usize) -> Vec<Value> {
        let mut steps = Vec::new();
        let mut after = Some(0);
        while let Some(from) = after {
            let answer = self.get(&format!("/v1/games/{game}/events?after={from}&limit={page}")).await.ok();
            let items = answer["items"].as_array().expect("a page has items");
            assert!(items.len() <= page);
            steps.extend(items.iter().cloned());
            after = answer["nextAfter"].as_u64();
            assert!(after.is_none_or(|after| after > from), "a page gets on");
        }
        steps
    }

    pub fn asks_to_follow(&self, game: &str) -> Ask {
        self.get(&format!("/v1/games/{game}/events")).header("accept", "text/event-stream")
    }

    /// The stream of all steps, from the first on.
    pub async fn follows(&self, game: &str) -> Steps {
        Steps::open(self.asks_to_follow(game)).await.expect("the server answers")
    }

    /// The stream of all steps after one that was seen.
    pub async fn follows_on(&self, game: &str, last_seen: &str) -> Steps {
        let ask = self.asks_to_follow(game).header("last-event-id", last_seen);
        Steps::open(ask).await.expect("the server answers")
    }
}

/// The ids in an answer with legal moves.
pub fn ids(moves: &Value) -> Vec<String> {
    let moves = moves["moves"].as_array().expect("a list of moves");
    moves.iter().map(|mv| mv["id"].as_str().expect("a move has an id").to_owned()).collect()
}
