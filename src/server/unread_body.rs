//! Drains the unread rest of a request body before the answer is sent.
//!
//! A request may be refused before its body was read: too long, no token, no such route. Closing a socket with unread
//! bytes resets the connection (RFC 1122, section 4.2.2.13). A client that sends its whole body before it reads, such
//! as Node's fetch and Python's urllib, then sees a broken pipe instead of the answer. Bytes, total time and idle time
//! are bounded, nothing is stored, and rate-limit refusals are sent without draining.

use super::backlog::UnfinishedRequest;
use axum::body::Bytes;
use axum::http::{StatusCode, Version, header};
use hyper::Request;
use hyper::body::{Body, Frame, Incoming, SizeHint};
use std::future::poll_fn;
use std::pin::Pin;
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Context, Poll};
use std::time::Duration;
use tokio::time::{Instant, timeout_at};

/// Bytes drained at most: more than a client sends by mistake, and a few milliseconds of work.
const MAX_BYTES: usize = 8 << 20;
/// How long draining may take in total.
const DEADLINE: Duration = Duration::from_secs(5);
/// How long the client may send nothing; it is probably waiting for the answer.
const IDLE_TIMEOUT: Duration = Duration::from_millis(500);

/// The body of a request. Dropping it passes the unread rest to [`Unread`].
pub struct RequestBody {
    incoming: Option<Incoming>,
    unread: Option<Arc<Mutex<Option<Incoming>>>>,
    /// Whether the client waits for `100 Continue`, which hyper sends when the body is first read.
    is_awaited: bool,
    /// Counts the body until it is dropped.
    _unfinished: Option<UnfinishedRequest>,
}

/// Receives the unread rest of a body.
pub struct Unread(Arc<Mutex<Option<Incoming>>>);

impl RequestBody {
    /// Wraps the body of a request. The receiver is `None` if there is nothing to drain: no body, or HTTP/2, which can
    /// refuse the rest of a request without closing the connection.
    pub fn of(request: Request<Incoming>, unfinished: Option<UnfinishedRequest>) -> (Request<Self>, Option<Unread>) {
        let is_sent = !request.body().is_end_stream() && request.version() != Version::HTTP_2;
        let unread = is_sent.then(Arc::default);
        let is_awaited = request.headers().contains_key(header::EXPECT);
        let request = request.map(|incoming| Self {
            incoming: Some(incoming),
            unread: unread.clone(),
            is_awaited,
            _unfinished: unfinished,
        });
        (request, unread.map(Unread))
    }
}

impl Drop for RequestBody {
    fn drop(&mut self) {
        if let (Some(unread), Some(incoming), false) = (&self.unread, self.incoming.take(), self.is_awaited) {
            *unread.lock().unwrap_or_else(PoisonError::into_inner) = Some(incoming);
        }
    }
}

impl Body for RequestBody {
    type Data = Bytes;
    type Error = hyper::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, hyper::Error>>> {
        self.is_awaited = false;
        match &mut self.incoming {
            Some(incoming) => Pin::new(incoming).poll_frame(context),
            None => Poll::Ready(None),
        }
    }

    fn is_end_stream(&self) -> bool {
        self.incoming.as_ref().is_none_or(Body::is_end_stream)
    }

    fn size_hint(&self) -> SizeHint {
        self.incoming.as_ref().map(Body::size_hint).unwrap_or_default()
    }
}

impl Unread {
    /// The rest to drain before an answer with this status.
    pub fn before(self, status: StatusCode) -> Option<Incoming> {
        let rest = self.0.lock().unwrap_or_else(PoisonError::into_inner).take();
        rest.filter(|rest| !rest.is_end_stream() && is_drained_before(status))
    }
}

/// Reads and discards the rest of a body.
pub async fn drain(mut body: Incoming) {
    let (end, mut drained) = (Instant::now() + DEADLINE, 0);
    while drained < MAX_BYTES && !body.is_end_stream() {
        let until = end.min(Instant::now() + IDLE_TIMEOUT);
        let next = poll_fn(|context| Pin::new(&mut body).poll_frame(context));
        let Ok(Some(Ok(frame))) = timeout_at(until, next).await else { return };
        drained += frame.data_ref().map_or(0, Bytes::len);
    }
}

/// Whether to drain before this status. A client that is rate-limited or slow gets no more of our time.
fn is_drained_before(status: StatusCode) -> bool {
    ![StatusCode::TOO_MANY_REQUESTS, StatusCode::REQUEST_TIMEOUT, StatusCode::SERVICE_UNAVAILABLE].contains(&status)
}
