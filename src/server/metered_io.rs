//! The socket of a connection, watched: since when it takes nothing, which HTTP/2 frames come in, and how many bytes once it
//! is a WebSocket.

use super::backlog::Backlog;
use super::frame_meter::{Flood, FrameMeter};
use crate::app::App;
use crate::edge::client_address::Payer;
use crate::quota::prices;
use std::io::{self, IoSlice};
use std::net::IpAddr;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, ready};
use std::time::Instant;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::TcpStream;
use tokio::time::{Sleep, sleep};

/// Bytes that are paid for together.
const KIB: usize = 1024;

/// A socket that hyper reads from and writes to.
pub struct MeteredIo {
    stream: TcpStream,
    backlog: Arc<Backlog>,
    /// Whether it took nothing the last time.
    is_blocked: bool,
    incoming: Incoming,
}

/// What is looked at in what comes in.
enum Incoming {
    /// Nothing: requests are counted where they are answered. It may become a WebSocket.
    Http1(Arc<App>),
    Http2(Box<Frames>),
    WebSocket(Box<Paced>),
}

/// The bytes that come in over a WebSocket. Messages are counted where they are heard; but a frame may be part of no
/// message, or of one that never ends. So everything is paid for by the KiB, and not read before.
struct Paced {
    app: Arc<App>,
    payer: Payer,
    unpaid: usize,
    pause: Option<Pin<Box<Sleep>>>,
    paid_in_vain: u32,
}

/// What HTTP/2 has besides.
struct Frames {
    meter: FrameMeter,
    app: Arc<App>,
    /// Whose budget frames count against; nobody's if they come through a proxy for many.
    address: Option<IpAddr>,
}

impl MeteredIo {
    pub fn http1(stream: TcpStream, backlog: Arc<Backlog>, app: Arc<App>) -> Self {
        Self { stream, backlog, is_blocked: false, incoming: Incoming::Http1(app) }
    }

    /// A socket whose frames count against an address, and against the connection itself.
    pub fn http2(stream: TcpStream, backlog: Arc<Backlog>, app: Arc<App>, address: Option<IpAddr>) -> Self {
        let frames = Box::new(Frames { meter: FrameMeter::new(Instant::now()), app, address });
        Self { stream, backlog, is_blocked: false, incoming: Incoming::Http2(frames) }
    }

    /// Writes the head of an answer that makes a WebSocket of the connection.
    fn poll_write_switch(&mut self, context: &mut Context<'_>, head: &[u8]) -> Poll<io::Result<usize>> {
        let written = Pin::new(&mut self.stream).poll_write(context, &spelled(head));
        if written.is_pending() {
            self.backlog.expect_switch(None);
        } else if let (Incoming::Http1(app), Some(payer)) = (&self.incoming, self.backlog.payer()) {
            let app = app.clone();
            self.incoming =
                Incoming::WebSocket(Box::new(Paced { app, payer, unpaid: 0, pause: None, paid_in_vain: 0 }));
        }
        self.wrote(written)
    }

    fn wrote(&mut self, written: Poll<io::Result<usize>>) -> Poll<io::Result<usize>> {
        if written.is_pending() != self.is_blocked {
            self.is_blocked = written.is_pending();
            self.backlog.is_blocked(self.is_blocked);
        }
        if let (Incoming::Http2(frames), Poll::Ready(Ok(bytes))) = (&mut self.incoming, &written) {
            frames.meter.wrote(*bytes);
        }
        written
    }
}

impl Frames {
    /// Counts the frames that were read, and cuts off a peer that sends too many.
    fn read(&mut self, bytes: &[u8], requests: u32) -> io::Result<()> {
        let charges = self.meter.read(bytes, requests, Instant::now).map_err(io::Error::other)?;
        let Some(address) = self.address else { return Ok(()) };
        let points = charges.saturating_mul(prices::UNIT);
        self.app.edge.budgets.charge_address(address, points).map_err(|_| io::Error::other(Flood))?;
        Ok(())
    }
}

impl Paced {
    /// Resolves once what was read is paid for.
    fn poll_paid(&mut self, context: &mut Context<'_>) -> Poll<()> {
        while let Ok(kib @ 1..) = u32::try_from(self.unpaid / KIB) {
            if let Some(pause) = &mut self.pause {
                ready!(pause.as_mut().poll(context));
                self.pause = None;
            }
            match self.app.edge.budgets.charge_address(self.payer.0, kib.saturating_mul(prices::SOCKET_KIB)) {
                Ok(_) => (self.unpaid, self.paid_in_vain) = (self.unpaid % KIB, 0),
                Err(limited) => {
                    self.pause = Some(Box::pin(sleep(limited.pause(self.paid_in_vain))));
                    self.paid_in_vain += 1;
                }
            }
        }
        Poll::Ready(())
    }
}

impl AsyncRead for MeteredIo {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let this = &mut *self;
        if let Incoming::WebSocket(paced) = &mut this.incoming {
            ready!(paced.poll_paid(context));
        }
        let before = buffer.filled().len();
        ready!(Pin::new(&mut this.stream).poll_read(context, buffer))?;
        let read = &buffer.filled()[before..];
        Poll::Ready(match &mut this.incoming {
            Incoming::Http1(_) => Ok(()),
            Incoming::Http2(frames) => frames.read(read, this.backlog.requests()),
            Incoming::WebSocket(paced) => {
                paced.unpaid += read.len();
                Ok(())
            }
        })
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

impl AsyncWrite for MeteredIo {
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
