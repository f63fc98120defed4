//! A player who calls the program.

use super::{Program, answer};
use reqwest::{Client, Method, RequestBuilder};
use serde_json::{Value, json};

/// A player with tokens.
#[derive(Clone)]
pub struct Player {
    pub id: String,
    pub token: String,
    pub refresh: String,
    pub address: String,
    pub client: Client,
}

impl Player {
    /// Reads what the service answers to whoever signs in.
    pub fn read(program: &Program, tokens: &Value) -> Self {
        let text = |value: &Value| value.as_str().unwrap().to_owned();
        Self {
            id: text(&tokens["player"]["id"]),
            token: text(&tokens["accessToken"]),
            refresh: text(&tokens["refreshToken"]),
            address: program.address.clone(),
            client: program.client.clone(),
        }
    }

    pub fn request(&self, method: Method, path: &str) -> RequestBuilder {
        self.client.request(method, format!("http://{}{path}", self.address)).bearer_auth(&self.token)
    }

    pub fn get(&self, path: &str) -> RequestBuilder {
        self.request(Method::GET, path)
    }

    /// Posts, and is not refused.
    pub async fn posts(&self, path: &str, body: Value) -> Value {
        let request = self.request(Method::POST, path);
        let request = if body.is_null() { request } else { request.json(&body) };
        answer("POST", path, request.send().await.unwrap()).await
    }

    /// Starts a game of two with somebody, and tells its id.
    pub async fn starts_a_game_with(&self, other: &Player) -> String {
        let game = self.posts("/v1/games", json!({"kind": "CHIPS", "seats": 2})).await;
        let id = game["id"].as_str().unwrap().to_owned();
        other.posts(&format!("/v1/games/{id}/seats"), Value::Null).await;
        self.posts(&format!("/v1/games/{id}/start"), Value::Null).await;
        id
    }

    /// The id of a move that the player may play.
    pub async fn a_legal_move(&self, game: &str) -> String {
        let path = format!("/v1/games/{game}/legal-moves");
        let moves = answer("GET", &path, self.get(&path).send().await.unwrap()).await;
        moves["moves"][0]["id"].as_str().unwrap_or_else(|| panic!("{moves}")).to_owned()
    }
}
