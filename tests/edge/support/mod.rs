//! What the tests share: the real program, and players who call it.

#[allow(dead_code, reason = "shared with tests/greedy, which uses all of it")]
pub mod http2;
mod player;
mod program;

pub use player::Player;
pub use program::{Program, ludotheque};

use crate::openapi;
use reqwest::Response;
use serde_json::Value;
use std::time::Duration;

/// A folder for data that is removed afterwards.
pub fn folder() -> tempfile::TempDir {
    tempfile::tempdir().unwrap()
}

/// A header of an answer, empty if it is not there.
pub fn header(response: &Response, name: &str) -> String {
    let values: Vec<_> = response.headers().get_all(name).iter().map(|value| value.to_str().unwrap()).collect();
    values.join(", ")
}

/// The body of an answer that is no refusal, and what the document promises.
pub async fn answer(method: &str, path: &str, response: Response) -> Value {
    let (status, headers) = (response.status(), response.headers().clone());
    let bytes = response.bytes().await.unwrap();
    assert!(status.is_success(), "{method} {path}: {status} {}", String::from_utf8_lossy(&bytes));
    openapi::check(&openapi::Heard { method, path, status: status.as_u16(), headers: &headers, bytes: &bytes });
    serde_json::from_slice(&bytes).unwrap()
}

/// A refusal: its status and code, checked to be a problem like any other.
pub async fn problem(response: Response) -> (u16, String) {
    let status = response.status().as_u16();
    assert_eq!(header(&response, "content-type"), "application/problem+json");
    let problem: Value = response.json().await.unwrap();
    openapi::check_component("Problem", &problem);
    assert_eq!(problem["status"], status, "{problem}");
    assert!(problem["detail"].as_str().is_some_and(|text| text.len() > 20), "{problem}");
    (status, problem["code"].as_str().unwrap().to_owned())
}

/// Asks again, for a minute at most, until there is an answer.
pub async fn eventually<T>(mut ask: impl AsyncFnMut() -> Option<T>) -> T {
    for _ in 0..600 {
        if let Some(answer) = ask().await {
            return answer;
        }
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
    panic!("it did not come about within a minute");
}
