//! Metered socket I/O: detects blocked sockets, counts HTTP/2 frames, and charges for the bytes of WebSockets.

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

/// Bytes are charged by the KiB.
const KIB: usize = 1024;

/// The socket that hyper reads from and writes to.
pub struct MeteredIo {
    stream: TcpStream,
    backlog: Arc<Backlog>,
    /// Whether the last write was pending.
    is_blocked: bool,
    incoming: Incoming,
}

/// How incoming bytes are metered.
enum Incoming {
    /// Not at all: requests are charged where they are answered. May become a WebSocket.
    Http1(Arc<App>),
    Http2(Box<MeteredFrames>),
    WebSocket(Box<PacedBytes>),
}

/// Charges for the bytes received over a WebSocket, and stops reading until they are paid for. Messages are charged
/// where they are handled, but frames may belong to no message, or to one that never ends.
struct PacedBytes {
    app: Arc<App>,
    payer: Payer,
    unpaid: usize,
    pause: Option<Pin<Box<Sleep>>>,
    failed_charges: u32,
}

/// Meter of HTTP/2 frames.
struct MeteredFrames {
    meter: FrameMeter,
    app: Arc<App>,
    /// The address that is charged; `None` for a trusted proxy.
    address: Option<IpAddr>,
}

impl MeteredIo {
    pub fn http1(stream: TcpStream, backlog: Arc<Backlog>, app: Arc<App>) -> Self {
        Self { stream, backlog, is_blocked: false, incoming: Incoming::Http1(app) }
    }

    /// A socket whose frames count against the connection, and are charged to an address if one is given.
    pub fn http2(stream: TcpStream, backlog: Arc<Backlog>, app: Arc<App>, address: Option<IpAddr>) -> Self {
        let frames = Box::new(MeteredFrames { meter: FrameMeter::new(Instant::now()), app, address });
        Self { stream, backlog, is_blocked: false, incoming: Incoming::Http2(frames) }
    }

    /// Writes the head of a 101 answer, and meters the connection as a WebSocket from then on.
    fn poll_write_switch(&mut self, context: &mut Context<'_>, head: &[u8]) -> Poll<io::Result<usize>> {
        let written = Pin::new(&mut self.stream).poll_write(context, &restore_protocol_case(head));
        if written.is_pending() {
            self.backlog.expect_switch(None);
        } else if let (Incoming::Http1(app), Some(payer)) = (&self.incoming, self.backlog.payer()) {
            let app = app.clone();
            self.incoming =
                Incoming::WebSocket(Box::new(PacedBytes { app, payer, unpaid: 0, pause: None, failed_charges: 0 }));
        }
        self.wrote(written)
    }

    fn wrote(&mut self, written: Poll<io::Result<usize>>) -> Poll<io::Result<usize>> {
        if written.is_pending() != self.is_blocked {
            self.is_blocked = written.is_pending();
            self.backlog.set_blocked(self.is_blocked);
        }
        if let (Incoming::Http2(frames), Poll::Ready(Ok(bytes))) = (&mut self.incoming, &written) {
            frames.meter.wrote(*bytes);
        }
        written
    }
}

impl MeteredFrames {
    /// Counts the frames read; the error closes the connection of a peer that sends too many.
    fn read(&mut self, bytes: &[u8], requests: u32) -> io::Result<()> {
        let charges = self.meter.read(bytes, requests, Instant::now).map_err(io::Error::other)?;
        let Some(address) = self.address else { return Ok(()) };
        let points = charges.saturating_mul(prices::UNIT);
        self.app.edge.budgets.charge_address(address, points).map_err(|_| io::Error::other(Flood))?;
        Ok(())
    }
}

impl PacedBytes {
    /// Resolves once the bytes read are paid for.
    fn poll_paid(&mut self, context: &mut Context<'_>) -> Poll<()> {
        while let Ok(kib @ 1..) = u32::try_from(self.unpaid / KIB) {
            if let Some(pause) = &mut self.pause {
                ready!(pause.as_mut().poll(context));
                self.pause = None;
            }
            match self.app.edge.budgets.charge_address(self.payer.0, kib.saturating_mul(prices::SOCKET_KIB)) {
                Ok(_) => (self.unpaid, self.failed_charges) = (self.unpaid % KIB, 0),
                Err(limited) => {
                    self.pause = Some(Box::pin(sleep(limited.pause(self.failed_charges))));
                    self.failed_charges += 1;
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

/// Writes `Sec-WebSocket-Protocol` with the capital letters of RFC 6455. hyper writes header names in lower case;
/// Python's `gql` client compares this one case-sensitively, and falls back to an older protocol if it is missing.
fn restore_protocol_case(head: &[u8]) -> Vec<u8> {
    const LOWER: &[u8] = b"\r\nsec-websocket-protocol:";
    const AS_IN_RFC: &[u8; LOWER.len()] = b"\r\nSec-WebSocket-Protocol:";
    let mut head = head.to_vec();
    if let Some(at) = head.windows(LOWER.len()).position(|bytes| bytes == LOWER) {
        head[at..at + LOWER.len()].copy_from_slice(AS_IN_RFC);
    }
    head
}

impl AsyncWrite for MeteredIo {
    fn poll_write(mut self: Pin<&mut Self>, context: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        if self.backlog.take_switch() {
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
        if let (true, Some(head)) = (self.backlog.take_switch(), slices.iter().find(|slice| !slice.is_empty())) {
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
