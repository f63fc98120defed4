//! HTTP/2 frames that ask for nothing but an acknowledgement, as fast as the server takes them: PING and SETTINGS, written
//! by hand, on connections that read what they are sent and on connections that don't.

use super::super::super::Result;
use super::super::super::client::connect;
use super::super::flood::{FLOODER, Flood};
use std::time::Duration;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::net::tcp::OwnedReadHalf;
use tokio::time::{sleep, timeout};

const CONNECTIONS: usize = 16;
const PREFACE: &[u8] = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";
/// Frames in one write.
const AT_ONCE: usize = 512;
/// A server that reads nothing for so long has stalled the connection, which is replaced.
const STALLED: Duration = Duration::from_secs(5);
const PAUSE: Duration = Duration::from_millis(20);

const DATA: &[u8] = &[];
const HEADERS: u8 = 1;
const SETTINGS: u8 = 4;
const PING: u8 = 6;
const END_STREAM_AND_HEADERS: u8 = 5;

pub async fn run(flood: Flood) {
    flood.ready("");
    flood.all(CONNECTIONS, flood_for_ever).await;
}

async fn flood_for_ever(flood: Flood, number: usize) {
    loop {
        // Ends with an error only, when the server has cut the connection off.
        let _cut_off = send(&flood, number).await;
        flood.counts.broken();
        sleep(PAUSE).await;
    }
}

async fn send(flood: &Flood, number: usize) -> Result<()> {
    let stream: TcpStream = connect(FLOODER, &flood.server).await?;
    let (reading, mut writing) = stream.into_split();
    // Half of them never read, so that acknowledgements pile up.
    let (reads, _unread) = if number.is_multiple_of(2) { (Some(reading), None) } else { (None, Some(reading)) };
    let reader = reads.map(|reading| tokio::spawn(read_all(flood.clone(), reading)));
    let frames = match number % 4 {
        0 | 1 => frame(PING, 0, 0, &[7; 8]).repeat(AT_ONCE),
        _ => frame(SETTINGS, 0, 0, DATA).repeat(AT_ONCE),
    };
    // A connection that never asks for anything is closed after a while: it asks once.
    let begin = [PREFACE, &frame(SETTINGS, 0, 0, DATA), &frame(HEADERS, END_STREAM_AND_HEADERS, 1, &livez())].concat();
    writing.write_all(&begin).await?;
    let flooding = async {
        loop {
            timeout(STALLED, writing.write_all(&frames)).await??;
            flood.counts.frames(AT_ONCE as u64);
        }
    };
    let ended: Result<()> = flooding.await;
    if let Some(reader) = reader {
        reader.abort();
    }
    ended
}

async fn read_all(flood: Flood, mut reading: OwnedReadHalf) {
    let mut buffer = vec![0; 16 * 1024];
    while let Ok(count @ 1..) = reading.read(&mut buffer).await {
        flood.counts.bytes(count as u64);
    }
}

/// A frame: length, type, flags, stream, payload.
fn frame(kind: u8, flags: u8, stream: u32, payload: &[u8]) -> Vec<u8> {
    let [_, a, b, c] = u32::try_from(payload.len()).unwrap_or_default().to_be_bytes();
    [&[a, b, c, kind, flags], stream.to_be_bytes().as_slice(), payload].concat()
}

/// `GET /livez` in HPACK: method and scheme from the static table, path and authority as literals.
fn livez() -> Vec<u8> {
    [b"\x82\x86\x04\x06/livez".as_slice(), b"\x01\x01x"].concat()
}
