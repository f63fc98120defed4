//! A request in the making, and the answer to it.

use crate::openapi;
use futures::future::BoxFuture;
use reqwest::Method;
use reqwest::header::HeaderMap;
use serde::Serialize;
use serde_json::Value;
use std::fmt;

/// What the OpenAPI document does not describe: GraphQL, pages and their files, and numbers for the operator.
const NOT_REST: [&str; 6] = ["/graphql", "/docs", "/problems", "/playground", "/assets", "/metrics"];

/// A request on its way: `alice.plays(&game, "discard last-n none-p").key("k").await`.
pub struct Ask(reqwest::RequestBuilder);

/// What the server answered. If REST did, it has passed the contract.
#[derive(Clone)]
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

    /// With one more header.
    pub fn header(self, name: impl AsRef<str>, value: impl AsRef<str>) -> Self {
        Self(self.0.header(name.as_ref(), value.as_ref()))
    }

    /// With headers in place of those that are there.
    pub fn headers(self, headers: HeaderMap) -> Self {
        Self(self.0.headers(headers))
    }

    /// On behalf of the owner of a token.
    pub fn bearer_auth(self, token: &str) -> Self {
        Self(self.0.bearer_auth(token))
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
        // Preflights are answered for all paths in the same way, and compressed bodies can't be read here.
        let is_plain = !answer.headers.contains_key("content-encoding");
        if is_plain && method != Method::OPTIONS && !NOT_REST.iter().any(|prefix| path.starts_with(prefix)) {
            openapi::check(&openapi::Heard {
                method: method.as_str(),
                path: &path,
                status: answer.status,
                headers: &answer.headers,
                bytes: &answer.bytes,
            });
        }
        Ok(answer)
    }

    /// Sends it, to see the head of the response only: the body is a stream, or is none of ours.
    pub async fn send(self) -> reqwest::Result<reqwest::Response> {
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

impl fmt::Debug for Answer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {} {:?} {}", self.asked, self.status, self.headers, self.text())
    }
}

impl Answer {
    pub fn is_success(&self) -> bool {
        (200..300).contains(&self.status)
    }

    /// The body of a success.
    #[track_caller]
    pub fn ok(&self) -> Value {
        assert!(self.is_success(), "{self:?}");
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

    /// The status and the code of a problem like any other.
    #[track_caller]
    pub fn problem(&self) -> (u16, String) {
        assert_eq!(self.header("content-type"), "application/problem+json");
        let problem = self.json();
        openapi::check_component("Problem", &problem);
        assert_eq!(problem["status"], self.status, "{problem}");
        assert!(problem["detail"].as_str().is_some_and(|text| text.len() > 20), "{problem}");
        (self.status, problem["code"].as_str().unwrap().to_owned())
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
        header(&self.headers, name)
    }
}

/// The values of a header, joined; empty if it is not there.
pub fn header(headers: &HeaderMap, name: &str) -> String {
    let values = headers.get_all(name).iter().filter_map(|value| value.to_str().ok());
    values.collect::<Vec<_>>().join(", ")
}
