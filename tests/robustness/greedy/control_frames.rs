//! Floods of HTTP/2 frames that ask for nothing. Frames are counted, never seconds: what the server has taken of a flood
//! shows in what it acknowledges.

use crate::greedy::connect_http2;
use crate::greedy::others::Others;
use futures::future::{join, join_all};
use reqwest::Client;
use std::time::Duration;
use test_support::http2::{self, DATA, HEADERS, PING, PRIORITY, RST_STREAM, SETTINGS, WINDOW_UPDATE, frame};
use test_support::{Endpoint, Program, folder};
use tokio::io::AsyncWriteExt;

/// Far longer than anything takes; only there so that a defect ends a test.
const PATIENCE: Duration = Duration::from_mins(1);

/// Sends a frame repeatedly, and a PING at the end; how many were acknowledged, and whether the PING was.
async fn floods(server: &Program, y: u8, frames: &[u8], times: usize) -> (usize, bool) {
    let mut connection = connect_http2(server, y, 65_535).await;
    // A stream that stays open, for frames that need one.
    let stream = connection.ask("/v1/games/00000000-0000-0000-0000-000000000000/events", &[(":authority", "x")]).await;
    assert_eq!(stream, 1);
    let (mut reading, mut writing) = connection.stream.split();
    let last = frame(PING, 0, 0, b"the last");
    let write = async {
        let sent = writing.write_all(&frames.repeat(times)).await;
        // It may be cut off midway.
        let _cut_off = sent.and(writing.write_all(&last).await);
    };
    let read = async {
        let mut acknowledged = 0;
        while let Some(heard) = http2::hear(&mut reading).await {
            if heard.is_ack() && heard.payload == b"the last" {
                return (acknowledged, true);
            }
            acknowledged += usize::from(heard.is_ack());
        }
        (acknowledged, false)
    };
    let ((), heard) = tokio::time::timeout(PATIENCE, join(write, read)).await.expect("it is acknowledged or cut off");
    heard
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_connection_that_floods_with_frames_is_cut_off_whatever_they_are() {
    let data = folder();
    let server = Program::start(data.path(), &["--address-rate", "0", "--player-rate", "0", "--log", "error"]);
    let others = Others::start(&server).await;
    let ping = frame(PING, 0, 0, &[7; 8]);
    let kinds = [
        ("PING", ping.clone()),
        ("acknowledged PING", frame(PING, 1, 0, &[7; 8])),
        ("SETTINGS", frame(SETTINGS, 0, 0, &[])),
        ("PRIORITY", frame(PRIORITY, 0, 9, &[0, 0, 0, 0, 1])),
        ("WINDOW_UPDATE", frame(WINDOW_UPDATE, 0, 0, &[0, 0, 0, 1])),
        ("RST_STREAM", frame(RST_STREAM, 0, 1, &[0, 0, 0, 8])),
        ("empty DATA", frame(DATA, 0, 1, &[])),
        ("unknown", frame(0xfa, 0, 0, &[])),
    ];
    for (name, kind) in &kinds {
        let (_, passed) = floods(&server, 2, kind, 500).await;
        assert!(passed || ["empty DATA"].contains(name), "some {name} frames are nothing out of the ordinary");
        let (acknowledged, passed) = floods(&server, 2, kind, 50_000).await;
        assert!(!passed && acknowledged < 10_000, "of 50,000 {name} frames {acknowledged} were acknowledged");
    }
    others.are_served().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_connections_of_an_address_flood_at_the_expense_of_its_rate() {
    const CONNECTIONS: usize = 100;
    const FRAMES: usize = 1_900;
    let data = folder();
    let server = Program::start(data.path(), &["--address-rate", "200", "--player-rate", "0", "--log", "error"]);
    let others = Others::start(&server).await;
    let ping = frame(PING, 0, 0, &[7; 8]);
    let heard = join_all((0..CONNECTIONS).map(|_| floods(&server, 2, &ping, FRAMES))).await;
    let acknowledged: usize = heard.iter().map(|(acknowledged, _)| acknowledged).sum();
    let cut_off = heard.iter().filter(|(_, passed)| !passed).count();
    assert!(cut_off > CONNECTIONS / 2, "{cut_off} of {CONNECTIONS} connections");
    assert!(acknowledged < CONNECTIONS * FRAMES / 2, "{acknowledged} of {} frames", CONNECTIONS * FRAMES);
    others.are_served().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn whoever_acknowledges_each_frame_of_many_answers_is_not_taken_for_a_flood() {
    const ANSWERS: usize = 120;
    let data = folder();
    let server = Program::start(data.path(), &["--address-rate", "200", "--player-rate", "0", "--log", "error"]);
    let mut connection = connect_http2(&server, 2, 65_535).await;
    let mut updates = 0;
    for _ in 0..ANSWERS {
        let stream = connection.ask("/openapi.json", &[(":authority", "x")]).await;
        loop {
            let frame = connection.hear().await.expect("it is not cut off");
            if frame.kind == DATA && !frame.payload.is_empty() {
                let by = u32::try_from(frame.payload.len()).unwrap();
                connection.opens_window(0, by).await;
                connection.opens_window(stream, by).await;
                updates += 2;
            }
            if frame.stream == stream && frame.is_last() {
                break;
            }
        }
    }
    assert!(updates > 2_500, "more than would be let pass without a reason: {updates}");
    // And a client of others, several answers at a time.
    let http = Client::builder().http2_prior_knowledge().build().unwrap();
    let other = Endpoint { http, ..Endpoint::clone(&server) };
    let asked = (0..ANSWERS).map(async |_| other.get("/openapi.json").await.bytes.len());
    assert!(join_all(asked).await.iter().all(|length| *length > 100_000));
}

/// h2 answers a header that is too long by itself, so such a request never comes in.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn headers_that_are_too_long_are_counted_though_nobody_sees_the_request() {
    const MANY: u32 = 5_000;
    let data = folder();
    let server = Program::start(data.path(), &["--address-rate", "0", "--player-rate", "0", "--log", "error"]);
    let mut connection = connect_http2(&server, 2, 65_535).await;
    let (_, mut request) = connection.request("/v1/kinds", &[(":authority", "x"), ("x", &"x".repeat(16_200))]);
    let (mut reading, mut writing) = connection.stream.split();
    // One is answered. How many are before the others are cut off can't be said: what is on its way is lost then.
    request[5..9].copy_from_slice(&1_u32.to_be_bytes());
    writing.write_all(&request).await.unwrap();
    let answered = async { while http2::hear(&mut reading).await.expect("an answer").kind != HEADERS {} };
    tokio::time::timeout(PATIENCE, answered).await.expect("a single one is answered");
    let write = async {
        for number in 1..=MANY {
            request[5..9].copy_from_slice(&(2 * number + 1).to_be_bytes());
            if writing.write_all(&request).await.is_err() {
                return;
            }
        }
    };
    let read = async {
        let mut answers = 0;
        while answers < MANY
            && let Some(heard) = http2::hear(&mut reading).await
        {
            answers += u32::from(heard.kind == HEADERS);
        }
        answers
    };
    let both = join(write, read);
    let ((), answers) = tokio::time::timeout(PATIENCE, both).await.expect("it is answered or cut off");
    assert!(answers < MANY, "all were answered");
}

/// A header that never ends, and streams that are given up at once: h2 itself has bounds for them.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn endless_headers_and_rapid_resets_are_cut_off() {
    const CONTINUATION: u8 = 9;
    const MANY: usize = 200_000;
    let data = folder();
    let server = Program::start(data.path(), &["--address-rate", "0", "--player-rate", "0", "--log", "error"]);
    let mut endless = connect_http2(&server, 2, 65_535).await;
    // Without END_HEADERS; then more of them for as long as they are taken.
    endless.send(&frame(HEADERS, 1, 1, &[0x82, 0x86])).await.unwrap();
    let more = frame(CONTINUATION, 0, 1, &[&[0, 1, b'a', 100][..], &[b'x'; 100]].concat());
    let mut sent = 0;
    while sent < MANY && endless.send(&more).await.is_ok() {
        sent += 1;
    }
    assert!(sent < MANY, "a header without an end is cut off");

    let mut rapid = connect_http2(&server, 2, 65_535).await;
    let mut asked = 0;
    while asked < MANY {
        let (stream, request) = rapid.request("/v1/kinds", &[(":authority", "x")]);
        let reset = frame(RST_STREAM, 0, stream, &[0, 0, 0, 8]);
        if rapid.send(&[request, reset].concat()).await.is_err() {
            break;
        }
        asked += 1;
    }
    assert!(asked < MANY, "and so are streams that are given up at once");
    assert_eq!(server.get("/livez").await.status, 200);
}
