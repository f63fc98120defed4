//! Server-sent events as the WHATWG standard has them read, and a stream of a game's steps.

use super::Ask;
use crate::openapi;
use serde_json::Value;
use std::collections::VecDeque;
use std::time::Duration;

/// Far longer than any step takes; only there so that a defect ends a test.
const PATIENCE: Duration = Duration::from_secs(90);

/// One event that was dispatched.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Message {
    /// The last event id there was.
    pub id: String,
    pub event: String,
    pub data: String,
}

/// Reads events from bytes, however they are cut up.
#[derive(Default)]
pub struct Parser {
    line: Vec<u8>,
    /// The last line ended with a carriage return: a line feed right after it belongs to it.
    returned: bool,
    id: String,
    event: String,
    data: Vec<String>,
    /// What is not kept: comments, which keep a connection alive.
    pub comments: usize,
}

impl Parser {
    pub fn feed(&mut self, bytes: &[u8]) -> Vec<Message> {
        let mut messages = Vec::new();
        for &byte in bytes {
            match byte {
                b'\n' if std::mem::take(&mut self.returned) => {}
                b'\n' | b'\r' => {
                    self.returned = byte == b'\r';
                    let line = String::from_utf8(std::mem::take(&mut self.line)).expect("streams are UTF-8");
                    messages.extend(self.end_of_line(&line));
                }
                _ => {
                    self.returned = false;
                    self.line.push(byte);
                }
            }
        }
        messages
    }

    fn end_of_line(&mut self, line: &str) -> Option<Message> {
        if line.is_empty() {
            let (event, data) = (std::mem::take(&mut self.event), std::mem::take(&mut self.data));
            return (!data.is_empty()).then(|| Message { id: self.id.clone(), event, data: data.join("\n") });
        }
        let (field, value) = line.split_once(':').unwrap_or((line, ""));
        let value = value.strip_prefix(' ').unwrap_or(value).to_owned();
        match field {
            "" => self.comments += 1,
            "data" => self.data.push(value),
            "event" => self.event = value,
            "id" if !value.contains('\0') => self.id = value,
            _ => {}
        }
        None
    }
}

/// A game's steps, as they come.
pub struct Stream {
    response: reqwest::Response,
    parser: Parser,
    ready: VecDeque<Message>,
    /// The id of the last step that was read.
    pub last_id: Option<String>,
}

impl Stream {
    pub async fn open(ask: Ask) -> reqwest::Result<Self> {
        let response = ask.open().await?;
        assert_eq!(response.status(), 200);
        assert_eq!(response.headers()["content-type"], "text/event-stream");
        assert!(!response.headers().contains_key("content-encoding"), "streams are not compressed");
        Ok(Self { response, parser: Parser::default(), ready: VecDeque::new(), last_id: None })
    }

    /// The next step, or nothing at the end of the stream.
    pub async fn next(&mut self) -> Option<Value> {
        self.attempt().await.expect("the server goes on")
    }

    /// The same of a server that may die.
    pub async fn attempt(&mut self) -> reqwest::Result<Option<Value>> {
        loop {
            if let Some(message) = self.ready.pop_front() {
                let step: Value = serde_json::from_str(&message.data).expect("a step is JSON");
                openapi::check_step(&step);
                assert_eq!(message.event, "", "steps are plain messages");
                assert_eq!(step["version"].to_string(), message.id, "the id is the version");
                self.last_id = Some(message.id);
                return Ok(Some(step));
            }
            let chunk = tokio::time::timeout(PATIENCE, self.response.chunk()).await.expect("a stream gets on");
            match chunk? {
                Some(bytes) => self.ready.extend(self.parser.feed(&bytes)),
                None => return Ok(None),
            }
        }
    }

    /// Waits until the server says that it is still there, and tells how often it has said so since the stream began.
    pub async fn sign_of_life(&mut self) -> usize {
        let before = self.parser.comments;
        while self.parser.comments == before {
            let chunk = tokio::time::timeout(PATIENCE, self.response.chunk()).await.expect("the server is there");
            let bytes = chunk.expect("the server goes on").expect("the stream goes on");
            self.ready.extend(self.parser.feed(&bytes));
        }
        self.parser.comments
    }

    /// Every step up to the end of the stream.
    pub async fn rest(&mut self) -> Vec<Value> {
        let mut steps = Vec::new();
        while let Some(step) = self.next().await {
            steps.push(step);
        }
        steps
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn events_are_read_however_they_are_cut_up() {
        let text =
            b": hello\r\nid: 7\r\ndata: a\r\ndata:b\r\n\r\nevent: x\rdata\r\rid: 8\n\ndata:  c\nretry: 1\n\ndata: lost";
        let message =
            |id: &str, event: &str, data: &str| Message { id: id.into(), event: event.into(), data: data.into() };
        let due = vec![message("7", "", "a\nb"), message("7", "x", ""), message("8", "", " c")];
        for size in 1..=text.len() {
            let mut parser = Parser::default();
            let read: Vec<_> = text.chunks(size).flat_map(|bytes| parser.feed(bytes)).collect();
            assert_eq!(read, due, "in pieces of {size}");
            assert_eq!(parser.comments, 1);
        }
    }
}
