//! Server-sent events: a parser as the WHATWG standard describes it, and two kinds of streams: the steps of a game, as REST
//! sends them, and the results of a GraphQL operation.

use crate::{Ask, PATIENCE, openapi};
use serde_json::Value;
use std::collections::VecDeque;

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
    /// How many comments there were: they keep a connection alive.
    pub comments: usize,
    /// Comments, and the time to reconnect after, as they were sent.
    pub asides: Vec<String>,
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
            "" => {
                self.comments += 1;
                self.asides.push(line.to_owned());
            }
            "retry" => self.asides.push(line.to_owned()),
            "data" => self.data.push(value),
            "event" => self.event = value,
            "id" if !value.contains('\0') => self.id = value,
            _ => {}
        }
        None
    }
}

/// The body of an answer, parsed into messages.
struct Messages {
    response: reqwest::Response,
    parser: Parser,
    ready: VecDeque<Message>,
}

impl Messages {
    async fn open(ask: Ask) -> reqwest::Result<Self> {
        let response = ask.send().await?;
        assert_eq!(response.status(), 200);
        assert_eq!(response.headers()["content-type"], "text/event-stream");
        assert!(!response.headers().contains_key("content-encoding"), "streams are not compressed");
        Ok(Self { response, parser: Parser::default(), ready: VecDeque::new() })
    }

    /// Reads on; whether there was anything more.
    async fn read(&mut self) -> reqwest::Result<bool> {
        let chunk = tokio::time::timeout(PATIENCE, self.response.chunk()).await.expect("a stream gets on");
        let Some(bytes) = chunk? else { return Ok(false) };
        self.ready.extend(self.parser.feed(&bytes));
        Ok(true)
    }

    /// The next message, or nothing at the end of the stream.
    async fn next(&mut self) -> reqwest::Result<Option<Message>> {
        while self.ready.is_empty() {
            if !self.read().await? {
                return Ok(None);
            }
        }
        Ok(self.ready.pop_front())
    }
}

/// The stream of a game's steps.
pub struct Steps {
    messages: Messages,
    /// The id of the last step that was read.
    pub last_id: Option<String>,
}

impl Steps {
    pub async fn open(ask: Ask) -> reqwest::Result<Self> {
        Ok(Self { messages: Messages::open(ask).await?, last_id: None })
    }

    /// The next step, or nothing at the end of the stream.
    pub async fn next(&mut self) -> Option<Value> {
        self.attempt().await.expect("the server goes on")
    }

    /// The same of a server that may die.
    pub async fn attempt(&mut self) -> reqwest::Result<Option<Value>> {
        let Some(message) = self.messages.next().await? else { return Ok(None) };
        let step: Value = serde_json::from_str(&message.data).expect("a step is JSON");
        openapi::check_step(&step);
        assert_eq!(message.event, "", "steps are plain messages");
        assert_eq!(step["version"].to_string(), message.id, "the id is the version");
        self.last_id = Some(message.id);
        Ok(Some(step))
    }

    /// Waits until the server says that it is still there, and tells how often it has said so since the stream began.
    pub async fn sign_of_life(&mut self) -> usize {
        let before = self.messages.parser.comments;
        while self.messages.parser.comments == before {
            assert!(self.messages.read().await.expect("the server goes on"), "the stream goes on");
        }
        self.messages.parser.comments
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

/// The stream of the results of a GraphQL operation.
pub struct Events(Messages);

impl Events {
    pub async fn open(ask: Ask) -> Self {
        Self(Messages::open(ask).await.unwrap())
    }

    /// The next event and its data without white space around it, or nothing at the end.
    pub async fn next(&mut self) -> Option<(String, String)> {
        self.0.next().await.unwrap().map(|message| (message.event, message.data.trim().to_owned()))
    }

    /// The payload of the `next` that comes next.
    pub async fn payload(&mut self) -> Value {
        let (event, data) = self.next().await.expect("it goes on");
        assert_eq!(event, "next");
        serde_json::from_str(&data).unwrap()
    }

    /// Expects the event `complete`, and then the end of the stream.
    pub async fn completes(mut self) {
        assert_eq!(self.next().await, Some(("complete".to_owned(), String::new())));
        assert_eq!(self.next().await, None);
    }

    /// Lines that were no event: comments, and when to come back.
    pub fn asides(&self) -> &[String] {
        &self.0.parser.asides
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
