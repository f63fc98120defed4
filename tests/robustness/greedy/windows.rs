//! Readers that stop: HTTP/2 windows that are never opened, sockets that are never read. What waits for them is bounded,
//! and they are cut off; a reader that is merely slow gets its whole answer.

use crate::greedy::others::Others;
use crate::greedy::{caller, connect, connect_http2, gauge, resident};
use futures::SinkExt;
use futures::future::{join, join_all};
use serde_json::{Value, json};
use std::time::{Duration, Instant};
use test_support::http2::DATA;
use test_support::{Player, Program, eventually, folder};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::sync::watch;
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::tungstenite::client::IntoClientRequest;

const CONNECTIONS: u8 = 10;
/// As many as a connection may have.
const STREAMS: usize = 100;
const SOCKETS: usize = 4;
/// What all of them together may take, in KiB: a few times the 16 MiB that may wait for each of the two addresses.
const KIB: u64 = 128 * 1024;
/// Far longer than any deadline; only there so that a defect ends a test.
const PATIENCE: Duration = Duration::from_mins(2);

/// Answers of about 100 KB that are made for each request.
const LARGE: &str = "/graphql?query={kinds{schemas{view,event,options,move,effect,choice},glossary{term,name}}}";

/// The address of a replay that is streamed: of a lobby that somebody came to and left often, and that was given up.
async fn long_replay(server: &Program) -> String {
    let (ada, bob) = (server.guest("Ada").await, server.guest("Bob").await);
    let game = ada.posts("/v1/games", json!({"kind": "CHIPS"})).await["id"].as_str().unwrap().to_owned();
    let stands_up = async |player: &Player| {
        let stood = player.delete(&format!("/v1/games/{game}/seats/me")).await;
        assert!(stood.is_success(), "{}", stood.status);
    };
    for _ in 0..150 {
        bob.posts(&format!("/v1/games/{game}/seats"), Value::Null).await;
        stands_up(&bob).await;
    }
    stands_up(&ada).await;
    let path = format!("/v1/games/{game}/replay");
    let replay: Value = server.get(&path).await.json();
    assert!(replay["steps"].as_array().is_some_and(|steps| steps.len() > 300), "{replay}");
    path
}

/// Asks for as much as a connection can, and reads nothing but headers until it is closed.
async fn never_opens_a_window(server: &Program, path: &str, headers: &[(&str, &str)]) {
    let mut connection = connect_http2(server, 2, 0).await;
    for _ in 0..STREAMS {
        connection.ask(path, &[&[(":authority", "x"), ("accept", "*/*")], headers].concat()).await;
    }
    let closed = async { while connection.hear().await.is_some() {} };
    tokio::time::timeout(PATIENCE, closed).await.expect("it is cut off");
}

/// Sockets that ask for large answers a hundred times over, and read none of them, until they are closed.
async fn sockets_that_never_read(server: &Program) {
    let query = LARGE.split_once('=').unwrap().1;
    let mut held = Vec::new();
    for _ in 0..SOCKETS {
        let stream = connect(server, caller(0, 7)).await.unwrap();
        let mut request = format!("ws://{}/graphql", server.address()).into_client_request().unwrap();
        request.headers_mut().insert("sec-websocket-protocol", "graphql-transport-ws".parse().unwrap());
        let (mut socket, _) = tokio_tungstenite::client_async(request, stream).await.unwrap();
        socket.send(Message::text(json!({"type": "connection_init"}).to_string())).await.unwrap();
        for number in 0..100 {
            let ask = json!({"type": "subscribe", "id": number.to_string(), "payload": {"query": query}});
            socket.send(Message::text(ask.to_string())).await.unwrap();
        }
        held.push(socket);
    }
    eventually(async || (gauge(server, "sockets").await == 0).then_some(())).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn windows_that_are_never_opened_and_sockets_that_are_never_read_cost_little_and_are_cut_off() {
    let data = folder();
    let server = Program::start(data.path(), &["--address-rate", "0", "--player-rate", "0", "--log", "error"]);
    let others = Others::start(&server).await;
    let large = server.get(LARGE).await.bytes.len();
    assert!(large > 50_000, "{large} bytes");
    let replay = long_replay(&server).await;
    let before = resident(&server);
    let asks: [(&str, &[(&str, &str)]); 5] = [
        ("/openapi.json", &[]),
        (&replay, &[("accept-encoding", "br")]),
        (LARGE, &[]),
        (LARGE, &[("accept-encoding", "gzip")]),
        (LARGE, &[("accept-encoding", "br")]),
    ];
    let greedy = (0..usize::from(CONNECTIONS)).map(|number| {
        let (path, headers) = asks[number % asks.len()];
        never_opens_a_window(&server, path, headers)
    });
    let (done, mut is_done) = watch::channel(false);
    let watching = async {
        let (mut most, answered) = (0, others.answered());
        while tokio::time::timeout(Duration::from_millis(200), is_done.changed()).await.is_err() {
            most = resident(&server).max(most);
        }
        (most, others.answered() - answered)
    };
    let all_closed = async {
        join(join_all(greedy), sockets_that_never_read(&server)).await;
        done.send(true).unwrap();
    };
    let ((), (most, answered)) = join(all_closed, watching).await;
    let grown = most.saturating_sub(before);
    eprintln!("{CONNECTIONS} connections and {SOCKETS} sockets that never read take {grown} KiB; others: {answered}");
    assert!(grown < KIB, "{grown} KiB for {CONNECTIONS} connections and {SOCKETS} sockets");
    assert!(answered > 100, "the others were served meanwhile: {answered}");
    others.are_served().await;
}

/// Takes a piece of an answer every second, for longer than one that gets nowhere is waited for.
async fn reads_slowly(server: &Program) {
    const SECONDS: u32 = 40;
    let whole = server.get("/openapi.json").await.bytes;
    let mut connection = connect_http2(server, 3, 0).await;
    let stream = connection.ask("/openapi.json", &[(":authority", "x")]).await;
    let piece = u32::try_from(whole.len()).unwrap() / SECONDS + 1;
    let mut next = Instant::now();
    let mut read = Vec::new();
    while read.len() < whole.len() {
        tokio::time::sleep_until(next.into()).await;
        next += Duration::from_secs(1);
        connection.opens_window(0, piece).await;
        connection.opens_window(stream, piece).await;
        let due = (read.len() + piece as usize).min(whole.len());
        while read.len() < due {
            let frame = connection.hear().await.expect("it is not cut off");
            if (frame.kind, frame.stream) == (DATA, stream) {
                read.extend(frame.payload);
            }
        }
    }
    assert!(read == whole, "what was read slowly is the whole answer");
}

/// A stream of events whose first one is never taken.
async fn takes_no_event(server: &Program, game: &str) {
    let mut connection = connect_http2(server, 4, 0).await;
    let headers = [(":authority", "x"), ("accept", "text/event-stream")];
    connection.ask(&format!("/v1/games/{game}/events"), &headers).await;
    let closed = async { while connection.hear().await.is_some() {} };
    tokio::time::timeout(PATIENCE, closed).await.expect("it is cut off");
}

/// Asks for far more over HTTP/1 than fits between the two, reads nothing for a long time, then what there is.
async fn never_reads(server: &Program) {
    const ASKED: usize = 40;
    let whole = server.get("/openapi.json").await.bytes.len();
    let mut stream = connect(server, caller(0, 5)).await.unwrap();
    stream.write_all("GET /openapi.json HTTP/1.1\r\nHost: x\r\n\r\n".repeat(ASKED).as_bytes()).await.unwrap();
    tokio::time::sleep(Duration::from_secs(42)).await;
    let mut read = Vec::new();
    let _reset = tokio::time::timeout(PATIENCE, stream.read_to_end(&mut read)).await.expect("it is closed");
    assert!(!read.is_empty() && read.len() < ASKED * whole, "it was cut off: {} bytes", read.len());
}

/// Listens to a game in which nothing happens, over either HTTP, for longer than that.
async fn listens(server: &Program, game: &str, is_over: &watch::Receiver<bool>) {
    let path = format!("/v1/games/{game}/events");
    let mut connection = connect_http2(server, 6, 65_535).await;
    let of = connection.ask(&path, &[(":authority", "x"), ("accept", "text/event-stream")]).await;
    let ask = format!("GET {path} HTTP/1.1\r\nHost: x\r\nAccept: text/event-stream\r\n\r\n");
    let mut stream = connect(server, caller(0, 6)).await.unwrap();
    stream.write_all(ask.as_bytes()).await.unwrap();
    let mut is_over = is_over.clone();
    let heard = async {
        loop {
            let frame = connection.hear().await.expect("it goes on");
            assert!(frame.stream != of || !frame.is_last(), "it goes on");
        }
    };
    let read = async {
        let mut buffer = [0; 4096];
        while stream.read(&mut buffer).await.unwrap() > 0 {}
        panic!("it goes on");
    };
    tokio::select! {
        over = is_over.wait_for(|over| *over) => { over.unwrap(); }
        _ = join(heard, read) => {}
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn who_does_not_read_is_cut_off_and_who_reads_slowly_or_has_nothing_to_read_is_not() {
    let data = folder();
    let server = Program::start(data.path(), &["--address-rate", "0", "--player-rate", "0", "--log", "error"]);
    let ada = server.guest("Ada").await;
    let game = ada.posts("/v1/games", json!({"kind": "CHIPS"})).await["id"].as_str().unwrap().to_owned();
    let (over, is_over) = watch::channel(false);
    let readers = async {
        futures::join!(reads_slowly(&server), takes_no_event(&server, &game), never_reads(&server));
        over.send(true).unwrap();
    };
    join(readers, listens(&server, &game, &is_over)).await;
}
