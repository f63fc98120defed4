//! WebSocket as `graphql-transport-ws` has it: from the request to the open socket. [`protocol`] has its messages and
//! close codes, [`session`] what a socket hears, [`writing`] what it says, [`operations`] what goes on meanwhile.
//!
//! A browser can't send a token with the request, so it comes in `connection_init`. There are no cookies, so a page of
//! somebody else's that opens a socket is nobody in particular; origins are looked at all the same, where some are named.

mod operations;
mod protocol;
mod session;
mod writing;

use super::http::{BODY_LIMIT, Visit};
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

/// A quiet socket costs what its buffers do, and hardly any message is longer than this; one that is gets more.
const READ_BUFFER: usize = 1024;

/// Whether a request is to become a socket.
pub fn is_wanted(headers: &HeaderMap) -> bool {
    let upgrade = headers.get(header::UPGRADE).and_then(|value| value.to_str().ok());
    upgrade.is_some_and(|value| value.eq_ignore_ascii_case("websocket"))
}

/// Makes a socket of a request.
pub async fn upgrade(visit: &Visit, parts: &mut Parts) -> Result<Response, RequestError> {
    if !may_come_from_there(&parts.headers, &visit.app.edge.origins) {
        return Err(RequestError::malformed(Sentence::new("request-socket-origin")));
    }
    // A client that is no browser may send its token at once.
    let caller = visit.caller(parts).await?;
    let upgrade = WebSocketUpgrade::from_request_parts(parts, &()).await;
    let upgrade = upgrade.map_err(|_| RequestError::malformed(Sentence::new("request-socket-handshake")))?;
    if visit.app.closing.is_cancelled() {
        return Err(RequestError::shared(Code::Unavailable));
    }
    let visit = Visit {
        app: visit.app.clone(),
        graphql: visit.graphql.clone(),
        language: visit.language,
        meter: visit.meter.clone(),
    };
    // A client that speaks another protocol is let in as well, to be told why it can't stay: most take a handshake without
    // any of theirs for a broken one, and never say what the reason was.
    let offered = parts.headers.get(header::SEC_WEBSOCKET_PROTOCOL).and_then(|offered| offered.to_str().ok());
    let offered = offered.and_then(|offered| offered.split(',').next()).map(|first| first.trim().to_owned());
    let (open, place) =
        (visit.app.sockets.token(), parts.extensions.get::<Arrival>().and_then(|arrival| arrival.permit.clone()));
    let upgrade = upgrade
        .protocols(std::iter::once(Cow::Borrowed(PROTOCOL)).chain(offered.map(Cow::Owned)))
        .read_buffer_size(READ_BUFFER)
        .write_buffer_size(0)
        // We say so ourselves when a message is too long; this is for those that are longer still.
        .max_frame_size(2 * BODY_LIMIT)
        .max_message_size(2 * BODY_LIMIT);
    let unsent = place.as_ref().map(|place| place.unsent().clone()).unwrap_or_default();
    let payer = visit.meter.address().map(Payer);
    let mut response = upgrade.on_upgrade(async move |socket| {
        let held = (visit.app.edge.metrics.count_socket(), open, place);
        // The task that made the socket has room for all that takes; this one has not.
        tokio::spawn(serve(visit, caller, socket, unsent, held));
    });
    if let Some(payer) = payer {
        response.extensions_mut().insert(payer);
    }
    Ok(response)
}

/// Serves a socket for as long as it is open; `held` is what it takes meanwhile. Not an `async fn`, which would hold what
/// it is given twice.
fn serve<T: Send + 'static>(
    visit: Visit,
    caller: Option<Caller>,
    mut socket: WebSocket,
    unsent: UnsentBytes,
    held: T,
) -> impl Future<Output = ()> + Send {
    let serving = if socket.protocol().is_some_and(|protocol| protocol == PROTOCOL) {
        Either::Left(SocketSession::new(visit, caller).run(socket, unsent))
    } else {
        Either::Right(Box::pin(async move {
            // It may be gone already; there is nobody else to tell.
            let _gone = socket.send(Message::Close(Some(Close::OTHER_PROTOCOL.frame()))).await;
        }))
    };
    serving.map(move |()| drop(held))
}

/// From the same origin, from one that may call, or from no browser.
fn may_come_from_there(headers: &HeaderMap, origins: &Origins) -> bool {
    let (Some(origin), Origins::Only(allowed)) = (headers.get(header::ORIGIN), origins) else { return true };
    let host = headers.get(header::HOST).and_then(|host| host.to_str().ok());
    let authority = origin.to_str().ok().and_then(|origin| origin.split_once("://")).map(|(_, authority)| authority);
    allowed.contains(origin) || (authority.is_some() && authority == host)
}
