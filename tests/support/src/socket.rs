//! WebSocket client that sends any frame, in any order.

use crate::PATIENCE;
use futures::{SinkExt, StreamExt};
use serde_json::{Value, json};
use tokio::net::TcpStream;
use tokio_tungstenite::tungstenite::client::IntoClientRequest;
use tokio_tungstenite::tungstenite::handshake::client::Request;
use tokio_tungstenite::tungstenite::{Error, Message};
use tokio_tungstenite::{MaybeTlsStream, WebSocketStream, connect_async};

pub struct Socket(pub WebSocketStream<MaybeTlsStream<TcpStream>>);

impl Socket {
    pub async fn open(address: &str) -> Self {
        let mut request = Self::request(address);
        request.headers_mut().insert("sec-websocket-protocol", "graphql-transport-ws".parse().unwrap());
        Self::with(request).await.unwrap()
    }

    /// A request without a sub-protocol.
    pub fn request(address: &str) -> Request {
        format!("ws://{address}/graphql").into_client_request().unwrap()
    }

    pub async fn with(request: Request) -> Result<Self, Box<Error>> {
        Ok(Self(connect_async(request).await.map_err(Box::new)?.0))
    }

    pub async fn says(&mut self, message: Value) {
        self.sends(Message::text(message.to_string())).await;
    }

    pub async fn sends(&mut self, message: Message) {
        self.0.send(message).await.unwrap();
    }

    pub async fn subscribes(&mut self, id: &str, query: &str) {
        self.says(json!({"type": "subscribe", "id": id, "payload": {"query": query}})).await;
    }

    /// The next frame that is no ping or pong of the transport.
    pub async fn frame(&mut self) -> Option<Result<Message, Error>> {
        loop {
            let frame = tokio::time::timeout(PATIENCE, self.0.next()).await.expect("something comes");
            if !matches!(frame, Some(Ok(Message::Ping(_) | Message::Pong(_)))) {
                return frame;
            }
        }
    }

    /// The next message.
    pub async fn hears(&mut self) -> Value {
        match self.frame().await {
            Some(Ok(Message::Text(text))) => serde_json::from_str(&text).unwrap(),
            other => panic!("{other:?}"),
        }
    }

    /// The errors with which an operation is refused.
    pub async fn hears_error(&mut self, id: &str) -> Value {
        let message = self.hears().await;
        assert_eq!((&message["type"], &message["id"]), (&json!("error"), &json!(id)), "{message}");
        message["payload"].clone()
    }

    /// The data of an answer without errors.
    pub async fn hears_next(&mut self, id: &str) -> Value {
        let message = self.hears().await;
        assert_eq!((&message["type"], &message["id"]), (&json!("next"), &json!(id)), "{message}");
        assert_eq!(message["payload"].get("errors"), None, "{message}");
        message["payload"]["data"].clone()
    }

    pub async fn hears_complete(&mut self, id: &str) {
        assert_eq!(self.hears().await, json!({"type": "complete", "id": id}));
    }

    /// The code with which the socket is closed, whatever is said before.
    pub async fn closes(mut self) -> u16 {
        loop {
            match self.frame().await {
                Some(Ok(Message::Close(Some(frame)))) => return frame.code.into(),
                Some(Ok(Message::Text(_))) => {}
                other => panic!("{other:?}"),
            }
        }
    }
}
