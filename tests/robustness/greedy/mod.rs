//! Slow and greedy clients: a client that sends too slowly, reads nothing, holds connections or floods is refused or left
//! waiting, at a price that is bounded, and everybody else is served meanwhile: every one of their requests is answered.
//!
//! The server is a process of its own, with addresses of the loopback network for its callers.

mod control_frames;
mod deaf;
mod flood;
mod idle;
mod others;
mod refusals;
mod slow;
mod socket_frames;
mod windows;

use std::fs;
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use test_support::{Program, http2};
use tokio::net::{TcpSocket, TcpStream};

/// One of many callers: 127.0.x.y.
pub fn caller(x: u8, y: u8) -> IpAddr {
    IpAddr::V4(Ipv4Addr::new(127, 0, x, y))
}

/// A connection from an address, with as little room for what it is sent as there can be.
pub async fn connect(server: &Program, from: IpAddr) -> std::io::Result<TcpStream> {
    let socket = TcpSocket::new_v4()?;
    socket.set_recv_buffer_size(2048)?;
    socket.bind(SocketAddr::new(from, 0))?;
    socket.connect(server.address().parse().unwrap()).await
}

/// The same, over HTTP/2, from 127.0.0.`y`; `window` is the initial window of every stream.
pub async fn connect_http2(server: &Program, y: u8, window: u32) -> http2::Connection {
    http2::Connection::begin(connect(server, caller(0, y)).await.unwrap(), window).await
}

/// The memory that the server takes, in KiB.
pub fn resident(server: &Program) -> u64 {
    let status = fs::read_to_string(format!("/proc/{}/status", server.id())).unwrap();
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).unwrap();
    line.trim().trim_end_matches(" kB").parse().unwrap()
}

/// What `/metrics` says of something that there is a number of.
pub async fn gauge(server: &Program, name: &str) -> u64 {
    let page = server.get("/metrics").await.text();
    let line = page.lines().find_map(|line| line.strip_prefix(&format!("ludotheque_{name} ")));
    line.unwrap_or_else(|| panic!("no {name} in {page}")).parse().unwrap()
}
