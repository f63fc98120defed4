//! Slow clients: headers and bodies that arrive slowly or never, and half-open sockets.

use crate::greedy::others::Others;
use crate::greedy::{caller, connect, gauge};
use futures::future::join_all;
use futures::stream::{self, FuturesUnordered, StreamExt};
use reqwest::{Body, Client};
use serde_json::Value;
use std::convert::Infallible;
use std::time::Duration;
use test_support::{Program, eventually, folder};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

/// Far longer than any deadline; only there so that a defect ends a test.
const PATIENCE: Duration = Duration::from_mins(2);
const A_SECOND: Duration = Duration::from_secs(1);

/// Says something, then something more byte by byte, one a second; what is answered until the connection is closed.
async fn drips(mut stream: TcpStream, at_once: String, slowly: String) -> String {
    let (mut reading, mut writing) = stream.split();
    writing.write_all(at_once.as_bytes()).await.unwrap();
    let mut answer = Vec::new();
    let drip = async {
        for byte in slowly.bytes() {
            tokio::time::sleep(A_SECOND).await;
            if writing.write_all(&[byte]).await.is_err() {
                break;
            }
        }
        futures::future::pending::<()>().await;
    };
    tokio::select! {
        // What was still being sent when it was closed may take the last word down with it.
        read = tokio::time::timeout(PATIENCE, reading.read_to_end(&mut answer)) => { let _reset = read.expect("it is closed"); }
        () = drip => {}
    }
    String::from_utf8_lossy(&answer).into_owned()
}

/// Bodies that never come: each may take 64 KiB, and 16 MiB is what may wait for an address.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "slow: waits for deadlines"]
async fn an_address_has_so_many_bodies_coming_in_over_http_2() {
    const CONNECTIONS: usize = 3;
    const STREAMS: usize = 100;
    let data = folder();
    let server = Program::start(data.path(), &["--address-rate", "0", "--player-rate", "0", "--log", "error"]);
    let others = Others::start(&server).await;
    let client = || Client::builder().http2_prior_knowledge().local_address(caller(0, 2)).build().unwrap();
    let clients: Vec<_> = (0..CONNECTIONS).map(|_| client()).collect();
    let url = format!("http://{}/graphql", server.address());
    let ask = |number: usize| {
        let body = Body::wrap_stream(stream::pending::<Result<Vec<u8>, Infallible>>());
        let request = clients[number % CONNECTIONS].post(&url).header("content-type", "application/json");
        request.body(body).send()
    };
    let mut answers: FuturesUnordered<_> = (0..CONNECTIONS * STREAMS).map(ask).collect();
    // One on each connection is not counted.
    let beyond = CONNECTIONS * STREAMS - (16 << 20) / (64 << 10) - CONNECTIONS;
    let mut statuses = Vec::new();
    for _ in 0..beyond {
        let answer = tokio::time::timeout(PATIENCE, answers.next()).await.expect("an answer").unwrap();
        statuses.push(answer.unwrap().status().as_u16());
    }
    assert!(statuses.iter().all(|status| *status == 503), "not for being slow: {statuses:?}");
    others.are_served().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "slow: waits for deadlines"]
async fn a_connection_that_asks_for_nothing_in_time_is_closed() {
    let data = folder();
    let server = Program::start(data.path(), &["--player-rate", "0"]);
    let others = Others::start(&server).await;
    let head = "GET /livez HTTP/1.1\r\nHost: ";
    let slow = [
        ("", ""),
        ("G", ""),
        ("PRI * HTTP/2.0\r\n", ""),
        ("", "PRI * HTTP/2.0\r\n"),
        (head, ""),
        (head, &"x".repeat(100)),
        ("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", ""),
        // After an answer it is the same.
        ("GET /livez HTTP/1.1\r\nHost: x\r\n\r\n", ""),
    ];
    let dripping = slow.map(async |(at_once, slowly)| {
        let stream = connect(&server, caller(0, 2)).await.unwrap();
        drips(stream, at_once.to_owned(), slowly.to_owned()).await
    });
    let answers = join_all(dripping).await;
    assert!(answers[7].starts_with("HTTP/1.1 200"), "{answers:?}");
    others.are_served().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "slow: waits for deadlines"]
async fn a_body_that_takes_too_long_is_answered_with_408_on_both_faces() {
    let data = folder();
    let server = Program::start(data.path(), &["--player-rate", "0"]);
    let others = Others::start(&server).await;
    let slow = async |path: &str, slowly: &str| {
        let head = format!(
            "POST {path} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\
             Connection: close\r\n\r\n{{"
        );
        let stream = connect(&server, caller(0, 2)).await.unwrap();
        let answer = drips(stream, head, slowly.to_owned()).await;
        let (head, body) = answer.split_once("\r\n\r\n").unwrap_or_else(|| panic!("{path}: {answer}"));
        assert!(head.starts_with("HTTP/1.1 408 "), "{path}: {head}");
        serde_json::from_str::<Value>(body).unwrap()
    };
    let drops = " ".repeat(90);
    let (rest, rest_by_drops, graphql, graphql_by_drops) = tokio::join!(
        slow("/v1/players", ""),
        slow("/v1/players", &drops),
        slow("/graphql", ""),
        slow("/graphql", &drops)
    );
    for problem in [rest, rest_by_drops] {
        assert_eq!((&problem["code"], &problem["status"]), (&"REQUEST_TIMEOUT".into(), &408.into()), "{problem}");
    }
    for answer in [graphql, graphql_by_drops] {
        assert_eq!(answer["errors"][0]["extensions"]["code"], "REQUEST_TIMEOUT", "{answer}");
        assert_eq!(answer.get("data"), None);
    }
    others.are_served().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "slow: waits for deadlines"]
async fn a_header_without_end_is_answered_with_431() {
    let data = folder();
    let server = Program::start(data.path(), &[]);
    let many = (0..200).map(|number| format!("x-{number}: y\r\n")).collect::<Vec<_>>().concat();
    let long = format!("x-long: {}\r\n", "y".repeat(100_000));
    let address = format!("GET /v1/games?cursor={} HTTP/1.1\r\n", "y".repeat(100_000));
    for head in [format!("GET /livez HTTP/1.1\r\n{many}"), format!("GET /livez HTTP/1.1\r\n{long}"), address] {
        let mut stream = connect(&server, caller(0, 2)).await.unwrap();
        // It need not be read to its end.
        let _refused_midway = stream.write_all(format!("{head}\r\n").as_bytes()).await;
        let mut answer = [0; 12];
        stream.read_exact(&mut answer).await.unwrap();
        assert_eq!(std::str::from_utf8(&answer).unwrap(), "HTTP/1.1 431", "for {head:.40}");
    }
    assert_eq!(server.get("/livez").await.status, 200);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "slow: waits for deadlines"]
async fn a_socket_that_is_half_closed_holds_no_stream() {
    let data = folder();
    let server = Program::start(data.path(), &["--player-rate", "0"]);
    let ada = server.guest("Ada").await;
    let game = ada.posts("/v1/games", serde_json::json!({"kind": "CHIPS"})).await["id"].as_str().unwrap().to_owned();
    let mut held = Vec::new();
    for _ in 0..50 {
        let mut stream = connect(&server, caller(0, 2)).await.unwrap();
        let ask = format!("GET /v1/games/{game}/events HTTP/1.1\r\nHost: x\r\nAccept: text/event-stream\r\n\r\n");
        stream.write_all(ask.as_bytes()).await.unwrap();
        let mut begun = [0; 15];
        stream.read_exact(&mut begun).await.unwrap();
        assert_eq!(&begun, b"HTTP/1.1 200 OK");
        held.push(stream);
    }
    assert_eq!(gauge(&server, "streams").await, 50);
    for stream in &mut held {
        stream.shutdown().await.unwrap();
    }
    eventually(async || (gauge(&server, "streams").await == 0).then_some(())).await;
}
