//! What is left of a request's body once its answer is made: read and dropped, up to a bound, before the answer is sent.
//!
//! A request may be refused before its body was read: too long, no token, no such address. Closing a socket with bytes
//! unread resets the connection (RFC 1122, section 4.2.2.13), and a client that sends its whole body before it reads sees a
//! broken pipe and never the answer: Node's fetch and Python's urllib do. Bytes, time and silence are bounded, nothing is
//! kept, and what is refused for coming too often is not waited for.

use super::backlog::UnfinishedAnswer;
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

/// Bytes that are dropped at most: more than anybody sends by mistake, and some milliseconds of work.
const MOST: usize = 8 << 20;
/// How long that may take in all.
const DEADLINE: Duration = Duration::from_secs(5);
/// How long nothing may come: a client that waits for the answer is answered then.
const SILENCE: Duration = Duration::from_millis(500);

/// The body of a request. What nobody read of it comes back when it is dropped.
pub struct RequestBody {
    incoming: Option<Incoming>,
    unread: Option<Arc<Mutex<Option<Incoming>>>>,
    /// Whether the client waits for `100 Continue` before it sends anything; it gets that when the body is first read.
    is_awaited: bool,
    /// Counted for as long as it may be read.
    _unfinished: Option<UnfinishedAnswer>,
}

/// Where the unread rest of a body comes back to.
pub struct Unread(Arc<Mutex<Option<Incoming>>>);

impl RequestBody {
    /// The request with such a body; and where its rest comes back to, if there is any worth reading. HTTP/2 can refuse the
    /// rest of one request without closing the connection.
    pub fn of(request: Request<Incoming>, unfinished: Option<UnfinishedAnswer>) -> (Request<Self>, Option<Unread>) {
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
    /// The rest of a body that is worth reading before its request is answered with such a status.
    pub fn before(self, status: StatusCode) -> Option<Incoming> {
        let rest = self.0.lock().unwrap_or_else(PoisonError::into_inner).take();
        rest.filter(|rest| !rest.is_end_stream() && is_worth_it(status))
    }
}

/// Reads and drops the rest of a body.
pub async fn drop_rest(mut body: Incoming) {
    let (end, mut dropped) = (Instant::now() + DEADLINE, 0);
    while dropped < MOST && !body.is_end_stream() {
        let until = end.min(Instant::now() + SILENCE);
        let next = poll_fn(|context| Pin::new(&mut body).poll_frame(context));
        let Ok(Some(Ok(frame))) = timeout_at(until, next).await else { return };
        dropped += frame.data_ref().map_or(0, Bytes::len);
    }
}

/// Whether a client gains anything by it. One that asks too often, or is slow, is not given more of our time.
fn is_worth_it(status: StatusCode) -> bool {
    ![StatusCode::TOO_MANY_REQUESTS, StatusCode::REQUEST_TIMEOUT, StatusCode::SERVICE_UNAVAILABLE].contains(&status)
}
