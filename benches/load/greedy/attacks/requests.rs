//! Plain requests on many connections, as fast as the server reads them.

use super::super::super::Result;
use super::super::super::client::connect;
use super::super::flood::{FLOODER, Flood};
use hyper::StatusCode;
use std::time::Duration;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::time::sleep;

const CONNECTIONS: usize = 64;
/// Requests in one write.
const AT_ONCE: usize = 8;
const PAUSE: Duration = Duration::from_millis(50);
const STATUS_LINE: &[u8] = b"HTTP/1.1 ";

pub async fn run(flood: Flood) {
    flood.ready("");
    flood.all(CONNECTIONS, ask_for_ever).await;
}

async fn ask_for_ever(flood: Flood, _number: usize) {
    loop {
        let _cut_off = ask(&flood).await;
        flood.counts.broken();
        sleep(PAUSE).await;
    }
}

async fn ask(flood: &Flood) -> Result<()> {
    let mut stream = connect(FLOODER, &flood.server).await?;
    let (mut reading, mut writing) = stream.split();
    let ask = "GET /v1/kinds HTTP/1.1\r\nHost: x\r\n\r\n".repeat(AT_ONCE);
    // Both at the same time: who doesn't read while the server doesn't either waits for ever.
    let write = async {
        loop {
            writing.write_all(ask.as_bytes()).await?;
        }
    };
    let read = async {
        let mut buffer = vec![0; 64 * 1024];
        loop {
            let read = reading.read(&mut buffer).await?;
            if read == 0 {
                return Result::<()>::Err("it was cut off".into());
            }
            flood.counts.bytes(read as u64);
            count_statuses(flood, &buffer[..read]);
        }
    };
    tokio::select! {
        ended = write => ended,
        ended = read => ended,
    }
}

/// A status line that is cut in two where a read ends is not counted.
fn count_statuses(flood: &Flood, read: &[u8]) {
    let lines = read.windows(STATUS_LINE.len() + 3).filter(|window| window.starts_with(STATUS_LINE));
    for status in lines.filter_map(|line| StatusCode::from_bytes(&line[STATUS_LINE.len()..]).ok()) {
        flood.counts.answer(status, &[]);
    }
}
