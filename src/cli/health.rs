//! Health check of a running server, for containers and supervisors that have no curl.

use super::Result;
use crate::config::Settings;
use std::io::{Read, Write};
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr, TcpStream};
use std::process::ExitCode;
use std::time::Duration;

/// Timeout for each of connecting, reading and writing.
const TIMEOUT: Duration = Duration::from_secs(5);
/// Bytes of the answer that are read at most.
const MAX_ANSWER_BYTES: u64 = 64 * 1024;

/// Requests `/readyz`, which performs a durable write.
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

/// The address to connect to: the loopback address if the server listens on all.
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
    let mut stream = TcpStream::connect_timeout(&address, TIMEOUT)?;
    stream.set_read_timeout(Some(TIMEOUT))?;
    stream.set_write_timeout(Some(TIMEOUT))?;
    write!(stream, "GET {path} HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n\r\n")?;
    let mut answer = String::new();
    stream.take(MAX_ANSWER_BYTES).read_to_string(&mut answer)?;
    Ok(answer)
}
