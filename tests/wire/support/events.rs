//! A stream of server-sent events, read as they come.

use super::PATIENCE;
use reqwest::{RequestBuilder, Response};
use serde_json::Value;

/// An open stream.
pub struct Events {
    pub response: Response,
    read: String,
    /// Lines that were no event: comments, and when to come back.
    pub asides: Vec<String>,
}

impl Events {
    pub async fn open(request: RequestBuilder) -> Self {
        let response = tokio::time::timeout(PATIENCE, request.send()).await.unwrap().unwrap();
        assert_eq!(response.status(), 200);
        assert_eq!(response.headers()["content-type"], "text/event-stream");
        Self { response, read: String::new(), asides: Vec::new() }
    }

    /// The next event and its data, or nothing at the end.
    pub async fn next(&mut self) -> Option<(String, String)> {
        loop {
            while let Some((block, rest)) = self.read.split_once("\n\n") {
                let (block, rest) = (block.to_owned(), rest.to_owned());
                self.read = rest;
                let field = |name: &str| block.lines().find_map(|line| line.strip_prefix(name)).map(str::trim);
                match (field("event:"), field("data:")) {
                    (Some(event), Some(data)) => return Some((event.to_owned(), data.to_owned())),
                    _ => self.asides.push(block.clone()),
                }
            }
            let chunk = tokio::time::timeout(PATIENCE, self.response.chunk()).await.expect("it gets on").unwrap();
            self.read.push_str(std::str::from_utf8(&chunk?).unwrap());
        }
    }

    /// The payload of the `next` that comes next.
    pub async fn payload(&mut self) -> Value {
        let (event, data) = self.next().await.expect("it goes on");
        assert_eq!(event, "next");
        serde_json::from_str(&data).unwrap()
    }

    /// It is told that it is complete, and then ends.
    pub async fn completes(mut self) {
        assert_eq!(self.next().await, Some(("complete".to_owned(), String::new())));
        assert_eq!(self.next().await, None);
    }
}
