//! Somebody who asks over HTTP.

use super::Events;
use crate::openapi;
use reqwest::{Client, Method, RequestBuilder, Url};
use serde_json::{Value, json};

/// A player with a token; or anybody, without.
#[derive(Clone)]
pub struct Player {
    pub address: String,
    pub client: Client,
    pub id: String,
    pub token: Option<String>,
}

/// An answer over HTTP.
#[derive(Debug)]
pub struct Answer {
    pub status: u16,
    pub headers: reqwest::header::HeaderMap,
    pub text: String,
}

impl Player {
    pub fn new(address: &str) -> Self {
        let client = Client::builder().no_proxy().build().unwrap();
        Self { address: address.to_owned(), client, id: String::new(), token: None }
    }

    pub fn request(&self, method: Method, path: &str) -> RequestBuilder {
        let request = self.client.request(method, format!("http://{}{path}", self.address));
        match &self.token {
            Some(token) => request.bearer_auth(token),
            None => request,
        }
    }

    /// Calls REST, and is not refused.
    pub async fn rest(&self, path: &str, body: &Value) -> Value {
        let answer = send(self.request(Method::POST, path).json(body)).await;
        assert!((200..300).contains(&answer.status), "{path}: {answer:?}");
        answer.json()
    }

    /// Signs out.
    pub async fn signs_out(&self) {
        assert_eq!(send(self.request(Method::DELETE, "/v1/tokens/current")).await.status, 204);
    }

    /// A move that the player may play.
    pub async fn a_move(&self, game: &str) -> String {
        let moves = send(self.request(Method::GET, &format!("/v1/games/{game}/legal-moves"))).await.json();
        moves["moves"][0]["id"].as_str().unwrap_or_else(|| panic!("{moves}")).to_owned()
    }

    pub async fn plays(&self, game: &str) {
        let id = self.a_move(game).await;
        self.rest(&format!("/v1/games/{game}/moves"), &json!({"id": id})).await;
    }

    /// What `connection_init` brings.
    pub fn init(&self) -> Value {
        match &self.token {
            Some(token) => json!({"authorization": format!("Bearer {token}")}),
            None => json!({}),
        }
    }

    pub fn post(&self) -> RequestBuilder {
        self.request(Method::POST, "/graphql")
    }

    /// Asks with `application/graphql-response+json`, where statuses say something.
    pub async fn asks(&self, body: &Value) -> Answer {
        send(self.post().header("accept", "application/graphql-response+json").json(body)).await
    }

    /// Asks with `application/json`.
    pub async fn asks_json(&self, body: &Value) -> Answer {
        send(self.post().header("accept", "application/json").json(body)).await
    }

    pub fn get(&self, params: &[(&str, &str)]) -> RequestBuilder {
        let url = Url::parse_with_params("http://localhost/graphql", params).unwrap();
        let path = format!("/graphql?{}", url.query().unwrap());
        self.request(Method::GET, &path).header("accept", "application/graphql-response+json")
    }

    /// Asks for a stream.
    pub async fn streams(&self, body: &Value) -> Events {
        Events::open(self.post().header("accept", "text/event-stream").json(body)).await
    }
}

/// Sends it; what REST answers must be what the document promises.
pub async fn send(request: RequestBuilder) -> Answer {
    let (client, request) = request.build_split();
    let request = request.unwrap();
    let (method, path) = (request.method().clone(), request.url().path().to_owned());
    let response = tokio::time::timeout(super::PATIENCE, client.execute(request)).await.unwrap().unwrap();
    let (status, headers) = (response.status().as_u16(), response.headers().clone());
    let answer = Answer { status, headers, text: response.text().await.unwrap() };
    if path.starts_with("/v1/") && answer.header("content-type") != "text/event-stream" {
        let (headers, bytes) = (&answer.headers, answer.text.as_bytes());
        openapi::check(&openapi::Heard { method: method.as_str(), path: &path, status, headers, bytes });
    }
    answer
}

impl Answer {
    pub async fn to(request: RequestBuilder) -> Self {
        send(request).await
    }

    #[track_caller]
    pub fn json(&self) -> Value {
        serde_json::from_str(&self.text).unwrap_or_else(|error| panic!("{error}: {self:?}"))
    }

    /// The answer of somebody who was not refused.
    #[track_caller]
    pub fn data(&self) -> Value {
        let json = self.json();
        assert!(self.status == 200 && json.get("errors").is_none(), "{self:?}");
        json["data"].clone()
    }

    /// The code of a refusal: a GraphQL error without data, with a sentence.
    #[track_caller]
    pub fn refused(&self) -> (u16, String) {
        let json = self.json();
        assert_eq!(json.get("data"), None, "{self:?}");
        (self.status, code(&json["errors"]))
    }

    pub fn header(&self, name: &str) -> String {
        let values: Vec<_> = self.headers.get_all(name).iter().map(|value| value.to_str().unwrap()).collect();
        values.join(", ")
    }
}

/// The code of the first of some errors, which say something.
#[track_caller]
pub fn code(errors: &Value) -> String {
    assert!(errors[0]["message"].as_str().is_some_and(|text| text.len() > 15), "{errors}");
    errors[0]["extensions"]["code"].as_str().unwrap_or_else(|| panic!("{errors}")).to_owned()
}
