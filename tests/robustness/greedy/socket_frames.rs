//! Floods of WebSocket frames that are no messages: they are charged like everything else, so a client that sends too many
//! is read slowly. What an address could have paid for by then is compared with what was taken.

use crate::greedy::others::Others;
use crate::greedy::{caller, connect};
use futures::future::join;
use std::time::{Duration, Instant};
use test_support::{Program, folder};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::tcp::ReadHalf;

/// Far longer than anything takes; only there so that a defect ends a test.
const PATIENCE: Duration = Duration::from_mins(1);
/// Units in a second.
const RATE: u32 = 200;
const TEXT: u8 = 1;
const CONTINUATION: u8 = 0;
const PING: u8 = 9;
const PONG: u8 = 10;
const FIN: u8 = 0x80;

const HANDSHAKE: &str = "GET /graphql HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\
    Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\
    Sec-WebSocket-Protocol: graphql-transport-ws\r\n\r\n";

/// A short frame as a client sends it, under a mask that changes nothing.
fn frame(flags: u8, kind: u8, payload: &[u8]) -> Vec<u8> {
    [&[flags | kind, FIN | u8::try_from(payload.len()).unwrap(), 0, 0, 0, 0], payload].concat()
}

/// The next frame, which is short: its kind and payload.
async fn hear(reading: &mut ReadHalf<'_>) -> (u8, Vec<u8>) {
    let mut head = [0; 2];
    reading.read_exact(&mut head).await.expect("it is not cut off");
    assert!(head[1] < 126, "a short frame");
    let mut payload = vec![0; head[1].into()];
    reading.read_exact(&mut payload).await.unwrap();
    (head[0] & 0xf, payload)
}

/// Sends a frame, then others repeatedly, until all were accepted; returns the points that the address could have paid by
/// then.
async fn floods(server: &Program, y: u8, first: &[u8], frames: &[u8], times: usize) -> u128 {
    let begun = Instant::now();
    let mut stream = connect(server, caller(0, y)).await.unwrap();
    stream.write_all(HANDSHAKE.as_bytes()).await.unwrap();
    let mut head = Vec::new();
    while !head.ends_with(b"\r\n\r\n") {
        head.push(stream.read_u8().await.unwrap());
    }
    assert!(head.starts_with(b"HTTP/1.1 101"), "{}", String::from_utf8_lossy(&head));
    let (mut reading, mut writing) = stream.split();
    writing.write_all(&frame(FIN, TEXT, br#"{"type":"connection_init"}"#)).await.unwrap();
    let write = async {
        let all = [first, &frames.repeat(times), &frame(FIN, PING, b"the last")].concat();
        writing.write_all(&all).await.unwrap();
    };
    let read = async { while hear(&mut reading).await != (PONG, b"the last".to_vec()) {} };
    tokio::time::timeout(PATIENCE, join(write, read)).await.expect("all of it is taken");
    // A budget holds the work of two seconds, and more as time goes by.
    u128::from(RATE) * (2_000 + begun.elapsed().as_millis()) / 10
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn frames_that_are_no_messages_are_paid_for() {
    let data = folder();
    let rate = RATE.to_string();
    let server = Program::start(data.path(), &["--address-rate", &rate, "--player-rate", "0", "--log", "error"]);
    let others = Others::start(&server).await;
    // Each costs a sixteenth of a unit.
    let could_pay = floods(&server, 2, &[], &frame(FIN, PING, &[]), 12_000).await;
    assert!(could_pay > 12_000 * 6, "12,000 pings for {could_pay} points");
    let could_pay = floods(&server, 3, &[], &frame(FIN, PONG, &[]), 12_000).await;
    assert!(could_pay > 12_000 * 6, "12,000 pongs for {could_pay} points");
    // A message that never ends: a unit for each KiB.
    let could_pay = floods(&server, 4, &frame(0, TEXT, &[]), &frame(0, CONTINUATION, &[]), 160_000).await;
    assert!(could_pay > 160_000 * 6 * 100 / 1024, "160,000 empty frames for {could_pay} points");
    others.are_served().await;
}
