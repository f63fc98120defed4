//! WebSocket transport, `graphql-transport-ws`: the handshake. [`protocol`] has the messages and close codes,
//! [`session`] reads from a socket, [`writing`] writes to it, [`operations`] tracks the running operations.
//!
//! Browsers can't send a token with the handshake, so it is part of `connection_init`. There are no cookies, so a
//! socket opened by a foreign page has no caller; if origins are configured, they are checked all the same.

mod operations;
mod protocol;
mod session;
mod writing;

use super::http::{BODY_LIMIT, RequestScope};
use super::request_error::RequestError;
use crate::auth::Caller;
use crate::codes::Code;
use crate::edge::{arrival::Arrival, client_address::Payer, cors::Origins, unsent_bytes::UnsentBytes};
use crate::rules::Message as Sentence;
use axum::extract::FromRequestParts;
use axum::extract::ws::{Message, WebSocket, WebSocketUpgrade};
use axum::http::request::Parts;
use axum::http::{HeaderMap, header};
use axum::response::Response;
use futures::FutureExt;
use futures::future::Either;
use protocol::Close;
use session::SocketSession;
use std::borrow::Cow;

const PROTOCOL: &str = "graphql-transport-ws";

/// Size of the read buffer, which grows on demand. An idle socket holds its buffers, and hardly any message is longer.
const READ_BUFFER: usize = 1024;

/// Whether a request asks for a WebSocket.
pub fn is_wanted(headers: &HeaderMap) -> bool {
    let upgrade = headers.get(header::UPGRADE).and_then(|value| value.to_str().ok());
    upgrade.is_some_and(|value| value.eq_ignore_ascii_case("websocket"))
}

/// Upgrades a request to a WebSocket.
pub async fn upgrade(scope: &RequestScope, parts: &mut Parts) -> Result<Response, RequestError> {
    if !is_origin_allowed(&parts.headers, &scope.app.edge.origins) {
        return Err(RequestError::malformed(Sentence::new("request-socket-origin")));
    }
    // Clients other than browsers can send the token with the handshake.
    let caller = scope.caller(parts).await?;
    let upgrade = WebSocketUpgrade::from_request_parts(parts, &()).await;
    let upgrade = upgrade.map_err(|_| RequestError::malformed(Sentence::new("request-socket-handshake")))?;
    if scope.app.closing.is_cancelled() {
        return Err(RequestError::shared(Code::Unavailable));
    }
    let scope = RequestScope {
        app: scope.app.clone(),
        graphql: scope.graphql.clone(),
        language: scope.language,
        meter: scope.meter.clone(),
    };
    // A client with another protocol is accepted and then closed with a reason: most clients report a refused handshake
    // without one.
    let offered = parts.headers.get(header::SEC_WEBSOCKET_PROTOCOL).and_then(|offered| offered.to_str().ok());
    let offered = offered.and_then(|offered| offered.split(',').next()).map(|first| first.trim().to_owned());
    let (open, place) =
        (scope.app.sockets.token(), parts.extensions.get::<Arrival>().and_then(|arrival| arrival.permit.clone()));
    let upgrade = upgrade
        .protocols(std::iter::once(Cow::Borrowed(PROTOCOL)).chain(offered.map(Cow::Owned)))
        .read_buffer_size(READ_BUFFER)
        .write_buffer_size(0)
        // The session closes the socket with a reason if a message is too long; this limit only stops much longer ones.
        .max_frame_size(2 * BODY_LIMIT)
        .max_message_size(2 * BODY_LIMIT);
    let unsent = place.as_ref().map(|place| place.unsent().clone()).unwrap_or_default();
    let payer = scope.meter.address().map(Payer);
    let mut response = upgrade.on_upgrade(async move |socket| {
        let held = (scope.app.edge.metrics.count_socket(), open, place);
        // The task of the handshake has a larger future than the session, so the session gets a task of its own.
        tokio::spawn(serve(scope, caller, socket, unsent, held));
    });
    if let Some(payer) = payer {
        response.extensions_mut().insert(payer);
    }
    Ok(response)
}

/// Serves a socket until it is closed; `held` is dropped then. Not an `async fn`: its future would hold the arguments
/// twice.
fn serve<T: Send + 'static>(
    scope: RequestScope,
    caller: Option<Caller>,
    mut socket: WebSocket,
    unsent: UnsentBytes,
    held: T,
) -> impl Future<Output = ()> + Send {
    let serving = if socket.protocol().is_some_and(|protocol| protocol == PROTOCOL) {
        Either::Left(SocketSession::new(scope, caller).run(socket, unsent))
    } else {
        Either::Right(Box::pin(async move {
            // The client may have disconnected.
            let _gone = socket.send(Message::Close(Some(Close::OTHER_PROTOCOL.frame()))).await;
        }))
    };
    serving.map(move |()| drop(held))
}

/// Whether the origin is the server's own, an allowed one, or absent, as with clients other than browsers.
fn is_origin_allowed(headers: &HeaderMap, origins: &Origins) -> bool {
    let (Some(origin), Origins::Only(allowed)) = (headers.get(header::ORIGIN), origins) else { return true };
    let host = headers.get(header::HOST).and_then(|host| host.to_str().ok());
    let authority = origin.to_str().ok().and_then(|origin| origin.split_once("://")).map(|(_, authority)| authority);
    allowed.contains(origin) || (authority.is_some() && authority == host)
}
