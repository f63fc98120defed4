//! Response body that counts its bytes in the connection's [`Backlog`] until hyper has written them.
//!
//! A buffer is counted until all of it is written, because its last unsent byte keeps the whole allocation. So the
//! buffers handed to hyper own their [`HeldAnswer`].

use super::backlog::{Backlog, HeldAnswer};
use crate::edge::unsent_bytes::Shared;
use axum::BoxError;
use axum::body::{Body, Bytes, HttpBody};
use axum::response::Response;
use futures::future::BoxFuture;
use hyper::body::{Buf, Frame, SizeHint};
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, ready};

/// Bytes counted for an answer with shared bytes: about what hyper holds for it.
const SHARED_BYTES: usize = 1024;

/// The body of an answer.
pub struct AnswerBody {
    body: Body,
    /// The bytes in memory that are not handed to hyper yet; `None` for an empty body.
    held: Option<HeldAnswer>,
    counts: Counts,
    /// Awaited by a stream while its address is at its limit.
    room: Option<BoxFuture<'static, ()>>,
}

/// How the bytes of a body are counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Counts {
    /// All at once, because they are in memory already.
    AtOnce,
    /// As the stream produces them.
    Streamed,
    /// As [`SHARED_BYTES`], because other answers share them.
    Shared,
}

impl AnswerBody {
    /// Counts an answer; `None` if it would exceed the limit of its address.
    pub fn count(answer: Response, backlog: &Arc<Backlog>) -> Option<Response<Self>> {
        let (bytes, counts) = match answer.body().size_hint().exact() {
            Some(0) => return Some(answer.map(|body| Self::new(body, None, Counts::AtOnce))),
            Some(_) if answer.extensions().get::<Shared>().is_some() => (SHARED_BYTES, Counts::Shared),
            Some(length) => (usize::try_from(length).unwrap_or(usize::MAX), Counts::AtOnce),
            None => (0, Counts::Streamed),
        };
        if backlog.is_exceeded_by(bytes) {
            return None;
        }
        let held = Some(backlog.begin(bytes));
        Some(answer.map(|body| Self::new(body, held, counts)))
    }

    /// An answer without a body.
    pub fn empty() -> Self {
        Self::new(Body::empty(), None, Counts::AtOnce)
    }

    fn new(body: Body, held: Option<HeldAnswer>, counts: Counts) -> Self {
        Self { body, held, counts, room: None }
    }

    /// Resolves once a stream may produce more bytes.
    fn poll_room(&mut self, context: &mut Context<'_>) -> Poll<()> {
        if self.counts == Counts::Streamed && self.room.is_none() {
            self.room = self.held.as_ref().and_then(HeldAnswer::room);
        }
        if let Some(room) = &mut self.room {
            ready!(room.as_mut().poll(context));
            self.room = None;
        }
        Poll::Ready(())
    }

    /// Passes bytes to hyper together with their count.
    fn hand_on(&mut self, bytes: Bytes) -> AnswerBytes {
        let length = bytes.len();
        let held = match self.counts {
            // The last bytes take the rest of the count.
            Counts::AtOnce | Counts::Shared if self.body.is_end_stream() => self.held.take(),
            Counts::AtOnce => self.held.as_mut().map(|held| held.split(length)),
            Counts::Streamed => self.held.as_ref().map(|held| held.more(length)),
            Counts::Shared => self.held.as_ref().map(|held| held.more(SHARED_BYTES)),
        };
        AnswerBytes { bytes, held }
    }
}

impl HttpBody for AnswerBody {
    type Data = AnswerBytes;
    type Error = BoxError;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<AnswerBytes>, BoxError>>> {
        let this = &mut *self;
        ready!(this.poll_room(context));
        let frame = ready!(Pin::new(&mut this.body).poll_frame(context));
        if frame.is_none() {
            this.held = None;
        }
        Poll::Ready(frame.map(|frame| Ok(frame?.map_data(|bytes| this.hand_on(bytes)))))
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}

/// Bytes of an answer, counted until hyper has written all of them.
pub struct AnswerBytes {
    bytes: Bytes,
    held: Option<HeldAnswer>,
}

impl Buf for AnswerBytes {
    fn remaining(&self) -> usize {
        self.bytes.remaining()
    }

    fn chunk(&self) -> &[u8] {
        self.bytes.chunk()
    }

    fn advance(&mut self, written: usize) {
        self.bytes.advance(written);
        if self.bytes.is_empty() {
            self.held = None;
        } else if let Some(held) = &self.held {
            held.progress();
        }
    }
}
