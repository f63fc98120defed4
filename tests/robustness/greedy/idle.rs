//! Ten thousand who only listen.

use crate::greedy::others::Others;
use crate::greedy::{caller, connect, gauge, resident};
use futures::{StreamExt, stream};
use serde_json::{Value, json};
use std::time::Duration;
use test_support::{Program, folder};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

const STREAMS: u64 = 10_000;
/// As many as one address may have.
const OF_ONE_ADDRESS: u64 = 1_000;
/// What one of them may cost, in an unoptimised build too.
const KIB_EACH: u64 = 48;

/// Reads until something was said.
async fn hears(stream: &mut TcpStream, what: &str) {
    let mut heard = String::new();
    let mut buffer = [0; 4096];
    while !heard.contains(what) {
        let read = tokio::time::timeout(Duration::from_mins(1), stream.read(&mut buffer)).await;
        let read = read.expect("it goes on").unwrap();
        assert!(read > 0, "it ended: {heard}");
        heard.push_str(&String::from_utf8_lossy(&buffer[..read]));
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "slow: ten thousand connections"]
async fn ten_thousand_idle_streams_cost_little_hear_everything_and_hold_up_nobody() {
    let data = folder();
    let settings = ["--address-rate", "0", "--player-rate", "0", "--log", "error"];
    let server = &Program::start(data.path(), &settings);
    let (ada, bob) = (server.guest("Ada").await, server.guest("Bob").await);
    let game = &ada.posts("/v1/games", json!({"kind": "CHIPS", "seats": 2})).await["id"].as_str().unwrap().to_owned();
    let others = Others::start(server).await;
    let before = resident(server);
    let listening = stream::iter(0..STREAMS).map(async |number| {
        let from = caller(1, u8::try_from(number / OF_ONE_ADDRESS).unwrap() + 1);
        let mut stream = connect(server, from).await.expect("this takes 10,000 descriptors: see `ulimit -n`");
        let ask = format!("GET /v1/games/{game}/events HTTP/1.1\r\nHost: x\r\nAccept: text/event-stream\r\n\r\n");
        stream.write_all(ask.as_bytes()).await.unwrap();
        hears(&mut stream, "id: 1\n").await;
        stream
    });
    let mut listening: Vec<_> = listening.buffer_unordered(64).collect().await;
    assert!(gauge(server, "streams").await >= STREAMS);
    let grown = resident(server).saturating_sub(before);
    eprintln!("{STREAMS} idle streams take {grown} KiB");
    assert!(grown < KIB_EACH * STREAMS, "{grown} KiB for {STREAMS} streams");

    // Every stream receives a step.
    bob.posts(&format!("/v1/games/{game}/seats"), Value::Null).await;
    let told = stream::iter(&mut listening).map(async |stream| hears(stream, "id: 2\n").await);
    assert_eq!(told.buffer_unordered(64).count().await as u64, STREAMS);
    others.are_served().await;
}
