//! Asking a running server how it is, so that a container or a supervisor needs no other program for it.

use super::Result;
use crate::config::Settings;
use std::io::{Read, Write};
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr, TcpStream};
use std::process::ExitCode;
use std::time::Duration;

/// How long an answer may take.
const PATIENCE: Duration = Duration::from_secs(5);
/// More than this is no answer of ours.
const LONGEST: u64 = 64 * 1024;

/// Asks `/readyz`, which tries a durable write.
pub fn ask(settings: &Settings) -> Result<ExitCode> {
    let address = reachable(settings.listen);
    let answer = get(address, "/readyz").map_err(|error| format!("{address} does not answer: {error}"))?;
    let status = answer.lines().next().unwrap_or_default();
    if status.split(' ').nth(1) == Some("200") {
        println!("{address} is ready");
        Ok(ExitCode::SUCCESS)
    } else {
        Err(format!("{address} is not ready: {status}").into())
    }
}

/// A server that listens everywhere can be reached from here.
fn reachable(mut address: SocketAddr) -> SocketAddr {
    if address.ip().is_unspecified() {
        address.set_ip(match address.ip() {
            IpAddr::V4(_) => Ipv4Addr::LOCALHOST.into(),
            IpAddr::V6(_) => Ipv6Addr::LOCALHOST.into(),
        });
    }
    address
}

fn get(address: SocketAddr, path: &str) -> std::io::Result<String> {
    let mut stream = TcpStream::connect_timeout(&address, PATIENCE)?;
    stream.set_read_timeout(Some(PATIENCE))?;
    stream.set_write_timeout(Some(PATIENCE))?;
    write!(stream, "GET {path} HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n\r\n")?;
    let mut answer = String::new();
    stream.take(LONGEST).read_to_string(&mut answer)?;
    Ok(answer)
}
