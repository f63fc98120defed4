//! Messages of `graphql-transport-ws`, and its close codes.

use crate::graphql::transport::request;
use crate::graphql::transport::response::Answer;
use crate::strict_json;
use async_graphql::{Request, ServerError};
use axum::extract::ws::{CloseFrame, Utf8Bytes};
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use serde_json::{Map, Value};
use std::borrow::Cow;
use std::fmt::Display;

/// The longest id of an operation, in bytes; a UUID has 36.
const ID_LENGTH: usize = 128;

#[derive(Debug)]
pub enum ClientMessage {
    ConnectionInit(Init),
    Ping(Option<Value>),
    Pong,
    Subscribe { id: String, request: Box<Request> },
    Complete { id: String },
}

/// Payload of `connection_init`.
#[derive(Debug, Default)]
pub struct Init {
    /// `authorization` or `Authorization`, with a scheme; or `token`, without one.
    pub authorization: Option<Authorization>,
    /// `acceptLanguage`, as in the header.
    pub accept_language: Option<String>,
}

#[derive(Debug)]
pub enum Authorization {
    WithScheme(String),
    Token(String),
}

#[derive(Deserialize)]
struct Message<'a> {
    r#type: String,
    id: Option<String>,
    #[serde(borrow)]
    payload: Option<&'a RawValue>,
}

#[derive(Debug, Serialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum ServerMessage<'a> {
    ConnectionAck,
    Pong {
        #[serde(skip_serializing_if = "Option::is_none")]
        payload: Option<Value>,
    },
    Next {
        id: &'a str,
        payload: &'a Answer,
    },
    Error {
        id: &'a str,
        payload: &'a [ServerError],
    },
    Complete {
        id: &'a str,
    },
}

impl ServerMessage<'_> {
    pub fn text(&self) -> Utf8Bytes {
        serde_json::to_string(self).expect("a message is plain data").into()
    }
}

/// Reason to close a socket.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Close {
    code: u16,
    reason: Cow<'static, str>,
}

/// The longest reason that fits into a close frame, in bytes.
const REASON_LENGTH: usize = 123;

impl Close {
    pub const OTHER_PROTOCOL: Close = Close::because(4406, "Subprotocol not acceptable");
    pub const NOT_ACKNOWLEDGED: Close = Close::because(4401, "Unauthorized");
    pub const FORBIDDEN: Close = Close::because(4403, "Forbidden");
    pub const INIT_TIMEOUT: Close = Close::because(4408, "Connection initialisation timeout");
    pub const INIT_TWICE: Close = Close::because(4429, "Too many initialisation requests");
    pub const INTERNAL: Close = Close::because(4500, "Internal server error");
    pub const TOO_LONG: Close = Close::because(1009, "Message too long");
    pub const BROKEN: Close = Close::because(1002, "Protocol error");
    pub const GOING_AWAY: Close = Close::because(1001, "Server shutting down");
    pub const QUIET: Close = Close::because(1001, "No sign of life");

    const fn because(code: u16, reason: &'static str) -> Self {
        Self { code, reason: Cow::Borrowed(reason) }
    }

    pub fn bad_message(why: impl Display) -> Self {
        Self { code: 4400, reason: format!("Invalid message: {why}").into() }
    }

    pub fn id_in_use(id: &str) -> Self {
        Self { code: 4409, reason: format!("Subscriber for {id} already exists").into() }
    }

    pub fn frame(&self) -> CloseFrame {
        let end = self.reason.floor_char_boundary(REASON_LENGTH);
        CloseFrame { code: self.code, reason: self.reason[..end].into() }
    }
}

impl ClientMessage {
    pub fn read(text: &str) -> Result<Self, Close> {
        let Message { r#type, id, payload } = serde_json::from_str(text).map_err(Close::bad_message)?;
        let id = || {
            let id = id.filter(|id| (1..=ID_LENGTH).contains(&id.len()));
            id.ok_or_else(|| Close::bad_message(format!("id must be a string of 1 to {ID_LENGTH} bytes")))
        };
        Ok(match r#type.as_str() {
            "connection_init" => Self::ConnectionInit(Init::read(payload)?),
            "ping" => Self::Ping(object(payload)?.map(Value::Object)),
            "pong" => {
                object(payload)?;
                Self::Pong
            }
            "subscribe" => {
                let payload = payload.ok_or_else(|| Close::bad_message("subscribe needs a payload"))?;
                let value = parse(payload)?;
                if ["query", "extensions"].iter().all(|name| value.get(name).is_none_or(Value::is_null)) {
                    return Err(Close::bad_message("the payload of subscribe must be an object with a query"));
                }
                let request = request::from_json(value).map_err(Close::bad_message)?;
                Self::Subscribe { id: id()?, request: Box::new(request) }
            }
            "complete" => Self::Complete { id: id()? },
            other => return Err(Close::bad_message(format!("unknown message type {other:?}"))),
        })
    }
}

/// The payload as an object, if there is one.
fn object(payload: Option<&RawValue>) -> Result<Option<Map<String, Value>>, Close> {
    match payload.map(parse).transpose()? {
        None | Some(Value::Null) => Ok(None),
        Some(Value::Object(fields)) => Ok(Some(fields)),
        Some(_) => Err(Close::bad_message("payload must be an object")),
    }
}

fn parse(payload: &RawValue) -> Result<Value, Close> {
    strict_json::parse(payload.get().as_bytes()).map_err(Close::bad_message)
}

impl Init {
    fn read(payload: Option<&RawValue>) -> Result<Self, Close> {
        let mut payload = object(payload)?.unwrap_or_default();
        let mut text = |name: &str| match payload.remove(name) {
            None | Some(Value::Null) => Ok(None),
            Some(Value::String(text)) => Ok(Some(text)),
            Some(_) => Err(Close::bad_message(format!("{name} must be a string"))),
        };
        let with_scheme = text("authorization")?.or(text("Authorization")?).map(Authorization::WithScheme);
        let bare = text("token")?.map(Authorization::Token);
        Ok(Self { authorization: with_scheme.or(bare), accept_language: text("acceptLanguage")? })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_reason_is_cut_to_fit_into_a_frame() {
        let close = Close::id_in_use(&"é".repeat(64));
        assert!(close.frame().reason.len() <= REASON_LENGTH);
        assert!(close.frame().reason.starts_with("Subscriber for ééé"));
    }
}
