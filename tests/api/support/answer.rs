//! A request being put together, and the answer to it.

use crate::openapi;
use futures::future::BoxFuture;
use reqwest::header::HeaderMap;
use serde::Serialize;
use serde_json::Value;

/// A request on its way: `alice.plays(&game, "discard last-n none-p").key("k").await`.
pub struct Ask(reqwest::RequestBuilder);

/// What the server answered. It has passed the contract.
#[derive(Clone, Debug)]
pub struct Answer {
    /// Method and path, for messages.
    pub asked: String,
    /// The JSON that was sent along.
    pub sent: Option<Value>,
    pub status: u16,
    pub headers: HeaderMap,
    pub bytes: Vec<u8>,
}

impl Ask {
    pub fn new(request: reqwest::RequestBuilder) -> Self {
        Self(request)
    }

    pub fn header(self, name: &str, value: &str) -> Self {
        Self(self.0.header(name, value))
    }

    /// With an idempotency key.
    pub fn key(self, key: &str) -> Self {
        self.header("idempotency-key", key)
    }

    /// With a JSON body.
    pub fn json(self, body: &impl Serialize) -> Self {
        Self(self.0.json(body))
    }

    /// With a body that may be anything.
    pub fn body(self, body: impl Into<reqwest::Body>) -> Self {
        Self(self.0.body(body))
    }

    /// Sends it to a server that may die meanwhile.
    pub async fn attempt(self) -> reqwest::Result<Answer> {
        let (client, request) = self.0.build_split();
        let request = request?;
        let (method, path) = (request.method().clone(), request.url().path().to_owned());
        let sent = request.body().and_then(|body| serde_json::from_slice(body.as_bytes()?).ok());
        let response = client.execute(request).await?;
        let answer = Answer {
            asked: format!("{method} {path}"),
            sent,
            status: response.status().as_u16(),
            headers: response.headers().clone(),
            bytes: response.bytes().await?.into(),
        };
        openapi::check(&openapi::Heard {
            method: method.as_str(),
            path: &path,
            status: answer.status,
            headers: &answer.headers,
            bytes: &answer.bytes,
        });
        Ok(answer)
    }

    /// Sends it, to see the head of the response only: the body is a stream.
    pub async fn open(self) -> reqwest::Result<reqwest::Response> {
        self.0.send().await
    }
}

impl IntoFuture for Ask {
    type Output = Answer;
    type IntoFuture = BoxFuture<'static, Answer>;

    fn into_future(self) -> Self::IntoFuture {
        Box::pin(async { self.attempt().await.expect("the server answers") })
    }
}

impl Answer {
    /// The body of a success.
    #[track_caller]
    pub fn ok(&self) -> Value {
        assert!((200..300).contains(&self.status), "{self:?}: {}", self.text());
        if self.bytes.is_empty() { Value::Null } else { self.json() }
    }

    /// The problem of a refusal, which must have this code.
    #[track_caller]
    pub fn refused(&self, code: &str) -> Value {
        assert!(self.status >= 400, "{} was not refused: {}", self.asked, self.text());
        let problem = self.json();
        assert_eq!(problem["code"], code, "{}: {problem}", self.asked);
        problem
    }

    #[track_caller]
    pub fn json(&self) -> Value {
        serde_json::from_slice(&self.bytes).unwrap_or_else(|error| panic!("{}: {error}: {}", self.asked, self.text()))
    }

    pub fn text(&self) -> String {
        String::from_utf8_lossy(&self.bytes).into_owned()
    }

    /// The values of a header, lower case, joined; empty if it is not there.
    pub fn header(&self, name: &str) -> String {
        let values = self.headers.get_all(name).iter().filter_map(|value| value.to_str().ok());
        values.collect::<Vec<_>>().join(", ")
    }
}
