//! The body of an answer on its way out: what it keeps in memory is counted in its connection's [`Backlog`] until hyper
//! has written it.
//!
//! Bytes are counted for as long as their buffer is there, and not until they are sent: the last byte of a buffer keeps
//! all of it. So the buffers that hyper is handed know their [`HeldRequest`].

use super::backlog::{Backlog, HeldRequest};
use crate::edge::unsent_bytes::Shared;
use axum::BoxError;
use axum::body::{Body, Bytes, HttpBody};
use axum::response::Response;
use futures::future::BoxFuture;
use hyper::body::{Buf, Frame, SizeHint};
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, ready};

/// What an answer counts for whose bytes are shared with others: about what hyper keeps of it.
const SHARED: usize = 1024;

/// The body of an answer.
pub struct AnswerBody {
    body: Body,
    /// What is in memory and not handed on yet; nothing for an answer without a body.
    held: Option<HeldRequest>,
    counts: Counts,
    /// What a stream waits for while too much waits for its address.
    room: Option<BoxFuture<'static, ()>>,
}

/// How the bytes of a body are counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Counts {
    /// All at once: they are all in memory.
    Ahead,
    /// As they come.
    AsTheyCome,
    /// Hardly at all: they are in memory once, for everybody.
    Shared,
}

impl AnswerBody {
    /// Counts an answer; nothing if its address has too much waiting already.
    pub fn count(answer: Response, backlog: &Arc<Backlog>) -> Option<Response<Self>> {
        let (bytes, counts) = match answer.body().size_hint().exact() {
            Some(0) => return Some(answer.map(|body| Self::new(body, None, Counts::Ahead))),
            Some(_) if answer.extensions().get::<Shared>().is_some() => (SHARED, Counts::Shared),
            Some(length) => (usize::try_from(length).unwrap_or(usize::MAX), Counts::Ahead),
            None => (0, Counts::AsTheyCome),
        };
        if backlog.is_exceeded_by(bytes) {
            return None;
        }
        let held = Some(backlog.begin(bytes));
        Some(answer.map(|body| Self::new(body, held, counts)))
    }

    /// An answer without a body.
    pub fn empty() -> Self {
        Self::new(Body::empty(), None, Counts::Ahead)
    }

    fn new(body: Body, held: Option<HeldRequest>, counts: Counts) -> Self {
        Self { body, held, counts, room: None }
    }

    /// Whether a stream may make more bytes.
    fn poll_room(&mut self, context: &mut Context<'_>) -> Poll<()> {
        if self.counts == Counts::AsTheyCome && self.room.is_none() {
            self.room = self.held.as_ref().and_then(HeldRequest::room);
        }
        if let Some(room) = &mut self.room {
            ready!(room.as_mut().poll(context));
            self.room = None;
        }
        Poll::Ready(())
    }

    /// Counts some bytes that are handed on.
    fn hand_on(&mut self, bytes: Bytes) -> AnswerBytes {
        let length = bytes.len();
        let held = match self.counts {
            // The last of them takes the count along.
            Counts::Ahead | Counts::Shared if self.body.is_end_stream() => self.held.take(),
            Counts::Ahead => self.held.as_mut().map(|held| held.split(length)),
            Counts::AsTheyCome => self.held.as_ref().map(|held| held.more(length)),
            Counts::Shared => self.held.as_ref().map(|held| held.more(SHARED)),
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
    held: Option<HeldRequest>,
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
