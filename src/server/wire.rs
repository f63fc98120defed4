//! The socket of a connection, watched: since when it takes nothing, and which HTTP/2 frames come in.

use super::backlog::Backlog;
use super::frame_meter::{Flood, FrameMeter};
use crate::app::App;
use crate::quota::prices;
use std::io::{self, IoSlice};
use std::net::IpAddr;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Instant;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::TcpStream;

/// A socket that hyper reads from and writes to.
pub struct Wire {
    stream: TcpStream,
    backlog: Arc<Backlog>,
    /// Whether it took nothing the last time.
    is_blocked: bool,
    frames: Option<Box<Frames>>,
}

/// What HTTP/2 has besides.
struct Frames {
    meter: FrameMeter,
    app: Arc<App>,
    /// Whose budget frames count against; nobody's if they come through a proxy for many.
    address: Option<IpAddr>,
}

impl Wire {
    pub fn http1(stream: TcpStream, backlog: Arc<Backlog>) -> Self {
        Self { stream, backlog, is_blocked: false, frames: None }
    }

    /// A socket whose frames count against an address, and against the connection itself.
    pub fn http2(stream: TcpStream, backlog: Arc<Backlog>, app: Arc<App>, address: Option<IpAddr>) -> Self {
        let frames = Box::new(Frames { meter: FrameMeter::new(Instant::now()), app, address });
        Self { stream, backlog, is_blocked: false, frames: Some(frames) }
    }

    /// Writes the head of an answer that makes a WebSocket of the connection.
    fn poll_write_switch(&mut self, context: &mut Context<'_>, head: &[u8]) -> Poll<io::Result<usize>> {
        let written = Pin::new(&mut self.stream).poll_write(context, &spelled(head));
        if written.is_pending() {
            self.backlog.expect_switch();
        }
        self.wrote(written)
    }

    fn wrote(&mut self, written: Poll<io::Result<usize>>) -> Poll<io::Result<usize>> {
        if written.is_pending() != self.is_blocked {
            self.is_blocked = written.is_pending();
            self.backlog.is_blocked(self.is_blocked);
        }
        if let (Some(frames), Poll::Ready(Ok(bytes))) = (&mut self.frames, &written) {
            frames.meter.wrote(*bytes);
        }
        written
    }
}

impl Frames {
    /// Counts the frames that were read, and cuts off a peer that sends too many.
    fn read(&mut self, bytes: &[u8]) -> io::Result<()> {
        let charges = self.meter.read(bytes, Instant::now).map_err(io::Error::other)?;
        let Some(address) = self.address else { return Ok(()) };
        let points = charges.saturating_mul(prices::UNIT);
        self.app.edge.budgets.charge_address(address, points).map_err(|_| io::Error::other(Flood))?;
        Ok(())
    }
}

impl AsyncRead for Wire {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let this = &mut *self;
        let before = buffer.filled().len();
        let read = Pin::new(&mut this.stream).poll_read(context, buffer);
        match (&mut this.frames, &read) {
            (Some(frames), Poll::Ready(Ok(()))) => Poll::Ready(frames.read(&buffer.filled()[before..])),
            _ => read,
        }
    }
}

/// Spells a header of the switch to WebSocket as RFC 6455 does. Names of headers have no case, and hyper writes them small;
/// but the `gql` client of Python looks for this one as it is spelled there, and takes a server without it for one that
/// speaks an older protocol.
fn spelled(head: &[u8]) -> Vec<u8> {
    const SMALL: &[u8] = b"\r\nsec-websocket-protocol:";
    const SPELLED: &[u8; SMALL.len()] = b"\r\nSec-WebSocket-Protocol:";
    let mut head = head.to_vec();
    if let Some(at) = head.windows(SMALL.len()).position(|bytes| bytes == SMALL) {
        head[at..at + SMALL.len()].copy_from_slice(SPELLED);
    }
    head
}

impl AsyncWrite for Wire {
    fn poll_write(mut self: Pin<&mut Self>, context: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        if self.backlog.switches() {
            return self.poll_write_switch(context, bytes);
        }
        let written = Pin::new(&mut self.stream).poll_write(context, bytes);
        self.wrote(written)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        slices: &[IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        if let (true, Some(head)) = (self.backlog.switches(), slices.iter().find(|slice| !slice.is_empty())) {
            return self.poll_write_switch(context, head);
        }
        let written = Pin::new(&mut self.stream).poll_write_vectored(context, slices);
        self.wrote(written)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(context)
    }
}
