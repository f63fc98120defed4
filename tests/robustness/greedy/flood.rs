//! A flood from one address, of requests or of connections.

use crate::greedy::others::Others;
use crate::greedy::{caller, connect, resident};
use futures::future::join_all;
use std::collections::BTreeMap;
use std::time::{Duration, Instant};
use test_support::{Program, folder};
use tokio::io::{AsyncReadExt, AsyncWriteExt};

const FLOOD: Duration = Duration::from_secs(8);

/// Asks as fast as there are answers, several at a time; how often it was answered with what.
async fn floods(server: &Program, until: Instant) -> BTreeMap<u16, u32> {
    let mut stream = connect(server, caller(0, 2)).await.unwrap();
    let ask = "GET /v1/kinds HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer forged\r\n\r\n".repeat(8);
    let mut statuses = BTreeMap::<u16, u32>::new();
    let mut buffer = vec![0; 64 * 1024];
    while Instant::now() < until {
        stream.write_all(ask.as_bytes()).await.unwrap();
        let read = stream.read(&mut buffer).await.unwrap();
        assert!(read > 0, "it is refused, not cut off");
        let text = String::from_utf8_lossy(&buffer[..read]);
        for answer in text.split("HTTP/1.1 ").skip(1) {
            // A status may be cut in two where a read ends.
            if let Some(status) = answer.get(..3).and_then(|status| status.parse().ok()) {
                *statuses.entry(status).or_default() += 1;
            }
        }
    }
    statuses
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "slow: keeps a server busy"]
async fn of_a_flood_of_requests_all_but_a_share_is_refused_and_the_others_are_served() {
    let data = folder();
    let server = Program::start(data.path(), &["--address-rate", "200", "--player-rate", "0", "--log", "error"]);
    let others = Others::start(&server).await;
    let (before, answered) = (resident(&server), others.answered());
    let until = Instant::now() + FLOOD;
    let mut statuses = BTreeMap::<u16, u32>::new();
    for counted in join_all((0..64).map(|_| floods(&server, until))).await {
        for (status, count) in counted {
            *statuses.entry(status).or_default() += count;
        }
    }
    assert!(others.answered() > answered, "the others were answered meanwhile");
    others.are_served().await;
    let refused = statuses.remove(&429).unwrap_or_default();
    let let_in: u32 = statuses.values().sum();
    assert!(refused > let_in && let_in > 0, "{refused} refused, {let_in} let in");
    let grown = resident(&server).saturating_sub(before);
    assert!(grown < 64 * 1024, "{grown} KiB more for 64 connections");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "slow: keeps a server busy"]
async fn of_a_flood_of_connections_an_address_keeps_its_share_and_the_others_find_places() {
    let data = folder();
    let settings = ["--max-connections", "300", "--address-connections", "200", "--player-rate", "0"];
    let server = Program::start(data.path(), &settings);
    let mut held = Vec::new();
    for _ in 0..1_000 {
        held.push(connect(&server, caller(0, 2)).await.unwrap());
    }
    let others = Others::start(&server).await;
    // Those beyond the share are closed without a word; the rest is waited for, for a while.
    let mut closed = 0;
    for stream in &mut held {
        let read = tokio::time::timeout(Duration::from_millis(2), stream.read(&mut [0; 1])).await;
        closed += u32::from(matches!(read, Ok(Ok(0) | Err(_))));
    }
    assert_eq!(closed, 800);
    others.are_served().await;
    drop(held);
    let mut again = connect(&server, caller(0, 2)).await.unwrap();
    again.write_all(b"GET /livez HTTP/1.1\r\nHost: x\r\n\r\n").await.unwrap();
    let mut status = [0; 12];
    again.read_exact(&mut status).await.unwrap();
    assert_eq!(&status, b"HTTP/1.1 200", "places that are given back can be taken");
}
