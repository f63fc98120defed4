//! Somebody who plays, or just looks on.

use super::sse::Stream;
use super::{Ask, Door};
use reqwest::Method;
use serde_json::{Value, json};

/// A player with a token; or anybody, without.
#[derive(Clone)]
pub struct Player {
    pub door: Door,
    pub id: String,
    pub token: Option<String>,
    pub refresh_token: String,
}

impl Player {
    pub fn ask(&self, method: Method, path: &str) -> Ask {
        let ask = self.door.ask(method, path);
        match &self.token {
            Some(token) => ask.header("authorization", &format!("Bearer {token}")),
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
    pub async fn follows(&self, game: &str) -> Stream {
        Stream::open(self.asks_to_follow(game)).await.expect("the server answers")
    }

    /// The stream of all steps after one that was seen.
    pub async fn follows_on(&self, game: &str, last_seen: &str) -> Stream {
        let ask = self.asks_to_follow(game).header("last-event-id", last_seen);
        Stream::open(ask).await.expect("the server answers")
    }
}

/// The ids in an answer with legal moves.
pub fn ids(moves: &Value) -> Vec<String> {
    let moves = moves["moves"].as_array().expect("a list of moves");
    moves.iter().map(|mv| mv["id"].as_str().expect("a move has an id").to_owned()).collect()
}
